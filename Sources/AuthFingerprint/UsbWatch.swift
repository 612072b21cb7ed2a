internal import Glibc
internal import MainLoop

/// Tells when something is plugged in or unplugged, or may be opened by others than before: udev makes a file for each
/// device on USB, gives it to the seat's user, and takes it away again.
///
/// It costs nothing while nothing happens. libfprint's own way to know, a thread of GUsb's, wakes up every two seconds.
@LoopActor
final class UsbWatch {
    private let folder: String
    private let onChange: () -> Void
    private let descriptor: Int32
    private var watch: LoopSource?
    private var quiet: LoopSource?

    /// One device makes several changes in a row.
    private static let settling = Duration.milliseconds(200)

    /// - Parameter folder: one folder for each bus in it; where it is missing nothing is ever told.
    init(_ folder: String = "/dev/bus/usb", onChange: @escaping () -> Void) {
        self.folder = folder
        self.onChange = onChange
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        look()
        watch = .watch(descriptor, for: .readable) { [weak self] _ in
            self?.changed()
            return true
        }
    }

    isolated deinit {
        watch?.cancel()
        if descriptor >= 0 { close(descriptor) }
    }

    private func changed() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        look()
        quiet = .after(Self.settling) { [weak self] in self?.onChange() }
    }

    /// A bus may have come with its host. Watching a folder again changes nothing.
    private func look() {
        let wanted = UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR)
        guard inotify_add_watch(descriptor, folder, wanted) >= 0, let buses = opendir(folder) else { return }
        defer { closedir(buses) }
        while let entry = readdir(buses) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { inotify_add_watch(descriptor, "\(folder)/\(name)", wanted) }
        }
    }
}
