import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 7: Background, Foreground, Lock, sleep, holds, and what the last run left.
struct LifecycleTests {
    @Test func `PrepareForSleep locks, is recorded, signalled, and then sleep may go on`() {
        let bench = Bench.withPasscode()
        bench.send(.session(.arrived(source: "logind")))
        bench.clear()
        bench.began(.sleep)
        #expect(
            bench.look() == [
                "record session=true", "session changed IsAuthenticated=false IsShowingAuth=true ShouldCover=true",
                "session state asleep", "session AuthViewPresented", "locked hint true", "allow sleep",
            ])
        bench.ended(.sleep)
        #expect(bench.look() == ["session state active"])
        #expect(bench.submit("1234").map(bench.line) == "accepted")
    }

    @Test func `sleep waits for covers, and not for ever`() {
        let bench = Bench.withApp()
        let cookie = bench.hold(app, by: other) { $0.confirmsCover = true }
        guard case .cookie(let number) = cookie else { return #expect(Bool(false)) }
        bench.began(.sleep)
        #expect(!bench.look().contains("allow sleep"))
        #expect(bench.error(bench.call(.covered(number), app)) == .invalidArguments)
        bench.call(.covered(number), app, by: other)
        #expect(bench.look().filter { $0 == "allow sleep" }.count == 1)
        bench.ended(.sleep)
        bench.submit("1234", app)
        bench.began(.sleep)
        bench.clear()
        bench.began(.sleep)
        bench.pass(seconds: 3)
        #expect(bench.look().filter { $0 == "allow sleep" }.count == 1)
        bench.pass(seconds: 10)
        #expect(!bench.look().contains("allow sleep"))
    }

    @Test func `TimeoutInterval is a grace over boot time, strictly less, for one success`() {
        for (slept, isOpen) in [(59.0, true), (60.0, false), (90.0, false)] {
            let bench = Bench()
            bench.set(.timeoutInterval, .double(60))
            bench.setPasscode("", "1234")
            bench.call(.lock)
            bench.submit("1234")
            bench.began(.sleep)
            #expect(!bench.isAuthenticated())
            bench.pass(seconds: slept)
            #expect(bench.error(bench.authenticate(request: "/r")) == nil)
            #expect(!bench.isAuthenticated(), "Never while a cause stands")
            bench.clear()
            bench.ended(.sleep)
            #expect(bench.isAuthenticated() == isOpen)
            guard isOpen else { continue }
            let lines = bench.look()
            #expect(lines.contains("session AuthViewDismissed success"))
            #expect(lines.contains("completed /r to :1.1 success grace"))
            #expect(!lines.contains { $0.contains("AuthenticationSucceeded") })
            // It does not renew itself.
            bench.pass(seconds: 1)
            bench.began(.idle)
            bench.ended(.idle)
            #expect(!bench.isAuthenticated())
        }
    }

    @Test(arguments: [0, 1, 2])
    func `Lock, logind's Lock and ChangeAuthentication(false) end the grace`(_ which: Int) {
        let bench = Bench()
        bench.set(.timeoutInterval, .double(600))
        bench.setPasscode("", "1234")
        bench.call(.lock)
        bench.submit("1234")
        bench.began(.idle)
        switch which {
        case 0: bench.call(.lock)
        case 1: bench.send(.session(.lockRequested))
        default: bench.call(.changeAuthentication(false))
        }
        bench.ended(.idle)
        #expect(!bench.isAuthenticated())
        #expect(bench.isTrue(.isShowingAuth))
    }

    @Test func `only its source clears a pair, and Foreground is the empty set`() {
        let bench = Bench.withPasscode()
        bench.began(.idle, "a")
        bench.began(.idle, "b")
        bench.began(.screenLock, "b")
        #expect(bench.machine.sessionState == "locked")
        bench.ended(.idle, "b")
        bench.ended(.idle, "c")
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        bench.send(.session(.left(source: "b")))
        #expect(bench.machine.sessionState == "idle")
        bench.ended(.idle, "a")
        #expect(bench.machine.sessionState == "active")
        #expect(bench.submit("1234").map(bench.line) == "accepted")
    }

    @Test func `what LockOn does not name locks nothing, and still nothing opens meanwhile`() {
        let bench = Bench.withApp()
        bench.set(.lockOn, .strings(["sleep"]), app)
        bench.began(.idle)
        #expect(bench.isAuthenticated(app))
        #expect(bench.error(bench.verify("1234", app)) == .invalidContext)
        #expect(bench.error(bench.setPasscode("1234", "4321", app)) == .invalidContext)
        bench.began(.sleep)
        #expect(!bench.isAuthenticated(app))
    }

    @Test func `an open view at suspend, then Cancel: locked`() {
        let bench = Bench.withPasscode()
        bench.present(.three)
        bench.began(.sleep)
        #expect(bench.look().contains("session AuthViewDismissed SystemCancel"))
        bench.ended(.sleep)
        #expect(bench.error(bench.call(.cancel)) == .notAuthorized)
        #expect(!bench.isAuthenticated())
        #expect(bench.view()?.type == .touchid)
    }

    @Test func `applications come back one at a time, after the session`() {
        let bench = Bench.withPasscode()
        let ids = [Bench.application("A"), Bench.application("B"), Bench.application("C")]
        for (index, id) in ids.enumerated() {
            bench.hold(id, by: host)
            bench.name(id, by: host)
            if index < 2 { bench.hold(id) }
            bench.setPasscode("", "1234", id)
        }
        bench.began(.sleep)
        bench.ended(.sleep)
        #expect(ids.allSatisfy { bench.isTrue(.shouldCover, $0) && bench.view($0) == nil })
        bench.submit("1234")
        #expect(bench.view(ids[0]) != nil)
        #expect(bench.view(ids[1]) == nil)
        bench.call(.cancel, ids[0])
        #expect(bench.view(ids[1]) != nil, "The next one follows")
        bench.submit("1234", ids[1])
        #expect(bench.view(ids[2]) == nil, "Nobody holds it")
        bench.began(.idle)
        bench.ended(.idle)
        bench.submit("1234")
        #expect(bench.view(ids[0]) == nil, "Cancelled: it waits for its next Present")
        #expect(bench.view(ids[1]) != nil)
    }

    @Test func `logind's Lock takes applications along, and a second one shows nothing`() {
        let bench = Bench.withPasscode()
        bench.hold(app, by: host)
        bench.name(app, by: host)
        bench.hold(app)
        bench.setPasscode("", "1234", app)
        bench.send(.session(.lockRequested))
        #expect(!bench.isAuthenticated(app))
        #expect(bench.isTrue(.shouldCover, app))
        #expect(bench.view(app) == nil)
        bench.clear()
        bench.send(.session(.lockRequested))
        #expect(bench.look() == [])
        bench.submit("1234")
        #expect(bench.isTrue(.isShowingAuth, app))
    }

    @Test func `a suspend that nobody announced counts as sleep`() {
        let bench = Bench.withPasscode()
        bench.send(.session(.sleptUnannounced))
        #expect(!bench.isAuthenticated())
        #expect(bench.isTrue(.isShowingAuth))
        #expect(bench.machine.sessionState == "active")
        #expect(!bench.look().contains("allow sleep"))
    }

    @Test func `an entry from a terminal clears idle and is an entry`() {
        let bench = Bench.locked()
        bench.present(.touchid) { $0.ui = .terminal }
        bench.send(.reportIdle(true))
        #expect(bench.error(bench.submit("1234", by: other)) == .invalidContext)
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(bench.machine.sessionState == "active")
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        bench.began(.away)
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
    }

    @Test func `logging in anew, then the first suspend: locked`() {
        let bench = Bench.withPasscode()
        bench.reboot()
        #expect(!bench.isAuthenticated())
        #expect(bench.view() == nil)
        bench.began(.sleep)
        bench.ended(.sleep)
        #expect(bench.isTrue(.isShowingAuth))
    }

    @Test func `killed while locked: locked at the next start, before anybody asks`() {
        for setUp in [
            { (bench: Bench) in bench.began(.sleep) }, { _ = $0.call(.lock) },
            {
                _ = $0.present(.once)
                _ = $0.submit("0")
            },
            {
                $0.kill()
                _ = $0.present(.touchid)
            },
        ] {
            let bench = Bench.withPasscode()
            setUp(bench)
            let wasShown = bench.view()?.type == .touchid
            bench.kill()
            #expect((bench.view()?.type == .touchid) == wasShown)
            bench.storeIsAway = true
            bench.kill()
            #expect((bench.view()?.type == .touchid) == wasShown, "The store is not needed for it")
        }
        let open = Bench.withPasscode()
        open.kill()
        #expect(open.view() == nil)
        #expect(open.isTrue(.shouldCover))
        open.kill(slept: true)
        #expect(open.isTrue(.isShowingAuth))
        let unreadable = Bench.withPasscode()
        unreadable.disk.locksAreUnreadable = true
        unreadable.kill()
        #expect(unreadable.isTrue(.isShowingAuth))
    }

    @Test func `killed while starting, what was locked stays so on record`() {
        let bench = Bench.withApp()
        bench.call(.lock, app)
        bench.holdsAnswers = true
        for answers in 0..<4 {
            bench.kill()
            for _ in 0..<answers { bench.deliver() }
            #expect(bench.disk.locks?[app] == true)
        }
    }

    @Test func `the hint follows the session's lock, and is told again to a new logind`() {
        let bench = Bench.locked()
        bench.send(.session(.arrived(source: "logind")))
        #expect(bench.look().contains("locked hint true"))
        bench.submit("1234")
        #expect(bench.look().contains("locked hint false"))
        #expect(bench.machine.sessionSources.contains("logind"))
        bench.send(.session(.left(source: "logind")))
        #expect(!bench.machine.sessionSources.contains("logind"))
    }

    @Test func `a hold starts unauthenticated, and its end is the end`() {
        let bench = Bench()
        bench.name(app, by: other)
        bench.setPasscode("", "1234", app)
        guard case .cookie(let first) = bench.hold(app) else { return #expect(Bool(false)) }
        #expect(!bench.isAuthenticated(app))
        bench.present(.touchid, app)
        bench.submit("1234", app)
        guard case .cookie(let second) = bench.hold(app, by: other) else { return #expect(Bool(false)) }
        #expect(bench.isAuthenticated(app), "Only the first hold starts anew")
        #expect(bench.error(bench.call(.release(first), app, by: other)) == .invalidArguments)
        bench.call(.release(first), app)
        #expect(bench.isAuthenticated(app))
        bench.present(.three, app)
        bench.clear()
        bench.call(.release(second), app, by: other)
        #expect(bench.look().contains("org.example.App AuthViewDismissed AppCancel"))
        #expect(!bench.isAuthenticated(app))
        // By the connection, too.
        bench.hold(app)
        bench.present(.touchid, app)
        bench.submit("1234", app)
        bench.send(.callerLeft(host.connection))
        #expect(!bench.isAuthenticated(app))
        // On the session it binds nothing.
        let session = Bench.withPasscode()
        #expect(session.error(session.hold(.session) { $0.ui = .none }) == .notAuthorized)
        session.hold(.session)
        session.send(.callerLeft(host.connection))
        #expect(session.isAuthenticated())
    }

    @Test func `a hold with ui none has the app show the lock`() {
        let bench = Bench()
        bench.name(app, by: host)
        bench.hold(app) { $0.ui = .none }
        bench.setPasscode("", "1234", app)
        bench.began(.idle)
        bench.clear()
        bench.ended(.idle)
        #expect(bench.look().contains("org.example.App AuthViewShown app"))
    }

    @Test func `sixteen holds and sixteen names a connection`() {
        let bench = Bench()
        for number in 0..<16 {
            let id = Bench.application("A\(number)")
            #expect(bench.name(id, by: host) == .authenticator(id))
            if case .cookie = bench.hold(id) {} else { Issue.record("hold \(number)") }
        }
        #expect(bench.error(bench.name(Bench.application("B"), by: host)) == .limitsExceeded)
        #expect(bench.name(Bench.application("A3"), by: host) == .authenticator(Bench.application("A3")))
        #expect(bench.error(bench.hold(.session)) == .limitsExceeded)
        bench.send(.callerLeft(host.connection))
        #expect(bench.machine.ids == [.session])
    }
}
