import AuthCore
import AuthCoreTestKit
import Testing

/// The four flows, in the order that clients see them.
struct FlowTests {
    @Test func `twice asks for the new passcode, once more, and turns it on`() {
        let bench = Bench()
        #expect(!bench.isTrue(.hasPasscode))
        #expect(bench.present(.twice) == .presented(true))
        #expect(
            bench.look().suffix(3) == [
                "session changed IsShowingAuth=true", "session AuthViewPresented", "reply 1 presented true",
            ])
        #expect(bench.view()?.step == .new)
        #expect(bench.view()?.stepNumber == 1)
        #expect(bench.submit("1234").map(bench.line) == "next")
        #expect(bench.view()?.step == .again)
        #expect(bench.view()?.stepNumber == 2)
        bench.clear()
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(
            bench.look() == [
                "session changed HasPasscode=true StoreState=ready IsAuthenticated=true IsShowingAuth=false"
                    + " PasscodeKind=digits UnlockRoute=passcode", "session PasscodeTurnedOn",
                "session AuthViewDismissed success", "reply 3 accepted",
            ])
        #expect(bench.isAuthenticated())
        #expect(!bench.isTrue(.shouldCover))
        #expect(bench.number(.passcodeDigit) == 4)
    }

    @Test func `the delegate is told after the store was written`() {
        let bench = Bench()
        bench.present(.twice)
        bench.submit("1234")
        bench.clear()
        bench.submit("1234")
        let lines = bench.everything()
        let store = lines.firstIndex(of: "store session digits 4")
        let told = lines.firstIndex(of: "session PasscodeTurnedOn")
        #expect(store.flatMap { store in told.map { store < $0 } } == true)
        // A record stands beside the passcode before there is one: a missing record is the longest wait.
        let record = lines.firstIndex { $0.hasPrefix("write attempts of session 0") }
        #expect(store.flatMap { store in record.map { $0 < store } } == true)
    }

    @Test func `a differing re-entry goes back to the new passcode and counts nothing`() {
        let bench = Bench()
        bench.present(.twice)
        bench.submit("1234")
        #expect(bench.submit("1235").map(bench.line) == "mismatch")
        #expect(bench.view()?.step == .new)
        #expect(bench.view()?.notice == .mismatch)
        #expect(bench.number(.failCount) == 0)
        bench.submit("9999")
        #expect(bench.view()?.notice == ViewState.Notice.none)
        bench.submit("9999")
        #expect(bench.isAuthenticated())
        #expect(bench.disk.items[.session]?.bytes == Array("9999".utf8))
    }

    @Test func `touchid opens, in order`() {
        let bench = Bench.locked()
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(
            bench.look() == [
                "record session=false",
                "session changed IsAuthenticated=true IsShowingAuth=false ShouldCover=false",
                "session AuthenticationSucceeded passcode", "session AuthViewDismissed success",
                "locked hint false", "reply 3 accepted",
            ])
    }

    @Test func `a wrong passcode is counted before it is compared, and told`() {
        let bench = Bench.locked()
        #expect(bench.submit("1111").map(bench.line) == "wrong")
        #expect(
            bench.everything() == [
                "load session", "write attempts of session 1 awaited", "compare session",
                "session changed FailCount=1", "session ViewChanged", "session AuthenticationFailed 1 passcode",
                "reply 3 wrong",
            ])
        #expect(bench.view()?.notice == .failed(1))
        #expect(bench.view()?.failCount == 1)
        #expect(bench.disk.failures(.session) == 1)
    }

    @Test func `once deletes, then says so, and leaves it open until the next Background`() {
        let six = Bench()
        six.setPasscode("", "123456") { $0.digits = 6 }
        six.clear()
        six.present(.once)
        #expect(
            six.look() == [
                "session changed IsAuthenticated=false IsShowingAuth=true", "session AuthViewPresented",
                "reply 2 presented true",
            ])
        // The app may show what is behind while the one who is authenticated answers.
        #expect(!six.isTrue(.shouldCover))
        #expect(six.submit("123456").map(six.line) == "accepted")
        #expect(
            six.look() == [
                "session changed HasPasscode=false StoreState=unset IsAuthenticated=true IsShowingAuth=false"
                    + " PasscodeKind='' UnlockRoute=login", "session PasscodeTurnedOff",
                "session AuthViewDismissed success", "reply 3 accepted",
            ])
        #expect(six.number(.passcodeDigit) == 6)
        #expect(six.disk.items[.session] == nil)
        #expect(six.disk.attempts[.session] == nil)
        six.began(.idle)
        #expect(!six.isAuthenticated())
        six.ended(.idle)
        #expect(!six.isAuthenticated())
        #expect(six.view() == nil)
    }

    @Test func `three asks for the old one, then twice for the new one, of any kind`() {
        let bench = Bench.withPasscode()
        bench.present(.three) { $0.kind = .text }
        #expect(bench.view()?.kind == .digits)
        #expect(bench.view()?.digits == 4)
        #expect(bench.submit("1234").map(bench.line) == "next")
        #expect(bench.view()?.kind == .text)
        #expect(bench.view()?.stepNumber == 2)
        #expect(bench.submit("open sesame").map(bench.line) == "next")
        #expect(bench.view()?.stepNumber == 3)
        bench.clear()
        #expect(bench.submit("open sesame").map(bench.line) == "accepted")
        #expect(
            bench.look() == [
                "session changed IsAuthenticated=true IsShowingAuth=false PasscodeDigit=0 PasscodeKind=text",
                "session PasscodeChanged", "session AuthViewDismissed success", "reply 5 accepted",
            ])
        #expect(bench.number(.passcodeDigit) == 0)
        #expect(bench.verify("open sesame") == .verified(true))
    }

    @Test func `three keeps the present kind and length`() {
        let bench = Bench()
        bench.setPasscode("", "123654") { $0.kind = .pattern }
        bench.present(.three)
        #expect(bench.view()?.kind == .pattern)
        bench.submit("123654")
        #expect(bench.view()?.kind == .pattern)
    }

    @Test func `turning on or changing starts no grace`() {
        let bench = Bench()
        bench.set(.timeoutInterval, .double(3_600))
        bench.setPasscode("", "1234")
        bench.began(.idle)
        bench.ended(.idle)
        #expect(!bench.isAuthenticated())
        bench.submit("1234")
        bench.began(.idle)
        bench.ended(.idle)
        #expect(bench.isAuthenticated())
        bench.setPasscode("1234", "4321")
        bench.began(.idle)
        bench.ended(.idle)
        #expect(bench.isAuthenticated(), "A change does not end the grace that an unlock has started")
    }

    @Test(arguments: [SecurityType.once, .three])
    func `Cancel restores what was before, never more`(_ type: SecurityType) {
        let bench = Bench.withPasscode()
        bench.present(type)
        #expect(!bench.isAuthenticated())
        bench.clear()
        #expect(bench.call(.cancel) == .done)
        #expect(
            bench.look() == [
                "session changed IsAuthenticated=true IsShowingAuth=false", "session AuthViewDismissed UserCancel",
                "reply 3 done",
            ])
        let fresh = Bench.withApp()
        fresh.call(.changeAuthentication(false), app)
        fresh.present(type, app)
        fresh.call(.cancel, app)
        #expect(!fresh.isAuthenticated(app))
    }

    @Test func `an argument or the lifecycle does not change SecurityType`() {
        let bench = Bench.withPasscode()
        #expect(bench.error(bench.present(nil)) == .passcodeAlreadySet)
        bench.set(.securityType, .string("touchid"))
        #expect(bench.present(nil) == .presented(false))
        bench.present(.once)
        bench.call(.cancel)
        bench.call(.lock)
        #expect(bench.value(.securityType) == .string("touchid"))
    }

    @Test func `what does not fit is refused and changes nothing`() {
        let unset = Bench()
        for type in [SecurityType.once, .three, .touchid] {
            #expect(unset.error(unset.present(type)) == .passcodeNotSet)
        }
        #expect(unset.error(unset.authenticate(request: "/r")) == .passcodeNotSet)
        let set = Bench.withPasscode()
        #expect(set.error(set.present(.twice)) == .passcodeAlreadySet)
        #expect(set.isAuthenticated())
        #expect(set.view() == nil)
        // A lock is not displaced.
        let locked = Bench.locked()
        #expect(locked.error(locked.present(.once)) == .notAuthorized)
        #expect(locked.error(locked.present(.touchid) { $0.ui = .none }) == .notAuthorized)
        #expect(locked.error(locked.call(.cancel)) == .notAuthorized)
        #expect(locked.error(locked.call(.useFingerprint(nil))) == .biometryNotAvailable)
        #expect(locked.call(.canAuthenticate) == .canAuthenticate(.biometryNotAvailable))
    }

    @Test func `SetPasscode and ClearPasscode do the flows without a view`() {
        let bench = Bench()
        #expect(bench.error(bench.setPasscode("1", "1234")) == .passcodeNotSet)
        #expect(bench.setPasscode("", "1234") == .done)
        #expect(bench.look().contains("session PasscodeTurnedOn"))
        #expect(bench.error(bench.setPasscode("", "4321")) == .passcodeAlreadySet)
        #expect(bench.error(bench.setPasscode("1111", "4321")) == .authenticationFailed)
        #expect(bench.look().contains("session AuthenticationFailed 1 passcode"))
        #expect(bench.setPasscode("1234", "4321") == .done)
        #expect(
            bench.look().suffix(2) == ["session PasscodeChanged", "reply 5 done"])
        #expect(bench.error(bench.clearPasscode("1111")) == .authenticationFailed)
        #expect(bench.clearPasscode("4321") == .done)
        #expect(bench.look().suffix(2) == ["session PasscodeTurnedOff", "reply 7 done"])
        #expect(bench.error(bench.clearPasscode("4321")) == .passcodeNotSet)
        #expect(bench.isAuthenticated())
    }

    @Test func `scripts end a standing view with success`() {
        let bench = Bench.withApp()
        bench.call(.lock, app)
        bench.clear()
        bench.setPasscode("1234", "4321", app, by: other)
        #expect(bench.look().contains("org.example.App AuthViewDismissed success"))
        bench.call(.lock, app)
        bench.clear()
        bench.clearPasscode("4321", app, by: other)
        #expect(bench.look().contains("org.example.App AuthViewDismissed success"))
    }

    @Test func `a void try grants nothing and keeps its count`() {
        for overtaking in [Event.session(.began(.idle, source: "x")), .session(.lockRequested)] {
            let bench = Bench.locked()
            bench.holdsAnswers = true
            bench.submit("1234")
            bench.deliver()  // the verifier
            bench.deliver()  // the count
            bench.send(overtaking)
            bench.deliverAll()
            #expect(!bench.isAuthenticated())
            #expect(bench.number(.failCount) == 1)
            #expect(bench.look().last == "reply 3 SystemCancel")
        }
    }
}
