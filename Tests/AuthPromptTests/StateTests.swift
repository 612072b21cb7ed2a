import AuthChannel
import AuthLooks
import AuthWire
import DBus
import MainLoop
import Testing

@testable import AuthPrompt

@Suite struct StateTests {
    @Test func aWaitCountsDownAndTakesNoKey() {
        let rig = ModelRig()
        rig.show(["locked_out_until": .uint64(rig.now.realtime + 65_000_000)])
        #expect(rig.screen.wait.contains("1:05") && rig.screen.isDimmed)
        rig.type("1")
        #expect(rig.screen.filled == 0)
        rig.wait(1.5)
        #expect(rig.screen.wait.contains("1:04"))
        rig.wait(64)
        #expect(rig.screen.wait.isEmpty && !rig.screen.isDimmed)
        rig.type("1")
        #expect(rig.screen.filled == 1)
    }

    @Test func theCountdownWakesOnceASecond() {
        let rig = ModelRig()
        rig.show(["locked_out_until": .uint64(rig.now.realtime + 3_600_000_000)])
        #expect(rig.screen.wait.contains("1:00:00"))
        var wakes = 0
        let end = rig.time + 10
        while let next = rig.model.deadline(rig.now), next <= end {
            rig.time = next
            wakes += 1
        }
        #expect((9...11).contains(wakes))
    }

