import AuthWire
import DBus
import Testing

@testable import AuthSettings

/// What the pages say of a service's words, and what can be used then.
@Suite struct PageTests {
    /// A service that is there, with these properties of the session's.
    static func facts(_ values: [Wire.Authenticator.Property: Value] = [:], fingers: [Wire.Finger]? = []) -> Facts {
        var facts = Facts()
        facts.state.presence = .ready
        facts.state.session = LockState(
            Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
        facts.state.fingers = fingers
        return facts
    }

    static let unset: [Wire.Authenticator.Property: Value] = [.storeState: .string("unset")]
    static let set: [Wire.Authenticator.Property: Value] = [
        .storeState: .string("ready"), .hasPasscode: .bool(true), .passcodeKind: .string("digits"),
        .passcodeDigit: .uint32(6), .unlockRoute: .string("passcode"), .isAuthenticated: .bool(true),
    ]

    // MARK: the passcode

    @Test func theSwitchShowsTheTruth() {
        let off = PasscodePage(Self.facts(Self.unset))
        #expect(!off.isOn && off.use.isSensitive && off.use.subtitle == "Off. Nothing locks this session.")
        #expect(!off.change.isSensitive)
        let on = PasscodePage(Self.facts(Self.set))
        #expect(on.isOn && on.use.subtitle == "On, with 6 digits." && on.change.isSensitive && on.before.isEmpty)
    }

    @Test func aStoreThatIsAwayIsNoPasscodeToTurnOn() {
        let away = PasscodePage(Self.facts([.storeState: .string("unavailable"), .hasPasscode: .bool(true)]))
        #expect(away.isOn && !away.use.isSensitive && !away.change.isSensitive && away.before.isEmpty)
        #expect(Banner(Self.facts([.storeState: .string("lost")])).text.contains("smileauth reset"))
    }

    @Test func nothingIsSaidOfAServiceThatIsNotThere() {
        var facts = Self.facts(Self.set)
        facts.state.presence = .absent
        let page = PasscodePage(facts)
        #expect(!page.isOn && !page.use.isSensitive && page.use.subtitle.isEmpty && !page.kindRow.isSensitive)
        #expect(Banner(facts).offersStart && Banner(facts).isAlert)
        facts.state.presence = .noBus
        #expect(!Banner(facts).offersStart && Banner(facts).isAlert)
    }

    @Test func weakerThanItsDefault() {
        var lock = LockState([
            "TimeoutInterval": .double(90), "LockOn": .stringArray(["sleep"]), "AllowableReuseDuration": .double(60),
        ])
        #expect(
            PasscodePage.weaknesses(lock, 2) == [
                "After an unlock it opens without asking for 90 seconds.",
                "It does not lock when nobody is at the desk.", "It does not lock when the screen is locked.",
                "It does not lock when another user takes the seat.",
                "Applications may reuse a finger for 1 minute after an unlock.",
                "2 enrolled fingers open it, too.",
            ])
        lock = LockState()
        #expect(PasscodePage.weaknesses(lock, 0) == ["No finger is enrolled: the passcode alone opens it."])
        lock.values["FingerprintEnabled"] = .bool(false)
        #expect(PasscodePage.weaknesses(lock, 1).isEmpty)
    }

    @Test func aWaitIsCountedDown() {
        var facts = Self.facts(Self.set)
        facts.state.session.values["LockedOutUntilBoottime"] = .uint64(300_000_000)
        facts.now = 1_000_001
        #expect(facts.wait == 299)
        #expect(Banner(facts).text == "Too many wrong entries. Try again in \u{2068}4:59\u{2069}")
        facts.now = 300_000_000
        #expect(facts.wait == 0 && Banner(facts).text.isEmpty)
    }

    // MARK: the fingers

    @Test func whyAFactorCannotBeChosen() {
        func obstacles(_ facts: Facts) -> [String?] {
            LockState.Factors.allCases.map { FingersPage.obstacle($0, facts.state) }
        }
        var facts = Self.facts(Self.set, fingers: nil)
        #expect(obstacles(facts) == [nil, Texts.needsSensor, Texts.needsSensor])
        facts.state.sensor = SensorState(["Available": .bool(true)])
        facts.state.fingers = []
        #expect(obstacles(facts) == [nil, Texts.needsFinger, Texts.needsFinger])
        facts.state.fingers = [.leftThumb]
        #expect(obstacles(facts) == [nil, nil, Texts.needsNoPasscode])
        facts.state.session.values["FingerprintEnabled"] = .bool(false)
        #expect(obstacles(facts) == [nil, Texts.needsSwitch, Texts.needsSwitch])
        facts.state.session = LockState(["StoreState": .string("unset")])
        #expect(obstacles(facts) == [nil, Texts.needsPasscode, nil])
    }

