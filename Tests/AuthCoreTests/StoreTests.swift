import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 8: the table, the way back, and changes that are cut short.
struct StoreTests {
    private func isAway(marker: Bool) -> Bench {
        let bench = Bench(starting: false)
        if marker {
            bench.disk.markers = [.session]
            bench.disk.attempts[.session] = FileReading.fields([
                "failures": "0", "biometry-failures": "0", "wait-microseconds": "0", "until-boottime": "0",
                "boot-id": "boot-1",
            ])
        }
        bench.storeIsAway = true
        bench.start()
        bench.clear()
        return bench
    }

    @Test func `unavailable beside a marker: locked, the view up, and it says why`() {
        let bench = isAway(marker: true)
        for type in [SecurityType.once, .twice, .three] {
            #expect(bench.error(bench.present(type)) == .storeUnavailable)
        }
        #expect(bench.value(.storeState) == .string("unavailable"))
        #expect(bench.isTrue(.hasPasscode))
        #expect(bench.isTrue(.shouldCover))
        bench.call(.lock)
        #expect(bench.view()?.trouble == .storeUnavailable)
        #expect(bench.error(bench.submit("1234")) == .storeUnavailable)
        #expect(bench.number(.failCount) == 0)
        #expect(bench.error(bench.verify("1234")) == .storeUnavailable)
        #expect(bench.error(bench.setPasscode("1", "1234")) == .storeUnavailable)
        #expect(bench.error(bench.clearPasscode("1234")) == .storeUnavailable)
        #expect(bench.error(bench.reset("account")) == .storeUnavailable)
    }

