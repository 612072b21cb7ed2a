public import AuthCore

/// A sensor with people's fingers on it. A print is a text: whose finger it is.
public struct FakeSensor: Sendable {
    public var isPlugged = false
    public var backend = SensorBackend.libfprint
    public var canIdentify = true
    public var enrolled: [Finger: String] = [:]
    /// Another program has it.
    public var isClaimed = false
    public var basis = DomainStateBasis.prints

    /// The standing order.
    public internal(set) var scan: (number: UInt64, finger: Finger?)?
    public internal(set) var enrolment: (number: UInt64, finger: Finger)?
    public internal(set) var isArmed = false
    /// Orders for scans since the beginning.
    public internal(set) var scans = 0

    public var state: SensorState {
        var state = SensorState()
        guard isPlugged else { return state }
        state.backend = backend
        state.isPresent = true
        state.deviceName = "Fake"
        state.scanType = "press"
        state.enrollStages = 5
        state.canIdentify = canIdentify
        state.fingers = enrolled.keys.sorted()
        let elements = enrolled.map { basis == .prints ? "\($0.key.rawValue)=\($0.value)" : $0.key.rawValue }
        state.set = FingerSet(digest: Array(elements.sorted().joined(separator: ";").utf8))
        state.basis = basis
        return state
    }
}

extension Bench {
    /// What a set of fingers is called for an authenticator.
    static func domainState(_ set: FingerSet, _ id: AuthenticatorID) -> [UInt8] {
        Array(id.application.utf8) + [0] + set.digest
    }

    // MARK: People

    /// Puts a finger on the sensor: nothing happens unless it waits for one.
    @discardableResult
    public func touch(_ print: String) -> [Action] {
        guard let scan = sensor.scan, sensor.isArmed else { return [] }
        lastTouch = print
        let match = sensor.enrolled.first { $0.value == print && (scan.finger ?? $0.key) == $0.key }
        guard let match else { return send(.sensor(.noMatch(scan.number))) }
        sensor.scan = nil
        sensor.isArmed = false
        return send(.sensor(.match(scan.number, match.key)))
    }

    /// The finger was put on badly.
    @discardableResult
    public func fumble(_ reason: RetryReason = .general) -> [Action] {
        let number = sensor.isArmed ? sensor.scan?.number : sensor.enrolment?.number
        return number.map { send(.sensor(.retry($0, reason))) } ?? []
    }

    /// Enrols behind the service's back, as fprintd's other clients do.
    public func enroll(_ finger: Finger, _ print: String?) {
        sensor.enrolled[finger] = print
        if sensor.isPlugged { send(.sensor(.changed(sensor.state))) }
    }

    public func plug() {
        sensor.isPlugged = true
        send(.sensor(.changed(sensor.state)))
        if let scan = sensor.scan, !sensor.isClaimed {
            sensor.isArmed = true
            send(.sensor(.armed(scan.number)))
        }
    }

    public func unplug() {
        sensor.isPlugged = false
        sensor.isArmed = false
        if let scan = sensor.scan { send(.sensor(.interrupted(scan.number, .gone))) }
        if let enrolment = sensor.enrolment {
            sensor.enrolment = nil
            send(.sensor(.ended(enrolment.number, .gone)))
        }
        send(.sensor(.changed(sensor.state)))
    }

    /// Another program takes the sensor, or gives it back.
    public func claim(_ isClaimed: Bool) {
        sensor.isClaimed = isClaimed
        guard let scan = sensor.scan, sensor.isPlugged else { return }
        sensor.isArmed = !isClaimed
        send(.sensor(isClaimed ? .interrupted(scan.number, .busy) : .armed(scan.number)))
    }

    /// The last stage of an enrolment.
    public func completeEnrolment(_ print: String, diskIsFull: Bool = false) {
        guard let (number, finger) = sensor.enrolment else { return }
        sensor.enrolment = nil
        if let other = sensor.enrolled.first(where: { $0.value == print })?.key {
            send(.sensor(.ended(number, .duplicate(other))))
        } else if diskIsFull {
            send(.sensor(.ended(number, .notStored)))
        } else {
            sensor.enrolled[finger] = print
            send(.sensor(.changed(sensor.state)))
            send(.sensor(.ended(number, nil)))
        }
    }

    // MARK: The adapter

    /// Takes an order as it comes: a scan that is stopped reports nothing any more.
    func take(_ order: SensorOrder) {
        switch order {
        case .scan(let number, let finger):
            sensor.scan = (number, finger)
            sensor.isArmed = false
            sensor.scans += 1
        case .enroll(let number, let finger): sensor.enrolment = (number, finger)
        case .stop(let number):
            if sensor.scan?.number == number { sensor.scan = nil }
            if sensor.enrolment?.number == number { sensor.enrolment = nil }
            sensor.isArmed = false
        case .delete, .look: break
        }
    }

    /// What the adapter answers by itself.
    func answer(_ order: SensorOrder) -> [Event] {
        switch order {
        case .scan(let number, _):
            guard sensor.scan?.number == number else { return [] }
            if sensor.isClaimed || !sensor.isPlugged {
                return [.sensor(.interrupted(number, sensor.isClaimed ? .busy : .gone))]
            }
            sensor.isArmed = true
            return [.sensor(.armed(number))]
        case .delete(let number, let finger):
            guard sensor.isPlugged else { return [.sensor(.ended(number, .gone))] }
            if let finger { sensor.enrolled[finger] = nil } else { sensor.enrolled = [:] }
            return [.sensor(.changed(sensor.state)), .sensor(.ended(number, nil))]
        case .look(let number): return [.sensor(.changed(sensor.state)), .sensor(.ended(number, nil))]
        case .enroll, .stop: return []
        }
    }
}
