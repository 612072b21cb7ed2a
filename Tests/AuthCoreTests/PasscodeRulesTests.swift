import AuthCoreTestKit
import Testing

@testable import AuthCore

/// SPEC 6: the kinds, and how a pattern is brought into its one form.
struct PasscodeRulesTests {
    private func pattern(_ dots: String) -> String? {
        PasscodeRules.normalised(new: FakePasscode(dots), kind: .pattern, digits: 0).map { normalised in
            normalised.passcode.withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `a straight move over an unvisited dot takes it along`() {
        #expect(pattern("1379") == "1235789")
        #expect(pattern("139") == "12369")
        #expect(pattern("197") == "15987")
        #expect(pattern("1236") == "1236")
        // 1 to 9 goes over 5; 9 to 3 over 6.
        #expect(pattern("2193") == "215963")
    }

    @Test func `over a visited dot it jumps`() {
        #expect(pattern("2846") == "25846")
        #expect(pattern("1928") == "15928")
        #expect(pattern("4628") == "45628")
        // 1 to 3 takes 2 along; 3 to 7 jumps over 5.
        #expect(pattern("5137") == "51237")
    }

    @Test(arguments: ["", "1", "13", "123"])
    func `under four dots it is none`(_ entered: String) { #expect(pattern(entered) == nil) }

    @Test(arguments: ["1231", "1223", "12a4", "1204", "1234567891", "1 23", "12\u{0}4"])
    func `a repeated dot, and what is no dot, makes it none`(_ entered: String) { #expect(pattern(entered) == nil) }

    @Test func `a dot that was taken along is not entered again`() { #expect(pattern("1326") == nil) }

    @Test func `all nine dots`() {
        #expect(pattern("123456789") == "123456789")
        #expect(pattern("147852369") == "147852369")
    }

    @Test func `digits have exactly their number`() {
        func length(_ text: String, _ digits: Int) -> Int? {
            PasscodeRules.normalised(new: FakePasscode(text), kind: .digits, digits: digits)?.length
        }
        #expect(length("1234", 4) == 4)
        for other in ["12345", "123", "12a4", "", "１２３４"] { #expect(length(other, 4) == nil) }
        #expect(length(String(repeating: "7", count: 64), 64) == 64)
    }

    @Test func `text has 4 to 64 scalars, in NFC, without NUL`() {
        func length(_ text: String) -> Int? {
            PasscodeRules.normalised(new: FakePasscode(text), kind: .text, digits: 0)?.length
        }
        #expect(length("abc") == nil)
        #expect(length("abcd") == 4)
        #expect(length("caf\u{E9}") == 4)
        #expect(length("cafe\u{301}") == 4)
        #expect(length(String(repeating: "\u{E9}", count: 64)) == 64)
        #expect(length(String(repeating: "x", count: 65)) == nil)
        #expect(length("ab\u{0}cd") == nil)
        #expect(PasscodeRules.normalised(new: FakePasscode([0x61, 0xFF, 0x62, 0x63]), kind: .text, digits: 0) == nil)
        #expect(PasscodeRules.normalised(try: FakePasscode("a"), kind: .text, length: 9) != nil)
        #expect(PasscodeRules.normalised(try: FakePasscode("a\u{0}b"), kind: .text, length: 3) == nil)
    }

    @Test func `a text is the same however it is composed, and a pattern however it is drawn`() {
        let bench = Bench()
        bench.setPasscode("", "caf\u{E9}s") { $0.kind = .text }
        #expect(bench.verify("cafe\u{301}s") == .verified(true))
        #expect(bench.verify("cafes") == .verified(false))
        let pattern = Bench()
        pattern.present(.twice) { $0.kind = .pattern }
        pattern.submit("139")
        #expect(pattern.submit("12369").map(pattern.line) == "accepted")
        #expect(pattern.verify("139") == .verified(true))
        #expect(pattern.value(.passcodeKind) == .string("pattern"))
        #expect(pattern.number(.passcodeDigit) == 0)
    }

    @Test func `an application id is a well-known bus name`() {
        for good in ["org.example.App", "a.b", "_a.b-c", "Org.Example.app1"] {
            #expect(AuthenticatorID(application: good) != nil)
        }
        let long = "a." + String(repeating: "b", count: 254)
        for bad in ["", "org", ".org.a", "org..a", "org.1a", "org.a.", ":1.2", "org.\u{E4}", "org/a.b", long] {
            #expect(AuthenticatorID(application: bad) == nil)
        }
    }
}
