import AuthLooks
import AuthPrompt
import AuthWire
internal import CGLib
internal import CGtk
import DBus
import MainLoop

/// The looks of the prompt, and the prompt's own contents as they are with them.
@LoopActor
final class LooksView: PageView {
    private static let nights: [Looks.NightMode] = [.auto, .on, .off]

    private let preview = PromptPreview()
    private let frame = Make.box(GTK_ORIENTATION_VERTICAL)
    /// Whether the preview stands beside the page, where it stays in sight; else it is the page's first.
    private var isBeside = false
    private let tint: ColourRow
    private let ownColour: SwitchRow
    private let colour: ColourRow
    private let night: ChoiceRow
    private let pictures: [PictureRow]
    private let header: SwitchRow
    private let parallax: SwitchRow
    private var shown: LooksPage?
    private var style = DesktopStyle()

    override init(_ model: SettingsModel) {
        tint = ColourRow(Texts.tint, reset: Texts.resetTint) { [model] in
            model.write(.tint, .tintColor, .string(($0 ?? Looks().tint).hex))
        }
        weak var weakSelf: LooksView?
        ownColour = SwitchRow(Texts.ownColour) { [model] isOn in
            // It begins as what it is now.
            let now = weakSelf?.textColour.hex ?? ""
            model.write(.descriptionColour, .descriptionTextColor, .string(isOn ? now : ""))
        }
        colour = ColourRow(Texts.colour, reset: nil) { [model] in
            model.write(.descriptionColour, .descriptionTextColor, .string($0?.hex ?? ""))
        }
        night = ChoiceRow(Texts.nightMode) { [model] in
            model.write(.nightMode, .nightMode, .string(Self.nights[$0].rawValue))
        }
        let kinds: [(Item, Wire.Authenticator.Property, String)] = [
            (.background, .backgroundImage, Texts.background), (.logo, .appLogoName, Texts.logo),
            (.fingerIcon, .touchIDIconName, Texts.fingerIcon),
        ]
        pictures = kinds.map { item, property, title in
            PictureRow(title) { [model] in model.setPicture(item, property, $0) }
        }
        header = SwitchRow(Texts.header) { [model] in model.write(.header, .navibarTranslucent, .bool($0)) }
        parallax = SwitchRow(Texts.parallax) { [model] in model.write(.parallax, .parallaxMode, .bool($0)) }
        super.init(model)
        weakSelf = self
        addPreview()
        add(Group(Texts.colours), [tint, ownColour, colour, night])
        add(Group(Texts.pictures), pictures)
        add(Group(Texts.motion), [header, parallax])
    }

    private func addPreview() {
        gtk_widget_add_css_class(frame, "preview-frame")
        gtk_widget_set_overflow(frame, GTK_OVERFLOW_HIDDEN)
        gtk_widget_set_size_request(preview.widget, 280, 380)
        gtk_widget_set_hexpand(preview.widget, 1)
        gtk_box_append(cast(frame), preview.widget)
        gtk_widget_set_hexpand(frame, 0)
        gtk_widget_set_halign(frame, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(frame, GTK_ALIGN_START)
        smile_accessible_set_name(frame, Texts.preview, "")
        prepend(frame)
        Signals.on(preview.widget, "map") { [weak self] in
            self?.preview.loadPictures()
            return true
        }
    }

    override func fit(width: Int32, scale: Double) {
        let beside = Double(width) >= 680 * scale
        if beside != isBeside {
            isBeside = beside
            g_object_ref(UnsafeMutableRawPointer(frame))
            if let parent = gtk_widget_get_parent(frame) { gtk_box_remove(cast(parent), frame) }
            if beside { gtk_box_append(cast(whole), frame) } else { prepend(frame) }
            g_object_unref(UnsafeMutableRawPointer(frame))
            gtk_widget_set_margin_top(frame, beside ? 20 : 0)
            gtk_widget_set_margin_end(frame, beside ? 18 : 0)
        }
        super.fit(width: beside ? width - 280 - 18 : width, scale: scale)
    }

    /// Of the description where it has no colour of its own.
    private var textColour: Colour {
        var looks = shown?.looks ?? Looks()
        looks.description = nil
        return Palette(looks, style).text
    }

    func apply(_ style: DesktopStyle) {
        self.style = style
        if let looks = shown?.looks { preview.show(looks, style) }
    }

    override func apply(_ facts: Facts) {
        guard facts.state.isReady || shown == nil else {
            whole.setSensitive(false)
            return
        }
        whole.setSensitive(facts.state.isReady)
        let page = LooksPage(facts)
        guard page != shown else { return }
        shown = page
        preview.show(page.looks, style)
        tint.apply(page.looks.tint, page.tint)
        ownColour.apply(page.looks.description != nil, page.description)
        colour.widget.setVisible(page.looks.description != nil)
        var colourRow = page.description
        (colourRow.subtitle, colourRow.notice) = ("", nil)
        colour.apply(page.looks.description ?? .black, colourRow)
        night.apply(
            Self.nights.map { Texts.nightMode($0.rawValue) }, Self.nights.firstIndex(of: page.looks.nightMode) ?? 0,
            page.nightMode)
        for (row, picture) in zip(pictures, page.pictures) { row.apply(picture.name, picture.row) }
        header.apply(page.looks.isHeaderTranslucent, page.header)
        parallax.apply(page.looks.hasParallax, page.parallax)
    }
}
