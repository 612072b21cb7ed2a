internal import CGLib
internal import CGtk

/// A size in surface pixels.
struct LockSize: Equatable {
    var width: Double
    var height: Double
}

/// How a text on the lock looks; sizes are in em, as the window's style sheet has them.
enum LockTextStyle: Equatable {
    case title, small, description, alert, wait, button, picked, finger

    var size: Double {
        switch self {
        case .title, .wait: 1.15
        case .small, .finger: 0.95
        case .description, .alert: 1.3
        case .button, .picked: 1
        }
    }

    var isBold: Bool { self == .title || self == .picked }
}

/// Tells how much room texts take.
protocol LockMeasure {
    /// - Parameters:
    ///   - em: in surface pixels.
    ///   - width: of the room: lines are broken there, or cut off where `isOneLine`.
    func size(_ text: String, _ style: LockTextStyle, em: Double, width: Double, isOneLine: Bool) -> LockSize
}

/// Pango's texts.
final class LockTexts: LockMeasure {
    private let context: OpaquePointer

    init(isRightToLeft: Bool) {
        context = pango_font_map_create_context(pango_cairo_font_map_get_default())!
        pango_cairo_context_set_resolution(context, 96)
        pango_context_set_base_dir(context, isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
        // Sizes are to be the same at every scale.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
    }

    private func layout(
        _ text: String, _ style: LockTextStyle, em: Double, width: Double, isOneLine: Bool
    ) -> OpaquePointer {
        let layout = pango_layout_new(context)!
        let font = pango_font_description_new()!
        pango_font_description_set_family_static(font, "Sans")
        pango_font_description_set_absolute_size(font, max(1, em * style.size) * Double(PANGO_SCALE))
        if style.isBold { pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD) }
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        pango_layout_set_width(layout, Int32(max(1, width) * Double(PANGO_SCALE)))
        if isOneLine {
            pango_layout_set_single_paragraph_mode(layout, 1)
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        } else {
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        }
        if style == .wait {
            // Digits of one width: a countdown does not dance.
            let attributes = pango_attr_list_new()
            pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum"))
            pango_layout_set_attributes(layout, attributes)
            pango_attr_list_unref(attributes)
        }
        pango_layout_set_text(layout, text, -1)
        return layout
    }

    func size(_ text: String, _ style: LockTextStyle, em: Double, width: Double, isOneLine: Bool) -> LockSize {
        let layout = layout(text, style, em: em, width: width, isOneLine: isOneLine)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        let unit = Double(PANGO_SCALE)
        return LockSize(
            width: (Double(logical.width) / unit).rounded(.up), height: (Double(logical.height) / unit).rounded(.up))
    }

    /// Draws it in the middle of a box, in cairo's present colour.
    func draw(
        _ cairo: OpaquePointer, _ text: String, _ style: LockTextStyle, em: Double, in box: LockBox, isOneLine: Bool
    ) {
        // The room is what was measured with: half a pixel less breaks the line elsewhere.
        let layout = layout(text, style, em: em, width: box.width + 1, isOneLine: isOneLine)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        let height = Double(logical.height) / Double(PANGO_SCALE)
        cairo_move_to(cairo, box.x - 0.5, box.y + (box.height - height) / 2)
        pango_cairo_show_layout(cairo, layout)
    }
}
