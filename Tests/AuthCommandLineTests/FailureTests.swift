import AuthWire
import DBus
import Testing

@testable import AuthCommandLine

@Suite struct FailureTests {
    @Test(arguments: WireError.allCases)
    func everyErrorHasALine(_ error: WireError) {
        let failure = CommandFailure(DBusFailure(name: error.fullName, message: "more\u{1b}[2J"))
        let isStore = error == .storeUnavailable || error == .storeLost
        #expect(failure.status == (isStore ? .unavailable : .refused))
        #expect(!failure.message.isEmpty && !failure.message.contains("\u{1b}"))
    }

    @Test(arguments: [
        ("ServiceUnknown", AuthCommandLine.ExitStatus.unavailable), ("NameHasNoOwner", .unavailable),
        ("NoReply", .unavailable),
        ("Spawn.ExecFailed", .unavailable), ("Disconnected", .unavailable), ("UnknownMethod", .unavailable),
        ("InvalidArgs", .usage), ("PropertyReadOnly", .usage), ("Failed", .refused), ("AccessDenied", .refused),
    ])
    func standardErrorsHaveTheirStatus(_ name: String, _ status: AuthCommandLine.ExitStatus) {
        let failure = DBusFailure(name: "org.freedesktop.DBus.Error." + name, message: "m")
        #expect(CommandFailure(failure).status == status)
    }

    @Test func resultsAreErrorsByTheirShortNames() {
        #expect(CommandFailure(result: "UserCancel") == .refused("cancelled"))
        #expect(CommandFailure(result: "StoreUnavailable").status == .unavailable)
        #expect(CommandFailure(result: "Other\u{202e}").message == "ended: Other")
    }
}
