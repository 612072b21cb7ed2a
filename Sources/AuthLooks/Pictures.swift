internal import CGLib
internal import CGtk
import Glibc
internal import MainLoop

/// A picture in memory, at the size that it is shown at. Immutable once made.
package final class Picture: @unchecked Sendable {
    package let pixels: OpaquePointer
    package let width: Double
    package let height: Double

    package init(taking pixels: OpaquePointer) {
        self.pixels = pixels
        width = Double(gdk_pixbuf_get_width(pixels))
        height = Double(gdk_pixbuf_get_height(pixels))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pixels)) }

    /// The darkest and the lightest colour that text may come to lie on: of a picture scaled down to 64 by 64, where
    /// single pixels count no more than an eye sees of them.
    package var extremes: [Colour] {
        guard let small = gdk_pixbuf_scale_simple(pixels, 64, 64, GDK_INTERP_BILINEAR) else { return [.black, .white] }
        defer { g_object_unref(UnsafeMutableRawPointer(small)) }
        let (channels, stride) = (Int(gdk_pixbuf_get_n_channels(small)), Int(gdk_pixbuf_get_rowstride(small)))
        guard let bytes = gdk_pixbuf_read_pixels(small) else { return [.black, .white] }
        var colours: [Colour] = []
        for row in 0..<64 {
            for column in 0..<64 {
                let start = row * stride + column * channels
                colours.append(
                    Colour(Double(bytes[start]) / 255, Double(bytes[start + 1]) / 255, Double(bytes[start + 2]) / 255))
            }
        }
        let sorted = colours.sorted { $0.luminance < $1.luminance }
        return [sorted[0], sorted[sorted.count - 1]]
    }
}

package enum Pictures {
    /// Pixels of the largest picture that is decoded or made: it takes 4 bytes for each.
    private static let largest = 64_000_000
    /// Bytes of the largest file (section 2 of the contract).
    private static let largestFile = 16 << 20

    private static let thread = WorkThread(name: "pictures")

    /// Reads a picture off the loop, and scales it.
    ///
    /// - Parameters:
    ///   - width: of what it is to cover, or to fit into, in pixels.
    ///   - covers: whether it covers that room, or fits into it.
    /// - Returns: nil for what is missing, broken or too large.
    package static func load(_ path: String, width: Int, height: Int, covers: Bool) async -> Picture? {
        await thread.run { read(path, width, height, covers) }
    }

    @Sendable private static func read(_ path: String, _ width: Int, _ height: Int, _ covers: Bool) -> Picture? {
        // The service looks at it when it is named; it may have changed since, so what is opened here is looked at.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
            return nil
        }
        let file = "/proc/self/fd/\(descriptor)"
        var (ownWidth, ownHeight): (gint, gint) = (0, 0)
        guard gdk_pixbuf_get_file_info(file, &ownWidth, &ownHeight) != nil,
            let size = size(of: (Double(ownWidth), Double(ownHeight)), in: (Double(width), Double(height)), covers),
            let pixels = gdk_pixbuf_new_from_file_at_scale(file, size.width, size.height, 0, nil)
        else { return nil }
        return Picture(taking: pixels)
    }

    /// What a picture is scaled to. One that is as thin as a hair and covers a screen would be far larger than itself.
    ///
    /// - Returns: nil where either would be too large.
    static func size(
        of own: (width: Double, height: Double), in room: (width: Double, height: Double), _ covers: Bool
    ) -> (width: gint, height: gint)? {
        guard own.width > 0, own.height > 0, own.width * own.height <= Double(largest) else { return nil }
        let across = room.width / own.width
        let down = room.height / own.height
        // One that fits is not made larger.
        let scale = covers ? max(across, down) : min(across, down, 1)
        let width = max(1, (own.width * scale).rounded(.up))
        let height = max(1, (own.height * scale).rounded(.up))
        guard width * height <= Double(largest) else { return nil }
        return (gint(width), gint(height))
    }
}
