import AuthLooks
import AuthWire
import DBus
import MainLoop

/// What buttons and switches do, beside writing a setting.
extension SettingsModel {
    // MARK: the passcode

    var kind: Wire.PasscodeKind { wantedKind ?? state.session.kind ?? .digits }

    var length: UInt32 {
        let own = state.session.digits
        return wantedLength ?? (own >= 4 ? own : 4)
    }

    func choose(kind: Wire.PasscodeKind) {
        wantedKind = kind
        changed()
    }

    func choose(length: UInt32) {
        wantedLength = min(max(length, 4), 64)
        changed()
    }

    /// The switch: `twice` or `once`, in the service's own prompt.
    func turn(on isOn: Bool) {
        guard isOn != (state.session.store == .ready) else { return changed() }
        present(.passcode, isOn ? .twice : .once)
    }

    func changePasscode() { present(.change, .three) }

    private func present(_ item: Item, _ type: Wire.SecurityType) {
        var options = viewOptions
        if type != .once {
            options[.kind] = .string(kind.rawValue)
            if kind == .digits { options[.digits] = .uint32(length) }
        }
        perform(item) { [self] in
            let failures = state.session.failCount
            let outcome = await showing(item, type, options)
            if outcome == .success {
                (wantedKind, wantedLength) = (nil, nil)
                return Notice(kind: .done, text: Texts.done(type), isPassing: true)
            }
            // A wrong entry ends the session's views of this kind, and locks it.
            if outcome == .error(.systemCancel), state.session.failCount > failures {
                return Notice(kind: .failure, text: Texts.wrongPasscode)
            }
            return outcome.notice
        }
    }

    /// Presents a view, and waits for its end.
    private func showing(
        _ item: Item, _ type: Wire.SecurityType, _ options: [Wire.Option: Value]
    ) async -> Outcome {
        guard let connection = link.connection else { return .silence }
        let client = AuthenticatorClient(connection, path: Wire.Path.session)
        let number = answers.expect()
        let end = client.onSignal(.authViewDismissed) { [answers] arguments in
            answers.give(number, Outcome(result: arguments.first?.asString ?? ""))
        }
        defer { end.cancel() }
        do throws(DBusFailure) { _ = try await client.present(type, options) } catch {
            return Outcome(failure: error.name)
        }
        tell(item, Notice(kind: .hint, text: Texts.answerThere))
        return await answers.get(number)
    }

    // MARK: locking

    func lockNow() {
        perform(.lockNow) { [self] in
            await attempt { connection throws(DBusFailure) in
                try await AuthenticatorClient(connection, path: Wire.Path.session).lock()
            }.notice
        }
    }

    func setLocks(on cause: LockState.Cause, _ isOn: Bool) {
        // One change of the list at a time: the second would be made of what the first is about to change.
        guard !working.contains(where: { if case .cause = $0 { true } else { false } }) else { return changed() }
        var causes = state.session.lockOn
        if isOn { causes.insert(cause) } else { causes.remove(cause) }
        let names = LockState.Cause.allCases.filter(causes.contains).map(\.rawValue)
        guard causes != state.session.lockOn else { return changed() }
        write(.cause(cause), .lockOn, .stringArray(names))
    }

    // MARK: looks

    /// A picture's path or an icon's name; empty for none.
    func setPicture(_ item: Item, _ property: Wire.Authenticator.Property, _ name: String) {
        guard state.session[property]?.asString != name else { return tell(item, nil) }
        perform(item) { [self] in
            let outcome = await attempt { connection throws(DBusFailure) in
                try await AuthenticatorClient(connection, path: Wire.Path.session).set(property, to: .string(name))
            }
            return outcome == .invalid ? Notice(kind: .failure, text: Texts.noPicture) : outcome.notice
        }
    }

    // MARK: applications

    func remove(_ path: String) {
        guard let lock = state.apps[path] else { return }
        let application = lock.application
        perform(.app(path)) { [self] in
            await proving(.app(path), [(path, state.apps[path] ?? lock)]) { connection throws(DBusFailure) in
                try await ManagerClient(connection).remove(application)
            }.notice
        }
    }
}

// MARK: the end

extension SettingsModel {
    /// Takes back what waits for the person: a view of ours would stand on, and a scan goes with the connection.
    func withdraw() {
        guard let connection = link.connection, working.contains(.passcode) || working.contains(.change) else { return }
        connection.send(
            Wire.busName, Wire.Path.session, Wire.Interface.authenticator, Wire.Authenticator.Method.cancel.rawValue)
        connection.flush()
    }
}
