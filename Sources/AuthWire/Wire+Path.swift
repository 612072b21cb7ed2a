extension Wire {
    /// Object paths of the service, and the way between application ids and the paths of their authenticators.
    public enum Path {
        public static let root = "/org/smileauth/Auth1"
        public static let session = "/org/smileauth/Auth1/session"
        public static let fingerprint = "/org/smileauth/Auth1/fingerprint"
        static let appPrefix = "/org/smileauth/Auth1/app/"
        static let requestPrefix = "/org/smileauth/Auth1/request/"

        /// The path of an application's authenticator; ``session`` for the empty id.
        public static func app(_ application: String) -> String {
            application.isEmpty ? session : appPrefix + Label.escape(application)
        }

        /// The application id whose authenticator has this path: "" for the session's, nil where the path is none of
        /// ``app(_:)``'s.
        public static func application(of path: String) -> String? {
            if path == session { return "" }
            guard path.utf8.starts(with: appPrefix.utf8) else { return nil }
            let application = Label.unescape(path.utf8.dropFirst(appPrefix.utf8.count))
            return application == "" ? nil : application
        }

        /// The path of a request, as xdg-desktop-portal forms it: the caller's unique name without its colon and with
        /// `_` for every dot, then the token.
        ///
        /// - Parameter token: see ``isToken(_:)``.
        public static func request(sender: String, token: String) -> String {
            let name = sender.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 }
            return requestPrefix + String(name) + "/" + token
        }

        /// Whether `token` can be an element of an object path, which `handle_token` has to be: `[A-Za-z0-9_]+`, and no
        /// longer than a bus name (255 bytes), a bound of ours.
        public static func isToken(_ token: String) -> Bool {
            (1...255).contains(token.utf8.count)
                && token.utf8.allSatisfy { Label.isLetter($0) || Label.isDigit($0) || $0 == UInt8(ascii: "_") }
        }
    }

    /// An arbitrary string as one element of an object path, exactly as systemd's `bus_label_escape` and
    /// `sd_bus_path_encode` write it.
    public enum Label {
        /// Every byte outside `[A-Za-z0-9]`, and a leading digit, becomes `_` and two lower-case hex digits; the empty
        /// string becomes `_`.
        public static func escape(_ text: String) -> String {
            if text.isEmpty { return "_" }
            var label: [UInt8] = []
            label.reserveCapacity(text.utf8.count + 16)
            for (index, byte) in text.utf8.enumerated() {
                if isLetter(byte) || (isDigit(byte) && index > 0) {
                    label.append(byte)
                } else {
                    label += [UInt8(ascii: "_"), hexDigit(byte >> 4), hexDigit(byte & 15)]
                }
            }
            return String(decoding: label, as: UTF8.self)
        }

        /// The string that ``escape(_:)`` made this of; nil for what it never writes (a label that another string
        /// already has would name one object twice) and for what is not UTF-8.
        public static func unescape(_ label: some Collection<UInt8>) -> String? {
            if label.elementsEqual([UInt8(ascii: "_")]) { return "" }
            var bytes: [UInt8] = []
            var rest = label[...]
            while let byte = rest.popFirst() {
                if byte != UInt8(ascii: "_") {
                    bytes.append(byte)
                } else {
                    guard let high = rest.popFirst().flatMap(hexValue),
                        let low = rest.popFirst().flatMap(hexValue)
                    else { return nil }
                    bytes.append(high << 4 | low)
                }
            }
            guard let text = String(validating: bytes, as: UTF8.self), escape(text).utf8.elementsEqual(label) else {
                return nil
            }
            return text
        }

        static func isLetter(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            default: false
            }
        }

        static func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }

        private static func hexDigit(_ nibble: UInt8) -> UInt8 {
            nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
        }

        private static func hexValue(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
    }
}
