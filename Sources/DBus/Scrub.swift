internal import CDBus

/// State of ``Connection/scrubReceiveBuffer()``.
struct Scrub {
    var isUnderWay = false
    var isWantedAgain = false
}

extension Connection {
    /// Has the bytes of messages that were handled overwritten in libdbus's receive buffer.
    ///
    /// libdbus copies each message out of a buffer that it keeps, and leaves the bytes there until others are read
    /// over them. So something harmless and larger than a call with a passcode is read over them: the bus's own
    /// description, some 5 KB. One at a time.
    func scrubReceiveBuffer() {
        guard !scrub.isUnderWay else {
            scrub.isWantedAgain = true
            return
        }
        scrub = Scrub(isUnderWay: true)
        call(Driver.name, Driver.path, "org.freedesktop.DBus.Introspectable", "Introspect") { [unowned self] _ in
            scrub.isUnderWay = false
            if scrub.isWantedAgain, isConnected { scrubReceiveBuffer() }
        }
    }
}
