public import AuthCore

/// One thing that happens in a random walk. Plain data, so that a failing walk can be cut down and played again; what a
/// number stands for is looked up when the step is taken.
public enum Step: Sendable {
    /// What a caller asks for.
    public enum Ask: Sendable {
        case present(SecurityType?, ViewUI, PasscodeKind?)
        case authenticate(ViewUI, requiresPasscode: Bool)
        case submit(Code)
        case verify(Code)
        case setPasscode(Code, Code)
        case clearPasscode(Code)
        case reset(Code)
        case cancel, lock, getView, canAuthenticate, useFingerprint
        case submitAccount(Code)
        case canEvaluate(Policy)
        case evaluate(Policy, ViewUI, thenPasscode: Bool, isInteractive: Bool)
        case fallback, invalidate, rememberDomainState, domainStateChanged
        case changeAuthentication(Bool)
        case hold(ViewUI, confirmsCover: Bool)
        case release(Int)
        case covered(Int)
        case set(Property, PropertyValue)
        case remove
    }

    /// A passcode to enter.
    public enum Code: Sendable {
        /// The one that is set (or the account's), where the walk knows it; otherwise one that is wrong.
        case right
        case wrong
        /// None of any kind.
        case malformed
        case empty
        /// One of a few that nothing secret is protected by.
        case own(Int)
    }

    /// What is asked of the Fingerprint object.
    public enum SensorAsk: Sendable {
        case list, deleteAll, verifyTest
        case enroll(Finger)
        case delete(Finger)
    }

    case call(Ask, authenticator: Int, caller: Int)
    case fingerprint(SensorAsk, caller: Int)
    /// The owner's finger on the sensor where the walk has the owner; otherwise a stranger's.
    case touch(isOwner: Bool)
    case fumble(RetryReason)
    case plug(Bool)
    case claim(Bool)
    /// A finger is enrolled or deleted behind the service's back.
    case enrollBehind(Finger, isEnrolled: Bool)
    case completeEnrolment(isOwner: Bool)
    /// What the prompt does.
    public enum PromptAct: Sendable {
        case shown, gone, fingerButton, fallback, cancel, activity
        case entry(Code)
        case account(Code)
        case filled(UInt32)
    }
    case prompt(PromptAct)
    case display(DisplayEvent)
    case name(authenticator: Int, caller: Int)
    case cancelRequest(Int)
    case leave(caller: Int)
    case began(Cause, source: Int)
    case ended(Cause, source: Int)
    case left(source: Int)
    case arrived(source: Int)
    case reportIdle(Bool)
    case lockRequested, sleptUnannounced
    case secretService(SecretServiceState)
    case store(isAway: Bool)
    case disk(isFull: Bool)
    case storeFailsAfterwards(Bool)
    case account(isAway: Bool)
    case comparisons(fail: Bool, needRehash: Bool)
    /// The keyring is deleted: the item of one goes, its marker stays.
    case loseItem(authenticator: Int)
    case holdAnswers(Bool)
    case deliver(Int)
    case pass(milliseconds: Int)
    /// `applied`: a bit for each write under way, whether it took effect.
    case kill(applied: UInt64, slept: Bool)
    case damageRecords(authenticator: Int, locks: Bool)
    case reboot
}

extension Step {
    /// A random step; entries, time and answers are the most frequent.
    static func random(_ random: inout SeededGenerator) -> Step {
        switch random.below(130) {
        case 0..<52: .call(Ask.random(&random), authenticator: random.below(6), caller: random.below(6))
        case 52..<56: .name(authenticator: random.below(4), caller: random.below(6))
        case 56: .cancelRequest(random.below(8))
        case 57..<59: .leave(caller: random.below(6))
        case 59..<64: .began(random.pick(Cause.allCases), source: random.below(3))
        case 64..<70: .ended(random.pick(Cause.allCases), source: random.below(3))
        case 70: .left(source: random.below(3))
        case 71: .arrived(source: random.below(3))
        case 72..<74: .reportIdle(random.isOne(in: 2))
        case 74: .lockRequested
        case 75: .sleptUnannounced
        case 76: .secretService(random.pick([.ready, .locked, .absent, .failing]))
        case 77: .store(isAway: random.isOne(in: 2))
        case 78: .disk(isFull: random.isOne(in: 2))
        case 79: .storeFailsAfterwards(random.isOne(in: 2))
        case 80:
            random.isOne(in: 2)
                ? .account(isAway: random.isOne(in: 2))
                : .comparisons(fail: random.isOne(in: 3), needRehash: random.isOne(in: 2))
        case 81: random.isOne(in: 8) ? .loseItem(authenticator: random.below(4)) : .deliver(random.below(8))
        case 82..<85: .holdAnswers(!random.isOne(in: 3))
        case 85..<92: .deliver(random.below(8))
        case 92..<96: .pass(milliseconds: random.pick([1, 900, 30_000, 61_000, 121_000, 301_000, 901_000, 3_601_000]))
        case 96..<98: .kill(applied: random.next(), slept: random.isOne(in: 8))
        case 98:
            random.isOne(in: 4)
                ? .damageRecords(authenticator: random.below(4), locks: random.isOne(in: 2))
                : .kill(applied: 0, slept: false)
        case 99: random.isOne(in: 3) ? .reboot : .lockRequested
        case 100..<109: .touch(isOwner: !random.isOne(in: 3))
        case 109: .fumble(random.pick(RetryReason.allCases))
        case 110..<112: .plug(!random.isOne(in: 3))
        case 112: .claim(random.isOne(in: 2))
        case 113: .enrollBehind(random.pick([.leftThumb, .rightIndex]), isEnrolled: random.isOne(in: 2))
        case 114: .completeEnrolment(isOwner: random.isOne(in: 2))
        case 115..<118: .fingerprint(.random(&random), caller: random.below(4))
        case 118:
            .display(
                random.pick([
                    .prompts(true), .prompts(false), .promptsFail(true), .promptsFail(false), .covers(true),
                    .covers(false), .covered(true),
                ]))
        default: .prompt(.random(&random))
        }
    }
}

