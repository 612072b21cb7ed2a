import AuthChannel
import AuthCore
import AuthWire
import DBus
import MainLoop

/// What the prompt is told, and what becomes of its entries.
extension Service {
    /// A view as its prompt gets it: GetView's keys, how it is to be shown, and the looks.
    func promptView(_ id: AuthenticatorID, _ state: PromptState) -> [String: Value] {
        var view = state.view.dictionary.asDictionary ?? [:]
        view[ViewChannelKey.application.rawValue] = .string(id.application)
        view[ViewChannelKey.isSession.rawValue] = .bool(id == .session)
        view[ViewChannelKey.takesKeys.rawValue] = .bool(state.takesKeys)
        view[ViewChannelKey.animated.rawValue] = .bool(state.isAnimated)
        view[ViewChannelKey.parentWindow.rawValue] = .string(state.parentWindow)
        view[ViewChannelKey.busy.rawValue] = .bool(state.isBusy)
        view[ViewChannelKey.covers.rawValue] = .bool(state.covers)
        for look in Self.looks { view[look.rawValue] = machine.value(of: look, id)?.value }
        return view
    }

    private static let looks: [Property] = [
        .tintColor, .descriptionTextColor, .touchIDIconName, .appLogoName, .backgroundImage, .navibarTranslucent,
        .parallaxMode, .nightMode,
    ]

    /// What became of an entry, as the prompt is told.
    func outcome(_ token: UInt32, _ reply: Reply) -> EntryOutcome {
        switch reply {
        case .outcome(let outcome, _): EntryOutcome(token: token, result: outcome.rawValue)
        case .refused(let refusal):
            EntryOutcome(
                token: token, result: refusal.error.rawValue, message: refusal.message,
                lockedOutUntil: refusal.lockedOutUntil ?? 0)
        default: EntryOutcome(token: token, result: Outcome.accepted.rawValue)
        }
    }
}
