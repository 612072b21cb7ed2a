internal import AuthTexts
import AuthWire
import DBus
import MainLoop

/// Fingers: enrolled, tried and deleted.
extension SettingsModel {
    func enroll(_ finger: Wire.Finger) {
        let first = Texts.touch(finger.translatedName, isSwiped: state.sensor.isSwiped)
        perform(.enroll) { [self] in
            var outcome = await scanning(.enroll, finger, hint: first)
            if outcome == .error(.notAuthorized), let proof = await prove(.enroll, state.locksOfFingers) {
                outcome = proof == .success ? await scanning(.enroll, finger, hint: first) : proof
            }
            link.readFingers()
            guard outcome == .success else { return outcome.notice }
            return Notice(kind: .done, text: Texts.enrolled(finger.translatedName))
        }
    }

    func test() {
        perform(.test) { [self] in
            let hint = Texts.touchAny(isSwiped: state.sensor.isSwiped)
            let outcome = await scanning(.test, nil, hint: hint)
            return outcome == .success ? Notice(kind: .done, text: Texts.recognised) : outcome.notice
        }
    }

    /// Ends the enrolment or the test that is under way.
    func cancelScan() {
        guard let request, scan != nil else { return }
        onLoop { try? await request.cancel() }
    }

    private func scanning(_ item: Item, _ finger: Wire.Finger?, hint: String) async -> Outcome {
        guard let connection = link.connection else { return .silence }
        let client = FingerprintClient(connection)
        let progress = client.onEnrollStatus { [weak self] status, done, stages in
            self?.scanned(status, done, stages)
        }
        defer {
            progress.cancel()
            scan = nil
            changed()
        }
        return await asking { [self] connection, token throws(DBusFailure) in
            let options: [Wire.Option: Value] = [.handleToken: .string(token)]
            let path =
                if let finger { try await client.enroll(finger, options) } else {
                    try await client.verifyTest(options)
                }
            tell(item, nil)
            scan = Scan(finger: finger, stages: finger == nil ? 0 : state.sensor.stages, hint: hint)
            changed()
            return path
        }
    }

    private func scanned(_ status: String, _ done: UInt32, _ stages: UInt32) {
        guard var scan, let status = Wire.EnrollStatus(rawValue: status) else { return }
        scan.done = done
        if stages > 0 { scan.stages = stages }
        scan.hint = Texts.hint(status)
        self.scan = scan
        changed()
    }

    func delete(_ finger: Wire.Finger) {
        delete(.finger(finger)) { client throws(DBusFailure) in try await client.delete(finger) }
    }

    func deleteAll() { delete(.deleteAll) { client throws(DBusFailure) in try await client.deleteAll() } }

    private func delete(
        _ item: Item, _ body: @escaping @LoopActor @Sendable (FingerprintClient) async throws(DBusFailure) -> Void
    ) {
        perform(item) { [self] in
            let outcome = await proving(item, state.locksOfFingers) { connection throws(DBusFailure) in
                try await body(FingerprintClient(connection))
            }
            link.readFingers()
            return outcome.notice
        }
    }
}
