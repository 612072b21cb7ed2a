internal import AuthCore
internal import DBus
internal import MainLoop

/// A deletion of one finger, or of all.
@LoopActor
final class FprintdDeletion: FprintdJob {
    private let finger: Finger?

    init(_ number: UInt64, _ finger: Finger?, _ service: FprintdService, _ send: @escaping (SensorEvent) -> Void) {
        self.finger = finger
        super.init(number, service, send)
    }

    override func run() async {
        await super.run()
        guard !isOver else { return }
        do throws(SensorFailure) {
            let claim = try await service.claimDevice()
            let failure = await delete(claim)
            try? await service.readFingers(
                of: claim.device, service.description, by: ContinuousClock.now + FprintdService.deadline)
            await service.release(claim)
            conclude(failure)
        } catch { conclude(error) }
    }

    private func delete(_ claim: FprintdClaim) async -> SensorFailure? {
        guard !isOver else { return nil }
        if let finger, !service.names.contains(finger.rawValue) { return .notEnrolled }
        if service.names.isEmpty { return nil }
        FprintdPatience.call(self) {
            do throws(DBusFailure) {
                try await self.call(claim)
                return .done
            } catch { return .failed(Fprintd.failure(error)) }
        }
        let outcome = await finished()
        watch()
        guard case .failed(let failure) = outcome else { return nil }
        return failure
    }

    private func call(_ claim: FprintdClaim) async throws(DBusFailure) {
        guard let finger else { return try await deleteAll(claim) }
        do throws(DBusFailure) {
            _ = try await claim.call(
                "DeleteEnrolledFinger", [.string(finger.rawValue)], timeout: FprintdPatience.limit)
        } catch {
            guard error == .unknownMethod(error.message), service.device == claim.device else { throw error }
            throw .failed("This fprintd cannot delete one finger alone")
        }
    }

    private func deleteAll(_ claim: FprintdClaim) async throws(DBusFailure) {
        do throws(DBusFailure) {
            _ = try await claim.call("DeleteEnrolledFingers2", timeout: FprintdPatience.limit)
        } catch {
            guard error == .unknownMethod(error.message) else { throw error }
            // fprintd before 1.92.
            _ = try await claim.call("DeleteEnrolledFingers", [.string("")], timeout: FprintdPatience.limit)
        }
    }
}
