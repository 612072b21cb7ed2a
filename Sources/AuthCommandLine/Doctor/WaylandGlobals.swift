import Glibc

/// What a Wayland compositor offers, asked for in the protocol's own bytes: one question needs no library.
enum WaylandGlobals {
    enum Answer: Equatable {
        case offers(Set<String>)
        /// Nothing listens there, or it is no compositor.
        case absent
        /// It listens and does not answer in time.
        case silent
    }

    /// - Parameters:
    ///   - socket: its path.
    ///   - milliseconds: how long it may take.
    static func ask(_ socket: String, within milliseconds: Int32 = 1_500) -> Answer {
        let descriptor = connect(socket)
        guard descriptor >= 0 else { return .absent }
        defer { close(descriptor) }
        // wl_display.get_registry as object 2, then wl_display.sync as object 3, whose answer comes after all else.
        let request: [UInt32] = [1, 12 << 16 | 1, 2, 1, 12 << 16 | 0, 3]
        let sent = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == request.count * 4 else { return .absent }
        var found: Set<String> = []
        var pending: [UInt8] = []
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(milliseconds)
        while true {
            let left = (end - clock.now) / .milliseconds(1)
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, Int32(left.rounded(.up))) > 0 else { return .silent }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &room, room.count)
            guard count > 0 else { return .absent }
            pending += room[..<count]
            switch take(&pending, &found) {
            case .more: break
            case .done: return .offers(found)
            case .broken: return .absent
            }
        }
    }

    enum Step { case more, done, broken }

    /// Takes whole events off the front of `bytes`.
    static func take(_ bytes: inout [UInt8], _ found: inout Set<String>) -> Step {
        func number(_ offset: Int) -> UInt32 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        }
        while bytes.count >= 8 {
            let (object, head) = (number(0), number(4))
            let size = Int(head >> 16)
            guard size >= 8, size % 4 == 0 else { return .broken }
            guard bytes.count >= size else { return .more }
            switch (object, head & 0xffff) {
            case (1, 0): return .broken  // wl_display.error
            case (2, 0) where size >= 16:
                // wl_registry.global: a number, a string with its length and its end, a version.
                let length = Int(number(12))
                guard length >= 1, length <= size - 16 else { return .broken }
                found.insert(String(decoding: bytes[16..<(16 + length - 1)], as: UTF8.self))
            case (3, 0): return .done
            default: break
            }
            bytes.removeFirst(size)
        }
        return .more
    }

    private static func connect(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return -1 }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}
