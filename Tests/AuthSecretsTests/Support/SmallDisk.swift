import Glibc

/// A file system of 48 KiB in one place, which can be filled. For root; it goes with ``unmount()``.
final class SmallDisk {
    private let path: String

    init?(at path: String) {
        self.path = path
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=48k,mode=0700") == 0 else { return nil }
    }

    func fill() {
        let file = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
        let page = [UInt8](repeating: 1, count: 512)
        while write(file, page, page.count) > 0 {}
        close(file)
    }

    func empty() { unlink(path + "/filler") }
    func unmount() { umount2(path, Int32(MNT_DETACH)) }
}
