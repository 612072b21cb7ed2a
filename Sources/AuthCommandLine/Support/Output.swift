import Glibc

/// Standard output and standard error, written through at once.
struct Output: Sendable {
    let style: Style
    /// For /dev/tty, which is one wherever the other two go.
    let terminalStyle: Style

    /// Colours on a terminal only, and never where NO_COLOR is set and not empty (no-color.org) or the terminal is
    /// `dumb`.
    init(environment: (String) -> String?) {
        let isWelcome = (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        style = Style(isColoured: isWelcome && isatty(1) == 1)
        terminalStyle = Style(isColoured: isWelcome)
    }

    func line(_ text: String = "") { Output.write(text + "\n", to: 1) }

    func error(_ text: String) { Output.write("smileauth: \(text)\n", to: 2) }

    /// Writes all of it. Whoever has stopped reading ends the program: there is nobody left to tell.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count < 0 && errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                exit(ExitStatus.refused.rawValue)
            }
        }
    }
}
