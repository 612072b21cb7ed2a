import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// 200 scripts of scans, retries, errors, unplugs, busy claims, hangs and kills.
@Suite struct FprintdRandomTests {
    @Test(arguments: 0..<4) func noScriptMatchesFalselyMiscountsOrHangs(_ part: Int) async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            var random = Xorshift(state: 0x9E37_79B9_7F4A_7C15 &+ UInt64(part))
            var seen = (matches: 0, misses: 0, retries: 0, interruptions: 0)
            for run in 0..<50 {
                let script = try await Script(rig, &random, run)
                try await script.play(&random)
                seen.matches += script.total.matches
                seen.misses += script.total.misses
                seen.retries += script.total.retries
                seen.interruptions += script.total.interruptions
            }
            // They were not about nothing.
            #expect(seen.matches > 15 && seen.misses > 15 && seen.retries > 15 && seen.interruptions > 15, "\(seen)")
        }
    }
}

/// Random numbers that are the same in every run.
struct Xorshift: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// One scan order, what happens to it, and what has to be reported of it.
@LoopActor
private final class Script {
    private let rig: FprintdRig
    private let backend: FprintdBackend
    private let seen: SensorRecorder
    private let run: Int
    private(set) var done = (matches: 0, misses: 0, retries: 0, interruptions: 0)
    /// With what a stop has made the recorder forget.
    private(set) var total = (matches: 0, misses: 0, retries: 0, interruptions: 0)
    private var story: [String] = []

    private enum Act: CaseIterable {
        case mine, stranger, retry, error, unplug, kill, busy, hang, stop, forge

        /// The virtual sensor is slow to be unplugged.
        static let quick = allCases.filter { $0 != .unplug && $0 != .kill }
    }

    init(_ rig: FprintdRig, _ random: inout Xorshift, _ run: Int) async throws {
        self.rig = rig
        self.run = run
        (backend, seen) = try await rig.backend()
        backend.pace.pace.waits = [.milliseconds(20)]
        backend.pace.pace.claimsPerMinute = 1000
    }

    func play(_ random: inout Xorshift) async throws {
        backend.take(.scan(1, Bool.random(using: &random) ? nil : .rightIndex))
        var isOver = false
        while !isOver {
            // Armed, or told why not; never longer than 2 s without either.
            let armed = await eventually(within: .milliseconds(2500)) { self.isArmed || self.isInterrupted }
            #expect(armed, "run \(run): \(story) \(seen.answers)")
            if isInterrupted { #expect(await eventually { self.isArmed }, "run \(run): \(story) \(seen.answers)") }
            guard isArmed else { return }
            let act = (Act.allCases + Act.quick + Act.quick).randomElement(using: &random) ?? .mine
            story.append("\(act)")
            isOver = try await perform(act, &random)
            check()
            if !isOver { total = done }
        }
        backend.take(.stop(1))
        await backend.settle()
        check()
        backend.stop()
        #expect(await eventually(within: .seconds(2)) { await self.rig.isFree() }, "run \(run): \(story)")
    }

    /// - Returns: whether the order is over with it.
    private func perform(_ act: Act, _ random: inout Xorshift) async throws -> Bool {
        switch act {
        case .mine:
            try await rig.sensor("SCAN mine")
            done.matches += 1
            total.matches += 1
            #expect(await seen.has(.match(1, .rightIndex), within: .seconds(2)), "run \(run): \(story)")
            return true
        case .stranger:
            try await rig.sensor("SCAN stranger\(story.count)")
            done.misses += 1
            await reported { self.misses == self.done.misses && self.isArmed }
        case .retry:
            try await rig.sensor("RETRY \(UInt32.random(in: 0...3, using: &random))")
            done.retries += 1
            await reported { self.retries == self.done.retries }
        case .error:
            try await rig.sensor("ERROR \([0, 1, 5, 6].randomElement(using: &random) ?? 0)")
            await interrupted()
        case .unplug:
            try await rig.sensor("UNPLUG")
            await interrupted()
            try await rig.killFprintd()
            try await rig.startFprintd()
        case .kill:
            if Bool.random(using: &random) {
                async let late = rig.sensor("SCAN stranger")
                try await rig.killFprintd()
                await interrupted()
                try await rig.startFprintd()
                // It may have been taken by the new one.
                _ = try await late
                await wait(.milliseconds(20))
                done.misses = misses
            } else {
                try await rig.killFprintd()
                await interrupted()
                try await rig.startFprintd()
            }
        case .busy:
            try await busy()
        case .hang:
            try await rig.signalFprintd(SIGSTOP)
            await wait(.milliseconds(20))
            try await rig.signalFprintd(SIGCONT)
        case .stop:
            seen.forget()
            done = (0, 0, 0, 0)
            backend.take(.stop(1))
            await backend.settle()
            #expect(seen.answers == [], "run \(run): \(story)")
            return true
        case .forge:
            rig.forge(["verify-match", "verify-no-match", "verify-unknown-error"].randomElement(using: &random) ?? "")
            try await rig.call("ListEnrolledFingers", "")
        }
        return false
    }

    /// Somebody else is quicker: the order is given up, they claim, and it is given anew.
    private func busy() async throws {
        backend.take(.stop(1))
        await backend.settle()
        try await rig.call("Claim", "")
        let before = interruptions
        backend.take(.scan(1, nil))
        await reported { self.interruptions == before + 1 }
        try await rig.call("VerifyStart", "any")
        try await rig.sensor("SCAN mine")
        await wait(.milliseconds(20))
        try await rig.call("Release")
        done.interruptions = interruptions
    }

    private func interrupted() async {
        let end = ContinuousClock.now + .seconds(2)
        while !isInterrupted, ContinuousClock.now < end { await wait(.milliseconds(2)) }
        #expect(isInterrupted || isArmed, "run \(run): \(story) \(seen.answers)")
        done.interruptions = interruptions
    }

    private func reported(_ condition: @LoopActor () -> Bool) async {
        #expect(await eventually(within: .seconds(2)) { condition() }, "run \(run): \(story) \(seen.answers)")
    }

    /// Nothing but what happened has been counted.
    private func check() {
        #expect(matches == done.matches, "run \(run): \(story) \(seen.answers)")
        #expect(misses == done.misses, "run \(run): \(story) \(seen.answers)")
        #expect(retries == done.retries, "run \(run): \(story) \(seen.answers)")
    }

    private var matches: Int { seen.count { if case .match = $0 { true } else { false } } }
    private var misses: Int { seen.count { $0 == .noMatch(1) } }
    private var retries: Int { seen.count { if case .retry = $0 { true } else { false } } }
    private var interruptions: Int { seen.count { if case .interrupted = $0 { true } else { false } } }

    /// By the last word about it.
    private var isArmed: Bool {
        seen.answers.last {
            switch $0 {
            case .armed, .interrupted, .noMatch, .match: true
            default: false
            }
        } == .armed(1)
    }
    private var isInterrupted: Bool {
        let last = seen.answers.last {
            switch $0 {
            case .armed, .interrupted, .match: true
            default: false
            }
        }
        if case .interrupted? = last { return true }
        return false
    }
}
