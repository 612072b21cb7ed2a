import Testing

@testable import AuthSession

@Suite struct LockedHintTests {
    @Test func followsTheLock() {
        var hint = LockedHint()
        #expect(hint.attach(false, isMarked: false) == nil)
        #expect(hint.want(true) == true)
        #expect(hint.observe(true) == nil)
        #expect(!hint.isCause)
        #expect(hint.want(false) == false)
        #expect(hint.observe(false) == nil)
        #expect(!hint.isOurs)
        #expect(hint.observe(true) == nil)
        #expect(hint.isCause)
    }

    @Test func whatWasAskedForWithoutASessionIsSentWhenThereIsOne() {
        var hint = LockedHint()
        #expect(hint.want(true) == nil)
        #expect(hint.attach(false, isMarked: false) == true)
        hint.detach()
        #expect(hint.attach(false, isMarked: true) == true)
        hint.detach()
        #expect(hint.attach(true, isMarked: true) == nil)
        #expect(!hint.isCause)
    }

    @Test func anothersLockIsLeftAloneAndOursFollowsIt() {
        var hint = LockedHint()
        #expect(hint.attach(true, isMarked: false) == nil)
        #expect(hint.isCause)
        #expect(hint.want(true) == nil)
        #expect(hint.want(false) == nil)
        #expect(hint.isCause)
        #expect(hint.want(true) == nil)
        #expect(hint.observe(false) == true)
        #expect(hint.observe(true) == nil)
        #expect(!hint.isCause)
    }

    @Test func anEarlierRunsHintIsOurs() {
        var hint = LockedHint()
        #expect(hint.attach(true, isMarked: true) == nil)
        #expect(!hint.isCause)
        #expect(hint.want(false) == false)
        #expect(hint.observe(false) == nil)
        #expect(!hint.isOurs)
    }

    @Test func aRefusedHintIsNotOurs() {
        var hint = LockedHint()
        _ = hint.attach(false, isMarked: false)
        #expect(hint.want(true) == true)
        hint.answered(true, succeeded: false)
        #expect(hint.observe(true) == nil)
        #expect(hint.isCause)
    }

    @Test func twoLockersDoNotFightForEver() {
        var hint = LockedHint()
        _ = hint.attach(false, isMarked: false)
        _ = hint.want(true)
        var answers = 0
        for _ in 0..<100 {
            _ = hint.observe(true)
            if hint.observe(false) != nil { answers += 1 }
        }
        #expect(answers == 8)
    }

    @Test func backoffIsBounded() {
        var backoff = Backoff()
        var total = Duration.zero
        var tries = 0
        while total < .seconds(60) {
            total += backoff.next()
            tries += 1
        }
        #expect(tries == 10)
        for _ in 0..<100 { #expect(backoff.next() <= .seconds(3600)) }
        backoff.reset()
        #expect(backoff.next() == .milliseconds(100))
    }
}
