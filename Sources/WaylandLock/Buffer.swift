internal import CWayland
import Glibc
internal import MainLoop

/// A rectangle of whole pixels.
package struct PixelArea: Equatable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The smallest area that has both.
    package func union(_ other: PixelArea) -> PixelArea {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return PixelArea(x: left, y: top, width: right - left, height: bottom - top)
    }

    package func clipped(width: Int, height: Int) -> PixelArea {
        let (left, top) = (max(0, x), max(0, y))
        return PixelArea(
            x: left, y: top, width: max(0, min(x + self.width, width) - left),
            height: max(0, min(y + self.height, height) - top))
    }
}

/// Pixels that the compositor shows: 32 bits each, in the machine's order blue, green, red and alpha or nothing, as
/// cairo has them.
@LoopActor
final class Buffer {
    enum Format { case opaque, translucent }

    let pointer: OpaquePointer
    let memory: UnsafeMutableRawPointer
    let width: Int
    let height: Int
    private let size: Int
    /// The compositor may still read it.
    private(set) var isBusy = false
    /// What has changed since it was painted last.
    var stale: PixelArea
    private let freed: @LoopActor (Buffer) -> Void

    /// - Returns: nil without memory.
    init?(
        _ shm: OpaquePointer, width: Int, height: Int, _ format: Format,
        freed: @escaping @LoopActor (Buffer) -> Void
    ) {
        // Sizes come from the compositor, and go back to it as 32 bits with a sign.
        guard width > 0, height > 0, width <= 1 << 14, height <= 1 << 14 else { return nil }
        let bytes = width * height * 4
        let descriptor = smile_sealed_memory(bytes)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        // All of its pages at once: one by one they take longer than the painting.
        let mapped = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        guard let pool = wl_shm_create_pool(shm, descriptor, Int32(bytes)) else {
            munmap(mapped, bytes)
            return nil
        }
        defer { wl_shm_pool_destroy(pool) }
        let code = format == .opaque ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888
        guard
            let pointer = wl_shm_pool_create_buffer(
                pool, 0, Int32(width), Int32(height), Int32(width * 4), code.rawValue)
        else {
            munmap(mapped, bytes)
            return nil
        }
        self.pointer = pointer
        self.width = width
        self.height = height
        self.freed = freed
        memory = mapped
        size = bytes
        stale = PixelArea(x: 0, y: 0, width: width, height: height)
        wl_buffer_add_listener(pointer, Buffer.listener, Callbacks.data(self))
    }

    func attached() { isBusy = true }

    /// Gives it back to the system.
    func destroy() {
        wl_buffer_destroy(pointer)
        munmap(memory, size)
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(wl_buffer_listener()) {
        $0.release = { data, _ in
            Callbacks.call(data, Buffer.self) {
                $0.isBusy = false
                $0.freed($0)
            }
        }
    }
}
