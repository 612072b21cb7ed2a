import AuthLooks
internal import AuthTexts
import AuthWire
internal import CGLib
internal import CGtk
import DBus
import MainLoop

/// The sensor, the enrolled fingers, and what they open.
@LoopActor
final class FingersView: PageView {
    private let sensor = Row("")
    private let enrolled = Group(Texts.enrolledGroup)
    private var fingers: [Wire.Finger: ButtonRow] = [:]
    private let none = Row("")
    private let deleteAll: ButtonRow
    private let finger: ChoiceRow
    private let scan: ScanRow
    private let test: ButtonRow
    private let testScan: ScanRow
    private let use: SwitchRow
    private let factors: FactorRows
    private var picked = Wire.Finger.rightIndex
    private var shown: FingersPage?

    override init(_ model: SettingsModel) {
        weak var weakSelf: FingersView?
        deleteAll = ButtonRow("", button: Texts.deleteAll, spoken: Texts.plain(Texts.deleteAllYes)) {
            weakSelf?.askToDeleteAll()
        }
        finger = ChoiceRow(Texts.finger, isOwn: true) { weakSelf?.pick($0) }
        scan = ScanRow(Texts.enroll) {
            weakSelf?.enroll()
        } cancel: { [model] in
            model.cancelScan()
        }
        test = ButtonRow(Texts.tryGroup, button: Texts.test, spoken: Texts.tryGroup) { [model] in model.test() }
        testScan = ScanRow(nil) {
        } cancel: { [model] in
            model.cancelScan()
        }
        use = SwitchRow(Texts.useFinger) { [model] in model.write(.fingerEnabled, .fingerprintEnabled, .bool($0)) }
        factors = FactorRows { [model] in model.write(.factors, .factorMode, .string($0.rawValue)) }
        super.init(model)
        weakSelf = self
        add(Group(Texts.sensorGroup), [sensor])
        none.title.setVisible(false)
        add(none, to: enrolled)
        add(deleteAll, to: enrolled)
        add(enrolled.widget)
        add(Group(Texts.addGroup), [finger, scan])
        add(Group(""), [test, testScan])
        add(Group(Texts.useGroup), [use] + factors.rows)
    }

    private func pick(_ index: Int) {
        guard let choices = shown?.choices, choices.indices.contains(index) else { return }
        picked = choices[index]
    }

    private func enroll() { model.enroll(picked) }

    private func askToDeleteAll() {
        guard let window else { return }
        Controls.ask(over: window, Texts.deleteAllQuestion, Texts.deleteAllHelp, yes: Texts.deleteAllYes) {
            [model] in model.deleteAll()
        }
    }

    override func apply(_ facts: Facts) {
        let page = FingersPage(facts)
        guard page != shown else { return }
        shown = page
        sensor.setTitle(page.sensorName)
        sensor.apply(page.sensor)
        applyFingers(page)
        if !page.choices.contains(picked) { picked = page.choices.first ?? .rightIndex }
        finger.apply(
            page.choices.map { Texts.capitalised($0.translatedName) }, page.choices.firstIndex(of: picked) ?? 0,
            RowState(subtitle: page.enroll.subtitle, isSensitive: page.enroll.isSensitive))
        let isEnrolling = page.scan.map { $0.finger != nil } ?? false
        scan.apply(isEnrolling ? page.scan : nil, page.progress, page.enroll)
        test.widget.setVisible(page.scan == nil || isEnrolling)
        testScan.widget.setVisible(page.scan != nil && !isEnrolling)
        test.apply(page.test)
        testScan.apply(isEnrolling ? nil : page.scan, "", RowState())
        use.apply(page.isUsed, page.use)
        factors.apply(page.factors, page.factorsNotice)
    }

    private func applyFingers(_ page: FingersPage) {
        none.widget.setVisible(!page.noFingers.isEmpty)
        none.apply(RowState(subtitle: page.noFingers))
        deleteAll.widget.setVisible(!page.fingers.isEmpty)
        deleteAll.apply(page.deleteAll)
        for (finger, row) in fingers where !page.fingers.contains(where: { $0.finger == finger }) {
            remove(row, from: enrolled)
            fingers[finger] = nil
        }
        var previous = none.widget
        for entry in page.fingers {
            let row = fingers[entry.finger] ?? make(entry)
            gtk_box_reorder_child_after(cast(enrolled.card), row.widget, previous)
            previous = row.widget
            row.apply(entry.row)
        }
        gtk_box_reorder_child_after(cast(enrolled.card), deleteAll.widget, previous)
    }

    private func make(_ entry: FingersPage.Enrolled) -> ButtonRow {
        let finger = entry.finger
        let row = ButtonRow(entry.title, button: Texts.delete, spoken: Texts.delete(finger.translatedName)) {
            [model] in model.delete(finger)
        }
        fingers[finger] = row
        add(row, to: enrolled)
        return row
    }
}
