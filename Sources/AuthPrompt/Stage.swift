import AuthLooks
import MainLoop

/// Where the view is shown: a window, or the screen's lock.
@LoopActor
protocol Stage: AnyObject {
    /// Puts the values on.
    func show(_ screen: Screen, _ drawn: Drawn)
    /// The looks, or the desktop's wishes, are others.
    func restyle(_ looks: Looks, _ style: DesktopStyle)
    /// What the first frame need not wait for.
    func loadPictures()
    /// Asks `frame` for what moves at each frame until it says that nothing does.
    func animate(_ frame: @escaping @LoopActor () -> (drawn: Drawn, isMoving: Bool))
    /// The view has ended.
    ///
    /// - Returns: false where the screen is still locked.
    func leave() -> Bool
    /// The view has become the session's lock, or is it no more.
    func turn(toLock isLock: Bool)
    /// Another stage takes over.
    func close()
    /// Whether it locks the session by itself.
    var locks: Bool { get }
}

/// What a person does, and what becomes of the first frame.
struct StageActions {
    var button: @LoopActor (PromptModel.Button) -> Void
    var key: @LoopActor (Key) -> Void
    var text: @LoopActor (Unicode.Scalar) -> Void
    var touch: @LoopActor () -> Void
    var focus: @LoopActor (Bool) -> Void
    var strokeBegan: @LoopActor () -> Void
    var stroke: @LoopActor ([Int]) -> Void
    var strokeEnded: @LoopActor () -> Void
    /// Something that the person did did not get here.
    var lost: @LoopActor () -> Void
    var close: @LoopActor () -> Void
    var firstFrame: @LoopActor () -> Void
}
