import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 7, 10: the service's own prompt, and the cover over the session.
struct PromptTests {
    private func withDisplay(covers: Bool = false) -> Bench {
        let bench = Bench.withPasscode()
        bench.send(.display(.prompts(true)))
        if covers { bench.send(.display(.covers(true))) }
        bench.clear()
        return bench
    }

    @Test func `the view in front has a prompt, which says when it is seen`() {
        let bench = withDisplay()
        bench.present(.touchid)
        #expect(bench.shownPrompt == nil, "It is open already")
        bench.call(.lock)
        #expect(bench.shownPrompt?.id == .session)
        bench.clear()
        bench.prompt(.shown)
        #expect(bench.look() == ["session AuthViewShown prompt"])
        #expect(bench.type("0000").map(bench.line) == "wrong")
        #expect(bench.type("1234").map(bench.line) == "accepted")
        #expect(bench.isAuthenticated())
        #expect(bench.everything().contains("hide prompt success"))
        #expect(bench.shownPrompt == nil)
    }

    @Test func `where a terminal or the app shows the view there is none`() {
        let bench = withDisplay()
        bench.name(app, by: host)
        bench.setPasscode("", "9999", app)
        bench.call(.changeAuthentication(false), app)
        bench.present(.touchid, app, by: other) { $0.ui = .terminal }
        #expect(bench.shownPrompt == nil)
        // With its terminal gone the view still stands, and somebody has to show it.
        bench.send(.callerLeft(other.connection))
        #expect(bench.shownPrompt?.id == app)
        bench.call(.cancel, app)
        bench.present(.touchid, app) { $0.ui = .none }
        #expect(bench.shownPrompt == nil)
    }

    @Test func `the session's lock takes the prompt from an app, and gives it back`() {
        let bench = withDisplay()
        bench.name(app, by: host)
        bench.present(.twice, app)
        bench.prompt(.shown)
        bench.type("5678")
        #expect(bench.view(app)?.step == .again)
        bench.call(.lock)
        #expect(bench.shownPrompt?.id == .session)
        #expect(bench.view(app)?.step == .new, "What was entered is wiped")
        bench.prompt(.shown)
        bench.type("1234")
        #expect(bench.shownPrompt?.id == app)
    }

    @Test func `what tells of another view is void`() {
        let bench = withDisplay()
        bench.call(.lock)
        let number = bench.shownPrompt?.view ?? 0
        let token = bench.token()
        bench.send(.prompt(.entry(FakePasscode("1234"), token), view: number + 1))
        #expect(bench.error(bench.replies[token]) == .systemCancel)
        bench.send(.prompt(.cancel, view: number + 1))
        #expect(!bench.isAuthenticated())
        #expect(bench.view() != nil)
        bench.prompt(.cancel)
        #expect(bench.view() != nil, "A lock is not cancelled")
    }

    @Test func `the finger is armed once the prompt is seen, and not while it is dead`() {
        let bench = Bench.withFinger()
        bench.send(.display(.prompts(true)))
        bench.call(.lock)
        #expect(bench.sensor.scan == nil)
        bench.prompt(.shown)
        #expect(bench.sensor.isArmed)
        bench.prompt(.gone)
        #expect(bench.sensor.scan == nil)
        #expect(bench.view() != nil)
        #expect(!bench.isAuthenticated())
        bench.prompt(.shown)
        bench.touch("owner")
        #expect(bench.isAuthenticated())
    }

    @Test func `a finger that answers a change binds it to the prompt`() {
        let bench = Bench.withFinger()
        bench.send(.display(.prompts(true)))
        bench.present(.three)
        bench.prompt(.shown)
        bench.prompt(.fingerButton(nil))
        bench.touch("owner")
        #expect(bench.error(bench.submit("5678")) == .busy)
        #expect(bench.type("5678").map(bench.line) == "next")
        #expect(bench.type("5678").map(bench.line) == "accepted")
    }

    @Test func `a key clears idle and is no part of the entry`() {
        let bench = withDisplay()
        bench.began(.idle)
        bench.prompt(.shown)
        #expect(bench.machine.promptState(.session)?.takesKeys == false)
        #expect(bench.type("1234").flatMap(bench.error) == .invalidContext)
        bench.prompt(.activity)
        #expect(bench.machine.promptState(.session)?.takesKeys == true)
        #expect(bench.type("1234").map(bench.line) == "accepted")
        bench.began(.away)
        bench.prompt(.activity)
        #expect(bench.machine.sessionState == "away")
    }

    @Test func `the inhibitor goes when the first frame and the cover are up`() {
        for covers in [false, true] {
            let bench = withDisplay(covers: covers)
            bench.began(.sleep)
            #expect(!bench.everything().contains("allow sleep"))
            bench.prompt(.shown)
            if covers {
                #expect(!bench.everything().contains("allow sleep"))
                bench.send(.display(.covered(true)))
            }
            #expect(bench.everything().last == "allow sleep")
            // A prompt that hangs holds no sleep up for longer than is granted.
            bench.ended(.sleep)
            bench.prompt(.gone)
            bench.clear()
            bench.began(.sleep)
            bench.pass(seconds: 2.9)
            #expect(!bench.everything().contains("allow sleep"))
            bench.pass(seconds: 0.1)
            #expect(bench.everything().contains("allow sleep"))
        }
    }

    @Test func `the session is covered while it is locked`() {
        let bench = withDisplay(covers: true)
        bench.call(.lock)
        #expect(bench.isCoverWanted)
        bench.kill()
        #expect(bench.isCoverWanted, "Before anything else")
        bench.submit("1234")
        #expect(!bench.isCoverWanted)
        bench.present(.once)
        #expect(!bench.isCoverWanted)
    }

    @Test func `the row's filling is shown, and the next step starts empty`() {
        let bench = Bench()
        bench.send(.display(.prompts(true)))
        bench.present(.twice)
        bench.prompt(.filled(3))
        #expect(bench.view()?.filled == 3)
        bench.type("1234")
        #expect(bench.view()?.filled == 0)
    }
}
