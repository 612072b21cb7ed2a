internal import MainLoop

/// What a person does. Places are in the surface's own pixels.
package enum InputEvent {
    /// One of our surfaces has the keyboard, or none has.
    case focus(Bool)
    /// A key went down, or is held; the text that it makes, in wiped memory that is lent for the length of the call.
    case key(KeyPress, UnsafeRawBufferPointer)
    case pointer(Stage, x: Double, y: Double)
    /// Another button than the first.
    case otherButton
    case touch(Stage, id: Int32, x: Double, y: Double)
    /// The compositor takes all touches for itself.
    case touchCancelled

    package enum Stage: Sendable { case enter, motion, press, release, leave }
}

package struct KeyPress: Sendable {
    /// As X numbers them.
    package var keysym: UInt32
    /// What the key stands for by itself, in Unicode; 0 for nothing.
    package var scalar: UInt32
    /// With Control, Alt or the logo key.
    package var isCombined: Bool
    package var isRepeat: Bool
    /// It is a part of a character that is still to come.
    package var isPart: Bool
}

/// An event, and where it happened.
package struct LockInput {
    package var event: InputEvent
    /// nil for what happens nowhere, or on a surface that has just gone.
    package var surface: LockSurface?
}

/// The same, before the surface has been found.
struct SurfaceInput {
    var event: InputEvent
    var surface: OpaquePointer?
}

/// The pointer's picture.
package struct Cursor {
    /// In surface pixels.
    package var width: Int
    package var height: Int
    package var hotX: Int
    package var hotY: Int
    /// Pixels with alpha, premultiplied; the scale is 2.
    package var paint: @LoopActor (LockSurface.Canvas) -> Void
    package static let scale = 2

    package init(
        width: Int, height: Int, hotX: Int, hotY: Int, paint: @escaping @LoopActor (LockSurface.Canvas) -> Void
    ) {
        self.width = width
        self.height = height
        self.hotX = hotX
        self.hotY = hotY
        self.paint = paint
    }
}

/// What all seats do alike.
@LoopActor
final class SeatStyle {
    var composes = false
    var cursor: Cursor?
}
