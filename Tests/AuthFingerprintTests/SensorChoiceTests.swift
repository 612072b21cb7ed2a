import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// Who reads the sensor, where a real fprintd has one and this process may or may not open one, too.
@Suite(.serialized) struct SensorChoiceTests {
    @LoopActor
    private final class Seat {
        let folder = ScratchFolder()
        let fprintd: FprintdRig
        let sensor: FingerprintSensor
        private(set) var events: [SensorEvent] = []

        init(_ choice: SensorChoice, _ fprintd: FprintdRig) throws {
            self.fprintd = fprintd
            let system = try Connection.open(.address(fprintd.address))
            sensor = FingerprintSensor(system: system, folder: folder.path, choice: choice) { _ in }
            sensor.onEvent = { [weak self] in self?.events.append($0) }
        }

        func has(_ event: SensorEvent) async -> Bool {
            await eventually(within: .seconds(5)) { self.events.contains(event) }
        }

        /// A touch while fprintd goes from one scan to the next would be lost.
        func isArmedAnew(after event: SensorEvent) async -> Bool {
            await eventually(within: .seconds(5)) {
                guard let last = self.events.lastIndex(of: event) else { return false }
                return self.events[last...].contains { if case .armed = $0 { true } else { false } }
            }
        }
    }

    /// - Parameter opens: whether this process has a sensor of its own.
    private func with(
        _ choice: SensorChoice, opens: Bool,
        _ body: @escaping @LoopActor (FingerprintSensor, Seat, VirtualSensor) async throws -> Void
    ) async throws {
        try await FprintdRig.with { fprintd in
            let seat = try Seat(choice, fprintd)
            let own = VirtualSensor(at: seat.folder.path + "/sensor", .plain)
            if !opens { VirtualSensor.forget() }
            await seat.sensor.start()
            try await body(seat.sensor, seat, own)
            seat.sensor.stop()
            VirtualSensor.forget()
        }
    }

    @Test func fprintdWhereNoSensorIsOurs() async throws {
        try await with(.automatic, opens: false) { sensor, seat, _ in
            #expect(sensor.state.backend == .fprintd)
            #expect(sensor.state.isPresent)
            #expect(sensor.state.basis == .names)
            try await seat.fprintd.enroll(.leftThumb, as: "a")
            sensor.take(.look(1))
            #expect(await seat.has(.ended(1, nil)))
            #expect(sensor.state.fingers == [.leftThumb])
            sensor.take(.scan(2, nil))
            #expect(await seat.has(.armed(2)))
            try await seat.fprintd.sensor("SCAN b")
            #expect(await seat.isArmedAnew(after: .noMatch(2)))
            try await seat.fprintd.sensor("SCAN a")
            #expect(await seat.has(.match(2, .leftThumb)))
            #expect(seat.events.count { $0 == .noMatch(2) } == 1)
        }
    }

    @Test func libfprintWhereOneIs() async throws {
        try await with(.automatic, opens: true) { sensor, seat, own in
            #expect(sensor.state.backend == .libfprint)
            #expect(sensor.state.basis == .prints)
            sensor.take(.enroll(1, .leftThumb))
            for _ in 0..<5 { await own.scan("a") }
            #expect(await seat.has(.ended(1, nil)))
            // What fprintd enrolls is none of ours.
            try await seat.fprintd.enroll(.rightThumb, as: "b")
            sensor.take(.look(2))
            #expect(await seat.has(.ended(2, nil)))
            #expect(sensor.state.fingers == [.leftThumb])
            #expect(seat.fprintd.claims == 1)
        }
    }

    @Test(arguments: [(SensorChoice.fprintd, SensorBackend.fprintd), (.libfprint, .libfprint), (.none, .none)])
    func aForcedChoiceHolds(_ choice: SensorChoice, _ backend: SensorBackend) async throws {
        try await with(choice, opens: choice != .libfprint) { sensor, _, _ in
            #expect(sensor.state.backend == backend)
            #expect(sensor.state.isPresent == (choice == .fprintd))
            #expect(sensor.state.fingers == [])
        }
    }

    @Test func aScanMovesToFprintdAndBack() async throws {
        try await with(.automatic, opens: true) { sensor, seat, own in
            sensor.take(.enroll(1, .leftThumb))
            for _ in 0..<5 { await own.scan("a") }
            #expect(await seat.has(.ended(1, nil)))
            try await seat.fprintd.enroll(.leftThumb, as: "b")
            sensor.take(.scan(2, nil))
            #expect(await seat.has(.armed(2)))
            // Ours goes for good.
            VirtualSensor.forget()
            await own.send("UNPLUG")
            #expect(await seat.has(.interrupted(2, .gone)))
            #expect(await eventually(within: .seconds(5)) { sensor.state.backend == .fprintd })
            #expect(await eventually(within: .seconds(5)) { seat.events.last == .armed(2) })
            try await seat.fprintd.sensor("SCAN a")
            #expect(await seat.isArmedAnew(after: .noMatch(2)))
            try await seat.fprintd.sensor("SCAN b")
            #expect(await seat.has(.match(2, .leftThumb)))
            // It comes back and is asked for.
            _ = VirtualSensor(at: own.path, .plain)
            #expect(await eventually(within: .seconds(10)) { sensor.state.backend == .libfprint })
            sensor.take(.scan(3, nil))
            #expect(await seat.has(.armed(3)))
            await own.scan("a")
            #expect(await seat.has(.match(3, .leftThumb)))
        }
    }
}

@Test func libfprintsErrorsInThePortsWords() {
    func failure(_ domain: String, _ code: Int32, _ text: String = "x") -> SensorFailure {
        FprintFailure(domain: domain, code: code, text).sensorFailure
    }
    // GUsb as in Debian 12 and as in Debian 13; libusb's number in the text.
    #expect(failure("g-usb-device-error-quark", 9) == .denied("x"))
    #expect(failure("g-usb-device-error-quark", 4) == .gone)
    #expect(failure("g-usb-device-error-quark", 10) == .busy)
    #expect(failure("g-usb-device-error-quark", 0, "failed to claim interface: Resource busy [-6]") == .busy)
    #expect(failure("g-usb-device-error-quark", 1) == .failed("x"))
    #expect(failure("g-io-error-quark", 14) == .denied("x"))
    #expect(failure("g-file-error-quark", 2) == .denied("x"))
    let words: [(Int32, SensorFailure)] = [
        (0x100, .gone), (4, .busy), (8, .deviceFull), (9, .duplicate(nil)), (7, .notEnrolled),
        (0x101, .failed("the sensor is too hot, and rests for some minutes")),
    ]
    for (code, word) in words {
        #expect(failure("fp - device - error - quark", code) == word)
    }
}