extension Step.Ask {
    static func random(_ random: inout SeededGenerator) -> Step.Ask {
        switch random.below(78) {
        case 0..<8:
            .present(
                random.pick([nil, .once, .twice, .three, .touchid, .touchid]), ui(&random),
                random.isOne(in: 4) ? random.pick(PasscodeKind.allCases) : nil)
        case 8..<12: .authenticate(ui(&random), requiresPasscode: random.isOne(in: 3))
        case 12..<28: .submit(code(&random))
        case 28..<31: .verify(code(&random))
        case 31..<34: .setPasscode(code(&random), code(&random))
        case 34..<36: .clearPasscode(code(&random))
        case 36..<38: .reset(code(&random))
        case 38..<41: .cancel
        case 41..<43: .lock
        case 43: .getView
        case 44: random.isOne(in: 2) ? .canAuthenticate : .useFingerprint
        case 45..<49: .changeAuthentication(random.isOne(in: 2))
        case 49..<53: .hold(ui(&random), confirmsCover: random.isOne(in: 3))
        case 53..<55: .release(random.below(4))
        case 55: .covered(random.below(4))
        case 56..<63: setting(&random)
        case 63: .remove
        case 64..<67: .useFingerprint
        case 67..<69: .submitAccount(code(&random))
        case 69: .canEvaluate(random.pick(Policy.allCases))
        case 70..<74:
            .evaluate(
                random.pick(Policy.allCases), ui(&random), thenPasscode: random.isOne(in: 2),
                isInteractive: !random.isOne(in: 5))
        case 74: random.isOne(in: 2) ? .fallback : .invalidate
        case 75: random.isOne(in: 2) ? .rememberDomainState : .domainStateChanged
        default: .set(.factorMode, .string(random.pick(["any", "all", "finger"])))
        }
    }

    private static func ui(_ random: inout SeededGenerator) -> ViewUI {
        random.pick([.auto, .auto, .terminal, .terminal, .none])
    }

    fileprivate static func code(_ random: inout SeededGenerator) -> Step.Code {
        switch random.below(12) {
        case 0..<5: .right
        case 5..<8: .wrong
        case 8: random.isOne(in: 2) ? .malformed : .empty
        default: .own(random.below(3))
        }
    }

    private static func setting(_ random: inout SeededGenerator) -> Step.Ask {
        switch random.below(9) {
        case 0..<3: .set(.timeoutInterval, .double(random.pick([0, 45, 3_600, 86_400, -1, .nan, .infinity])))
        case 3:
            .set(
                .lockOn,
                .strings(
                    random.pick([
                        [], ["sleep"], ["idle", "switch"], ["idle", "sleep", "switch", "screen-lock"], ["x"],
                    ])))
        case 4: .set(.requirePasscodeForChanges, .bool(random.isOne(in: 2)))
        case 5: .set(.fingerprintEnabled, .bool(random.isOne(in: 2)))
        case 6: .set(.passcodeDigit, .uint32(random.pick([0, 4, 6, 65])))
        case 7: .set(.allowableReuseDuration, .double(random.pick([0, 60, 300, 301])))
        default:
            .set(
                random.pick([.factorMode, .securityType, .presentedContext]),
                .string(random.pick(["any", "all", "once", "touchid"])))
        }
    }
}

extension Step.SensorAsk {
    static func random(_ random: inout SeededGenerator) -> Step.SensorAsk {
        switch random.below(8) {
        case 0: .list
        case 1: .deleteAll
        case 2: .verifyTest
        case 3: .delete(random.pick([.leftThumb, .rightIndex]))
        default: .enroll(random.pick([.leftThumb, .rightIndex]))
        }
    }
}

extension Step.PromptAct {
    static func random(_ random: inout SeededGenerator) -> Step.PromptAct {
        switch random.below(12) {
        case 0..<3: .shown
        case 3: .gone
        case 4: .fingerButton
        case 5: random.isOne(in: 2) ? .fallback : .cancel
        case 6: .activity
        case 7: .account(Step.Ask.code(&random))
        case 8: .filled(UInt32(random.below(5)))
        default: .entry(Step.Ask.code(&random))
        }
    }
}
