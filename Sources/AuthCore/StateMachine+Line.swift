/// One view is in front, others wait in line; views that an app shows itself stand outside.
extension StateMachine {
    /// Views that may wait behind the one in front.
    static let lineLength = 8

    func isShowing(_ authenticator: Authenticator) -> Bool {
        guard let view = authenticator.view else { return false }
        return view.isHeadless || line.first == authenticator.id
    }

    /// A Present that would make the line too long is refused; what the lifecycle brings up is not.
    func refusalOfLine(_ options: CallOptions, _ authenticator: Authenticator) -> Refusal? {
        guard options.ui != .none, !authenticator.isSession, !line.contains(authenticator.id),
            line.count > Self.lineLength
        else { return nil }
        return Refusal(.busy, "\(Self.lineLength) views wait already")
    }

    /// The session's unlock view goes to the front, every other to the end.
    func enterLine(_ authenticator: Authenticator) {
        guard !line.contains(authenticator.id) else { return }
        guard authenticator.isSession, authenticator.view?.type == .touchid, let front = line.first else {
            line.append(authenticator.id)
            return
        }
        let displaced = touch(front)
        line.insert(authenticator.id, at: 0)
        guard let displaced, displaced.view != nil else { return }
        // Nothing that was entered before the lock is there after it.
        displaced.view?.restart()
        displaced.view?.isPresented = false
        displaced.view?.isPromptShown = false
        displaced.view?.filled = 0
        overtake(displaced)
    }

    /// Leaves its place to those behind it; what they looked like before is kept first.
    private func leaveLine(_ id: AuthenticatorID) {
        guard let place = line.firstIndex(of: id) else { return }
        if place == 0, line.count > 1 { _ = touch(line[1]) }
        line.remove(at: place)
    }

    /// Tells of each view that has reached the front.
    func settleFront() {
        if let front = line.first, let authenticator = authenticators[front], let view = authenticator.view,
            !view.isPresented, touch(front) != nil
        {
            authenticator.view?.isPresented = true
            authenticator.view?.lastEntry = now.boottime
            signal(authenticator, .authViewPresented)
            if !view.terminals.isEmpty { signal(authenticator, .authViewShown(by: .terminal)) }
        }
        for id in touched {
            guard let authenticator = authenticators[id], let view = authenticator.view, view.isHeadless,
                !view.isPresented
            else { continue }
            authenticator.view?.isPresented = true
            signal(authenticator, .authViewPresented)
            signal(authenticator, .authViewShown(by: .app))
        }
    }

    /// Takes a view down: dismissed, and completed for all who waited.
    ///
    /// After anything but success, `once`, `twice` and `three` give back the state they remembered, never more.
    func endView(_ authenticator: Authenticator, _ result: Dismissal, method: Method = .passcode) {
        guard let view = authenticator.view else { return }
        authenticator.view = nil
        if prompt?.view == view.number { prompt?.result = result }
        headless.remove(authenticator.id)
        leaveLine(authenticator.id)
        overtake(authenticator)
        if view.isEdit, result != .success, view.remembered { authenticator.isAuthenticated = true }
        // Whoever cancels gets back what there was before; after every other end an unauthenticated session is locked.
        if authenticator.isSession, view.isEdit, !authenticator.isAuthenticated, authenticator.isLockable,
            result != .userCancel
        {
            authenticator.isLocked = true
        }
        // What was never in front was never presented, and is dismissed all the same: every end is told.
        signal(authenticator, .authViewDismissed(result))
        for waiter in view.waiters { complete(waiter, result, method, authenticator) }
    }

    private func complete(
        _ waiter: Waiter, _ result: Dismissal, _ method: Method, _ authenticator: Authenticator
    ) {
        let completion: Completion =
            if let error = result.error {
                .failure(
                    Refusal(error, result.words),
                    lockedOutUntil: result == .lockedOut ? authenticator.lockedOutUntil : nil)
            } else if waiter.requiresPasscode, method != .passcode, method != .both {
                .failure(
                    Refusal(.systemCancel, "It was opened, and the passcode was not given"), lockedOutUntil: nil)
            } else {
                .success(method)
            }
        act(.completed(request: waiter.request, to: waiter.connection, completion))
    }

    /// Ends a wait; the view goes with the last one where nothing else asked for it.
    func dropWaiters(_ authenticator: Authenticator, where isDropped: (Waiter) -> Bool) {
        guard let view = authenticator.view, view.waiters.contains(where: isDropped) else { return }
        authenticator.view?.waiters.removeAll(where: isDropped)
        if authenticator.view?.waiters.isEmpty == true, !view.isAsked { endView(authenticator, .appCancel) }
    }
}
