import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 5: the order of a try.
struct TryTests {
    @Test func `form comes after the wait and before the store, and counts nothing`() {
        let bench = Bench.locked()
        for entry in ["12345", "123", "12a4", ""] {
            bench.clear()
            #expect(bench.error(bench.submit(entry)) == .invalidPasscode)
            #expect(bench.everything().count == 1)
        }
        #expect(bench.number(.failCount) == 0)
    }

    @Test func `a store that is away or lost is uncounted`() {
        let bench = Bench.locked()
        bench.storeIsAway = true
        #expect(bench.error(bench.submit("0000")) == .storeUnavailable)
        #expect(bench.isTrue(.hasPasscode))
        #expect(bench.view()?.trouble == .storeUnavailable)
        bench.storeIsAway = false
        let item = bench.disk.items.removeValue(forKey: .session)
        #expect(bench.error(bench.submit("0000")) == .storeLost)
        #expect(bench.view()?.trouble == .storeLost)
        #expect(bench.number(.failCount) == 0)
        bench.disk.items[.session] = item
        #expect(bench.submit("1234").map(bench.line) == "accepted")
    }

    @Test func `a record that cannot be written leaves it uncompared`() {
        let bench = Bench.locked()
        bench.diskIsFull = true
        bench.clear()
        #expect(bench.error(bench.submit("1234")) == .storeUnavailable)
        #expect(!bench.everything().contains("compare session"))
        #expect(bench.number(.failCount) == 0)
        bench.diskIsFull = false
        #expect(bench.submit("1234").map(bench.line) == "accepted")
    }

    @Test func `what cannot be compared is no failure`() {
        let bench = Bench.locked()
        bench.comparisonsFail = true
        #expect(bench.error(bench.submit("1234")) == .storeUnavailable)
        #expect(bench.number(.failCount) == 0)
        #expect(bench.disk.failures(.session) == 0)
    }

    @Test func `one try at a time, others are Busy`() {
        let bench = Bench.locked()
        bench.holdsAnswers = true
        bench.submit("1234")
        #expect(bench.error(bench.submit("1234", by: other)) == .busy)
        #expect(bench.error(bench.verify("1234", by: other)) == .busy)
        #expect(bench.error(bench.clearPasscode("1234", by: other)) == .busy)
        bench.deliverAll()
        #expect(bench.isAuthenticated())
    }

    @Test func `eight verifications wait behind one, over all authenticators`() {
        let bench = Bench()
        let ids = (0..<10).map { Bench.application("A\($0)") }
        for id in ids {
            bench.name(id, by: host)
            bench.setPasscode("", "1234", id)
        }
        bench.holdsAnswers = true
        for id in ids.dropLast() { #expect(bench.verify("1234", id) == nil) }
        #expect(bench.error(bench.verify("1234", ids[9])) == .limitsExceeded)
        bench.deliverAll()
        bench.holdsAnswers = false
        #expect(bench.verify("1234", ids[9]) == .verified(true))
    }

    @Test func `VerifyPasscode moves counters only`() {
        let bench = Bench()
        bench.set(.timeoutInterval, .double(600))
        bench.setPasscode("", "1234")
        bench.call(.lock)
        bench.submit("1234")
        bench.began(.idle)
        #expect(bench.error(bench.verify("1234")) == .invalidContext)
        bench.ended(.idle)
        #expect(bench.isAuthenticated())
        bench.clear()
        #expect(bench.verify("0000") == .verified(false))
        #expect(bench.look() == ["session changed FailCount=1", "reply 6 verified false"])
        #expect(bench.isAuthenticated())
        bench.began(.idle)
        bench.ended(.idle)
        #expect(bench.isAuthenticated(), "The grace stands")
        bench.call(.lock)
        #expect(bench.verify("1234") == .verified(true))
        #expect(!bench.isAuthenticated())
        #expect(bench.number(.failCount) == 0)
    }

    @Test(arguments: [false, true])
    func `a failure in a script ends the grace`(_ clears: Bool) {
        let bench = Bench()
        bench.set(.timeoutInterval, .double(600))
        bench.setPasscode("", "1234")
        bench.call(.lock)
        bench.submit("1234")
        if clears { bench.clearPasscode("0000") } else { bench.setPasscode("0000", "4321") }
        bench.began(.idle)
        bench.ended(.idle)
        #expect(!bench.isAuthenticated())
    }

    @Test func `a better verifier is stored at a right passcode`() {
        let bench = Bench.locked()
        bench.needsRehash = true
        let before = bench.disk.items[.session]?.id
        bench.submit("1234")
        #expect(bench.isAuthenticated())
        #expect(bench.disk.items[.session]?.id != before)
        #expect(bench.visible().last == "reply 3 accepted")
        // One that cannot be stored changes nothing.
        bench.holdsAnswers = true
        bench.verify("1234")
        for _ in 0..<3 { bench.deliver() }
        bench.storeIsAway = true
        bench.deliverAll()
        bench.holdsAnswers = false
        bench.storeIsAway = false
        bench.needsRehash = false
        #expect(bench.verify("1234") == .verified(true))
    }
}
