import CX11
import MainLoop

/// One cover follows another: by ICCCM's manager selection while both live, by what the root's property tells where
/// the one before was killed. A killed cover's windows stay on the server until its successor removes them.
@LoopActor
final class Succession {
    private let server: XServer
    private let root: Window
    /// The windows of covers before this one.
    private var inherited: [Window] = []
    private var sheets: [Window] = []
    /// The window that had the keyboard's focus before the screen was covered; 0 and 1 are none, and the pointer's.
    private var focus: Window = 0
    /// Whether another cover has the screen and lives, or lived when this one started.
    private(set) var hasPredecessor = false

    init(_ server: XServer) {
        self.server = server
        root = server.roots[0]
        look()
    }

    private func look() {
        hasPredecessor = XGetSelectionOwner(server.display, server.atoms.cover) != 0
        let told = numbers(of: root, XA_CARDINAL)
        inherited = told.dropFirst().filter(isSheet)
        if let kept = told.first, !inherited.isEmpty {
            focus = kept
        } else {
            var revert: Int32 = 0
            XGetInputFocus(server.display, &focus, &revert)
        }
    }

    /// Makes `sheets` the cover that others follow. The one before sees its selection go, and leaves.
    func claim(_ sheets: [Window]) {
        for sheet in sheets { set([1], on: sheet) }
        XSetSelectionOwner(server.display, server.atoms.cover, sheets[0], Time(CurrentTime))
        self.sheets = sheets
        tell()
    }

    /// Names all windows of covers, those that are still to be removed among them: this cover may not get that far.
    private func tell() { set([focus] + sheets + inherited, on: root) }

    /// Whether the selection's new owner covers the screen. Anybody may take a selection.
    var hasSuccessor: Bool {
        let owner = XGetSelectionOwner(server.display, server.atoms.cover)
        var attributes = XWindowAttributes()
        return owner != 0 && isSheet(owner) && XGetWindowAttributes(server.display, owner, &attributes) != 0
            && attributes.map_state == IsViewable
    }

    /// Removes what the cover before this one has left, and that cover where it still runs but does not leave.
    func bury() {
        for window in inherited {
            // A client that lives is ended by the first, and what it leaves is removed by the second.
            for _ in 0..<2 where isSheet(window) { XKillClient(server.display, window) }
        }
        let hadSome = !inherited.isEmpty
        inherited = []
        if hadSome, !sheets.isEmpty { tell() }
    }

    /// Gives the focus back, and the root its peace.
    func end() {
        XDeleteProperty(server.display, root, server.atoms.cover)
        // The window may be gone, or not viewable: then the pointer decides, until the window manager does.
        XSetInputFocus(server.display, Window(PointerRoot), Int32(RevertToPointerRoot), Time(CurrentTime))
        XSetInputFocus(server.display, focus, Int32(RevertToParent), Time(CurrentTime))
    }

    /// Whether there are windows of a cover before this one.
    var leftSomething: Bool { !inherited.isEmpty }

    // MARK: properties

    /// A window's number may have gone to another client: only a window that says it is a sheet is one.
    private func isSheet(_ window: Window) -> Bool { numbers(of: window, XA_CARDINAL) == [1] }

    private func set(_ values: [UInt], on window: Window) {
        values.withUnsafeBytes {
            _ = XChangeProperty(
                server.display, window, server.atoms.cover, XA_CARDINAL, 32, PropModeReplace,
                $0.bindMemory(to: UInt8.self).baseAddress, Int32(values.count))
        }
    }

    private func numbers(of window: Window, _ type: Atom) -> [UInt] {
        var actual: Atom = 0
        var format: Int32 = 0
        var count: UInt = 0
        var rest: UInt = 0
        var bytes: UnsafeMutablePointer<UInt8>?
        let status = XGetWindowProperty(
            server.display, window, server.atoms.cover, 0, 1024, 0, type, &actual, &format, &count, &rest, &bytes)
        guard status == Success, let bytes else { return [] }
        defer { XFree(bytes) }
        guard actual == type, format == 32 else { return [] }
        // Xlib stores numbers of 32 bits as longs.
        return bytes.withMemoryRebound(to: UInt.self, capacity: Int(count)) {
            Array(UnsafeBufferPointer(start: $0, count: Int(count)))
        }
    }
}
