import AuthTexts
import Testing

@testable import AuthCore
@testable import AuthService

/// SPEC 10: a caller's words are cut and stripped before anybody is shown them.
@Suite struct PlainTests {
    @Test func controlAndBidirectionalCharactersGo() {
        #expect(Plain.text("a\u{0}b\nc\u{1b}[31md") == "abc[31md")
        #expect(Plain.text("pay \u{202e}evil\u{202c} \u{2066}x\u{2069}\u{200f}") == "pay evil x")
        #expect(Plain.text("line\u{2028}end\u{feff}") == "lineend")
    }

    @Test func itIsCutAt256BytesBetweenScalars() {
        #expect(Plain.text(String(repeating: "a", count: 300)) == String(repeating: "a", count: 256))
        // 85 of 3 bytes are 255; the next would be cut through.
        #expect(Plain.text(String(repeating: "日", count: 300)) == String(repeating: "日", count: 85))
    }

    @Test func theTextsAreTheOriginals() {
        var view = ViewState(
            type: .three, step: .old, stepNumber: 1, kind: .digits, digits: 6, notice: .none, trouble: .none,
            failCount: 0, lockedOutUntil: 0, reason: "", requester: "", isVerified: false, canCancel: true,
            takesAccountPassword: false)
        #expect(Texts.title(view) == "Change Passcode")
        #expect(Texts.description(view) == "Enter your old 6 digit passcode")
        view.step = .new
        #expect(Texts.description(view) == "Enter your new 6 digit passcode")
        view.step = .again
        #expect(Texts.description(view) == "Re-enter your 6 digit passcode")
        view.notice = .mismatch
        #expect(Texts.description(view) == "Passcodes do not match. Try again.")
        view.notice = .failed(3)
        #expect(Texts.description(view) == "3 Failed Passcode Attempt(s). Try again.")
        view.type = .touchid
        view.step = .old
        view.notice = .none
        #expect(Texts.description(view) == "Enter 6 digit passcode")
        #expect(Texts.title(view) == "Enter Passcode")
        #expect(Texts.reason == "Are you the device owner?")
    }
}
