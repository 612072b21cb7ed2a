import AuthCore
import Glibc
import MainLoop

/// What TouchIDIconName, AppLogoName and BackgroundImage may name.
enum ImageCheck {
    static let properties: Set<Property> = [.touchIDIconName, .appLogoName, .backgroundImage]
    private static let limit = 16 * 1024 * 1024
    /// A file system that hangs holds up other images, not the service.
    private static let thread = WorkThread(name: "images")

    /// Whether `name` is empty, an icon's name, or the absolute path of a regular file of 16 MiB at most that can be
    /// read.
    static func allows(_ name: String) async -> Bool {
        if name.isEmpty || isIconName(name) { return true }
        guard name.hasPrefix("/"), !name.utf8.contains(0) else { return false }
        return await thread.run { isImageFile(name) }
    }

    /// Letters, digits, `.`, `_` and `-` (Icon Naming Specification), and no path.
    private static func isIconName(_ name: String) -> Bool {
        name.utf8.count <= 255 && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    private static func isImageFile(_ path: String) -> Bool {
        // Not blocking: a FIFO must not hold the thread, nor a device be woken.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size <= limit
    }
}
