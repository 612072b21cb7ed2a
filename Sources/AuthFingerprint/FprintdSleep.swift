internal import DBus
internal import MainLoop

/// Whether the machine sleeps, as fprintd sees it.
///
/// fprintd suspends its devices when logind says so (PrepareForSleep), in the same moment as we hear of it. A Release
/// fails from then on, and leaves the device open and nobody's: until fprintd is restarted every Claim is answered
/// "already been opened" (1.94). So a claim is kept over the sleep, with nothing running on it, and given back and made
/// anew after it.
@LoopActor
final class FprintdSleep {
    private static let logind = "org.freedesktop.login1"
    /// The devices may take a moment to be there again.
    private static let waking: Duration = .milliseconds(500)
    /// Of waking time: an end that is not signalled, as by a logind that was restarted. It delays a sleep by less.
    private static let longest: Duration = .seconds(30)

    private(set) var isAsleep = false
    private var subscription: Subscription?
    private var watch: NameWatch?
    private var timer: LoopSource?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Gives back what was kept; whoever waits for the waking goes on after it.
    var onWake: (() async -> Void)?

    init(_ bus: Connection) {
        subscription = bus.subscribe(
            from: Self.logind, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
            member: "PrepareForSleep"
        ) { [weak self] in
            guard let isStarting = $0.arguments.first?.asBool else { return }
            self?.set(isStarting)
        }
        watch = bus.watchName(Self.logind) { [weak self] owner in
            if owner == nil, self?.isAsleep == true { self?.set(false) }
        }
    }

    func stop() {
        subscription = nil
        watch = nil
        timer = nil
        isAsleep = false
        onWake = nil
        resume()
    }

    /// Returns when the machine does not sleep.
    func end() async {
        while isAsleep { await withCheckedContinuation { waiting.append($0) } }
    }

    private func set(_ isStarting: Bool) {
        if isStarting { isAsleep = true }
        timer = .after(isStarting ? Self.longest : Self.waking) { [weak self] in
            guard let self, isAsleep else { return }
            isAsleep = false
            onLoop { [weak self] in
                await self?.onWake?()
                self?.resume()
            }
        }
    }

    private func resume() {
        let waiting = waiting
        self.waiting = []
        for one in waiting { one.resume() }
    }
}