    @Test func whatHasTheFocusTellsOfWaitsByTheMinuteAndOfFailures() {
        let rig = ModelRig()
        rig.show(["locked_out_until": .uint64(rig.now.realtime + 65_000_000)])
        #expect(rig.screen.entryHelp == "Try again in \u{2068}2:00\u{2069}")
        rig.wait(6)
        #expect(rig.screen.entryHelp == "Try again in \u{2068}1:00\u{2069}")
        rig.wait(60)
        #expect(rig.screen.entryHelp == "Type the digits of your passcode.")
        rig.type("0000")
        rig.wait(0.3)
        rig.outcome("wrong")
        rig.show(["description": .string("1 Failed Passcode Attempt(s). Try again.")])
        #expect(
            rig.screen.entryHelp == "1 Failed Passcode Attempt(s). Try again. Type the digits of your passcode.")
    }

    @Test func aWaitThatAnEntryBroughtStands() {
        let rig = ModelRig()
        rig.type("0000")
        rig.wait(0.3)
        rig.outcome("LockedOut", until: rig.now.realtime + 60_000_000)
        #expect(rig.screen.wait.contains("1:00"))
    }

    @Test func nothingWakesAViewAtRest() {
        let rig = ModelRig()
        #expect(rig.model.deadline(rig.now) == nil)
        rig.type("12")
        #expect(rig.model.deadline(rig.now) == nil)
    }

    @Test func whereKeysAreOffOneIsToldAndIsNoPartOfTheEntry() {
        let rig = ModelRig(["takes_keys": .bool(false)])
        rig.type("1")
        rig.press(.escape, .other)
        #expect(rig.sent == [.key, .key, .key])
        #expect(rig.model.entry.isEmpty && rig.screen.filled == 0 && rig.screen.isDimmed)
        rig.carryOut(rig.model.touch(rig.now))
        #expect(rig.sent.count == 4)
        rig.click(.cancel)
        #expect(rig.sent.count == 4)
        rig.show([:])
        rig.type("1")
        rig.carryOut(rig.model.touch(rig.now))
        #expect(rig.sent.last == .filled(1))
    }

    @Test func aCauseWipesTheEntry() {
        let rig = ModelRig()
        rig.type("12")
        rig.show(["takes_keys": .bool(false)])
        #expect(rig.model.entry.isEmpty && rig.sent.last == .filled(0))
    }

    @Test func whileAnEntryIsCheckedNoneIsTaken() {
        let rig = ModelRig(["busy": .bool(true)])
        rig.type("1")
        #expect(rig.screen.filled == 0)
    }

    @Test func successFillsTheDotsAndLeaves() {
        let rig = ModelRig()
        rig.type("1")
        rig.dismiss()
        #expect(rig.quit == nil && rig.model.motion?.kind == .fill(from: 1))
        #expect(abs(rig.model.drawn(Moment(monotonic: rig.time + 0.075, realtime: 0)).filled - 2.5) < 0.001)
        rig.type("2")
        #expect(rig.model.entry.isEmpty)
        rig.wait(0.15)
        #expect(rig.quit == 0)
    }

    @Test(arguments: [("UserCancel", true), ("SystemCancel", true), ("success", false)])
    func anyOtherEndIsAtOnce(result: String, isAnimated: Bool) {
        let rig = ModelRig()
        rig.dismiss(result, animated: isAnimated)
        #expect(rig.quit == 0)
    }

    @Test func withoutMotionsNothingMoves() {
        let rig = ModelRig()
        rig.model.isStill = true
        rig.type("0000")
        rig.wait(0.3)
        rig.outcome("wrong")
        #expect(rig.model.motion == nil && rig.screen.filled == 0)
        rig.dismiss()
        #expect(rig.quit == 0)
    }

    @Test func nonsenseEndsIt() {
        let rig = ModelRig()
        #expect(rig.model.handle(.view([:]), rig.now) == nil)
        #expect(rig.model.handle(.view(["security_type": .string("backdoor")]), rig.now) == nil)
        var fresh = PromptModel(entry: SecretBuffer()!)
        #expect(fresh.handle(.dismiss(result: "success", animated: false), rig.now) == nil)
        #expect(fresh.handle(.outcome(EntryOutcome(token: 1, result: "accepted")), rig.now) == nil)
    }

    @Test func buttonsAreThereWhereTheViewSaysSo() {
        let rig = ModelRig(["can_cancel": .bool(false), "fallback_title": .string("Enter Passcode")])
        #expect(rig.screen.cancel.isEmpty && rig.screen.fallback == "Enter Passcode" && rig.screen.account.isEmpty)
        rig.click(.cancel)
        rig.click(.account)
        rig.press(.escape)
        #expect(rig.sent.isEmpty)
        rig.click(.fallback)
        #expect(rig.sent == [.fallback])
        rig.show(["cancel_title": .string("Not now")])
        #expect(rig.screen.cancel == "Not now" && rig.screen.fallback.isEmpty)
        rig.click(.fallback)
        rig.click(.cancel)
        #expect(rig.sent == [.fallback, .cancel])
    }

    @Test func fingersHaveTheirStates() {
        let rig = ModelRig(["fingerprint": .string("off"), "security_type": .string("once")])
        for (state, title, isSensitive) in [
            ("off", "Use Fingerprint", true), ("armed", "Touch the sensor", true), ("retry", "Touch again", true),
            ("no-match", "Not recognised", true), ("changed", "Fingers have changed", false),
        ] {
            rig.show(["fingerprint": .string(state), "security_type": .string("once")])
            #expect(rig.screen.finger?.title == title && rig.screen.finger?.isSensitive == isSensitive)
        }
        rig.click(.fingerprint)
        #expect(rig.sent == [.finger("")])
        for state in ["none", "gone"] {
            rig.show(["fingerprint": .string(state)])
            #expect(rig.screen.finger == nil)
        }
    }

    @Test func aFingerIsPickedFromThoseThatThereAre() {
        let picks: [String: Value] = [
            "demand": .string("finger"), "fingerprint": .string("off"),
            "fingers": .stringArray(["left-thumb", "right-index-finger"]),
        ]
        let rig = ModelRig(picks)
        #expect(rig.screen.field == .none && rig.screen.choices.map(\.title) == ["left thumb", "right index finger"])
        rig.click(.finger(.leftThumb))
        rig.click(.finger(.leftRing))
        #expect(rig.sent == [.finger("left-thumb")])
        rig.show(picks.merging(["finger": .string("left-thumb"), "fingerprint": .string("armed")]) { $1 })
        #expect(rig.screen.choices.map(\.isPicked) == [true, false] && rig.screen.finger?.title == "Touch the sensor")
        #expect(rig.screen.choices.map(\.isSensitive) == [true, true])
        // What cannot be read is not to be picked.
        let sent = rig.sent
        for change in [
            ["fingerprint": Value.string("changed")], ["takes_keys": .bool(false)],
            ["locked_out_until": .uint64(rig.now.realtime + 5_000_000)],
        ] {
            rig.show(picks.merging(change) { $1 })
            #expect(rig.screen.choices.map(\.isSensitive) == [false, false])
            rig.click(.finger(.leftThumb))
            #expect(rig.sent == sent)
        }
    }

    @Test func whoAsksIsSaidAsWhatItIs() {
        let rig = ModelRig(["requester": .string("Notes"), "reason": .string("open"), "verified": .bool(false)])
        #expect(rig.screen.requester == "Unverified: \u{2068}Notes\u{2069} asks")
        #expect(rig.screen.reason == "“\u{2068}open\u{2069}”")
        rig.show(["requester": .string("Notes"), "reason": .string("open"), "verified": .bool(true)])
        #expect(rig.screen.requester == "\u{2068}Notes\u{2069} asks")
        // Nobody's words but our own are no quotation.
        rig.show(["reason": .string("Are you the device owner?")])
        #expect(rig.screen.requester.isEmpty && rig.screen.reason == "Are you the device owner?")
    }

    @Test func whoseLockItIsIsSaidUnlessItAsksItself() {
        let application = Value.string("org.example.Notes")
        let rig = ModelRig(["application": application, "requester": .string("smileauth")])
        #expect(rig.screen.owner == "Lock of \u{2068}org.example.Notes\u{2069}")
        rig.show(["application": application])
        #expect(rig.screen.owner == "Lock of \u{2068}org.example.Notes\u{2069}" && rig.screen.requester.isEmpty)
        rig.show(["application": application, "requester": application, "verified": .bool(true)])
        #expect(rig.screen.owner.isEmpty && rig.screen.requester == "\u{2068}org.example.Notes\u{2069} asks")
        // The session's has no name.
        rig.show(["application": .string(""), "is_session": .bool(true), "requester": .string("smileauth")])
        #expect(rig.screen.owner.isEmpty)
    }

    @Test func theRowSaysWhatItHolds() {
        let rig = ModelRig(["digits": .uint32(6)])
        rig.type("123")
        #expect(rig.screen.entryName == "3 of 6 digits entered")
    }

    @Test func looksAreTheAuthenticators() throws {
        let looks = Looks([
            "TintColor": .string("#00ff00"), "DescriptionTextColor": .string("#0000ff"), "NightMode": .string("on"),
            "ParallaxMode": .bool(false), "NavibarTranslucent": .bool(true), "BackgroundImage": .string("/a.png"),
            "AppLogoName": .string("logo"), "TouchIDIconName": .string("icon"),
        ])
        #expect(looks.tint == Colour(0, 1, 0) && looks.description == Colour(0, 0, 1) && looks.nightMode == .on)
        #expect(!looks.hasParallax && looks.isHeaderTranslucent && looks.backgroundImage == "/a.png")
        #expect(looks.logo == "logo" && looks.fingerIcon == "icon")
        let plain = Looks(["TintColor": .string("red"), "NightMode": .uint32(1)])
        #expect(plain == Looks() && plain.tint == Colour("#ff2d55"))
    }
}

