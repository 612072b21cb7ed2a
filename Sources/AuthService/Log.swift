import Glibc

/// One line on stderr, where the journal and the tests read it. Never a passcode, never a caller's words.
func log(_ message: String) {
    var line = "smileauthd: " + message + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}
