import AuthLooks

/// A rectangle in surface pixels.
struct LockBox: Equatable {
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0

    func contains(_ x: Double, _ y: Double) -> Bool {
        x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }

    func inset(_ distance: Double) -> LockBox {
        LockBox(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
    }
}

/// Where everything is on the lock's surface. Measures are those of the window (Views/PromptWindow.swift,
/// AuthLooks/Style.swift), smaller where they do not fit: nothing is ever cut off or out of reach.
struct LockLayout: Equatable {
    struct Label: Equatable {
        var text: String
        var style: LockTextStyle
        var box: LockBox
        var isOneLine = false
    }

    struct Control: Equatable {
        enum Kind: Equatable { case plain, choice, finger }
        var button: PromptModel.Button
        var title: String
        var kind: Kind
        var box: LockBox
        var isSensitive = true
        var isPicked = false
    }

    /// An em, in surface pixels, of texts at their usual size.
    static let em = 11.0 * 96 / 72
    /// How much smaller everything is made at a time, where it does not fit; and where that ends: nobody reads it.
    private static let step = 0.92
    private static let smallest = 0.08

    /// Of all measures.
    var unit = 1.0
    var header = LockBox()
    var labels: [Label] = []
    var controls: [Control] = []
    /// The row, the field or the pad, with the room that it moves in.
    var entry: LockBox?
    var logo: LockBox?
    /// The finger's picture, within its button.
    var finger: LockBox?

    var em: Double { LockLayout.em * unit }

    func control(at x: Double, _ y: Double) -> Control? {
        controls.first { $0.isSensitive && $0.box.contains(x, y) }
    }

    func control(_ button: PromptModel.Button) -> Control? { controls.first { $0.button == button } }

    /// In the order in which Tab visits them; the entry comes before them.
    var order: [PromptModel.Button] {
        let all = controls.filter(\.isSensitive).map(\.button)
        return all.filter { $0 != .cancel } + all.filter { $0 == .cancel }
    }

    // MARK: making

    /// - Parameters:
    ///   - logo: the size of the logo, where one stands in the title's place.
    ///   - picture: the size of the finger's picture, where it is not our own.
    static func make(
        _ screen: Screen, width: Double, height: Double, textScale: Double, isRightToLeft: Bool, logo: LockSize?,
        picture: LockSize?, _ measure: any LockMeasure
    ) -> LockLayout {
        var unit = textScale
        while true {
            let maker = LockLayoutMaker(
                screen: screen, width: width, height: height, unit: unit, isRightToLeft: isRightToLeft, logo: logo,
                picture: picture, measure: measure)
            let (layout, fits) = maker.make()
            if fits || unit < smallest { return layout }
            unit *= step
        }
    }
}
