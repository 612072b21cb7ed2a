import AuthCore
import AuthTexts
import AuthWire
import DBus

extension PropertyValue {
    /// As the bus carries it.
    var value: Value {
        switch self {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .uint32(let number): .uint32(number)
        case .uint64(let number): .uint64(number)
        case .double(let number): .double(number)
        case .strings(let texts): .stringArray(texts)
        case .bytes(let bytes): .array(of: "y", bytes.map(Value.byte))
        }
    }

    init?(_ value: Value) {
        switch value {
        case .string(let text): self = .string(text)
        case .bool(let flag): self = .bool(flag)
        case .uint32(let number): self = .uint32(number)
        case .uint64(let number): self = .uint64(number)
        case .double(let number): self = .double(number)
        case .array(of: "s", _):
            guard let texts = value.asStringArray else { return nil }
            self = .strings(texts)
        default: return nil
        }
    }
}

extension DBusFailure {
    /// The error by its name on the bus.
    init(_ refusal: Refusal) {
        switch refusal.error {
        case .invalidArguments: self = .invalidArguments(refusal.message)
        case .unknownObject: self = .unknownObject(refusal.message)
        default: self.init(name: refusal.error.fullName, message: refusal.message)
        }
    }

    init(_ error: AuthError, _ message: String) { self.init(Refusal(error, message)) }
}

extension AuthError {
    var fullName: String { Wire.errorPrefix + rawValue }
}

extension ViewState {
    /// GetView's dictionary.
    var dictionary: Value {
        .options([
            Wire.ViewKey.securityType.rawValue: .string(type.rawValue),
            Wire.ViewKey.title.rawValue: .string(Texts.title(self)),
            Wire.ViewKey.description.rawValue: .string(Texts.description(self)),
            Wire.ViewKey.reason.rawValue: .string(reason.isEmpty ? Texts.reason : Plain.text(reason)),
            Wire.ViewKey.kind.rawValue: .string(kind.rawValue),
            Wire.ViewKey.requester.rawValue: .string(requester),
            Wire.ViewKey.fingerprint.rawValue: .string(finger.rawValue),
            Wire.ViewKey.filled.rawValue: .uint32(filled),
            Wire.ViewKey.digits.rawValue: .uint32(digits),
            Wire.ViewKey.failCount.rawValue: .uint32(failCount),
            Wire.ViewKey.step.rawValue: .uint32(stepNumber),
            Wire.ViewKey.canCancel.rawValue: .bool(canCancel),
            Wire.ViewKey.verified.rawValue: .bool(isVerified),
            Wire.ViewKey.lockedOutUntil.rawValue: .uint64(lockedOutUntil),
            Wire.ViewKey.accountPassword.rawValue: .bool(takesAccountPassword),
            Wire.ViewKey.demand.rawValue: .string(demand.word.rawValue),
            Wire.ViewKey.biometryLockedOut.rawValue: .bool(isBiometryLockedOut),
            Wire.ViewKey.fingers.rawValue: .stringArray(fingersToPick.map(\.rawValue)),
            Wire.ViewKey.finger.rawValue: .string(pickedFinger?.rawValue ?? ""),
            Wire.ViewKey.fallbackTitle.rawValue: .string(fallbackTitle.map { Plain.text($0) } ?? Texts.fallback),
            Wire.ViewKey.cancelTitle.rawValue: .string(cancelTitle.map { Plain.text($0) } ?? Texts.cancel),
        ])
    }
}

extension ViewState.Demand {
    var word: Wire.Demand {
        switch self {
        case .passcode: .passcode
        case .finger: .finger
        case .either: .either
        case .account: .account
        }
    }
}

extension ViewState? {
    var dictionary: Value { self?.dictionary ?? .options([:] as [String: Value]) }
}

extension Completion {
    /// Completed's arguments.
    var arguments: [Value] {
        switch self {
        case .success(let method):
            let details: [String: Value] = method.map { [Wire.DetailKey.method.rawValue: .string($0.rawValue)] } ?? [:]
            return [.string(Wire.success), .options(details)]
        case .failure(let refusal, let until):
            let details: [String: Value] =
                if let until {
                    [Wire.DetailKey.lockedOutUntil.rawValue: .uint64(until)]
                } else {
                    [Wire.DetailKey.message.rawValue: .string(refusal.message)]
                }
            return [.string(refusal.error.rawValue), .options(details)]
        }
    }
}

extension Reply {
    /// A method's outputs, or why there are none.
    ///
    /// - Parameter biometry: what BiometryType says now.
    func values(_ biometry: Wire.Biometry) -> Result<[Value], DBusFailure> {
        switch self {
        case .done: .success([])
        case .presented(let flag): .success([.bool(flag)])
        case .request(let path): .success([.objectPath(path)])
        case .canAuthenticate(let error): .success([.bool(error == nil), .string(error?.fullName ?? "")])
        case .outcome(let outcome, let view): .success([.string(outcome.rawValue), view.dictionary])
        case .view(let view): .success([view.dictionary])
        case .verified(let flag): .success([.bool(flag)])
        case .cookie(let cookie): .success([.uint32(cookie)])
        case .canEvaluate(let error):
            .success([.bool(error == nil), .string(error?.fullName ?? ""), .string(biometry.rawValue)])
        case .remembered(let isKept): .success([.bool(isKept)])
        case .domainState(let isChanged, let error): .success([.bool(isChanged), .string(error?.fullName ?? "")])
        case .fingers(let fingers): .success([.stringArray(fingers.map(\.rawValue))])
        case .authenticator(let id): .success([.objectPath(id.path)])
        case .refused(let refusal): .failure(DBusFailure(refusal))
        }
    }
}

extension Finger {
    /// A finger as an argument names it.
    init?(argument: Value?) {
        guard let name = argument?.asString else { return nil }
        self.init(rawValue: name)
    }
}

extension AuthenticatorID {
    var path: String { Wire.Path.app(application) }
}
