import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// The facade over libfprint; that fprintd is chosen is tested where there is one.
@Suite(.serialized) struct FingerprintSensorTests {
    @LoopActor
    final class Desk {
        let folder = ScratchFolder()
        let virtual: VirtualSensor
        let sensor: FingerprintSensor
        private(set) var events: [SensorEvent] = []

        init(_ choice: SensorChoice, isPlugged: Bool = true) {
            virtual = VirtualSensor(at: folder.path + "/sensor", .plain)
            if !isPlugged { VirtualSensor.forget() }
            sensor = FingerprintSensor(system: nil, folder: folder.path + "/data", choice: choice) { _ in }
            sensor.onEvent = { [weak self] in self?.events.append($0) }
        }

        func has(_ event: SensorEvent) async -> Bool {
            await eventually(within: .seconds(5)) { self.events.contains(event) }
        }

        static func with(
            _ choice: SensorChoice, isPlugged: Bool = true, _ body: @LoopActor (Desk) async throws -> Void
        ) async throws {
            let desk = Desk(choice, isPlugged: isPlugged)
            await desk.sensor.start()
            try await body(desk)
            desk.sensor.stop()
            VirtualSensor.forget()
        }
    }

    private func with(
        _ choice: SensorChoice, isPlugged: Bool = true, _ body: @LoopActor (Desk) async throws -> Void
    ) async throws {
        TestLoop.running
        try await Desk.with(choice, isPlugged: isPlugged, body)
    }

    @Test(arguments: [SensorChoice.automatic, .libfprint])
    func libfprintWhereItOpens(_ choice: SensorChoice) async throws {
        try await with(choice) { desk in
            #expect(desk.sensor.state.backend == .libfprint)
            #expect(desk.sensor.state.isPresent)
            #expect(desk.events == [.changed(desk.sensor.state)])
            desk.sensor.take(.enroll(1, .leftThumb))
            for _ in 0..<5 { await desk.virtual.scan("a") }
            #expect(await desk.has(.ended(1, nil)))
            #expect(access(desk.folder.path + "/data/fingerprints/virtual_device/0/left-thumb", F_OK) == 0)
            desk.sensor.take(.scan(2, nil))
            #expect(await desk.has(.armed(2)))
            await desk.virtual.scan("b")
            await desk.virtual.scan("a")
            #expect(await desk.has(.match(2, .leftThumb)))
            #expect(desk.events.count { $0 == .noMatch(2) } == 1)
            desk.sensor.take(.delete(3, nil))
            #expect(await desk.has(.ended(3, nil)))
            #expect(desk.sensor.state.fingers == [])

            let one = try #require(AuthenticatorID(application: "org.example.One"))
            let set = try #require(desk.sensor.state.set)
            #expect(desk.sensor.domainState(of: set, for: one).count == 32)
            #expect(desk.sensor.domainState(of: set, for: one) != desk.sensor.domainState(of: set, for: .session))
            #expect(access(desk.folder.path + "/data/domain-key", F_OK) == 0)
        }
    }

    @Test(arguments: [(SensorChoice.none, SensorBackend.none), (.automatic, .none), (.libfprint, .libfprint)])
    func withoutASensorEverythingIsAnswered(_ choice: SensorChoice, _ backend: SensorBackend) async throws {
        try await with(choice, isPlugged: choice == .none) { desk in
            #expect(desk.sensor.state.backend == backend)
            #expect(!desk.sensor.state.isPresent)
            desk.sensor.take(.scan(1, nil))
            #expect(await desk.has(.interrupted(1, .gone)))
            desk.sensor.take(.stop(1))
            desk.sensor.take(.enroll(2, .leftThumb))
            #expect(await desk.has(.ended(2, .gone)))
            desk.sensor.take(.look(3))
            #expect(await eventually { desk.events.contains { $0.number == 3 } })
            await desk.sensor.settle(upTo: 3)
        }
    }

    @Test func unpluggedNobodyReadsItAndPluggedInItIsBack() async throws {
        try await with(.automatic) { desk in
            desk.sensor.take(.enroll(1, .leftThumb))
            for _ in 0..<5 { await desk.virtual.scan("a") }
            #expect(await desk.has(.ended(1, nil)))
            desk.sensor.take(.scan(2, nil))
            #expect(await desk.has(.armed(2)))
            await desk.virtual.send("UNPLUG")
            #expect(await desk.has(.interrupted(2, .gone)))
            #expect(desk.sensor.state.backend == .none)
            #expect(await eventually(within: .seconds(3)) { desk.events.count { $0 == .armed(2) } == 2 })
            #expect(desk.sensor.state.backend == .libfprint)
            await desk.virtual.scan("a")
            #expect(await desk.has(.match(2, .leftThumb)))
        }
    }
}
