import AuthChannel
import CX11
import MainLoop

/// The session's prompt as the cover sees it: a window to keep on top, and where what a person does goes.
@LoopActor
final class PromptWindow {
    let window: Window
    private let server: XServer
    private let feed: Feed
    private var root: Window = 0
    private var left: Int32 = 0
    private var top: Int32 = 0
    private var width: Int32 = 0
    private var height: Int32 = 0
    /// Whether it is a mapped window that window managers leave alone. Only such a one is put above the cover: a
    /// prompt that names an application's window does not get it shown.
    private(set) var isShown = false
    private var isPointerInside = false
    private var buttons: Set<Int32> = []
    private var touches: Set<Int32> = []

    init(_ window: Window, feed: Feed, server: XServer) {
        self.window = window
        self.feed = feed
        self.server = server
        look()
        keepOnMonitor(isNew: true)
    }

    private func look() {
        isShown = false
        var attributes = XWindowAttributes()
        var parent: Window = 0
        var children: UnsafeMutablePointer<Window>?
        var count: UInt32 = 0
        guard XGetWindowAttributes(server.display, window, &attributes) != 0,
            XQueryTree(server.display, window, &root, &parent, &children, &count) != 0
        else { return }
        if let children { XFree(children) }
        place(attributes.x, attributes.y, attributes.width, attributes.height)
        isShown = parent == root && attributes.override_redirect != 0 && attributes.map_state == IsViewable
    }

    private func place(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) {
        (left, top, self.width, self.height) = (x, y, width, height)
    }

    // MARK: the window

    /// The number may have come before the window: X knows of one once its client's requests are sent. So where it is
    /// is asked for again.
    func mapped() {
        look()
        keepOnMonitor(isNew: true)
    }

    func configured(_ event: XConfigureEvent) {
        if event.override_redirect == 0 { isShown = false }
        place(event.x, event.y, event.width, event.height)
    }

    /// Unmapped, destroyed, or put into another window.
    func hidden() { isShown = false }

    /// Nobody else moves a window that window managers leave alone: where the monitor that it filled is gone or another
    /// size, it comes to the one with the pointer.
    ///
    /// - Parameter isNew: whether it has only just come, and is where it wanted to be: that may have gone meanwhile.
    func keepOnMonitor(isNew: Bool = false) {
        guard isShown else { return }
        let own = Area(x: left, y: top, width: width, height: height)
        let monitors = server.monitors(of: root)
        guard !monitors.isEmpty, !monitors.contains(where: { $0 == own || isNew && $0.contains(own) }) else { return }
        let pointer = server.pointer(on: root)
        let area = monitors.first { area in pointer.map { area.contains($0.x, $0.y) } ?? false } ?? monitors[0]
        XMoveResizeWindow(server.display, window, area.x, area.y, UInt32(area.width), UInt32(area.height))
    }

    // MARK: input

    func key(_ key: FeedKey, _ text: UnsafeRawBufferPointer) { feed.send(.key(key, text: text)) }

    /// Something that is no news any more is not handed on, nor what it would have been a part of.
    func lose() {
        buttons = []
        touches = []
        feed.lose()
    }

    /// A button, or a motion. What began inside goes on to be told until all buttons are up.
    func pointer(_ event: XIDeviceEvent) {
        let (x, y, isInside) = position(event)
        switch event.evtype {
        case XI_ButtonPress where isInside:
            buttons.insert(event.detail)
            feed.send(.pointer(FeedPointer(x: x, y: y, kind: .press, button: UInt32(event.detail))))
        case XI_ButtonRelease where buttons.remove(event.detail) != nil:
            feed.send(.pointer(FeedPointer(x: x, y: y, kind: .release, button: UInt32(event.detail))))
        case XI_Motion where isInside || !buttons.isEmpty:
            feed.send(.pointer(FeedPointer(x: x, y: y, kind: .motion)), isPart: !buttons.isEmpty)
        default: break
        }
        if isPointerInside, !isInside, buttons.isEmpty {
            feed.send(.pointer(FeedPointer(x: x, y: y, kind: .leave)), isPart: false)
            isPointerInside = false
        } else if isInside {
            isPointerInside = true
        }
    }

    func touch(_ event: XIDeviceEvent) {
        let (x, y, isInside) = position(event)
        let kind: FeedTouch.Kind
        switch event.evtype {
        case XI_TouchBegin where isInside:
            touches.insert(event.detail)
            kind = .begin
        case XI_TouchUpdate where touches.contains(event.detail): kind = .update
        case XI_TouchEnd where touches.remove(event.detail) != nil: kind = .end
        default: return
        }
        feed.send(.touch(FeedTouch(x: x, y: y, kind: kind, id: UInt32(bitPattern: event.detail))))
    }

    private func position(_ event: XIDeviceEvent) -> (x: Int32, y: Int32, isInside: Bool) {
        let x = Int32(event.root_x.rounded(.down)) - left
        let y = Int32(event.root_y.rounded(.down)) - top
        let isInside =
            isShown && event.root == root && (0..<width).contains(x) && (0..<height).contains(y)
        return (x, y, isInside)
    }
}
