/// What a sensor is and can do.
struct SensorFacts: Sendable, Equatable {
    var name: String
    var driver: String
    var deviceID: String
    var isPress: Bool
    var enrollStages: UInt32
    var canIdentify: Bool
    /// It refuses by itself to enroll a finger twice.
    var findsDuplicates: Bool
    /// It keeps prints on the chip, and tells which.
    var listsPrints: Bool
    var deletesPrints: Bool

    /// The chip is libfprint's own memory (its virtual_device_storage), and lives no longer than its context.
    var isMadeUp: Bool { listsPrints && driver.hasPrefix("virtual_") }
}
