/// What the theme leaves to the window. Colours are the theme's, but for those of failures and successes, which have the
/// contrast of WCAG 2.1 on both its grounds.
enum SettingsStyle {
    static func sheet(isDark: Bool, isHighContrast: Bool) -> String {
        let failure = isDark ? "#ff9a8f" : "#a8071a"
        let done = isDark ? "#8fe3a8" : "#17632f"
        let line = isHighContrast ? "@theme_fg_color" : "alpha(@theme_fg_color, 0.15)"
        let dim = isHighContrast ? "@theme_fg_color" : "mix(@theme_fg_color, @theme_bg_color, 0.22)"
        return """
            .settings .card { background: @theme_base_color; border: 1px solid \(line); border-radius: 12px; }
            .settings .row { padding: 11px 14px; }
            .settings .card > .row:not(:first-child) { border-top: 1px solid \(line); }
            .settings .group-title { font-weight: bold; }
            .settings .dim, .settings .id { color: \(dim); }
            .settings .id { font-size: 0.9em; }
            .settings .hint { font-style: italic; }
            .settings .instruction { font-weight: bold; }
            .settings .done { color: \(done); font-style: normal; }
            .settings .failure { color: \(failure); font-weight: bold; }
            .settings .banner { padding: 10px 14px; border-bottom: 1px solid \(line); \
            background: alpha(@theme_selected_bg_color, 0.15); }
            .settings .banner.alert { background: alpha(\(failure), 0.14); }
            .settings .preview-frame { border: 1px solid \(line); border-radius: 14px; }
            .settings .sidebar-list > row { padding: 9px 10px; border-radius: 8px; margin: 2px 6px; }
            .settings .sidebar-list { background: none; padding: 6px 0; }
            .settings .sidebar { border-right: 1px solid \(line); background: none; }
            .settings .sidebar:dir(rtl) { border-right: none; border-left: 1px solid \(line); }
            .settings .sidebar.alone { border: none; }
            """
    }
}
