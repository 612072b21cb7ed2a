/// The window's style sheet, made of a palette. Sizes are in em, so that they follow the desktop's text size.
package enum Style {
    /// - Parameter scope: the selector of what it is for; empty for every window of the program.
    package static func sheet(_ colours: Palette, isHeaderLined: Bool, scope: String = "") -> String {
        let sheet = sheet(colours, isHeaderLined: isHeaderLined)
        guard !scope.isEmpty else { return sheet }
        // A rule a line, as below.
        return sheet.split(separator: "\n").map { rule in
            let parts = rule.split(separator: "{", maxSplits: 1)
            let selectors = parts[0].split(separator: ",").map { selector in
                let name = String(selector).trimmingSpaces
                return name == "window.smileauth" ? scope : scope + " " + name
            }
            return selectors.joined(separator: ", ") + " {" + parts[1]
        }.joined(separator: "\n")
    }

    private static func sheet(_ colours: Palette, isHeaderLined: Bool) -> String {
        let line = colours.text.css(alpha: colours.isHighContrast ? 1 : 0.14)
        let border = isHeaderLined ? "border-bottom: 1px solid \(line);" : ""
        let frame = colours.isHighContrast ? "border: 1px solid currentColor;" : ""
        return """
            window.smileauth { background: \(colours.background.css()); color: \(colours.text.css()); }
            .header { background: \(colours.header.css(alpha: colours.headerAlpha)); min-height: 48px; padding: 0 6px; \
            \(border) }
            .title { color: \(colours.text.css()); font-weight: 600; font-size: 1.15em; }
            .description { color: \(colours.description.css()); font-size: 1.3em; }
            .alert { color: \(colours.alert.css()); font-size: 1.3em; }
            .silent { font-size: 1px; }
            .small { color: \(colours.secondary.css()); font-size: 0.95em; }
            .wait { color: \(colours.text.css()); font-size: 1.15em; font-feature-settings: "tnum"; }
            button { background: none; border: none; box-shadow: none; outline: none; text-shadow: none; \
            color: \(colours.button.css()); font-weight: 400; padding: 6px 12px; min-height: 26px; \
            border-radius: 9px; -gtk-icon-shadow: none; \(frame) }
            button label { color: inherit; }
            button:hover { background: \(colours.tint.css(alpha: 0.10)); }
            button:active { background: \(colours.tint.css(alpha: 0.20)); }
            button:disabled { color: \(colours.secondary.css()); }
            button:focus-visible { outline: 2px solid \(colours.tint.css()); outline-offset: -2px; }
            button.choice { border: 1px solid \(colours.tint.css(alpha: 0.6)); padding: 4px 14px; }
            button.choice.picked { background: \(colours.tint.css(alpha: 0.16)); \
            border-color: \(colours.tint.css()); font-weight: 600; }
            button.finger { padding: 10px 18px; }
            button.finger label { font-size: 0.95em; }
            scrolledwindow, viewport, overlay { background: none; border: none; box-shadow: none; }
            scrollbar { background: none; border: none; }
            scrollbar slider { background: \(colours.text.css(alpha: 0.4)); border: none; border-radius: 3px; \
            min-width: 5px; min-height: 30px; margin: 2px; }
            scrolledwindow undershoot, scrolledwindow overshoot { background: none; box-shadow: none; }
            """
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
