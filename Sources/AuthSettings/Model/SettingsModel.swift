import AuthWire
import DBus
import MainLoop

/// The window without its widgets: what is known of the service, what the person has chosen for next time, what is going
/// on. A control shows what the service says; what was refused is therefore never shown as set.
@LoopActor
final class SettingsModel {
    let link = ServiceLink()
    let answers = Answers()
    /// Called when anything shown may be another.
    var onChange: @LoopActor () -> Void = {}
    /// The window's handle for `parent_window`; empty for none.
    var parentWindow = ""
    /// What the next passcode is to be; nil for what the service has.
    var wantedKind: Wire.PasscodeKind?
    var wantedLength: UInt32?
    private(set) var notices: [Item: Notice] = [:]
    /// Controls that wait for an answer.
    private(set) var working: Set<Item> = []
    /// The service as it was when the notices were last looked through.
    private var known = ServiceState()
    /// End what is said for a while only.
    private var ends: [Item: LoopSource] = [:]
    private static let passing = Duration.seconds(8)
    var scan: Scan?
    var request: RequestClient?

    /// An enrolment or a test under way.
    struct Scan: Equatable, Sendable {
        /// The one that is enrolled; nil for a test.
        var finger: Wire.Finger?
        var done: UInt32 = 0
        var stages: UInt32
        var hint: String
    }

    var state: ServiceState { link.state }

    init() {
        link.onChange = { [weak self] in
            self?.dropStaleNotices()
            self?.changed()
        }
        link.onLoss = { [weak self] in
            guard let self else { return }
            answers.loseAll()
            notices = [:]
            ends = [:]
            scan = nil
        }
    }

    /// What was refused is not said any longer than it is so, whoever changed it.
    private func dropStaleNotices() {
        let change = (old: known, new: state)
        known = state
        guard change.old.isReady, change.new.isReady else { return }
        for (item, notice) in notices where notice.kind == .failure && !working.contains(item) && item.isAbout(change) {
            notices[item] = nil
        }
    }

    func changed() { onChange() }

    func tell(_ item: Item, _ notice: Notice?) {
        guard notices[item] != notice else { return }
        notices[item] = notice
        changed()
    }

    /// Does something that may take its time, once at a time for each control. What was said there goes.
    func perform(_ item: Item, _ body: @escaping @LoopActor @Sendable () async -> Notice?) {
        guard state.isReady, !working.contains(item) else { return changed() }
        working.insert(item)
        notices[item] = nil
        ends[item] = nil
        changed()
        onLoop { [weak self] in
            let notice = await body()
            guard let self else { return }
            working.remove(item)
            notices[item] = notice
            changed()
            guard let notice, notice.isPassing else { return }
            ends[item] = .after(Self.passing) { [weak self] in
                self?.ends[item] = nil
                if self?.notices[item] == notice { self?.tell(item, nil) }
            }
        }
    }

    // MARK: settings

    /// Writes a property of the session's. A weaker one needs proof: then it is asked for, and written again.
    func write(_ item: Item, _ property: Wire.Authenticator.Property, _ value: Value) {
        guard state.session[property] != value else { return tell(item, nil) }
        perform(item) { [self] in
            await proving(item, [(Wire.Path.session, state.session)]) { connection throws(DBusFailure) in
                try await AuthenticatorClient(connection, path: Wire.Path.session).set(property, to: value)
            }.notice
        }
    }

    func attempt(_ body: @LoopActor (Connection) async throws(DBusFailure) -> Void) async -> Outcome {
        guard let connection = link.connection else { return .silence }
        do throws(DBusFailure) {
            try await body(connection)
            return .success
        } catch { return Outcome(failure: error.name) }
    }

    /// Makes a call that answers with a request, and waits for that to be completed.
    func asking(
        _ call: @LoopActor (Connection, _ token: String) async throws(DBusFailure) -> String
    ) async -> Outcome {
        guard let connection = link.connection else { return .silence }
        let number = answers.expect()
        let token = "settings_" + String(UInt64.random(in: .min ... .max), radix: 36)
        let request = RequestClient(connection, token: token) { [answers] result, _ in
            answers.give(number, Outcome(result: result))
        }
        self.request = request
        defer { if self.request === request { self.request = nil } }
        do throws(DBusFailure) { request.follow(try await call(connection, token)) } catch {
            return Outcome(failure: error.name)
        }
        return await answers.get(number)
    }

    var viewOptions: [Wire.Option: Value] {
        var options: [Wire.Option: Value] = [.ui: .string(Wire.UserInterface.auto.rawValue)]
        if !parentWindow.isEmpty { options[.parentWindow] = .string(parentWindow) }
        return options
    }
}