    @Test func fingersThatAreEnrolledAreNotOffered() {
        var facts = Self.facts(Self.set, fingers: [.rightIndex])
        facts.state.sensor = SensorState(["Available": .bool(true), "DeviceName": .string("Reader")])
        let page = FingersPage(facts)
        #expect(page.sensorName == "Reader" && page.sensor.subtitle == "Ready. Fingers are laid on it.")
        #expect(page.fingers.map(\.title) == ["Right index finger"])
        #expect(page.choices.count == 9 && !page.choices.contains(.rightIndex))
        #expect(page.enroll.isSensitive && page.test.isSensitive && page.fingers[0].row.isSensitive)
        facts.scan = SettingsModel.Scan(finger: .leftThumb, done: 2, stages: 5, hint: "")
        let busy = FingersPage(facts)
        #expect(busy.progress == "2 of 5 scans" && !busy.test.isSensitive && !busy.fingers[0].row.isSensitive)
    }

    @Test func aSwitchThatALockNeedsStaysOn() {
        let page = FingersPage(Self.facts([.factorMode: .string("all"), .storeState: .string("ready")]))
        #expect(page.isUsed && !page.use.isSensitive && page.use.subtitle == Texts.useFingerNeeded)
    }

    // MARK: locking, applications

    @Test func aGraceThatNobodyOffersIsOffered() {
        let page = LockingPage(Self.facts([.timeoutInterval: .double(90)]))
        #expect(page.spans[page.chosenSpan] == 90 && page.spans == page.spans.sorted())
        #expect(LockingPage.name(90) == "90 seconds" && LockingPage.name(0) == "Always ask")
        #expect(LockingPage.name(7200) == "2 hours" && LockingPage.name(60) == "1 minute")
    }

    @Test func whatLocks() {
        var facts = Self.facts(Self.set.merging([.lockOn: .stringArray(["sleep", "switch"])]) { $1 })
        #expect(LockingPage(facts).causes.filter(\.isOn).map(\.cause) == [.sleep, .seat])
        #expect(LockingPage(facts).now.subtitle == "Open.")
        facts.state.session.values["IsAuthenticated"] = .bool(false)
        facts.state.session.values["IsShowingAuth"] = .bool(true)
        #expect(LockingPage(facts).now.subtitle == "Locked.")
        #expect(Banner(facts).text == Texts.sessionLocked && !Banner(facts).offersUnlock)
    }

    @Test func nobodyWasAskedYet() {
        var facts = Self.facts(Self.set.merging([.isAuthenticated: .bool(false)]) { $1 })
        #expect(LockingPage(facts).now.subtitle == "Not unlocked since SmileAuth started.")
        #expect(Banner(facts).text == Texts.notAsked && Banner(facts).offersUnlock)
        // Asked from here the button stays, and why it did not work is said beside it.
        facts.working = [.unlock]
        facts.state.session.values["IsShowingAuth"] = .bool(true)
        #expect(Banner(facts).text == Texts.sessionLocked && Banner(facts).offersUnlock)
        facts.working = []
        facts.state.session.values["IsShowingAuth"] = .bool(false)
        facts.notices = [.unlock: Notice(kind: .failure, text: "Busy.")]
        #expect(Banner(facts).text == Texts.notAsked + " Busy.")
        // A flow of ours says itself that it waits.
        facts.working = [.passcode]
        #expect(Banner(facts) == Banner(Self.facts(Self.set)))
    }

    @Test func aControlThatWaitsKeepsTheFocus() {
        var facts = Self.facts(Self.set)
        facts.working = [.passcode]
        facts.notices = [.passcode: Notice(kind: .hint, text: "Wait.")]
        #expect(PasscodePage(facts).use.isSensitive && PasscodePage(facts).use.notice?.text == "Wait.")
    }

    @Test func applicationsAreSorted() {
        var facts = Self.facts()
        for application in ["org.b.B", "org.a.A"] {
            facts.state.add(
                Wire.Path.app(application),
                [Wire.Interface.authenticator: ["ApplicationId": .string(application), "StoreState": .string("unset")]])
        }
        facts.state.add(Wire.Path.session, [Wire.Interface.authenticator: [:]])
        facts.state.add("/elsewhere", [Wire.Interface.authenticator: [:]])
        #expect(AppsPage(facts).apps.map(\.application) == ["org.a.A", "org.b.B"])
        facts.state.remove(Wire.Path.app("org.a.A"))
        #expect(AppsPage(facts).apps.map(\.row.subtitle) == ["No passcode is set."])
    }
}