@Suite struct PatternTests {
    private func rig() -> ModelRig { ModelRig(["kind": .string("pattern"), "digits": .uint32(0)]) }

    private func draw(_ rig: ModelRig, _ dots: [Int]) {
        rig.model.startStroke(rig.now)
        rig.model.stroke(over: dots, rig.now)
        rig.carryOut(rig.model.endStroke(rig.now))
    }

    @Test func liftingSubmits() {
        let rig = rig()
        draw(rig, [1, 2, 5, 8])
        #expect(rig.sent == [.entry(token: 1)] && rig.entries == [Array("1258".utf8)])
        // Its line stays until the outcome, and is wrong in red.
        #expect(rig.model.dots == [1, 2, 5, 8])
        rig.outcome("wrong")
        #expect(rig.model.drawn(rig.now).isWrong && rig.model.dots.count == 4)
        rig.wait(0.83)
        #expect(rig.model.dots.isEmpty && rig.model.entry.isEmpty)
    }

    @Test func aStraightMoveTakesTheDotBetween() {
        let rig = rig()
        draw(rig, [1, 3, 9, 1])
        #expect(rig.entries == [Array("12369".utf8)])
    }

    @Test func aVisitedDotIsJumped() {
        let rig = rig()
        draw(rig, [2, 1, 3, 2])
        #expect(rig.entries == [Array("213".utf8)])
    }

    @Test func digitsAndEnterDraw() {
        let rig = rig()
        rig.type("14780")
        rig.press(.backspace)
        rig.type("9")
        #expect(rig.screen.entryName == "5 dots connected")
        rig.press(.enter)
        #expect(rig.entries == [Array("14789".utf8)])
    }

    @Test func arrowsAndSpaceDraw() {
        let rig = rig()
        // From the middle to the upper left, along the top, and down.
        rig.press(.left, .up, .left, .up, .character(" "), .right, .character(" "), .right, .character(" "))
        rig.press(.down, .character(" "), .character(" "), .enter)
        #expect(rig.entries == [Array("1236".utf8)])
    }

    @Test func theLineCanBeHidden() {
        let rig = rig()
        #expect(rig.screen.line == "Hide Line")
        rig.click(.line)
        #expect(rig.screen.line == "Show Line" && rig.model.drawn(rig.now).isLineHidden)
    }

    @Test func aStrokeThatKeysHaveNoPlaceForIsNone() {
        let rig = ModelRig(["kind": .string("pattern"), "takes_keys": .bool(false)])
        draw(rig, [1, 2, 3, 6])
        #expect(rig.sent.isEmpty && rig.model.dots.isEmpty)
    }

    @Test func tooFewDotsAreSaid() {
        let rig = rig()
        draw(rig, [1, 2])
        rig.outcome("InvalidPasscode")
        #expect(rig.screen.description == "Connect at least 4 dots.")
    }
}
