import AuthCore

/// Takes the steps of a walk on a bench.
final class Player {
    static let ids: [AuthenticatorID] = [
        .session, Bench.application("A"), Bench.application("B"), Bench.application("C"),
    ]

    let walk: Walk
    let bench = Bench(starting: false)
    let checker: Checker
    /// How often each caller has come back under a new name.
    private var generations = [0, 0, 0, 0, 0, 0]
    private var requests = 0
    private var knowsPasscodes: Bool
    private var random: SeededGenerator

    init(_ walk: Walk) {
        self.walk = walk
        random = SeededGenerator(seed: ~walk.seed)
        knowsPasscodes = true
        checker = Checker(bench)
        bench.keepsLog = false
    }

    func play() {
        prepare()
        for step in walk.steps {
            if checker.failure != nil { return }
            take(step)
        }
        if checker.failure == nil { heal() }
    }

    /// Plays it once more and tells what was seen.
    func transcript() -> String {
        var text = ""
        checker.observer = { [bench] event, actions in
            text += "\n> \(event)\n" + actions.map { "    \(bench.line($0))\n" }.joined()
        }
        play()
        return text
    }

    // MARK: The world

    private func prepare() {
        prepareSensor()
        let lockOns = [
            ["idle", "sleep", "screen-lock", "switch"], ["idle", "sleep", "screen-lock", "switch"], ["sleep"], [],
        ]
        for id in Self.ids.dropLast() where !random.isOne(in: 4) {
            let hasPasscode = !random.isOne(in: 4)
            bench.disk.settings[id] = .fields([
                "TimeoutInterval": random.pick(["0.0", "0.0", "45.0", "3600.0"]),
                "LockOn": random.pick(lockOns).joined(separator: ","),
                "RequirePasscodeForChanges": random.pick(["false", "true"]),
                "FingerprintEnabled": "true",
                "FactorMode": random.pick(hasPasscode ? ["any", "any", "all"] : ["any", "finger"]),
            ])
            let failures = random.pick([0, 0, 4, 8])
            var record = [
                "failures": "\(hasPasscode ? failures : 0)", "biometry-failures": "\(random.pick([0, 0, 2, 4]))",
                "wait-microseconds": "0", "until-boottime": "0", "boot-id": "boot-1",
            ]
            if let set = bench.sensor.state.set, !random.isOne(in: 4) {
                record["fingers"] = hexadecimal(Bench.domainState(set, id))
            }
            bench.disk.attempts[id] = .fields(record)
            guard hasPasscode else { continue }
            bench.disk.items[id] = random.pick([
                Disk.Item(bytes: Array("1234".utf8), kind: .digits, length: 4, id: "first"),
                Disk.Item(bytes: Array("secret".utf8), kind: .text, length: 6, id: "first"),
                Disk.Item(bytes: Array("1236".utf8), kind: .pattern, length: 4, id: "first"),
            ])
            bench.disk.markers.insert(id)
        }
        bench.start()
        if random.isOne(in: 2) { bench.send(.display(.prompts(true))) }
        if random.isOne(in: 4) { bench.send(.display(.covers(true))) }
        if random.isOne(in: 2) { for source in 0..<2 { take(.arrived(source: source)) } }
        for number in [1, 2] where !random.isOne(in: 3) {
            take(
                .call(
                    .hold(random.isOne(in: 3) ? .none : .auto, confirmsCover: false), authenticator: number,
                    caller: number))
        }
        for number in 0..<3 where !random.isOne(in: 3) {
            take(.call(.present(.touchid, .terminal, nil), authenticator: number, caller: 3))
            take(.touch(isOwner: true))
            take(.call(.submit(.right), authenticator: number, caller: 3))
        }
        guard walk.mode != .anybody else { return }
        // The owner goes, and strangers come.
        take(.leave(caller: 3))
        switch walk.mode {
        case .strangersLockedOut: for number in 0..<3 { take(.call(.lock, authenticator: number, caller: 0)) }
        case .strangersAfterBackground: take(.began(random.pick(Cause.allCases), source: 0))
        case .strangersAtOpenDesk, .anybody: break
        }
        knowsPasscodes = false
        checker.keepSecrets()
    }

