import AuthCore
import AuthFingerprint
import DBus
import MainLoop

// Until AuthFingerprint has its facade: the same calls, and no sensor behind them.

enum SensorChoice: String {
    case automatic = "auto"
    case libfprint, fprintd, none
}

@LoopActor
final class FingerprintSensor {
    var onEvent: ((SensorEvent) -> Void)?

    init(system: Connection?, folder: String, choice: SensorChoice, log: @escaping @Sendable (String) -> Void) {}

    func start() async {}
    func take(_ order: SensorOrder) {}
    func settle() async {}
    func stop() {}
}
