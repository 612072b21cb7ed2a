internal import CGLib
package import CGtk
internal import MainLoop

/// A GTK widget. GTK owns it; a pointer is good for as long as the window is.
package typealias Widget = UnsafeMutablePointer<GtkWidget>
/// cairo's drawing context.
package typealias Cairo = OpaquePointer

/// A widget, or another GObject, as the class that a function wants.
package func cast<From, To>(_ pointer: UnsafeMutablePointer<From>) -> UnsafeMutablePointer<To> {
    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: To.self)
}

/// Makers of the few kinds of widgets that the window has.
package enum Make {
    package static func box(_ orientation: GtkOrientation, spacing: Int32 = 0) -> Widget {
        gtk_box_new(orientation, spacing)!
    }

    package static func label(_ styles: String..., role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL) -> Widget {
        let label = smile_label_new(role)
        for style in styles { gtk_widget_add_css_class(label, style) }
        gtk_label_set_max_width_chars(OpaquePointer(label), 42)
        return label
    }

    /// A button of words only.
    package static func button(_ styles: String...) -> Widget {
        let button = gtk_button_new_with_label("")!
        for style in styles { gtk_widget_add_css_class(button, style) }
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        // Titles are in any language, in any size, and callers': they must not make a window wider than the screen.
        let label = OpaquePointer(gtk_button_get_child(cast(button)))
        gtk_label_set_wrap(label, 1)
        gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(label, GTK_JUSTIFY_CENTER)
        gtk_label_set_max_width_chars(label, 42)
        return button
    }

    /// An area that `draw` fills; it gets the context, the width and the height.
    @LoopActor
    package static func area(
        _ role: GtkAccessibleRole, _ draw: @escaping @LoopActor (Cairo, Double, Double) -> Void
    ) -> Widget {
        final class Box {
            let draw: @LoopActor (Cairo, Double, Double) -> Void
            init(_ draw: @escaping @LoopActor (Cairo, Double, Double) -> Void) { self.draw = draw }
        }
        let area = smile_drawing_area_new(role)
        gtk_drawing_area_set_draw_func(
            cast(area),
            { _, context, width, height, data in
                let box = Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue()
                nonisolated(unsafe) let context = context!
                LoopActor.assumeIsolated { box.draw(context, Double(width), Double(height)) }
            }, Unmanaged.passRetained(Box(draw)).toOpaque(), { Unmanaged<Box>.fromOpaque($0!).release() })
        return area
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    package func setVisible(_ isVisible: Bool) {
        guard (gtk_widget_get_visible(self) != 0) != isVisible else { return }
        gtk_widget_set_visible(self, isVisible ? 1 : 0)
    }

    package func setSensitive(_ isSensitive: Bool) { gtk_widget_set_sensitive(self, isSensitive ? 1 : 0) }

    /// Sets a label's text, and hides the label where there is none.
    package func setText(_ text: String) {
        if String(cString: gtk_label_get_text(OpaquePointer(self))) != text {
            gtk_label_set_text(OpaquePointer(self), text)
        }
        setVisible(!text.isEmpty)
    }

    /// Sets the text of a label that stays where it has none: a screen reader that has read the window hears of a new
    /// text, but GTK tells it of no label that comes up.
    ///
    /// - Parameter space: above it, in pixels.
    package func setLastingText(_ text: String, space: Int32) {
        gtk_widget_set_margin_top(self, text.isEmpty ? 0 : space)
        setStyle("silent", text.isEmpty)
        if String(cString: gtk_label_get_text(OpaquePointer(self))) != text {
            gtk_label_set_text(OpaquePointer(self), text)
        }
    }

    /// Sets a button's title, and hides the button where there is none.
    package func setTitle(_ title: String) {
        let old = gtk_button_get_label(cast(self)).map { String(cString: $0) }
        if old != title { gtk_button_set_label(cast(self), title) }
        setVisible(!title.isEmpty)
    }

    package func setStyle(_ style: String, _ isOn: Bool) {
        if isOn { gtk_widget_add_css_class(self, style) } else { gtk_widget_remove_css_class(self, style) }
    }

    package func setMargins(_ horizontal: Int32, _ vertical: Int32) {
        gtk_widget_set_margin_start(self, horizontal)
        gtk_widget_set_margin_end(self, horizontal)
        gtk_widget_set_margin_top(self, vertical)
        gtk_widget_set_margin_bottom(self, vertical)
    }

    package func redraw() { gtk_widget_queue_draw(self) }
}
