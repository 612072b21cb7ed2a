/// Colours and weight for a terminal; plain text everywhere else.
struct Style: Sendable, Equatable {
    let isColoured: Bool

    static let plain = Style(isColoured: false)

    func bold(_ text: String) -> String { wrap("1", text) }
    func dim(_ text: String) -> String { wrap("2", text) }
    func red(_ text: String) -> String { wrap("31", text) }
    func green(_ text: String) -> String { wrap("32", text) }
    func yellow(_ text: String) -> String { wrap("33", text) }
    func cyan(_ text: String) -> String { wrap("36", text) }

    private func wrap(_ code: String, _ text: String) -> String {
        isColoured && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