    @Test func `unavailable without a marker is no lock, and asks the store anew`() {
        let bench = isAway(marker: false)
        #expect(bench.value(.unlockRoute) == .string("login"))
        #expect(bench.isTrue(.hasPasscode))
        #expect(!bench.isTrue(.shouldCover))
        for type in SecurityType.allCases { #expect(bench.error(bench.present(type)) == .storeUnavailable) }
        #expect(bench.error(bench.authenticate(request: "/r")) == .storeUnavailable)
        #expect(bench.error(bench.setPasscode("", "1234")) == .storeUnavailable)
        #expect(bench.call(.lock) == .done)
        bench.began(.sleep)
        bench.ended(.sleep)
        #expect(bench.view() == nil)
        bench.clear()
        bench.storeIsAway = false
        #expect(bench.present(.twice) == .presented(true))
        #expect(bench.everything().first == "load session")
    }

    @Test func `lost: StoreLost for the flows, a lock that says why, and the account password as the way back`() {
        let bench = Bench.withPasscode()
        bench.disk.items = [:]
        bench.kill()
        #expect(bench.value(.storeState) == .string("lost"))
        for type in [SecurityType.once, .twice, .three] { #expect(bench.error(bench.present(type)) == .storeLost) }
        #expect(bench.error(bench.verify("1234")) == .storeLost)
        #expect(bench.present(.touchid) == .presented(true))
        #expect(bench.view()?.trouble == .storeLost)
        #expect(bench.view()?.takesAccountPassword == true)
        #expect(bench.error(bench.submit("1234")) == .storeLost)
        bench.clear()
        #expect(bench.reset("account") == .done)
        let lines = bench.look()
        let order = [
            "session AuthenticationSucceeded account", "session PasscodeTurnedOff", "session AuthViewDismissed success",
        ]
        #expect(lines.filter(order.contains) == order)
        #expect(bench.value(.storeState) == .string("unset"))
        #expect(bench.isAuthenticated())
        bench.began(.idle)
        #expect(!bench.isAuthenticated())
        #expect(bench.disk.markers.isEmpty)
    }

    @Test func `away for a minute, the account password opens the view and removes nothing`() {
        let bench = isAway(marker: true)
        bench.call(.lock)
        bench.pass(seconds: 59)
        #expect(bench.error(bench.submitAccount("account")) == .invalidContext)
        bench.clear()
        bench.pass(seconds: 1)
        #expect(bench.look() == ["session ViewChanged"])
        #expect(bench.error(bench.reset("account")) == .storeUnavailable, "A reset needs the store")
        #expect(bench.submitAccount("wrong").map(bench.line) == "wrong")
        #expect(bench.submitAccount("account").map(bench.line) == "accepted")
        #expect(bench.isAuthenticated())
        #expect(bench.disk.markers == [.session])
        #expect(bench.view() == nil)
        // It starts the grace of an unlock, and the next lock asks again.
        bench.call(.lock)
        #expect(!bench.isAuthenticated())
    }

    @Test func `a passcode that vanishes in a run is lost, not off`() {
        let bench = Bench.withPasscode()
        bench.disk.items = [:]
        bench.disk.markers = []
        bench.send(.secretServiceChanged(.ready))
        #expect(bench.value(.storeState) == .string("lost"))
        #expect(bench.isTrue(.hasPasscode))
    }

    @Test func `a turn-off that was cut short before this run is off once the store says so`() {
        let bench = isAway(marker: true)
        bench.disk.markers = []
        bench.storeIsAway = false
        bench.send(.secretServiceChanged(.ready))
        #expect(bench.value(.storeState) == .string("unset"))
    }

    @Test func `a removal that seems to fail and took effect is off, not lost`() {
        let bench = Bench.withPasscode()
        bench.storeFailsAfterwards = true
        bench.clear()
        #expect(bench.error(bench.clearPasscode("1234")) == .storeUnavailable)
        #expect(bench.value(.storeState) == .string("unset"))
        #expect(bench.look().contains("session PasscodeTurnedOff"))
        #expect(!bench.isAuthenticated())
        bench.storeFailsAfterwards = false
        #expect(bench.setPasscode("", "4321") == .done)
    }

    @Test(arguments: [false, true])
    func `killed in the middle of a change, the old or the new one holds`(_ applied: Bool) {
        for flow in [SecurityType.once, .twice, .three] {
            let bench = flow == .twice ? Bench() : Bench.withPasscode()
            bench.present(flow)
            if flow != .twice { bench.submit("1234") }
            if flow == .three { bench.submit("5678") }
            if flow == .twice { bench.submit("5678") }
            if flow == .once {
                bench.kill()
                bench.present(.once)
            }
            bench.holdsAnswers = true
            bench.submit(flow == .once ? "1234" : "5678")
            while bench.waiting > 1 { bench.deliver() }
            bench.kill { applied }
            bench.holdsAnswers = false
            bench.deliverAll()
            #expect(bench.value(.storeState) != .string("lost"))
            guard bench.value(.storeState) == .string("ready") else { continue }
            let rights = ["1234", "5678"].filter { bench.verify($0) == .verified(true) }
            #expect(rights.count == 1)
        }
    }

    @Test func `a store that does not take it leaves the old state and the same step`() {
        let bench = Bench.withPasscode()
        bench.present(.three)
        bench.submit("1234")
        bench.submit("5678")
        bench.storeIsAway = true
        #expect(bench.error(bench.submit("5678")) == .storeUnavailable)
        #expect(bench.view()?.step == .again)
        bench.storeIsAway = false
        #expect(bench.submit("5678").map(bench.line) == "accepted")
        bench.present(.once)
        bench.holdsAnswers = true
        bench.submit("5678")
        for _ in 0..<3 { bench.deliver() }
        bench.storeIsAway = true
        bench.holdsAnswers = false
        bench.deliverAll()
        #expect(bench.isTrue(.hasPasscode))
        #expect(bench.view()?.type == .once)
        bench.storeIsAway = false
        #expect(bench.submit("5678").map(bench.line) == "accepted")
    }

    @Test func `a lock that comes while it is stored: the passcode holds and opens nothing`() {
        let bench = Bench()
        bench.present(.twice)
        bench.submit("1234")
        bench.holdsAnswers = true
        bench.submit("1234")
        bench.began(.sleep)
        bench.deliverAll()
        #expect(bench.look().contains("session PasscodeTurnedOn"))
        #expect(!bench.isAuthenticated())
        bench.ended(.sleep)
        #expect(bench.isTrue(.isShowingAuth))
        bench.holdsAnswers = false
        #expect(bench.submit("1234").map(bench.line) == "accepted")
    }

    @Test func `a new passcode that is cancelled while it is stored gives back what was before`() {
        let bench = Bench.withPasscode()
        bench.present(.three)
        bench.submit("1234")
        bench.submit("5678")
        bench.holdsAnswers = true
        bench.submit("5678")
        bench.call(.cancel)
        bench.deliverAll()
        #expect(bench.isAuthenticated())
        bench.holdsAnswers = false
        #expect(bench.verify("5678") == .verified(true))
    }

    @Test func `a locked collection is asked for at the first start and by twice, never under a cover`() {
        func asks(_ bench: Bench) -> Bool { bench.everything().contains("unlock store") }
        let bench = isAway(marker: false)
        bench.send(.secretServiceChanged(.locked))
        #expect(asks(bench))
        bench.send(.secretServiceChanged(.ready))
        bench.send(.secretServiceChanged(.locked))
        #expect(!asks(bench))
        bench.present(.twice)
        #expect(asks(bench))
        let locked = isAway(marker: true)
        locked.call(.lock)
        locked.clear()
        locked.send(.secretServiceChanged(.locked))
        #expect(!asks(locked))
    }

    @Test func `an object is there while something holds it`() {
        let bench = Bench()
        #expect(bench.machine.exists(app) == false)
        #expect(bench.name(app, by: host) == .authenticator(app))
        #expect(bench.look().contains("added org.example.App"))
        bench.send(.callerLeft(host.connection))
        #expect(bench.look().contains("removed org.example.App"))
        bench.name(app, by: host)
        bench.setPasscode("", "1234", app)
        bench.send(.callerLeft(host.connection))
        #expect(bench.machine.exists(app))
        bench.kill()
        #expect(bench.machine.exists(app))
        #expect(bench.error(bench.call(.remove, Bench.application("Other"))) == .invalidArguments)
        #expect(bench.error(bench.call(.lock, Bench.application("Other"))) == .unknownObject)
    }
}
