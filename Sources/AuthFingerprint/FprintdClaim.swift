internal import AuthCore
internal import DBus
internal import MainLoop

/// The sensor while it is ours, and the one scan or enrolment that runs on it.
///
/// What fprintd signals is believed between the call of VerifyStart (EnrollStart) and that of VerifyStop (EnrollStop)
/// only. The result of a finger that lay there already may come before the start's answer; what came of the scan before
/// has come before its stop was answered, and what fprintd says after a stop is void.
@LoopActor
final class FprintdClaim {
    let device: FprintdDevice
    private let bus: Connection
    private var isListening = false
    /// Called with VerifyStatus's or EnrollStatus's word and whether the scan is done with it.
    var onStatus: ((_ word: Substring, _ isDone: Bool) -> Void)?
    /// Called with the finger that VerifyStart means: one of the ten, or `any` where the device identifies.
    var onFingerSelected: ((String) -> Void)?

    /// What touches the device may take its time; who gave the order is told after 2 s that it does.
    static let patience: Duration = .seconds(25)

    init(_ device: FprintdDevice, on bus: Connection) {
        self.device = device
        self.bus = bus
    }

    /// What is heard is over, whatever is said: a result was given, or the scan is stopped.
    func stopListening() { isListening = false }

    /// VerifyStart or EnrollStart.
    ///
    /// - Parameter timeout: EnrollStart may have to ask the person for a password first (polkit).
    func start(_ member: String, _ finger: String, timeout: Duration = patience) async -> SensorFailure? {
        isListening = true
        do {
            _ = try await call(member, [.string(finger)], timeout: timeout)
            return nil
        } catch {
            isListening = false
            return Fprintd.failure(error)
        }
    }

    /// VerifyStop or EnrollStop. Waits until the device has stopped; that nothing ran is no error.
    ///
    /// - Returns: false where it is not known to have stopped: nothing else may be started.
    @discardableResult
    func stop(_ member: String) async -> Bool {
        isListening = false
        do {
            _ = try await call(member)
            return true
        } catch { return Fprintd.shortName(error) == "NoActionInProgress" }
    }

    func call(
        _ member: String, _ arguments: [Value] = [], timeout: Duration = patience
    ) async throws(DBusFailure) -> [Value] {
        try await bus.call(device.owner, device.path, Fprintd.device, member, arguments, timeout: timeout)
    }

    /// A signal of fprintd's: from its owner at the time of the claim, and for our device, or it is not for us.
    func take(_ signal: Signal) {
        guard isListening, signal.sender == device.owner, signal.path == device.path,
            let word = signal.arguments.first?.asString
        else { return }
        switch (signal.member, signal.arguments.count) {
        case ("VerifyFingerSelected", 1): onFingerSelected?(word)
        case ("VerifyStatus", 2), ("EnrollStatus", 2):
            guard let isDone = signal.arguments[1].asBool, let dash = word.firstIndex(of: "-") else { return }
            onStatus?(word[word.index(after: dash)...], isDone)
        default: return
        }
    }
}

/// A device of one run of fprintd's.
struct FprintdDevice: Equatable, Sendable {
    /// fprintd's unique name.
    let owner: String
    let path: String
}
