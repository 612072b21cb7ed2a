/// The window's colours, each readable on what it lies on.
package struct Palette: Equatable, Sendable {
    package var isNight: Bool
    package var background: Colour
    package var text: Colour
    /// The description's.
    package var description: Colour
    /// Small print: who asks, and why.
    package var secondary: Colour
    /// Buttons' titles.
    package var button: Colour
    /// Circles, dots, lines, the finger.
    package var tint: Colour
    /// What went wrong.
    package var alert: Colour
    package var header: Colour
    /// 0 to 1; the header's line below it is drawn where it is opaque.
    package var headerAlpha: Double
    /// How much of `background` lies over a picture, 0 to 1.
    package var scrim: Double
    /// Lines twice as thick.
    package var isHighContrast: Bool

    /// - Parameter picture: the darkest and lightest colours of the background image; nil where there is none.
    package init(_ looks: Looks, _ desktop: DesktopStyle, picture: [Colour]? = nil) {
        let night = looks.nightMode == .on || (looks.nightMode == .auto && desktop.isDark)
        let high = desktop.isHighContrast
        isNight = night
        isHighContrast = high
        background = night ? (high ? .black : Colour(0.063, 0.063, 0.071)) : .white
        text = night ? .white : (high ? .black : Colour(0.067, 0.067, 0.075))
        let ratio = high ? Contrast.high : Contrast.text
        // What any text may come to lie on: the background, or the picture's extremes under the scrim.
        var below = [background]
        scrim = 0
        if let picture {
            // A little more than needed for plain text, so that tinted text keeps some of its colour.
            let share = Contrast.scrim(background, over: picture, for: text, ratio: ratio + 1.5)
            scrim = share
            below = picture.map { [background] in $0.blended(with: background, share) }
        }
        header = night ? Colour(0.110, 0.110, 0.118) : Colour(0.973, 0.973, 0.976)
        headerAlpha = looks.isHeaderTranslucent ? 0.35 : 1
        // The title and the cancel button lie on the header, all else on the background.
        let all = below + below.map { [header, headerAlpha] in $0.blended(with: header, headerAlpha) }
        text = Contrast.readable(text, on: all, ratio: ratio)
        let grey = night ? Colour(0.62, 0.62, 0.64) : Colour(0.40, 0.40, 0.42)
        secondary = Contrast.readable(high || picture != nil ? text : grey, on: below, ratio: ratio)
        description = Contrast.readable(looks.description ?? text, on: below, ratio: ratio)
        button = Contrast.readable(looks.tint, on: all, ratio: ratio)
        tint = Contrast.readable(looks.tint, on: below, ratio: high ? Contrast.text : Contrast.graphics)
        alert = Contrast.readable(
            night ? Colour(1, 0.45, 0.42) : Colour(0.78, 0.05, 0.10), on: below, ratio: ratio)
    }
}
