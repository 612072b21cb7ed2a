import AuthWire
package import DBus

/// What the window's colours come from: the authenticator's looks and the desktop's wishes.
package struct Looks: Equatable, Sendable {
    package enum NightMode: String, Sendable { case auto, on, off }

    /// `#ff2d55` where the authenticator's is none.
    package var tint = Colour(1, 45.0 / 255, 85.0 / 255)
    /// Wins over the night mode's; nil for that.
    package var description: Colour?
    /// An icon's name or an absolute path; empty for our own.
    package var fingerIcon = ""
    package var logo = ""
    package var backgroundImage = ""
    package var isHeaderTranslucent = false
    package var hasParallax = true
    package var nightMode = NightMode.auto

    package init() {}
}

/// How the desktop is set up; it may change at any time.
package struct DesktopStyle: Equatable, Sendable {
    package var isDark: Bool
    package var isHighContrast: Bool
    package var hasAnimations: Bool
    /// Of texts, 1 for the usual size; where the portal tells.
    package var textScale: Double

    package init(
        isDark: Bool = false, isHighContrast: Bool = false, hasAnimations: Bool = true, textScale: Double = 1
    ) {
        self.isDark = isDark
        self.isHighContrast = isHighContrast
        self.hasAnimations = hasAnimations
        self.textScale = textScale
    }
}

extension Looks {
    /// - Parameter dictionary: by the names of the Authenticator's properties.
    package init(_ dictionary: [String: Value]) {
        func text(_ property: Wire.Authenticator.Property) -> String { dictionary[property.rawValue]?.asString ?? "" }
        func flag(_ property: Wire.Authenticator.Property) -> Bool? { dictionary[property.rawValue]?.asBool }
        tint = Colour(text(.tintColor)) ?? tint
        description = Colour(text(.descriptionTextColor))
        fingerIcon = text(.touchIDIconName)
        logo = text(.appLogoName)
        backgroundImage = text(.backgroundImage)
        isHeaderTranslucent = flag(.navibarTranslucent) ?? false
        hasParallax = flag(.parallaxMode) ?? true
        nightMode = NightMode(rawValue: text(.nightMode)) ?? .auto
    }
}
