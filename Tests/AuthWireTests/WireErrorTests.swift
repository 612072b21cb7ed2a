import AuthWire
import Testing

@Suite struct WireErrorTests {
    @Test(arguments: WireError.allCases)
    func namesGoBothWays(_ error: WireError) {
        #expect(error.fullName == "org.smileauth.Auth1.Error.\(error.rawValue)")
        #expect(WireError(fullName: error.fullName) == error)
    }

    @Test func foreignNamesAreNotOurs() {
        #expect(WireError(fullName: "org.freedesktop.DBus.Error.InvalidArgs") == nil)
        #expect(WireError(fullName: "org.smileauth.Auth1.Error.") == nil)
        #expect(WireError(fullName: "Busy") == nil)
    }

    @Test func numbersAreApples() {
        let numbers = WireError.allCases.compactMap(\.number)
        #expect(numbers == [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -1004])
        #expect(WireError.lockedOut.number == nil)
    }
}
