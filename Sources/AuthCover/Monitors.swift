import CX11

/// A part of a root window, in pixels.
struct Area: Equatable {
    var x, y, width, height: Int32

    func contains(_ x: Int32, _ y: Int32) -> Bool {
        (self.x..<self.x + width).contains(x) && (self.y..<self.y + height).contains(y)
    }

    func contains(_ other: Area) -> Bool {
        x <= other.x && y <= other.y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }
}

extension XServer {
    /// What each monitor shows of a root now: all of it where there is one monitor, or no RandR 1.5.
    func monitors(of root: Window) -> [Area] {
        var attributes = XWindowAttributes()
        guard XGetWindowAttributes(display, root, &attributes) != 0 else { return [] }
        var count: Int32 = 0
        let monitors = randrEvent == nil ? nil : XRRGetMonitors(display, root, 1, &count)
        defer { if let monitors { XRRFreeMonitors(monitors) } }
        // Nested servers tell the size of their one monitor late.
        guard let monitors, count > 1 else {
            return [Area(x: 0, y: 0, width: attributes.width, height: attributes.height)]
        }
        return (0..<Int(count)).map { index in
            let monitor = monitors[index]
            return Area(x: monitor.x, y: monitor.y, width: monitor.width, height: monitor.height)
        }.filter { $0.width > 0 && $0.height > 0 }
    }

    /// Where the pointer is on a root; nil when it is on another.
    func pointer(on root: Window) -> (x: Int32, y: Int32)? {
        var other: Window = 0
        var child: Window = 0
        var (x, y, innerX, innerY): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var mask: UInt32 = 0
        let isHere = XQueryPointer(display, root, &other, &child, &x, &y, &innerX, &innerY, &mask) != 0
        return isHere ? (x, y) : nil
    }
}
