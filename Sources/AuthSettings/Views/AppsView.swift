import AuthLooks
internal import AuthTexts
internal import CGLib
internal import CGtk
import MainLoop

/// The applications that have a lock of their own.
@LoopActor
final class AppsView: PageView {
    private let group = Group(Texts.appsGroup, Texts.appsHelp)
    private var rows: [String: ButtonRow] = [:]
    private let none = Row("")
    private var shown: AppsPage?

    override init(_ model: SettingsModel) {
        super.init(model)
        none.title.setVisible(false)
        add(none, to: group)
        add(group.widget)
    }

    override func apply(_ facts: Facts) {
        let page = AppsPage(facts)
        guard page != shown else { return }
        shown = page
        none.widget.setVisible(!page.none.isEmpty)
        none.apply(RowState(subtitle: page.none))
        for (path, row) in rows where !page.apps.contains(where: { $0.path == path }) {
            remove(row, from: group)
            rows[path] = nil
        }
        var previous = none.widget
        for app in page.apps {
            let row = rows[app.path] ?? make(app)
            gtk_box_reorder_child_after(cast(group.card), row.widget, previous)
            previous = row.widget
            row.apply(app.row)
        }
    }

    private func make(_ app: AppsPage.App) -> ButtonRow {
        let name = Self.name(app.application)
        // The title's underscores are no mnemonics.
        let row = ButtonRow(
            Controls.literal(name ?? app.application), button: Texts.removeApp,
            spoken: Texts.remove(name ?? app.application)
        ) { [weak self] in
            guard let self, let window else { return }
            Controls.ask(
                over: window, Texts.removeQuestion(name ?? app.application), Texts.removeHelp, yes: Texts.removeYes
            ) { [model] in model.remove(app.path) }
        }
        if name != nil {
            let id = Controls.label("id")
            id.setText(app.application)
            gtk_box_append(cast(row.text), id)
        }
        rows[app.path] = row
        add(row, to: group)
        return row
    }

    /// By its desktop entry, whose words may be anybody's.
    private static func name(_ application: String) -> String? {
        guard let name = smile_application_name(application) else { return nil }
        defer { g_free(name) }
        let plain = Plain.text(String(cString: name), limit: 128)
        return plain.isEmpty ? nil : plain
    }
}
