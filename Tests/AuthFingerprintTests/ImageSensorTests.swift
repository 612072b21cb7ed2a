import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// Real matching: libfprint's virtual image sensor, which is given pictures and compares minutiae (NBIS). It
/// identifies, keeps nothing itself and looks for no duplicates: most readers of images are like it.
@Suite(.serialized) struct ImageSensorTests {
    @Test func identifiesByPictures() async throws {
        try await SensorRig.with(.image) { rig in
            #expect(rig.backend.state.canIdentify)
            let first = rig.order { .enroll($0, .leftIndex) }
            for stage in 1...5 {
                await rig.sensor.show(Picture.one)
                #expect(await rig.has(.stagePassed(first, stage: UInt32(stage), stages: 5)))
            }
            #expect(await rig.has(.ended(first, nil)))

            // Whether it is another finger is asked first: one touch more.
            let second = rig.order { .enroll($0, .rightIndex) }
            for stage in 1...6 {
                await rig.sensor.show(Picture.two)
                #expect(await rig.has(.stagePassed(second, stage: UInt32(stage), stages: 6)))
            }
            #expect(await rig.has(.ended(second, nil)))
            #expect(rig.backend.state.fingers == [.leftIndex, .rightIndex])

            let again = rig.order { .enroll($0, .leftThumb) }
            await rig.sensor.show(Picture.two)
            #expect(await rig.has(.ended(again, .duplicate(.rightIndex))))
            #expect(await rig.isClosed())
            #expect(rig.names() == ["left-index-finger", "right-index-finger"])

            let state = rig.backend.state
            await rig.start()
            #expect(rig.backend.state == state)
            let scan = await rig.scan()
            await rig.sensor.show(Picture.three)
            #expect(await rig.has(.noMatch(scan)))
            await rig.sensor.show(Picture.two)
            #expect(await rig.has(.match(scan, .rightIndex)))
            #expect(rig.answers == [.armed(scan), .noMatch(scan), .match(scan, .rightIndex)])

            // Minutiae are nested arrays: cut anywhere, it is no print.
            let whole = try #require(rig.bytes(of: "right-index-finger"))
            for length in stride(from: 0, to: whole.count, by: 7) {
                rig.write(Array(whole[..<length]), to: "right-index-finger")
                #expect(isDone(await rig.look()))
                #expect(rig.backend.state.fingers == [.leftIndex], "\(length) of \(whole.count)")
            }
            rig.write(whole, to: "right-index-finger")
            #expect(isDone(await rig.look()))
            #expect(rig.backend.state == state)
        }
    }

    @Test func aRetryAndAStopWhileDuplicatesAreLookedFor() async throws {
        try await SensorRig.with(.image) { rig in
            let first = rig.order { .enroll($0, .leftIndex) }
            for stage in 1...5 {
                await rig.sensor.show(Picture.one)
                #expect(await rig.has(.stagePassed(first, stage: UInt32(stage), stages: 5)))
            }
            #expect(await rig.has(.ended(first, nil)))
            let second = rig.order { .enroll($0, .rightIndex) }
            await rig.sensor.retry(.tooShort)
            #expect(await rig.has(.retry(second, .tooShort)))
            rig.backend.take(.stop(second))
            rig.forget()
            #expect(await rig.isClosed())
            #expect(rig.events == [])
            #expect(rig.names() == ["left-index-finger"])
        }
    }
}

/// Ridges around a centre, with a minutia where a ridge begins or ends: each turns the phase around it once.
struct Picture: Sendable {
    static let one = Picture(seed: 1)
    static let two = Picture(seed: 2)
    static let three = Picture(seed: 3)

    static let width = 256
    static let height = 288
    let pixels: [UInt8]

    private init(seed: UInt64) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15
        func roll(_ range: Range<Double>) -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return range.lowerBound + Double(state % 10_000) / 10_000 * (range.upperBound - range.lowerBound)
        }
        let minutiae = (0..<24).map { index in
            (x: roll(40..<216), y: roll(40..<248), turn: index % 2 == 0 ? 1.0 : -1.0)
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(Self.width * Self.height)
        for row in 0..<Self.height {
            for column in 0..<Self.width {
                let (x, y) = (Double(column), Double(row))
                var phase = 2 * Double.pi * hypot(x - 128, y - 346) / 9
                for minutia in minutiae { phase += minutia.turn * atan2(y - minutia.y, x - minutia.x) }
                pixels.append(UInt8(127 + 120 * cos(phase)))
            }
        }
        self.pixels = pixels
    }
}

extension VirtualSensor {
    /// Puts a finger on the image sensor.
    func show(_ picture: Picture) async {
        await write(Self.words(Int32(Picture.width), Int32(Picture.height)) + picture.pixels)
    }

    /// A negative width is a command.
    func retry(_ reason: RetryReason) async {
        await write(Self.words(-1, Int32(RetryReason.allCases.firstIndex(of: reason) ?? 0)))
    }

    private static func words(_ first: Int32, _ second: Int32) -> [UInt8] {
        withUnsafeBytes(of: (first, second)) { Array($0) }
    }
}
