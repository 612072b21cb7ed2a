import AuthCore
import AuthWire
import Glibc
import Testing

@testable import AuthService

/// SPEC 9: one table, a row for every member, denied by default.
@Suite struct AuthorizationTests {
    @Test(arguments: ["Manager", "Authenticator", "Policy", "Fingerprint", "Request"])
    func everyMemberOfTheContractHasARow(_ name: String) throws {
        let xml = try #require(Self.contract("org.smileauth.Auth1.\(name)"))
        let interface = "org.smileauth.Auth1.\(name)"
        let methods = Self.names(of: "method", in: xml)
        #expect(!methods.isEmpty)
        for method in methods {
            #expect(Authorization.rule(interface: interface, member: method) != nil, "no row for \(name).\(method)")
        }
        #expect(Set(Authorization.table[interface]?.keys.map { $0 } ?? []) == Set(methods), "a row for no member")
    }

    @Test func everyWritablePropertyHasARowAndNoOther() throws {
        let lock = try #require(Self.contract("org.smileauth.Auth1.Authenticator"))
        let xml = try lock + #require(Self.contract("org.smileauth.Auth1.Policy"))
        let writable = xml.split(separator: "<property ").dropFirst()
            .filter { $0.prefix { $0 != ">" }.contains("access=\"readwrite\"") }
            .compactMap { Self.attribute("name", of: $0) }
        #expect(writable.count == 20)
        #expect(Set(writable) == Set(Authorization.settable.keys))
    }

    @Test func whatHasNoRowIsDenied() {
        let host = Caller(connection: ":1.1", sandboxed: nil, displayName: "")
        #expect(!Authorization.allows(nil, host, object: .session, requester: nil))
        #expect(Authorization.rule(interface: "org.smileauth.Auth1.Authenticator", member: "Open") == nil)
    }

    @Test func aSandboxedCallerReachesItsOwnAndNoOther() throws {
        let own = try #require(AuthenticatorID(application: "org.example.Notes"))
        let other = try #require(AuthenticatorID(application: "org.example.Mail"))
        let caller = Caller(connection: ":1.7", sandboxed: own, displayName: "org.example.Notes")
        #expect(Authorization.allows(.hostOrOwn, caller, object: own, requester: nil))
        #expect(!Authorization.allows(.hostOrOwn, caller, object: other, requester: nil))
        #expect(!Authorization.allows(.hostOrOwn, caller, object: .session, requester: nil))
        #expect(!Authorization.allows(.hostOnly, caller, object: own, requester: nil))
        #expect(Visibility.isVisible(own.path, to: caller))
        #expect(!Visibility.isVisible(other.path, to: caller))
        #expect(!Visibility.isVisible("/org/smileauth/Auth1/session", to: caller))
        #expect(Visibility.isVisible("/org/smileauth/Auth1", to: caller))
        #expect(!Visibility.isVisible("/org/smileauth/Auth1/fingerprint", to: caller))
        #expect(Visibility.isVisible("/org/smileauth/Auth1/request/1_7/t1", to: caller))
        #expect(!Visibility.isVisible("/org/smileauth/Auth1/request/1_70/t1", to: caller))
    }

    @Test func aRequestIsItsCallersAlone() {
        let caller = Caller(connection: ":1.7", sandboxed: nil, displayName: "")
        #expect(Authorization.allows(.requester, caller, object: nil, requester: ":1.7"))
        #expect(!Authorization.allows(.requester, caller, object: nil, requester: ":1.70"))
        #expect(!Authorization.allows(.requester, caller, object: nil, requester: nil))
    }

    @Test func errorsHaveTheNamesOfTheWire() {
        for error in AuthError.allCases where error != .invalidArguments && error != .unknownObject {
            #expect(WireError(rawValue: error.rawValue)?.fullName == error.fullName)
        }
        #expect(WireError.allCases.count == AuthError.allCases.count - 2)
    }

    // MARK: The contract

    private static func contract(_ interface: String) -> String? {
        let here = #filePath
        let root = here.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = open("/\(root)/dbus/\(interface).xml", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private static func names(of element: String, in xml: String) -> [String] {
        xml.split(separator: "<\(element) ").dropFirst().compactMap { attribute("name", of: $0) }
    }

    private static func attribute(_ name: String, of element: Substring) -> String? {
        let parts = element.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "\(name)=" ? String(parts[1]) : nil
    }
}
