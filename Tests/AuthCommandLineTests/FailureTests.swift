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

    @Test(arguments: [
        (WireError.fingerAlreadyEnrolled, "right-index-finger is enrolled already"),
        (.biometryNotAvailable, "There is no usable fingerprint sensor"),
        (.notAuthorized, "The account password cannot be checked: no PAM"),
        (.notAuthorized, "The session is locked"),
    ])
    func theServicesWordsAreSaidOnce(_ error: WireError, _ message: String) {
        let said = [
            "right-index-finger is enrolled already": "right index finger is enrolled already",
            "There is no usable fingerprint sensor": "there is no usable fingerprint sensor",
            "The account password cannot be checked: no PAM": "the account password cannot be checked: no PAM",
            "The session is locked": "not allowed: The session is locked",
        ]
        #expect(CommandFailure.sentence(error, message) == said[message])
    }

    @Test func aRefusedAccountPasswordMayNotHaveBeenChecked() {
        #expect(CommandFailure.notTheAccountPassword(.ok("PAM", "x")) == "that is not the account password")
        #expect(CommandFailure.notTheAccountPassword(.fail("PAM", "x", mend: "y")).contains("it cannot be checked"))
    }

    @Test func resultsAreErrorsByTheirShortNames() {
        #expect(CommandFailure(result: "UserCancel") == .refused("cancelled"))
        #expect(CommandFailure(result: "StoreUnavailable").status == .unavailable)
        #expect(CommandFailure(result: "Other\u{202e}").message == "ended: Other")
    }
}
