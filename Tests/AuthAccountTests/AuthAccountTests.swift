import Glibc
import Testing

/// The account password on the machine's real PAM, with users and passwords of the test's own (as root: namespaces).
@Suite(.enabled(if: getuid() == 0)) struct AuthAccountTests {
    /// What Debian has, and what the project installs.
    static let service = "@include common-auth\n@include common-account\n"
    /// "right password".
    static let hash =
        "$6$smileauth$RCHFuHTJlcIwqiHDZk3x3/LDvnK66BO43KWYjB.aBj8r9XC4o8U5IYmPR9eDFzyyuhmH8Coklj6mDRYqB/hUL."

    /// A user of the private password files, by user id.
    enum User: Int {
        case root = 0
        case plain = 61201
        case locked, expired, withoutPassword
        case nameless = 61299
    }

    private func check(
        _ password: String, as user: User = .plain, service: String = service, arguments: [String] = [],
        patience: Int = 20
    ) throws -> String {
        let rig = try #require(AccountRig())
        rig.write(service, to: "smileauth")
        rig.write(
            """
            root:x:0:0:root:/root:/bin/sh
            plain:x:61201:61201::/:/bin/sh
            locked:x:61202:61202::/:/bin/sh
            expired:x:61203:61203::/:/bin/sh
            nopassword:x:61204:61204::/:/bin/sh

            """, to: "passwd")
        rig.write(
            """
            root:\(Self.hash):19000:0:99999:7:::
            plain:\(Self.hash):19000:0:99999:7:::
            locked:!\(Self.hash):19000:0:99999:7:::
            expired:\(Self.hash):19000:0:99999:7::1:
            nopassword::19000:0:99999:7:::

            """, to: "shadow")
        return try #require(rig.run(arguments, ["\(user.rawValue)", "\(patience)"], input: password))
    }

    @Test(arguments: [User.plain, .root])
    func theAccountsPasswordIsRight(_ user: User) throws {
        #expect(try check("right password", as: user) == "right")
    }

    @Test(arguments: ["wrong password", "", "right passwor", "right password ", "right password\u{0}", "right\u{0}"])
    func everyOtherIsWrong(_ password: String) throws {
        #expect(try check(password) == "wrong")
    }

    @Test func anotherUsersPasswordIsWrong() throws {
        #expect(try check("wrong password", as: .root) == "wrong")
        #expect(try check("right password", as: .locked) == "wrong")
    }

    @Test func anAccountWithoutPasswordHasNone() throws {
        #expect(try check("", as: .withoutPassword) != "right")
        #expect(try check("anything", as: .withoutPassword) != "right")
    }

    @Test func anExpiredAccountOpensNothing() throws {
        #expect(try check("right password", as: .expired).hasPrefix("unavailable"))
        #expect(try check("right password", as: .nameless).hasPrefix("unavailable"))
    }

    @Test func aSuccessWithoutTheQuestionIsNone() throws {
        let permit = "auth required pam_permit.so\naccount required pam_permit.so\n"
        #expect(try check("right password", service: permit) == "unavailable: PAM did not ask for the password")
    }

    @Test func aStackThatIsNotThereIsUnavailable() throws {
        let missing = "auth required pam_nothing_of_the_kind.so\naccount required pam_permit.so\n"
        #expect(try check("right password", service: missing).hasPrefix("unavailable"))
    }

    @Test func aModuleThatHangsIsUnavailable() throws {
        let hanging = "auth required pam_exec.so quiet /bin/sleep 30\n" + Self.service
        let start = ContinuousClock.now
        #expect(try check("right password", service: hanging, patience: 1) == "unavailable: PAM does not answer")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func withoutPrivilegesNothingIsCalledWrong() throws {
        for password in ["right password", "wrong password"] {
            let answer = try check(password, arguments: ["--no-new-privs"])
            #expect(answer.hasPrefix("unavailable") && answer.contains("no_new_privs"))
        }
        #expect(try check("right password", as: .root, arguments: ["--no-new-privs"]) == "right")
    }
}
