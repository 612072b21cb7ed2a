import Glibc

/// Where the 3×3 pad's dots are, and which of them a pointer touches. Dots are 1 to 9, row by row. In pixels.
package struct PadGeometry: Equatable, Sendable {
    package let side: Double
    package let left: Double
    package let top: Double

    /// The pad is the largest square in the room's middle.
    package init(width: Double, height: Double) {
        side = max(0, min(width, height))
        left = (width - side) / 2
        top = (height - side) / 2
    }

    /// The side of one dot's field.
    package var cell: Double { side / 3 }
    package var ringRadius: Double { cell * 0.24 }
    package var dotRadius: Double { cell * 0.07 }
    /// A dot is touched within this distance: neighbours' fields do not meet, so a diagonal passes between two.
    package var reach: Double { cell * 0.36 }

    package func centre(of dot: Int) -> (x: Double, y: Double) {
        let (row, column) = ((dot - 1) / 3, (dot - 1) % 3)
        return (left + (Double(column) + 0.5) * cell, top + (Double(row) + 0.5) * cell)
    }

    package func dot(at x: Double, _ y: Double) -> Int? {
        (1...9).first {
            let centre = centre(of: $0)
            return hypot(x - centre.x, y - centre.y) <= reach
        }
    }

    /// The dots that a straight stroke touches, in its order: a fast pointer leaves gaps.
    package func dots(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) -> [Int] {
        let length = hypot(end.x - start.x, end.y - start.y)
        let steps = max(1, Int((length / max(1, reach / 4)).rounded(.up)))
        var found: [Int] = []
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            let touched = dot(at: start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
            if let touched, found.last != touched { found.append(touched) }
        }
        return found
    }

    /// The dot half-way between two others, if there is one: a straight move takes it along.
    package static func between(_ first: Int, _ second: Int) -> Int? {
        let (rows, columns) = ((first - 1) / 3 + (second - 1) / 3, (first - 1) % 3 + (second - 1) % 3)
        guard first != second, rows % 2 == 0, columns % 2 == 0 else { return nil }
        return rows / 2 * 3 + columns / 2 + 1
    }
}
