import AuthCore
import AuthCoreTestKit

let app = Bench.application("App")
let host = Bench.host
let other = Bench.other

extension Bench {
    /// A session with the passcode 1234, authenticated, as after `smileauth set`.
    static func withPasscode(_ passcode: String = "1234") -> Bench {
        let bench = Bench()
        bench.setPasscode("", passcode)
        bench.clear()
        return bench
    }

    /// An application with the passcode 1234 that `host` holds, authenticated.
    static func withApp() -> Bench {
        let bench = Bench()
        bench.name(app, by: host)
        bench.hold(app)
        bench.setPasscode("", "1234", app)
        bench.clear()
        return bench
    }

    /// The session's passcode is set, and it is locked.
    static func locked() -> Bench {
        let bench = withPasscode()
        bench.call(.lock)
        bench.clear()
        return bench
    }

    func visible() -> [String] { visible(actions) }

    /// What was visible since the last look.
    func look() -> [String] {
        defer { clear() }
        return visible(actions)
    }

    /// Every action since the last look.
    func everything() -> [String] {
        defer { clear() }
        return actions.map(line)
    }

    func error(_ reply: Reply?) -> AuthError? {
        if case .refused(let refusal) = reply { refusal.error } else { nil }
    }
}
