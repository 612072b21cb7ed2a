import Glibc

/// Takes echo and line mode from a terminal, and gives them back whatever ends the program.
///
/// The state is static since signal handlers and `atexit` have nothing else to reach it by; it is written before they
/// are installed, and a terminal is only ever taken once.
enum TerminalMode {
    private nonisolated(unsafe) static var descriptor: Int32 = -1
    private nonisolated(unsafe) static var original = termios()
    private nonisolated(unsafe) static var isTaken = false

    /// Turns echo and line mode off and drops what was typed before. Control-C stays a signal.
    ///
    /// - Returns: false where the terminal is none, gone, or another job's: there this one would be stopped for ever.
    static func take(_ terminal: Int32) -> Bool {
        guard !isTaken else { return true }
        guard tcgetpgrp(terminal) == getpgrp(), tcgetattr(terminal, &original) == 0 else { return false }
        descriptor = terminal
        installHandlers()
        var quiet = original
        quiet.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL | ICANON | IEXTEN)
        quiet.c_lflag |= tcflag_t(ISIG)
        withUnsafeMutableBytes(of: &quiet.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            // Stopped or quit by a key, the program would leave the shell without echo.
            characters[Int(VSUSP)] = 0
            characters[Int(VQUIT)] = 0
        }
        isTaken = true
        guard tcsetattr(terminal, TCSAFLUSH, &quiet) == 0 else {
            isTaken = false
            return false
        }
        return true
    }

    /// As it was. May be called from a signal handler (tcsetattr is async-signal-safe, POSIX 2.4.3), and often.
    static func restore() {
        guard isTaken else { return }
        isTaken = false
        _ = tcsetattr(descriptor, TCSADRAIN, &original)
    }

    /// SIGINT, SIGTERM and SIGHUP belong to the main loop, which ends the program in good order. These are the others
    /// that end a process and can be caught.
    private static func installHandlers() {
        atexit { TerminalMode.restore() }
        for signal in [SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGPIPE, SIGALRM, SIGXCPU] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                TerminalMode.restore()
                raise(number)
            }
            // The default action is back before the handler runs, so raising the signal again ends the process.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
            sigaction(signal, &action, nil)
        }
    }
}
