internal import AuthTexts
import AuthWire

/// The page of the fingers, as values.
struct FingersPage: Equatable, Sendable {
    struct Enrolled: Equatable, Sendable {
        var finger: Wire.Finger
        var title: String
        var row: RowState
    }

    struct Factor: Equatable, Sendable {
        var factors: LockState.Factors
        var row: RowState
        var isChosen: Bool
    }

    var sensorName: String
    var sensor: RowState
    var fingers: [Enrolled]
    /// Said where there is none.
    var noFingers: String
    var deleteAll: RowState
    /// Those that can be enrolled.
    var choices: [Wire.Finger]
    var enroll: RowState
    var test: RowState
    /// Of the enrolment or the test under way; nil for none.
    var scan: SettingsModel.Scan?
    var progress: String
    var use: RowState
    var isUsed: Bool
    var factors: [Factor]
    /// Of the choice between them.
    var factorsNotice: Notice?

    init(_ facts: Facts) {
        let (state, sensor) = (facts.state, facts.state.sensor)
        let enrolled = state.fingers ?? []
        let isFree = sensor.isAvailable && !sensor.isBusy && facts.scan == nil
        sensorName =
            state.isReady && !sensor.isAvailable
            ? Texts.noSensor : sensor.name.isEmpty ? Texts.someSensor : sensor.name
        self.sensor = RowState(
            subtitle: state.isReady ? Self.sensorHelp(sensor, facts.scan) : "", isSensitive: state.isReady)
        fingers = enrolled.map {
            Enrolled(
                finger: $0, title: Texts.capitalised($0.translatedName),
                row: facts.row(.finger($0), isSensitive: isFree))
        }
        noFingers =
            !enrolled.isEmpty || !state.isReady ? "" : state.fingers == nil ? Texts.fingersUnknown : Texts.noFinger
        deleteAll = facts.row(.deleteAll, isSensitive: isFree && !enrolled.isEmpty)
        choices = Wire.Finger.allCases.filter { !enrolled.contains($0) }
        enroll = facts.row(.enroll, Texts.fingerHelp, isSensitive: isFree && !choices.isEmpty)
        test = facts.row(.test, Texts.tryHelp, isSensitive: isFree && !enrolled.isEmpty)
        scan = facts.scan
        progress = facts.scan.map { $0.stages > 0 ? Texts.scans($0.done, of: $0.stages) : "" } ?? ""
        let lock = state.session
        let isNeeded = lock.factors != .any
        use = facts.row(
            .fingerEnabled, isNeeded ? Texts.useFingerNeeded : Texts.useFingerHelp,
            isSensitive: !(isNeeded && lock.isFingerEnabled))
        isUsed = lock.isFingerEnabled
        factors = LockState.Factors.allCases.map { choice in
            let obstacle = choice == lock.factors ? nil : Self.obstacle(choice, state)
            let help = Texts.factorsHelp(choice)
            return Factor(
                factors: choice,
                row: RowState(
                    subtitle: obstacle.map { state.isReady ? help + " " + $0 : help } ?? help,
                    isSensitive: facts.row(.factors).isSensitive && obstacle == nil),
                isChosen: choice == lock.factors)
        }
        factorsNotice = facts.notices[.factors]
    }

    private static func sensorHelp(_ sensor: SensorState, _ scan: SettingsModel.Scan?) -> String {
        guard sensor.isAvailable else { return Texts.noSensorHelp }
        let help = sensor.isBusy || scan != nil ? Texts.sensorBusy : Texts.sensorReady(isSwiped: sensor.isSwiped)
        return sensor.knowsNamesOnly ? help + " " + Texts.namesOnly : help
    }

    /// Why it cannot be chosen now, in the order in which the service refuses it (section 2 of the contract).
    static func obstacle(_ choice: LockState.Factors, _ state: ServiceState) -> String? {
        guard choice != .any else { return nil }
        let lock = state.session
        if !lock.isFingerEnabled { return Texts.needsSwitch }
        if !state.sensor.isAvailable || state.fingers == nil { return Texts.needsSensor }
        if state.fingers?.isEmpty != false { return Texts.needsFinger }
        if choice == .all, lock.store != .ready { return Texts.needsPasscode }
        if choice == .finger, lock.hasPasscode { return Texts.needsNoPasscode }
        return nil
    }
}
