import AuthChannel
import DBus
import MainLoop
import Testing

@testable import AuthPrompt

@Suite struct EntryTests {
    @Test func digitsSubmitByThemselvesAfterAMoment() {
        let rig = ModelRig()
        rig.type("1234")
        #expect(rig.sent == [.filled(1), .filled(2), .filled(3), .filled(4)])
        #expect(rig.screen.filled == 4)
        rig.wait(0.29)
        #expect(rig.entries.isEmpty)
        rig.wait(0.02)
        #expect(rig.sent.last == .entry(token: 1))
        #expect(rig.entries == [Array("1234".utf8)])
        // Wiped, but still seen as full while it is checked.
        #expect(rig.model.entry.isEmpty && rig.screen.filled == 4)
    }

    @Test func aFullRowTakesNoKey() {
        let rig = ModelRig()
        rig.type("12345")
        rig.press(.backspace, .escape)
        // Escape is the cancel button, always.
        #expect(rig.sent.suffix(2) == [.filled(4), .cancel])
        rig.wait(1)
        #expect(rig.entries == [Array("1234".utf8)])
        rig.type("9")
        rig.wait(1)
        #expect(rig.entries.count == 1)
    }

    @Test func keysCountAfterTheFocusHasStoodForAMoment() {
        let rig = ModelRig(isFocused: false)
        rig.type("1")
        #expect(rig.screen.filled == 0)
        rig.model.focus(true, rig.now)
        rig.wait(0.29)
        rig.type("1")
        #expect(rig.screen.filled == 0 && rig.sent.isEmpty)
        rig.wait(0.011)
        rig.type("1")
        #expect(rig.screen.filled == 1)
        rig.model.focus(false, rig.now)
        rig.model.focus(true, rig.now)
        rig.type("2")
        rig.press(.escape)
        #expect(rig.screen.filled == 1 && rig.sent == [.filled(1)])
    }

    @Test func backspaceTakesOneBack() {
        let rig = ModelRig()
        rig.press(.backspace)
        rig.type("12")
        rig.press(.backspace)
        rig.type("34x ")
        #expect(rig.sent == [.filled(1), .filled(2), .filled(1), .filled(2), .filled(3)])
        rig.type("5")
        rig.wait(1)
        #expect(rig.entries == [Array("1345".utf8)])
    }

    @Test func wrongShakesAndTakesNoKeyMeanwhile() {
        let rig = ModelRig()
        rig.type("0000")
        rig.wait(0.3)
        rig.outcome("wrong")
        rig.show(["description": .string("1 Failed Passcode Attempt(s). Try again."), "fail_count": .uint32(1)])
        #expect(rig.model.motion?.kind == .shake)
        #expect(rig.screen.isAlert && rig.screen.filled == 0)
        #expect(rig.sent.last == .filled(0))
        #expect(abs(rig.model.drawn(Moment(monotonic: rig.time + 0.075, realtime: 0)).shake - 3) < 0.01)
        rig.type("1")
        #expect(rig.screen.filled == 0)
        rig.wait(0.83)
        rig.type("1")
        #expect(rig.screen.filled == 1)
    }

    @Test func anotherStepSlides() {
        let rig = ModelRig(["security_type": .string("twice")])
        rig.type("1234")
        rig.wait(0.3)
        rig.show(["security_type": .string("twice"), "step": .uint32(2)])
        // Left to its outcome: the row that goes is the full one.
        #expect(rig.screen.filled == 4)
        rig.outcome("next")
        #expect(rig.model.motion?.kind == .slide(filled: 4))
        #expect(rig.model.drawn(rig.now).filled == 4)
        let later = Moment(monotonic: rig.time + 0.5, realtime: 0)
        #expect(rig.model.drawn(later).filled == 0 && rig.model.drawn(later).slide > 0)
        rig.type("5")
        #expect(rig.screen.filled == 0)
        rig.wait(0.8)
        rig.type("5678")
        rig.wait(0.3)
        #expect(rig.sent.last == .entry(token: 2))
        rig.outcome("mismatch", token: 2)
        #expect(rig.model.motion?.kind == .shake && rig.screen.isAlert)
    }

    @Test func anOutcomeThatWasOvertakenHasNoSay() {
        let rig = ModelRig()
        rig.type("0000")
        rig.outcome("wrong", token: 1)
        #expect(rig.model.motion == nil && rig.screen.filled == 4)
        rig.wait(0.3)
        rig.outcome("wrong", token: 7)
        #expect(rig.model.motion == nil && rig.model.pending == 1)
    }

    @Test func aTextGoesByEnter() {
        let rig = ModelRig(["kind": .string("text"), "digits": .uint32(0)])
        rig.press(.enter)
        rig.type("pä 1")
        rig.press(.backspace)
        rig.type("ß")
        rig.wait(5)
        #expect(rig.sent.isEmpty && rig.screen.entryName == "4 characters entered")
        rig.press(.enter)
        #expect(rig.sent == [.entry(token: 1)])
        #expect(rig.entries == [Array("pä ß".utf8)])
        rig.type("x")
        rig.outcome("InvalidPasscode")
        #expect(rig.screen.description == "Use 4 to 64 characters." && rig.screen.isAlert)
    }

    @Test func aTextOfTheServicesLimitIsAllThereIs() {
        let rig = ModelRig(["kind": .string("text"), "digits": .uint32(0)])
        for _ in 0..<5000 { rig.type("x") }
        rig.press(.enter)
        #expect(rig.entries.first?.count == 4096)
    }

    @Test func theAccountPasswordHasAFieldOfItsOwn() {
        let rig = ModelRig(["account_password": .bool(true)])
        rig.type("12")
        #expect(rig.screen.account == "Use Account Password")
        rig.click(.account)
        #expect(rig.sent.last == .filled(0))
        #expect(rig.screen.field == .account && rig.screen.title == "Enter Account Password")
        rig.type("secret")
        rig.press(.enter)
        #expect(rig.sent.last == .accountPassword(token: 1))
        #expect(rig.entries == [Array("secret".utf8)])
        rig.outcome("wrong")
        #expect(rig.screen.description == "That is not your account password. Try again." && rig.screen.isAlert)
        rig.wait(1)
        rig.type("secret")
        rig.press(.enter)
        rig.model.hasAccountService = false
        rig.outcome("wrong", token: 2)
        #expect(
            rig.screen.description
                == "That is not your account password, or it cannot be checked: there is no PAM service smileauth.")
        rig.wait(1)
        rig.type("secret")
        rig.press(.enter)
        rig.outcome("NotAuthorized", token: 3)
        #expect(rig.screen.description == "The account password cannot be checked." && rig.screen.isAlert)
        rig.wait(1)
        rig.press(.escape)
        #expect(!rig.screen.isAlert)
        #expect(rig.screen.field == .row && rig.sent.last == .accountPassword(token: 3))
    }

    @Test func whereNothingElseOpensItTheAccountPasswordIsAskedForAtOnce() {
        let rig = ModelRig(["demand": .string("account"), "account_password": .bool(true)])
        #expect(rig.screen.field == .account && rig.screen.account.isEmpty)
    }
}
