public import MainLoop

/// One interface of one object that is served.
@LoopActor
public protocol ServedInterface: AnyObject {
    var description: InterfaceDescription { get }

    /// A method of ``description`` has been called, with arguments of its types. Must reply or fail once, now or
    /// later; a call that is let go without is answered Failed.
    func call(_ call: MethodCall)

    /// A property's value now, of the type described. Nil answers Failed, and leaves it out of GetAll.
    func get(_ property: String) -> Value?

    /// The same for the property at `index` of ``description``: what the server calls. Worth having where reading
    /// must be quick, as it spares the comparison of names.
    func get(_ property: String, at index: Int) -> Value?

    /// Sets a property that may be written to a value of its type. Must reply or fail as ``call(_:)``.
    func set(_ property: String, to value: Value, _ call: MethodCall)
}

extension ServedInterface {
    public func get(_ property: String) -> Value? { nil }
    public func get(_ property: String, at index: Int) -> Value? { get(property) }

    public func set(_ property: String, to value: Value, _ call: MethodCall) {
        call.fail(.propertyReadOnly("\(property) cannot be set"))
    }
}

/// What ``ObjectServer/gate`` says of a call.
public enum GateDecision: Sendable {
    case proceed
    /// The gate keeps the call and hands it to ``ObjectServer/dispatch(_:)`` later, or fails it.
    case held
    case refuse(DBusFailure)
}
