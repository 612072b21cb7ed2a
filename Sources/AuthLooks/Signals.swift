internal import CGLib
package import CGtk
internal import MainLoop

/// GObject's signals as closures on the loop. The closure lives as long as the object.
package enum Signals {
    private final class Box<Arguments>: @unchecked Sendable {  // used on the loop's thread only
        let body: @LoopActor (Arguments) -> Bool
        init(_ body: @escaping @LoopActor (Arguments) -> Bool) { self.body = body }
    }

    private static func attach<Arguments>(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ handler: GCallback,
        _ body: @escaping @LoopActor (Arguments) -> Bool
    ) {
        g_signal_connect_data(
            object, signal, handler, Unmanaged.passRetained(Box(body)).toOpaque(),
            { data, _ in Unmanaged<AnyObject>.fromOpaque(data!).release() }, GConnectFlags(rawValue: 0))
    }

    private static func fire<Arguments>(_ data: gpointer?, _ arguments: Arguments) -> gboolean {
        let box = Unmanaged<Box<Arguments>>.fromOpaque(data!).takeUnretainedValue()
        nonisolated(unsafe) let arguments = arguments
        return LoopActor.assumeIsolated { box.body(arguments) ? 1 : 0 }
    }

    /// A signal without arguments; `body` answers whether it was handled, for those that ask.
    package static func on(_ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @LoopActor () -> Bool)
    {
        let handler: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in Signals.fire(data, ()) }
        attach(object, signal, unsafeBitCast(handler, to: GCallback.self)) { (_: Void) in body() }
    }

    /// `notify::` of a property.
    package static func onChange(
        _ object: UnsafeMutableRawPointer, of property: String, _ body: @escaping @LoopActor () -> Void
    ) {
        let handler: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
            _ = Signals.fire(data, ())
        }
        attach(object, "notify::" + property, unsafeBitCast(handler, to: GCallback.self)) { (_: Void) in
            body()
            return true
        }
    }

    /// A signal with one object that nobody asks for, such as `row-activated`.
    package static func onActivation(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @LoopActor () -> Void
    ) {
        let handler: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, _, data in
            _ = Signals.fire(data, ())
        }
        attach(object, signal, unsafeBitCast(handler, to: GCallback.self)) { (_: Void) in
            body()
            return true
        }
    }

    /// A signal with a number or a flag, such as `state-set`, `mnemonic-activate` and `response`; `body` answers
    /// whether it was handled, for those that ask.
    package static func onNumber(
        _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @LoopActor (Int32) -> Bool
    ) {
        let handler: @convention(c) (gpointer?, gint, gpointer?) -> gboolean = { _, number, data in
            Signals.fire(data, number)
        }
        attach(object, signal, unsafeBitCast(handler, to: GCallback.self), body)
    }

    package struct KeyPress {
        package var value: UInt32
        package var state: GdkModifierType
    }

    /// `key-pressed`.
    package static func onKey(_ controller: OpaquePointer, _ body: @escaping @LoopActor (KeyPress) -> Bool) {
        let handler: @convention(c) (gpointer?, guint, guint, GdkModifierType, gpointer?) -> gboolean = {
            Signals.fire($4, KeyPress(value: $1, state: $3))
        }
        attach(UnsafeMutableRawPointer(controller), "key-pressed", unsafeBitCast(handler, to: GCallback.self), body)
    }

    /// A signal with a point: `motion`, `enter`, `drag-begin`, `drag-update`, `drag-end`.
    package static func onPoint(
        _ controller: OpaquePointer, _ signal: String, _ body: @escaping @LoopActor (Double, Double) -> Void
    ) {
        let handler: @convention(c) (gpointer?, Double, Double, gpointer?) -> Void = {
            _ = Signals.fire($3, ($1, $2))
        }
        attach(UnsafeMutableRawPointer(controller), signal, unsafeBitCast(handler, to: GCallback.self)) {
            (point: (Double, Double)) in
            body(point.0, point.1)
            return true
        }
    }

    /// A gesture's `pressed`.
    package static func onPressed(_ gesture: OpaquePointer, _ body: @escaping @LoopActor () -> Void) {
        let handler: @convention(c) (gpointer?, gint, Double, Double, gpointer?) -> Void = { _, _, _, _, data in
            _ = Signals.fire(data, ())
        }
        attach(UnsafeMutableRawPointer(gesture), "pressed", unsafeBitCast(handler, to: GCallback.self)) { (_: Void) in
            body()
            return true
        }
    }

    /// An input method's `commit`: the text, in GLib's memory.
    package static func onCommit(
        _ context: UnsafeMutableRawPointer, _ body: @escaping @LoopActor (UnsafePointer<CChar>) -> Void
    ) {
        let handler: @convention(c) (gpointer?, UnsafePointer<CChar>?, gpointer?) -> Void = { _, text, data in
            if let text { _ = Signals.fire(data, text) }
        }
        attach(context, "commit", unsafeBitCast(handler, to: GCallback.self)) { (text: UnsafePointer<CChar>) in
            body(text)
            return true
        }
    }
}
