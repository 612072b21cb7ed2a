import AuthLooks
import AuthWire
internal import CGLib
internal import CGtk
import DBus
import MainLoop

/// The passcode: on and off, changed, and what the next one is to be.
@LoopActor
final class PasscodeView: PageView {
    private let use: SwitchRow
    private let change: ButtonRow
    private let require: SwitchRow
    private let kind: ChoiceRow
    private let length: LengthRow
    private let before = Group(Texts.before)
    private let lines = Controls.label("row")
    private var shown: PasscodePage?

    override init(_ model: SettingsModel) {
        use = SwitchRow(Texts.usePasscode) { [model] in model.turn(on: $0) }
        change = ButtonRow(Texts.changePasscode, button: Texts.change, spoken: Texts.changePasscode) { [model] in
            model.changePasscode()
        }
        require = SwitchRow(Texts.requirePasscode) { [model] in
            model.write(.requirePasscode, .requirePasscodeForChanges, .bool($0))
        }
        kind = ChoiceRow(Texts.kind) { [model] in model.choose(kind: Wire.PasscodeKind.allCases[$0]) }
        length = LengthRow { [model] in model.choose(length: $0) }
        super.init(model)
        add(Group(Texts.lockGroup), [use, change, require])
        before.add(lines)
        add(before.widget)
        add(Group(Texts.newPasscode, Texts.newPasscodeHelp), [kind, length])
        let forgotten = Row(Texts.forgotten)
        forgotten.apply(RowState(subtitle: Texts.forgottenHelp))
        let help = Group("")
        add(help, [forgotten])
    }

    override func apply(_ facts: Facts) {
        let page = PasscodePage(facts)
        guard page != shown else { return }
        shown = page
        use.apply(page.isOn, page.use)
        change.apply(page.change)
        require.apply(page.isRequired, page.require)
        let kinds = Wire.PasscodeKind.allCases
        kind.apply(kinds.map(Texts.kindName), kinds.firstIndex(of: page.kind) ?? 0, page.kindRow)
        length.widget.setVisible(page.hasLength)
        length.apply(page.length, page.lengthRow)
        before.widget.setVisible(!page.before.isEmpty)
        lines.setText(page.before.map { "• " + $0 }.joined(separator: "\n"))
    }
}

/// A row with a number of digits.
@LoopActor
final class LengthRow: Row {
    private let spinner = gtk_spin_button_new_with_range(4, 64, 1)!
    private var isApplying = false

    init(_ changed: @escaping @LoopActor (UInt32) -> Void) {
        gtk_spin_button_set_numeric(OpaquePointer(spinner), 1)
        super.init(Texts.length, spinner, isWide: true)
        Signals.on(spinner, "value-changed") { [weak self] in
            guard let self, !isApplying else { return true }
            changed(UInt32(max(4, gtk_spin_button_get_value_as_int(OpaquePointer(spinner)))))
            return true
        }
    }

    func apply(_ length: UInt32, _ state: RowState) {
        isApplying = true
        gtk_spin_button_set_value(OpaquePointer(spinner), Double(length))
        isApplying = false
        apply(state)
    }
}
