/// Rows of a label and what there is to say, the labels dim and aligned.
struct Table {
    private var rows: [(label: String, text: String)] = []

    mutating func row(_ label: String, _ text: String) { rows.append((label, text)) }

    func render(_ style: Style, indent: Int = 2) -> String {
        let width = rows.map { PlainText.width($0.label) }.max() ?? 0
        let margin = String(repeating: " ", count: indent)
        return rows.map { row in
            margin + style.dim(PlainText.pad(row.label, to: width)) + "  " + row.text
        }.joined(separator: "\n")
    }

    /// Columns of equal width under a dim heading; the last one is as wide as it is.
    static func columns(_ heading: [String], _ rows: [[String]], _ style: Style) -> String {
        let widths = heading.indices.map { column in
            ([heading] + rows).map { PlainText.width($0[column]) }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            cells.enumerated().map { index, cell in
                index == cells.count - 1 ? cell : PlainText.pad(cell, to: widths[index])
            }.joined(separator: "  ")
        }
        return ([style.dim(line(heading))] + rows.map(line)).joined(separator: "\n")
    }
}
