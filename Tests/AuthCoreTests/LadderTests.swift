import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 5: the ladder, across kills, reboots and clocks.
struct LadderTests {
    private let minute: UInt64 = 60_000_000

    @Test func `the waits grow, and survive what they must`() {
        let bench = Bench.locked()
        let waits: [UInt64] = [0, 0, 0, 0, 1, 5, 15, 15, 60, 60]
        for (index, wait) in waits.enumerated() {
            #expect(bench.submit("0000").map(bench.line) == "wrong")
            #expect(bench.number(.failCount) == UInt64(index + 1))
            let end = wait == 0 ? 0 : bench.now.boottime + wait * minute
            #expect(bench.number(.lockedOutUntilBoottime) == end)
            #expect(bench.number(.lockedOutUntil) == (wait == 0 ? 0 : bench.now.realtime + wait * minute))
            #expect(bench.view()?.lockedOutUntil == bench.number(.lockedOutUntil))
            guard wait > 0 else { continue }
            bench.clear()
            // Neither compared nor counted, not even the right one.
            #expect(bench.error(bench.submit("1234")) == .lockedOut)
            #expect(bench.everything().count == 1)
            #expect(bench.number(.failCount) == UInt64(index + 1))
            bench.kill()
            #expect(bench.number(.lockedOutUntilBoottime) == end)
            bench.pass(seconds: Double(wait) * 60 - 0.001)
            #expect(bench.error(bench.submit("1234")) == .lockedOut)
            bench.pass(seconds: 0.001)
            #expect(bench.number(.lockedOutUntilBoottime) == 0)
        }
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(bench.number(.failCount) == 0)
        #expect(bench.disk.failures(.session) == 0)
    }

    @Test func `eight failures with a kill after each are counted exactly`() {
        let bench = Bench.locked()
        for count in 1...8 {
            bench.submit("0000")
            bench.kill()
            #expect(bench.number(.failCount) == UInt64(count))
            #expect(bench.isTrue(.isShowingAuth))
            let end = bench.number(.lockedOutUntilBoottime)
            if end > 0 { bench.pass(seconds: Double(end - bench.now.boottime) / 1_000_000) }
        }
    }

    @Test(arguments: [false, true])
    func `a kill may cost a count and never saves one`(_ applied: Bool) {
        let bench = Bench.locked()
        bench.submit("0000")
        bench.holdsAnswers = true
        bench.submit("1234")
        bench.deliver()
        bench.kill { applied }
        bench.deliverAll()
        #expect(bench.number(.failCount) == (applied ? 2 : 1))
        #expect(!bench.isAuthenticated())
    }

    @Test func `a reboot restarts the running wait and never shortens it`() {
        let bench = Bench.locked()
        for _ in 0..<5 { bench.submit("0000") }
        bench.pass(seconds: 50)
        bench.reboot()
        #expect(bench.number(.lockedOutUntilBoottime) == bench.now.boottime + minute)
        bench.pass(seconds: 30)
        bench.kill()
        // A second start in the same boot goes on with the wait.
        #expect(bench.number(.lockedOutUntilBoottime) == bench.now.boottime + minute / 2)
        bench.pass(seconds: 30)
        bench.reboot()
        #expect(bench.number(.lockedOutUntilBoottime) == 0, "A wait that is over does not begin again")
        #expect(bench.number(.failCount) == 5)
    }

    @Test func `a clock set back restarts it`() {
        let bench = Bench.locked()
        for _ in 0..<5 { bench.submit("0000") }
        bench.pass(seconds: 10)
        bench.now.boottime = 20_000_000
        bench.kill()
        #expect(bench.number(.lockedOutUntilBoottime) == bench.now.boottime + minute)
        bench.now.realtime = 1
        #expect(bench.error(bench.submit("1234")) == .lockedOut)
    }

    @Test(arguments: [FileReading.missing, .broken, .fields(["failures": "x"]), .fields(["failures": "0"])])
    func `a missing or broken record beside a stored passcode is the longest wait`(_ file: FileReading) {
        let bench = Bench.withPasscode()
        bench.disk.attempts[.session] = file == .missing ? nil : file
        bench.kill()
        #expect(bench.number(.failCount) == 9)
        #expect(bench.number(.lockedOutUntilBoottime) == bench.now.boottime + 60 * minute)
        #expect(bench.error(bench.verify("1234")) == .lockedOut)
    }

    @Test func `an item that has lost its marker and record is no different, and no passcode waits for nothing`() {
        let bare = Bench.withPasscode()
        bare.disk.attempts[.session] = nil
        bare.disk.markers = []
        bare.kill()
        #expect(bare.number(.failCount) == 9)
        #expect(bare.value(.storeState) == .string("ready"))
        let unset = Bench()
        unset.kill()
        #expect(unset.number(.failCount) == 0)
    }

    @Test func `wrong account passwords have a ladder of their own`() {
        let bench = Bench.locked()
        for count in 1...5 {
            bench.clear()
            #expect(bench.error(bench.reset("wrong")) == .authenticationFailed)
            #expect(bench.look().first == "session AuthenticationFailed \(count) account")
        }
        #expect(bench.error(bench.reset("account")) == .lockedOut)
        #expect(bench.number(.failCount) == 0)
        bench.kill()
        #expect(bench.error(bench.reset("account")) == .lockedOut)
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        bench.pass(seconds: 60)
        #expect(bench.reset("account") == .done)
        #expect(bench.disk.accountFailures == 0)
    }
}
