import AuthLooks
import AuthWire
internal import CGLib
internal import CGtk
import DBus
import MainLoop

/// What locks, how long it stays open, and what a lock covers.
@LoopActor
final class LockingView: PageView {
    private let now: ButtonRow
    private let causes: [SwitchRow]
    private let grace: ChoiceRow
    private let cover = Row("")
    private var shown: LockingPage?

    override init(_ model: SettingsModel) {
        now = ButtonRow(Texts.thisSession, button: Texts.lockNow, spoken: Texts.plain(Texts.lockNow)) { [model] in
            model.lockNow()
        }
        causes = LockState.Cause.allCases.map { cause in
            SwitchRow(Texts.cause(cause)) { [model] in model.setLocks(on: cause, $0) }
        }
        weak var weakSelf: LockingView?
        grace = ChoiceRow(Texts.graceTitle) { [model] index in
            guard let spans = weakSelf?.shown?.spans, spans.indices.contains(index) else { return }
            model.write(.grace, .timeoutInterval, .double(spans[index]))
        }
        super.init(model)
        weakSelf = self
        add(Group(Texts.nowGroup), [now])
        add(Group(Texts.lockWhen, Texts.lockWhenHelp), causes)
        add(Group(""), [grace])
        add(Group(Texts.coverGroup), [cover])
        cover.title.setVisible(false)
    }

    override func apply(_ facts: Facts) {
        let page = LockingPage(facts)
        guard page != shown else { return }
        shown = page
        now.apply(page.now)
        for (row, cause) in zip(causes, page.causes) { row.apply(cause.isOn, cause.row) }
        grace.apply(page.spans.map(LockingPage.name), page.chosenSpan, page.grace)
        cover.apply(RowState(subtitle: page.cover))
    }
}
