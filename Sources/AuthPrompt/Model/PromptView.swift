import AuthChannel
import AuthLooks
import AuthWire
import DBus

/// What the service shows: the message `V`, typed.
struct PromptView: Equatable, Sendable {
    var view: AuthView
    var application = ""
    var isSession = false
    /// The session is locked, and this is its lock.
    var covers = false
    var takesKeys = true
    var isAnimated = false
    var parentWindow = ""
    var isBusy = false
    var looks = Looks()

    /// - Returns: nil where it is no view. Of what is missing or of another type the default holds.
    init?(_ dictionary: [String: Value]) {
        guard let view = AuthView(dictionary), view.type != nil else { return nil }
        self.view = view
        func value(_ key: ViewChannelKey) -> Value? { dictionary[key.rawValue] }
        application = value(.application)?.asString ?? ""
        isSession = value(.isSession)?.asBool ?? false
        covers = isSession && (value(.covers)?.asBool ?? false)
        // Keys count only where it says so.
        takesKeys = value(.takesKeys)?.asBool ?? false
        isAnimated = value(.animated)?.asBool ?? false
        parentWindow = value(.parentWindow)?.asString ?? ""
        isBusy = value(.busy)?.asBool ?? false
        looks = Looks(dictionary)
    }
}
