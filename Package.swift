// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is held to: the language's coming defaults, and no existential by accident.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
    name: "SmileAuth",
    products: [
        .executable(name: "smileauthd", targets: ["smileauthd"]),
        .executable(name: "smileauth", targets: ["smileauth"]),
        .executable(name: "smileauth-cover", targets: ["smileauth-cover"]),
        .executable(name: "smileauth-prompt", targets: ["smileauth-prompt"]),
        .executable(name: "smileauth-settings", targets: ["smileauth-settings"]),
    ],
    targets: [
        // C libraries, as pkg-config finds them.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "gobject-2.0", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CFprint", pkgConfig: "gobject-2.0", providers: [.apt(["libfprint-2-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CPam", providers: [.apt(["libpam0g-dev"])]),
        .systemLibrary(name: "CX11", pkgConfig: "xi", providers: [.apt(["libx11-dev", "libxi-dev", "libxrandr-dev"])]),
        // Brings flags along (-pthread, -msse) that SwiftPM says it leaves out; nothing needs them.
        .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        // libwayland-client and xkbcommon, with the session lock's protocol as wayland-scanner makes it.
        .target(
            name: "CWayland", exclude: ["README.md", "ext-session-lock-v1.xml"],
            linkerSettings: [.linkedLibrary("wayland-client"), .linkedLibrary("xkbcommon")]),
        // Calls of the C library that Swift's Glibc module leaves out.
        .systemLibrary(name: "CLinux"),

        // The house, from the ground up.
        library("MainLoop", ["CGLib"]),
        library("DBus", ["CDBus", "CGLib", "MainLoop"]),
        library("AuthCore"),
        // What a person reads, in the session's language.
        library("AuthTexts", ["AuthWire", "CGLib", "CLinux"]),
        library("AuthSecrets", ["AuthCore", "MainLoop", "CGLib", "CSecret", "CSodium"]),
        library("AuthAccount", ["AuthCore", "MainLoop", "CPam"]),
        library(
            "AuthFingerprint", ["AuthCore", "AuthSecrets", "MainLoop", "DBus", "CGLib", "CFprint", "CSodium"]),
        library("AuthSession", ["AuthCore", "MainLoop", "DBus", "CLinux"]),
        library("AuthWire", ["DBus", "MainLoop"]),
        // What the service, a prompt and the cover say to each other.
        library("AuthChannel", ["DBus", "MainLoop", "CLinux"]),
        library(
            "AuthService",
            [
                "AuthCore", "AuthChannel", "AuthSecrets", "AuthAccount", "AuthFingerprint", "AuthSession", "AuthTexts",
                "AuthWire", "DBus", "MainLoop", "CGLib", "CLinux",
            ]),
        // What the windows look like and are made of: drawing, colours, the desktop's wishes, GTK's widgets and signals.
        library("AuthLooks", ["AuthWire", "DBus", "MainLoop", "CGLib", "CGtk"]),
        // A client of the session lock on Wayland: its surfaces, and what a person does there.
        library("WaylandLock", ["CWayland", "MainLoop"]),
        library(
            "AuthPrompt",
            [
                "AuthChannel", "AuthLooks", "AuthTexts", "AuthWire", "DBus", "MainLoop", "WaylandLock", "CGLib", "CGtk",
                "CLinux",
            ]),
        library(
            "AuthSettings",
            ["AuthLooks", "AuthPrompt", "AuthTexts", "AuthWire", "DBus", "MainLoop", "CGLib", "CGtk", "CLinux"]),
        library("AuthCommandLine", ["AuthWire", "DBus", "MainLoop"]),
        library("AuthCover", ["AuthChannel", "AuthWire", "DBus", "MainLoop", "CX11", "CLinux"]),

        program("smileauthd", ["AuthService"]),
        program("smileauth", ["AuthCommandLine"]),
        program("smileauth-cover", ["AuthCover"]),
        program("smileauth-prompt", ["AuthPrompt"]),
        program("smileauth-settings", ["AuthSettings"]),

        .target(name: "LoopTestKit", dependencies: ["MainLoop"], path: "Tests/LoopTestKit", swiftSettings: strict),
        tests("MainLoopTests", ["MainLoop", "LoopTestKit"]),
        tests("DBusTests", ["LoopTestKit", "DBus", "CDBus", "MainLoop"]),
        .target(
            name: "AuthCoreTestKit", dependencies: ["AuthCore"], path: "Tests/AuthCoreTestKit", swiftSettings: strict),
        .executableTarget(
            name: "smileauth-soak", dependencies: ["AuthCoreTestKit"], path: "Tests/Soak", swiftSettings: strict),
        tests("AuthCoreTests", ["AuthCore", "AuthCoreTestKit"]),
        tests("AuthSecretsTests", ["LoopTestKit", "AuthSecrets", "AuthCore", "MainLoop", "CGLib"]),
        // The account suite runs it in a mount namespace with passwords of its own.
        .executableTarget(
            name: "AccountProbe", dependencies: ["AuthAccount", "AuthCore", "AuthSecrets", "MainLoop"],
            path: "Tests/AccountProbe", swiftSettings: strict),
        tests("AuthAccountTests", ["AccountProbe", "CGLib"]),
        tests(
            "AuthFingerprintTests",
            ["LoopTestKit", "AuthFingerprint", "AuthCore", "AuthSecrets", "DBus", "MainLoop", "CGLib"]),
        tests("AuthSessionTests", ["LoopTestKit", "AuthSession", "AuthCore", "DBus", "MainLoop", "CLinux"]),
        tests("AuthWireTests", ["AuthWire", "DBus", "MainLoop"]),
        tests("AuthChannelTests", ["LoopTestKit", "AuthChannel", "DBus", "MainLoop"]),
        tests("AuthPromptTests", ["AuthPrompt", "AuthLooks", "AuthChannel", "AuthWire", "DBus", "MainLoop"]),
        tests("AuthSettingsTests", ["LoopTestKit", "AuthSettings", "AuthLooks", "AuthWire", "DBus", "MainLoop"]),
        tests(
            "AuthServiceTests",
            ["LoopTestKit", "AuthService", "AuthFingerprint", "AuthCore", "AuthWire", "DBus", "MainLoop"]),
        tests("AuthCommandLineTests", ["AuthCommandLine", "AuthWire", "DBus", "MainLoop"]),
    ]
)
