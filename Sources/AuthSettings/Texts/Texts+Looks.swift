internal import AuthTexts

/// The pages of the looks and of the applications.
extension Texts {
    static var preview: String { translated("Preview") }
    static var colours: String { translated("Colours") }
    static var tint: String { translated("_Tint") }
    static var tintHelp: String { translated("Circles, dots and buttons.") }
    static var ownColour: String { translated("Own colour for the _description") }
    static var ownColourHelp: String { translated("Otherwise it is dark by day and light at night.") }
    static var colour: String { translated("Colo_ur of the description") }
    static var nightMode: String { translated("_Night") }
    static var nightModeHelp: String { translated("Light letters on a dark ground.") }
    static func nightMode(_ mode: String) -> String {
        switch mode {
        case "on": translated("Always night")
        case "off": translated("Never night")
        default: translated("As the desktop")
        }
    }
    static var reset: String { translated("Reset") }
    static var resetTint: String { translated("Reset the tint") }

    static var pictures: String { translated("Pictures") }
    static var background: String { translated("_Background") }
    static var logo: String { translated("Lo_go") }
    static var fingerIcon: String { translated("Finger _icon") }
    static var pictureHelp: String { translated("A file, or the name of an icon of your desktop.") }
    static var logoHelp: String { translated("In the title’s place. A file, or the name of an icon of your desktop.") }
    static var fileHelp: String { translated("A picture file, behind everything.") }
    static var none: String { translated("None") }
    static var choose: String { translated("Choose…") }
    static func choose(_ title: String) -> String { translated("Choose: %s").filled("%s", with: title) }
    static var remove: String { translated("Remove") }
    static func remove(_ title: String) -> String { translated("Remove: %s").filled("%s", with: title) }
    static var images: String { translated("Picture files") }
    static var noPicture: String { translated("There is no usable picture or icon of this name.") }

    static var motion: String { translated("Depth") }
    static var header: String { translated("T_ranslucent header") }
    static var headerHelp: String { translated("The picture shines through behind the title.") }
    static var parallax: String { translated("Follo_w the pointer") }
    static var parallaxHelp: String { translated("The picture and the circles move a little with it.") }

    // MARK: applications

    static var appsGroup: String { translated("Locks of Applications") }
    static var appsHelp: String { translated("Each has a passcode and settings of its own.") }
    static var noApps: String { translated("No application has a lock here.") }
    static var appHasPasscode: String { translated("A passcode is set.") }
    static var appHasNone: String { translated("No passcode is set.") }
    static var appAsks: String { translated("It is asking now.") }
    static var removeApp: String { translated("Remove…") }
    static func removeQuestion(_ name: String) -> String {
        // Translators: an application's name or id.
        translated("Remove the lock of %s?").filled("%s", with: "\u{2068}" + name + "\u{2069}")
    }
    static var removeHelp: String { translated("Its passcode, its settings and what it remembers of your fingers go.") }
    static var removeYes: String { translated("_Remove") }
}
