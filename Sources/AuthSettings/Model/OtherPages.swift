import AuthLooks
import AuthWire
import DBus

/// The page of what locks, as values.
struct LockingPage: Equatable, Sendable {
    struct Switch: Equatable, Sendable {
        var cause: LockState.Cause
        var row: RowState
        var isOn: Bool
    }

    /// In seconds; what the choice offers beside what is set.
    static let spans: [Double] = [0, 30, 60, 120, 300, 600, 900, 1800, 3600, 14400, 86400]

    var now: RowState
    var causes: [Switch]
    var grace: RowState
    var spans: [Double]
    var chosenSpan: Int
    var cover: String

    init(_ facts: Facts) {
        let lock = facts.state.session
        now = facts.row(
            .lockNow,
            !lock.isLockable
                ? Texts.noLock
                : lock.isAuthenticated ? Texts.open : lock.isShowingAuth ? Texts.locked : Texts.notOpenedYet,
            isSensitive: lock.isLockable)
        causes = LockState.Cause.allCases.map {
            Switch(cause: $0, row: facts.row(.cause($0)), isOn: lock.lockOn.contains($0))
        }
        grace = facts.row(.grace, Texts.graceHelp)
        spans = (Set(Self.spans).union([lock.grace])).sorted()
        chosenSpan = spans.firstIndex(of: lock.grace) ?? 0
        cover = Texts.cover(facts.cover)
    }

    static func name(_ span: Double) -> String { span == 0 ? Texts.always : Texts.span(span) }
}

/// The page of the looks, as values.
struct LooksPage: Equatable, Sendable {
    struct Picture: Equatable, Sendable {
        var item: Item
        var property: Wire.Authenticator.Property
        var name: String
        var row: RowState
    }

    var looks: Looks
    var tint: RowState
    var description: RowState
    var nightMode: RowState
    var pictures: [Picture]
    var header: RowState
    var parallax: RowState

    init(_ facts: Facts) {
        let lock = facts.state.session
        looks = Looks(lock.values)
        tint = facts.row(.tint, Texts.tintHelp)
        description = facts.row(.descriptionColour, Texts.ownColourHelp)
        nightMode = facts.row(.nightMode, Texts.nightModeHelp)
        let kinds: [(Item, Wire.Authenticator.Property, String)] = [
            (.background, .backgroundImage, Texts.fileHelp), (.logo, .appLogoName, Texts.logoHelp),
            (.fingerIcon, .touchIDIconName, Texts.pictureHelp),
        ]
        pictures = kinds.map { item, property, help in
            Picture(
                item: item, property: property, name: lock[property]?.asString ?? "", row: facts.row(item, help))
        }
        header = facts.row(.header, Texts.headerHelp)
        parallax = facts.row(.parallax, Texts.parallaxHelp)
    }
}

/// The page of the applications, as values.
struct AppsPage: Equatable, Sendable {
    struct App: Equatable, Sendable {
        var path: String
        var application: String
        var row: RowState
    }

    var apps: [App]
    /// Said where there is none.
    var none: String

    init(_ facts: Facts) {
        apps = facts.state.sortedApps.map { path, lock in
            App(path: path, application: lock.application, row: facts.row(.app(path), Self.status(lock)))
        }
        none = apps.isEmpty && facts.state.isReady ? Texts.noApps : ""
    }

    static func status(_ lock: LockState) -> String {
        var parts: [String] = []
        switch lock.store {
        case .unavailable: parts.append(Texts.unknown)
        case .lost: parts.append(Texts.storeLost)
        case .ready: parts.append(Texts.appHasPasscode)
        case .unset: parts.append(Texts.appHasNone)
        }
        if lock.isLockable { parts.append(lock.isAuthenticated ? Texts.open : Texts.locked) }
        if lock.isShowingAuth { parts.append(Texts.appAsks) }
        return parts.joined(separator: " ")
    }
}
