/// One line of `smileauth doctor`.
struct Finding: Equatable, Sendable {
    enum Level: String, Sendable {
        case ok, warn, fail
    }

    let level: Level
    let subject: String
    let text: String
    /// What to do about it; nil where nothing is to be done.
    var mend: String?

    static func ok(_ subject: String, _ text: String) -> Finding { Finding(level: .ok, subject: subject, text: text) }
    static func warn(_ subject: String, _ text: String, mend: String? = nil) -> Finding {
        Finding(level: .warn, subject: subject, text: text, mend: mend)
    }
    static func fail(_ subject: String, _ text: String, mend: String) -> Finding {
        Finding(level: .fail, subject: subject, text: text, mend: mend)
    }

    func render(_ style: Style) -> String {
        let mark =
            switch level {
            case .ok: style.green("ok  ")
            case .warn: style.yellow("warn")
            case .fail: style.red("fail")
            }
        let margin = "\n" + String(repeating: " ", count: 6 + Finding.subjectWidth + 2)
        return mark + "  " + PlainText.pad(subject, to: Finding.subjectWidth) + "  " + PlainText.strip(text)
            + (mend.map { margin + style.dim(PlainText.strip($0)) } ?? "")
    }

    private static let subjectWidth = 16

    var json: JSON {
        .object([
            ("level", .string(level.rawValue)), ("subject", .string(subject)), ("text", .string(text)),
            ("mend", mend.map(JSON.string) ?? .null),
        ])
    }
}
