import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 2: joining, displacing, the line, who answers, and requests.
struct ViewTests {
    private let apps = (0..<12).map { Bench.application("A\($0)") }

    private func manyApps(_ bench: Bench) {
        for (index, id) in apps.enumerated() {
            bench.name(id, by: Bench.caller(100 + index))
            bench.setPasscode("", "1234", id)
            bench.call(.changeAuthentication(false), id)
        }
        bench.clear()
    }

    @Test func `one view is in front, eight wait, and more are Busy`() {
        let bench = Bench()
        manyApps(bench)
        for id in apps.prefix(9) { #expect(bench.present(.touchid, id) == .presented(true)) }
        #expect(apps.filter { bench.isTrue(.isShowingAuth, $0) } == [apps[0]])
        #expect(bench.error(bench.present(.touchid, apps[9])) == .busy)
        #expect(bench.present(.touchid, apps[9]) { $0.ui = .none } == .presented(true))
        #expect(bench.isTrue(.isShowingAuth, apps[9]))
        #expect(bench.error(bench.submit("1234", apps[1])) == .invalidContext)
        bench.clear()
        bench.submit("1234", apps[0])
        let lines = bench.look()
        #expect(lines.contains("org.example.A1 changed IsShowingAuth=true"))
        #expect(lines.contains("org.example.A1 AuthViewPresented"))
        #expect(bench.present(.touchid, apps[10]) == .presented(true))
        // The session is never Busy, and takes the front.
        bench.setPasscode("", "1234")
        bench.clear()
        bench.call(.lock)
        #expect(bench.isTrue(.isShowingAuth))
        #expect(bench.look().contains("org.example.A1 changed IsShowingAuth=false"))
    }

    @Test func `a displaced view waits with its entry wiped`() {
        let bench = Bench.withPasscode()
        bench.name(app, by: host)
        bench.present(.twice, app)
        bench.submit("5678", app)
        #expect(bench.view(app)?.step == .again)
        bench.call(.lock)
        #expect(bench.view(app)?.step == .new)
        #expect(!bench.isTrue(.isShowingAuth, app))
        bench.clear()
        bench.submit("1234")
        #expect(bench.look().contains("org.example.App AuthViewPresented"))
        bench.submit("5678", app)
        #expect(bench.submit("5678", app).map(bench.line) == "accepted")
    }

    @Test func `touchid ends the other types, and on an app any type another`() {
        let bench = Bench.withApp()
        bench.present(.three, app)
        bench.clear()
        // It was authenticated before, so nothing is presented.
        #expect(bench.present(.touchid, app) == .presented(false))
        #expect(bench.look().contains("org.example.App AuthViewDismissed SystemCancel"))
        #expect(bench.isAuthenticated(app))
        bench.present(.three, app)
        bench.clear()
        #expect(bench.present(.once, app) == .presented(true))
        #expect(bench.look().contains("org.example.App AuthViewDismissed SystemCancel"))
        bench.call(.cancel, app)
        #expect(bench.isAuthenticated(app), "What was remembered is handed on")
    }

    @Test func `a view of the same type is joined, and widened, never narrowed`() {
        let bench = Bench.withApp()
        bench.call(.lock, app)
        bench.clear()
        #expect(bench.present(.touchid, app, by: other) { $0.ui = .none } == .presented(true))
        #expect(bench.look() == ["reply 5 presented true"])
        bench.submit("1234", app)
        bench.call(.changeAuthentication(false), app)
        bench.present(.touchid, app) { $0.ui = .none }
        let shown = bench.look()
        #expect(shown.contains("org.example.App AuthViewPresented"))
        #expect(shown.contains("org.example.App AuthViewShown app"))
        bench.present(.touchid, app, by: other) { $0.ui = .terminal }
        #expect(bench.look().contains("org.example.App AuthViewShown terminal"))
    }

    @Test func `a view of terminals goes with the last of them`() {
        for type in [SecurityType.once, .twice, .three] {
            let bench = type == .twice ? Bench() : Bench.withPasscode()
            let wasAuthenticated = bench.isAuthenticated()
            bench.present(type) { $0.ui = .terminal }
            bench.present(type, by: other) { $0.ui = .terminal }
            bench.clear()
            bench.send(.callerLeft(Bench.host.connection))
            #expect(bench.view()?.type == type, "Another terminal serves it")
            bench.clear()
            bench.send(.callerLeft(other.connection))
            #expect(bench.view() == nil)
            #expect(bench.look().contains("session AuthViewDismissed AppCancel"))
            #expect(bench.isAuthenticated() == wasAuthenticated, "What was before is given back")
            // The next one is not asked for what the former wanted.
            if type == .twice {
                bench.present(.twice) {
                    $0.ui = .terminal
                    $0.digits = 6
                }
                bench.send(.callerLeft(Bench.host.connection))
                bench.present(.twice) { $0.ui = .terminal }
                #expect(bench.view()?.digits == 4)
            }
        }
    }

    @Test func `a view that others asked for, or a lock, outlives its terminals`() {
        for ui in [ViewUI.auto, .none] {
            for isFirst in [true, false] {
                let bench = Bench.withPasscode()
                if isFirst { bench.present(.once, by: other) { $0.ui = ui } }
                bench.present(.once) { $0.ui = .terminal }
                if !isFirst { bench.present(.once, by: other) { $0.ui = ui } }
                bench.send(.callerLeft(Bench.host.connection))
                #expect(bench.view()?.type == .once)
            }
        }
        let bench = Bench.withApp()
        bench.call(.lock, app)
        bench.present(.touchid, app, by: other) { $0.ui = .terminal }
        bench.send(.callerLeft(other.connection))
        #expect(bench.view(app)?.type == .touchid)
    }

    @Test func `whoever answered the first step answers the rest`() {
        let bench = Bench.withPasscode()
        bench.present(.three)
        #expect(bench.error(bench.submit("1234", by: other)) == .busy)
        bench.present(.three, by: other)
        bench.submit("1234", by: other)
        #expect(bench.error(bench.submit("5678")) == .busy)
        #expect(bench.submit("5678", by: other).map(bench.line) == "next")
        // Its going leaves the rest to nobody: the view starts anew.
        bench.send(.callerLeft(other.connection))
        #expect(bench.view()?.step == .old)
        #expect(bench.submit("1234").map(bench.line) == "next")
    }

    @Test func `120 s without an entry end once, twice and three, and give back what was before`() {
        let bench = Bench.withPasscode()
        bench.present(.three)
        bench.pass(seconds: 100)
        bench.submit("1234")
        bench.pass(seconds: 119)
        #expect(bench.view() != nil)
        bench.clear()
        bench.pass(seconds: 1)
        #expect(bench.look().suffix(1) == ["session AuthViewDismissed SystemCancel"])
        #expect(bench.isAuthenticated())
        bench.call(.lock)
        bench.pass(seconds: 10_000)
        #expect(bench.view()?.type == .touchid, "A lock has no end but success")
    }

    @Test func `a counted failure ends such a view on the session, and it is locked`() {
        let bench = Bench.withPasscode()
        bench.present(.once)
        bench.clear()
        #expect(bench.submit("0000").map(bench.line) == "wrong")
        #expect(!bench.isAuthenticated())
        #expect(bench.view()?.type == .touchid)
        let lines = bench.look()
        let order = [
            "session AuthenticationFailed 1 passcode", "session AuthViewDismissed SystemCancel",
            "session AuthViewPresented", "reply 3 wrong",
        ]
        #expect(lines.filter(order.contains) == order)
        // The lock says why it came, as it does after a failure of its own.
        #expect(bench.view()?.notice == .failed(1))
        #expect(bench.view()?.failCount == 1)
        bench.submit("1234")
        bench.call(.lock)
        #expect(bench.view()?.notice == ViewState.Notice.none)
        // So it does after a wrong one of a script's.
        bench.submit("1234")
        bench.present(.three)
        bench.clearPasscode("0000")
        #expect(bench.view()?.type == .touchid)
        #expect(bench.view()?.notice == .failed(1))
        // On an app it starts again and forgets what it remembered.
        let app1 = Bench.withApp()
        app1.present(.once, app)
        app1.submit("0000", app)
        #expect(app1.view(app)?.notice == .failed(1))
        app1.call(.cancel, app)
        #expect(!app1.isAuthenticated(app))
    }

    @Test func `Authenticate waits, and is completed after the view is dismissed`() {
        let bench = Bench.locked()
        #expect(bench.authenticate(request: "/r/1", by: other) == .request("/r/1"))
        bench.clear()
        bench.submit("1234")
        #expect(
            bench.look().suffix(5) == [
                "session AuthenticationSucceeded passcode", "session AuthViewDismissed success",
                "completed /r/1 to :1.2 success passcode", "locked hint false", "reply 4 accepted",
            ])
        // Open already: the path, then its Completed.
        bench.authenticate(request: "/r/2", by: other)
        #expect(bench.look() == ["reply 5 request /r/2", "completed /r/2 to :1.2 success grace"])
        // On the open session a question may be cancelled.
        bench.authenticate(request: "/r/3", by: other) { $0.requiresPasscode = true }
        #expect(bench.view()?.canCancel == true)
        bench.clear()
        #expect(bench.cancelRequest("/r/3", by: other) == .done)
        #expect(
            bench.look() == [
                "session changed IsShowingAuth=false", "session AuthViewDismissed AppCancel",
                "completed /r/3 to :1.2 AppCancel", "reply 7 done",
            ])
        #expect(bench.isAuthenticated())
        #expect(bench.error(bench.cancelRequest("/r/3", by: other)) == .unknownObject)
    }

    @Test func `the last waiter takes a view along that nobody else asked for`() {
        let bench = Bench.withApp()
        bench.call(.changeAuthentication(false), app)
        bench.authenticate(app, request: "/r/1", by: other)
        bench.authenticate(app, request: "/r/2", by: Bench.caller(3))
        #expect(bench.error(bench.cancelRequest("/r/1", by: host)) == .notAuthorized)
        bench.send(.callerLeft(other.connection))
        #expect(bench.isTrue(.isShowingAuth, app))
        bench.clear()
        bench.send(.callerLeft(":1.3"))
        #expect(bench.look().contains("org.example.App AuthViewDismissed AppCancel"))
        bench.authenticate(app, request: "/r/3", by: other)
        bench.present(.touchid, app)
        bench.clear()
        bench.cancelRequest("/r/3", by: other)
        #expect(bench.look().first == "completed /r/3 to :1.2 AppCancel")
        #expect(bench.isTrue(.isShowingAuth, app), "A Present asked for it too")
    }

    @Test func `a lock does not go with the question that it found`() {
        let bench = Bench.withPasscode()
        bench.authenticate(request: "/r/1", by: other) { $0.requiresPasscode = true }
        bench.began(.idle)
        bench.ended(.idle)
        bench.clear()
        bench.send(.callerLeft(other.connection))
        #expect(bench.isTrue(.isShowingAuth))
        #expect(bench.look() == [])
    }

    @Test func `a void entry and one in line have no view`() {
        let bench = Bench.withPasscode()
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        #expect(bench.call(.getView) == .view(nil))
        #expect(bench.call(.cancel) == .done)
        bench.began(.away)
        #expect(bench.isTrue(.isShowingAuth))
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
    }
}
