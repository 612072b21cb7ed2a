import AuthLooks
import AuthTexts
import AuthWire

/// What the window shows, as values: the views put it on, and nothing else.
struct Screen: Equatable, Sendable {
    struct FingerButton: Equatable, Sendable {
        var state: Wire.FingerState
        var title: String
        var isSensitive: Bool
    }

    struct FingerChoice: Equatable, Sendable {
        var finger: Wire.Finger
        var title: String
        var isPicked: Bool
        var isSensitive = true
    }

    var title = ""
    /// Whether the logo stands in the title's place, where there is one.
    var showsLogo = false
    /// Whose lock it is, where nothing else says it.
    var owner = ""
    var requester = ""
    var reason = ""
    var description = ""
    /// Whether the description says what went wrong.
    var isAlert = false
    var field = PromptModel.Field.none
    var filled = 0
    var digits = 0
    /// What the row, the field or the pad says to who hears it.
    var entryName = ""
    var entryHelp = ""
    /// The wait that is left, in words; empty for none.
    var wait = ""
    /// Nothing can be entered now: the field is dimmed.
    var isDimmed = false
    var finger: FingerButton?
    var choices: [FingerChoice] = []
    /// Titles; empty for no button.
    var cancel = ""
    var fallback = ""
    var account = ""
    var line = ""
}

extension PromptModel {
    func screen(_ now: Moment) -> Screen {
        guard let shown = view else { return Screen() }
        let view = shown.view
        var screen = Screen()
        screen.field = field
        screen.title = field == .account ? PromptTexts.accountTitle : view.title
        screen.showsLogo = view.type == .touchid && field != .account && !shown.looks.logo.isEmpty
        let isAsked = shown.application.isEmpty || shown.application == view.requester
        screen.owner = isAsked ? "" : PromptTexts.owner(shown.application)
        // The authenticator's own words are no caller's.
        screen.requester =
            view.requester.isEmpty ? "" : PromptTexts.requester(view.requester, isVerified: view.isVerified)
        screen.reason =
            view.reason.isEmpty ? "" : view.requester.isEmpty ? view.reason : PromptTexts.quoted(view.reason)
        screen.description = usesAccount ? PromptTexts.accountDescription : view.description
        screen.isAlert = !usesAccount && isFailure
        if let notice {
            screen.description = notice
            screen.isAlert = true
        }
        screen.digits = Int(min(view.digits, 64))
        screen.filled = min(count, screen.digits)
        let seconds = wait(now)
        describeEntry(&screen, wait: seconds)
        screen.wait = seconds > 0 ? PromptTexts.wait(seconds) : ""
        screen.isDimmed = seconds > 0 || !shown.takesKeys || (field == .account && shown.isBusy)
        showFingers(view, &screen, isOff: seconds > 0 || !shown.takesKeys)
        if view.canCancel { screen.cancel = view.cancelTitle.isEmpty ? PromptTexts.cancel : view.cancelTitle }
        screen.fallback = field == .account ? "" : view.fallbackTitle
        if view.takesAccountPassword, view.demand != .account { screen.account = accountTitle(view) }
        if field == .pad { screen.line = isLineHidden ? PromptTexts.showLine : PromptTexts.hideLine }
        return screen
    }

    /// Whether the description tells of a failure. Told by what happened, for its words are in any language.
    private var isFailure: Bool {
        guard let view = view?.view else { return false }
        return hasFailed || [.retry, .noMatch].contains(view.finger)
    }

    private func describeEntry(_ screen: inout Screen, wait seconds: Int) {
        switch field {
        case .none: break
        case .row:
            screen.entryName = PromptTexts.digits(screen.filled, of: screen.digits)
            screen.entryHelp = PromptTexts.rowHelp
        case .text:
            screen.entryName = PromptTexts.characters(count)
            screen.entryHelp = PromptTexts.fieldHelp
        case .account:
            screen.entryName = PromptTexts.characters(count)
            screen.entryHelp = PromptTexts.accountHelp
        case .pad:
            screen.entryName = PromptTexts.dots(count)
            screen.entryHelp = PromptTexts.padHelp
        }
        // What a screen reader says by itself is what becomes of the thing with the focus. Of a wait it says the whole
        // minutes: not every second anew.
        if field != .none, seconds > 0 { screen.entryHelp = PromptTexts.wait((seconds + 59) / 60 * 60) }
        if field != .none, screen.isAlert { screen.entryHelp = screen.description + " " + screen.entryHelp }
    }

    private func accountTitle(_ view: AuthView) -> String {
        guard usesAccount else { return PromptTexts.accountPassword }
        switch (view.demand, view.kind) {
        case (.finger, _): return PromptTexts.finger
        case (_, .pattern): return PromptTexts.pattern
        default: return PromptTexts.passcode
        }
    }

    private func showFingers(_ view: AuthView, _ screen: inout Screen, isOff: Bool) {
        guard field != .account, view.finger != .none, view.finger != .gone else { return }
        if view.fingersToPick.isEmpty || view.pickedFinger != nil || view.demand == .either {
            screen.finger = Screen.FingerButton(
                state: isOff ? .off : view.finger, title: PromptTexts.finger(isOff ? .off : view.finger),
                isSensitive: !isOff && view.finger != .changed)
        }
        screen.choices = view.fingersToPick.map {
            Screen.FingerChoice(
                finger: $0, title: $0.translatedName, isPicked: $0 == view.pickedFinger,
                isSensitive: !isOff && view.finger != .changed)
        }
    }
}
