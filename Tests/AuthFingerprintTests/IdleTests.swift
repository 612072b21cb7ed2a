import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// A sensor that nobody uses costs nothing.
@Suite(.serialized) struct IdleTests {
    /// Threads of libusb and GUsb, the second of which wakes up every two seconds.
    private func threads() -> Int {
        guard let tasks = opendir("/proc/self/task") else { return -1 }
        defer { closedir(tasks) }
        var count = 0
        while let entry = readdir(tasks) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let file = fopen("/proc/self/task/\(name)/comm", "re") else { continue }
            defer { fclose(file) }
            var text = [UInt8](repeating: 0, count: 32)
            let length = fread(&text, 1, text.count, file)
            if String(decoding: text[..<length], as: UTF8.self).lowercased().contains("usb") { count += 1 }
        }
        return count
    }

    @Test func libfprintIsLetGoOfAndHadAgain() async throws {
        try await SensorRig.with { rig in
            rig.backend.linger = .milliseconds(50)
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let state = rig.backend.state
            for _ in 0..<3 {
                #expect(await eventually { rig.backend.device == nil && threads() == 0 })
                #expect(rig.backend.state == state)
                rig.forget()
                let scan = await rig.scan()
                #expect(threads() > 0)
                await rig.sensor.scan("a")
                #expect(await rig.has(.match(scan, .leftThumb)))
                #expect(rig.events == [.armed(scan), .match(scan, .leftThumb)], "nothing has changed meanwhile")
            }
            #expect(await eventually { rig.backend.device == nil })
            #expect(isDone(await rig.look()))
            #expect(isDone(await rig.delete(nil)))
            #expect(rig.backend.device == nil, "files are enough")
            #expect(isDone(await rig.enroll(.rightThumb, "b")))
        }
    }

    @Test func whatComesAndGoesMeanwhileIsSeen() async throws {
        try await SensorRig.with { rig in
            rig.backend.linger = .milliseconds(50)
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let set = rig.backend.state.set
            #expect(await eventually { rig.backend.device == nil })
            VirtualSensor.forget()
            rig.backend.plugged()
            #expect(await eventually { !rig.backend.state.isPresent })
            #expect(rig.backend.access == .none)
            #expect(await eventually { threads() == 0 })
            _ = VirtualSensor(at: rig.sensor.path, .plain)
            rig.backend.plugged()
            #expect(await eventually { rig.backend.state.isPresent })
            #expect(rig.backend.state.set == set)
            #expect(rig.backend.access == .open)
            // Gone without a word: the next scan says so.
            #expect(await eventually { rig.backend.device == nil })
            VirtualSensor.forget()
            let scan = rig.order { .scan($0, nil) }
            #expect(await rig.has(.interrupted(scan, .gone)))
            #expect(!rig.backend.state.isPresent)
        }
    }

    @Test func libfprintIsNotLetGoOfWhileAScanStands() async throws {
        try await SensorRig.with { rig in
            rig.backend.linger = .milliseconds(20)
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let scan = await rig.scan()
            let end = ContinuousClock.now + .milliseconds(200)
            #expect(await eventually { ContinuousClock.now > end })
            await rig.sensor.scan("a")
            #expect(await rig.has(.match(scan, .leftThumb)))
        }
    }

    @Test func whatIsPluggedInIsToldOnceItIsDone() async throws {
        TestLoop.running
        try await watchesAFolder()
    }

    @LoopActor
    private func watchesAFolder() async throws {
        let folder = ScratchFolder()
        let usb = folder.path + "/usb"
        mkdir(usb, 0o755)
        mkdir(usb + "/001", 0o755)
        var count = 0
        let watch = UsbWatch(usb) { count += 1 }
        close(creat(usb + "/001/002", 0o600))
        chmod(usb + "/001/002", 0o660)
        #expect(await eventually { count == 1 })
        // It may be opened by others than before: the seat has changed hands.
        chmod(usb + "/001/002", 0o600)
        #expect(await eventually { count == 2 })
        unlink(usb + "/001/002")
        #expect(await eventually { count == 3 })
        // A bus that came later.
        mkdir(usb + "/002", 0o755)
        #expect(await eventually { count == 4 })
        close(creat(usb + "/002/001", 0o600))
        #expect(await eventually { count == 5 })
        withExtendedLifetime(watch) {}
    }
}
