import AuthWire
import DBus
import MainLoop

/// What can happen while a view is served.
enum ViewEvent {
    case view(AuthView?)
    /// The view reached the front.
    case presented
    /// IsShowingAuth: whether the view is in front, and not in line.
    case isInFront(Bool)
    /// The view's end: `success` or an error's short name.
    case dismissed(String)
    /// The request's end.
    case completed(String, [String: Value])
    case input(Terminal.Input)
    case tick
    case interrupted
    case timedOut
    /// The service or the bus is gone.
    case serviceLeft
}

/// Listens to one authenticator, from before its view comes up.
@LoopActor
final class ViewEvents {
    let mailbox = Mailbox<ViewEvent>()
    let client: AuthenticatorClient
    /// What the last success was made with, and whether it took the passcode away.
    private(set) var lastMethod = ""
    private(set) var passcodeWasTurnedOff = false
    /// What the last counted failure was made with; nil before the first.
    private(set) var failedMethod: String?

    let endsWithRequest: Bool
    private var subscriptions: [Subscription] = []
    private var watch: NameWatch?
    private var owner: String?

    /// - Parameter endsWithRequest: the view's own end is no end; a request's Completed follows it.
    init(_ client: AuthenticatorClient, endsWithRequest: Bool = false) {
        self.client = client
        self.endsWithRequest = endsWithRequest
        let mailbox = self.mailbox
        subscriptions = [
            client.onSignal(.viewChanged) { mailbox.post(.view(AuthView($0.first?.asDictionary ?? [:]))) },
            client.onSignal(.authViewDismissed) { arguments in
                if !endsWithRequest { mailbox.post(.dismissed(arguments.first?.asString ?? "")) }
            },
            client.onSignal(.authViewPresented) { _ in mailbox.post(.presented) },
            client.onSignal(.authenticationSucceeded) { [weak self] in self?.lastMethod = $0.first?.asString ?? "" },
            client.onSignal(.authenticationFailed) { [weak self] arguments in
                self?.failedMethod = arguments.dropFirst().first?.asString ?? ""
            },
            client.onSignal(.passcodeTurnedOff) { [weak self] _ in self?.passcodeWasTurnedOff = true },
            client.onPropertiesChanged { changed in
                let key = Wire.Authenticator.Property.isShowingAuth.rawValue
                if let shows = changed[key]?.asBool { mailbox.post(.isInFront(shows)) }
            },
        ]
        watch = client.connection.watchName(Wire.busName) { [weak self] owner in
            guard let self else { return }
            if let known = self.owner, owner != known { mailbox.post(.serviceLeft) }
            self.owner = owner
        }
        client.connection.onDisconnect = { mailbox.post(.serviceLeft) }
    }

    /// Forgets the end of a view that stood before ours: its signals come before our Present's reply.
    func startAfresh() {
        failedMethod = nil
        mailbox.discard { event in
            switch event {
            case .view, .dismissed, .isInFront, .presented: true
            default: false
            }
        }
    }

    /// Waits for the end, whatever happens until then.
    func end() async throws(CommandFailure) -> ViewEnd {
        while true {
            if let end = try ViewEnd(await mailbox.next()) { return end }
        }
    }

    /// The end where no view stands: a request's answer is still to come, a view's end has been and gone.
    func endWithoutView() async throws(CommandFailure) -> ViewEnd {
        endsWithRequest ? try await end() : .dismissed(WireError.systemCancel.rawValue)
    }

    nonisolated static let serviceLeft = CommandFailure(.unavailable, "the service has left the bus")
}

/// How a view ended for whoever served it.
enum ViewEnd {
    /// `success` or an error's short name.
    case dismissed(String)
    case completed(String, [String: Value])
    case interrupted
    case timedOut
}