    private func prepareSensor() {
        bench.sensor.isPlugged = !random.isOne(in: 3)
        bench.sensor.canIdentify = random.isOne(in: 2)
        bench.sensor.backend = random.isOne(in: 2) ? .libfprint : .fprintd
        bench.sensor.enrolled = random.pick([
            [:], [.rightIndex: "owner"], [.rightIndex: "owner"], [.rightIndex: "owner", .leftThumb: "owner's thumb"],
        ])
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func caller(_ number: Int) -> Caller {
        let name = ":1.\(number).\(generations[number])"
        // The last two are sandboxed.
        return number < 4
            ? Caller(connection: name, sandboxed: nil, displayName: "host")
            : Caller(connection: name, sandboxed: Self.ids[number - 3], displayName: "app")
    }

    /// The session is what most is asked of.
    private func id(_ number: Int) -> AuthenticatorID { number < 4 ? Self.ids[number] : .session }

    private func source(_ number: Int) -> String { ["logind", "org.gnome.ScreenSaver", "other"][number] }

    // MARK: Steps

    func take(_ step: Step) {
        switch step {
        case .call(let ask, let number, let from):
            let caller = caller(from)
            let id = caller.sandboxed ?? id(number)
            let token = bench.token()
            let call = call(ask, id, caller)
            checker.asked(call, id, caller, token)
            bench.send(.call(call, id, caller, token))
        case .fingerprint(let ask, let from):
            let caller = caller(from)
            let token = bench.token()
            checker.asked(nil, .session, caller, token)
            bench.send(.fingerprint(call(ask), caller, token))
        case .touch(let isOwner): bench.touch(isOwner && knowsPasscodes ? "owner" : "stranger")
        case .fumble(let reason): bench.fumble(reason)
        case .plug(let isPlugged): if isPlugged { bench.plug() } else { bench.unplug() }
        case .claim(let isClaimed): bench.claim(isClaimed)
        case .enrollBehind(let finger, let isEnrolled): enrollBehind(finger, isEnrolled)
        case .completeEnrolment(let isOwner):
            bench.completeEnrolment(isOwner && knowsPasscodes ? "owner" : "stranger")
        case .display(let event): bench.send(.display(event))
        case .prompt(let act): bench.prompt(event(act))
        case .name(let number, let from):
            let caller = caller(from)
            let token = bench.token()
            checker.asked(nil, id(number), caller, token)
            bench.send(.name(caller.sandboxed ?? id(number), caller, token))
        case .cancelRequest(let number):
            guard let (path, connection) = checker.openRequest(number) else { return }
            let token = bench.token()
            let caller = Caller(connection: connection, sandboxed: nil, displayName: "")
            checker.asked(nil, .session, caller, token)
            bench.send(.cancelRequest(path, caller, token))
        case .leave(let from):
            let caller = caller(from)
            generations[from] += 1
            checker.left(caller.connection)
            bench.send(.callerLeft(caller.connection))
        case .began(let cause, let number): bench.send(.session(.began(cause, source: source(number))))
        case .ended(let cause, let number): bench.send(.session(.ended(cause, source: source(number))))
        case .left(let number): bench.send(.session(.left(source: source(number))))
        case .arrived(let number): bench.send(.session(.arrived(source: source(number))))
        case .reportIdle(let isIdle): bench.send(.reportIdle(isIdle))
        case .lockRequested: bench.send(.session(.lockRequested))
        case .sleptUnannounced: bench.send(.session(.sleptUnannounced))
        case .secretService(let state): bench.send(.secretServiceChanged(state))
        case .holdAnswers(let holds):
            bench.holdsAnswers = holds
            if !holds { bench.deliverAll() }
        case .deliver(let number): if bench.waiting > 0 { bench.deliver(number % bench.waiting) }
        case .pass(let milliseconds): bench.pass(seconds: Double(milliseconds) / 1_000)
        default: happen(step)
        }
    }

    /// Where a finger alone is the lock, whoever can enrol one has the key: strangers cannot, then.
    private func enrollBehind(_ finger: Finger, _ isEnrolled: Bool) {
        if !knowsPasscodes, checker.seen.values.contains(where: { $0.mode == "finger" }) { return }
        bench.enroll(finger, isEnrolled ? knowsPasscodes ? "owner" : "stranger" : nil)
    }

    /// The passcode of the view that the prompt shows.
    private func event(_ act: Step.PromptAct) -> PromptEvent {
        func token() -> ReplyToken {
            let token = bench.token()
            checker.asked(nil, .session, .init(connection: "prompt", sandboxed: nil, displayName: ""), token)
            return token
        }
        return switch act {
        case .shown: .shown
        case .gone: .gone
        case .fingerButton: .fingerButton(nil)
        case .fallback: .fallback
        case .cancel: .cancel
        case .activity: .activity
        case .filled(let count): .filled(count)
        case .entry(let code): .entry(passcode(code, bench.shownPrompt?.id ?? .session), token())
        case .account(let code): .account(account(code), token())
        }
    }

    private func call(_ ask: Step.SensorAsk) -> FingerprintCall {
        requests += 1
        return switch ask {
        case .list: .list
        case .deleteAll: .deleteAll
        case .verifyTest: .verifyTest(CallOptions(), request: "/request/\(requests)")
        case .enroll(let finger): .enroll(finger, request: "/request/\(requests)")
        case .delete(let finger): .delete(finger)
        }
    }

    /// What happens to the world rather than to the service.
    private func happen(_ step: Step) {
        switch step {
        case .store(let isAway): bench.storeIsAway = isAway
        case .disk(let isFull): bench.diskIsFull = isFull
        case .storeFailsAfterwards(let fails): bench.storeFailsAfterwards = fails
        case .account(let isAway): bench.accountIsAway = isAway
        case .comparisons(let fail, let needRehash):
            bench.comparisonsFail = fail
            bench.needsRehash = needRehash
        case .loseItem(let number):
            if bench.disk.items.removeValue(forKey: id(number)) != nil { checker.itemLost(id(number)) }
        case .damageRecords(let number, let locks):
            if bench.disk.attempts[id(number)] != nil { bench.disk.attempts[id(number)] = .broken }
            if locks { bench.disk.locksAreUnreadable = true }
            die(applied: 0, slept: false)
            bench.disk.locksAreUnreadable = false
        case .kill(let applied, let slept): die(applied: applied, slept: slept)
        case .reboot:
            checker.dies(isReboot: true, slept: false)
            bench.reboot()
        default: break
        }
    }

    private func die(applied: UInt64, slept: Bool) {
        checker.dies(isReboot: false, slept: slept)
        var bits = applied
        bench.kill(slept: slept) {
            defer { bits >>= 1 }
            return bits & 1 == 1
        }
    }

    // MARK: Calls

    private func call(_ ask: Step.Ask, _ id: AuthenticatorID, _ caller: Caller) -> Call {
        var options = CallOptions()
        switch ask {
        case .present(let type, let ui, let kind):
            options.ui = ui
            options.kind = kind
            return .present(type, options)
        case .authenticate(let ui, let requiresPasscode):
            options.ui = ui
            options.requiresPasscode = requiresPasscode
            requests += 1
            return .authenticate(reason: "", options, request: "/request/\(requests)")
        case .submit(let code): return .submit(passcode(code, id))
        case .verify(let code): return .verify(passcode(code, id))
        case .setPasscode(let current, let new):
            return .setPasscode(current: passcode(current, id), new: passcode(new, id), options)
        case .clearPasscode(let code): return .clearPasscode(current: passcode(code, id))
        case .reset(let code):
            return .reset(account: account(code))
        case .submitAccount(let code): return .submitAccount(account(code))
        case .canEvaluate(let policy): return .canEvaluate(policy)
        case .evaluate(let policy, let ui, let thenPasscode, let isInteractive):
            options.ui = ui
            options.thenPasscode = thenPasscode
            options.isInteractive = isInteractive
            requests += 1
            return .evaluate(policy, reason: "", options, request: "/request/\(requests)")
        case .fallback: return .fallback
        case .invalidate: return .invalidate
        case .rememberDomainState: return .rememberDomainState(identity: "me")
        case .domainStateChanged: return .domainStateChanged(identity: "me")
        case .cancel: return .cancel
        case .lock: return .lock
        case .getView: return .getView
        case .canAuthenticate: return .canAuthenticate
        case .useFingerprint: return .useFingerprint(nil)
        case .changeAuthentication(let value): return .changeAuthentication(value)
        case .hold(let ui, let confirmsCover):
            options.ui = ui
            options.confirmsCover = confirmsCover
            return .hold(options)
        case .release(let number): return .release(checker.cookie(of: caller.connection, number))
        case .covered(let number): return .covered(checker.cookie(of: caller.connection, number))
        case .set(let property, let value): return .set(property, value)
        case .remove: return .remove
        }
    }

    private func account(_ code: Step.Code) -> FakePasscode {
        let isRight = if case .right = code { knowsPasscodes } else { false }
        return FakePasscode(isRight ? bench.accountPassword : Array("wrong".utf8))
    }

    /// Nothing that a stranger enters is the passcode of anything that was there before.
    private func passcode(_ code: Step.Code, _ id: AuthenticatorID) -> FakePasscode {
        let kind = bench.disk.items[id]?.kind ?? .digits
        switch code {
        case .right:
            if knowsPasscodes, let item = bench.disk.items[id] { return FakePasscode(item.bytes) }
            return FakePasscode(kind == .text ? "terces" : "9876")
        case .wrong: return FakePasscode(kind == .text ? "wrong" : "4567")
        case .malformed: return FakePasscode([0xFF, 0x00])
        case .empty: return FakePasscode([])
        case .own(let number): return FakePasscode(["5678", "own text", "3698"][number])
        }
    }

    // MARK: The end

    /// Everything works again, and the owner is back: the passcode opens whatever is locked, and every wait ends.
    private func heal() {
        knowsPasscodes = true
        checker.ownerIsBack()
        bench.storeIsAway = false
        bench.diskIsFull = false
        bench.storeFailsAfterwards = false
        bench.accountIsAway = false
        bench.comparisonsFail = false
        bench.sensor.isClaimed = false
        bench.holdsAnswers = false
        bench.deliverAll()
        bench.send(.display(.covers(false)))
        // Most of the time is spent here, so one walk in three goes all the way.
        guard walk.seed % 3 == 0 else { return checker.finish(isHealed: false) }
        for number in 0..<3 { take(.left(source: number)) }
        take(.reportIdle(false))
        bench.send(.secretServiceChanged(.ready))
        bench.unplug()
        bench.sensor.enrolled = [.rightIndex: "owner"]
        bench.plug()
        bench.pass(seconds: 3_700)
        for _ in 0..<3 {
            for id in Self.ids where bench.machine.exists(id) { open(id) }
        }
        for id in Self.ids where bench.machine.exists(id) {
            guard bench.value(.unlockRoute, id) != .string("login") else { continue }
            if !bench.isAuthenticated(id) {
                checker.fail("rule 4: the right passcode does not open \(bench.name(id)) any more")
            }
        }
        checker.finish(isHealed: true)
    }

    private func open(_ id: AuthenticatorID) {
        let owner = Caller(connection: ":1.owner", sandboxed: nil, displayName: "owner")
        func ask(_ call: Call) {
            let token = bench.token()
            checker.asked(call, id, owner, token)
            bench.send(.call(call, id, owner, token))
        }
        if let view = bench.view(id), view.type != .touchid { ask(.cancel) }
        if bench.value(.storeState, id) == .string("lost") {
            ask(.reset(account: FakePasscode(bench.accountPassword)))
        } else if bench.value(.unlockRoute, id) != .string("login") {
            var options = CallOptions()
            options.ui = .terminal
            if bench.isAuthenticated(id), bench.view(id) != nil {
                // A question put to what is open: the owner's terminal joins it.
                options.requiresPasscode = bench.value(.unlockRoute, id) != .string("fingerprint")
                requests += 1
                ask(.authenticate(reason: "", options, request: "/request/\(requests)"))
            } else {
                ask(.present(.touchid, options))
            }
            // Whatever is asked for, as often as it is: two factors, and the wait of a finger's lockout before them.
            for _ in 0..<4 {
                guard let view = bench.view(id), view.type == .touchid else { break }
                switch view.demand {
                case .passcode, .either: ask(.submit(passcode(.right, id)))
                case .finger:
                    ask(.useFingerprint(nil))
                    bench.touch("owner")
                case .account: ask(.submitAccount(FakePasscode(bench.accountPassword)))
                }
            }
        }
    }
}
