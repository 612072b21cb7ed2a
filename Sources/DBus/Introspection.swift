/// The introspection document of the D-Bus specification, from descriptions.
enum Introspection {
    static func document(_ interfaces: [InterfaceDescription], _ children: [String]) -> String {
        var text = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        for interface in interfaces { text += Introspection.interface(interface) }
        for child in children { text += "  <node name=\"\(child)\"/>\n" }
        return text + "</node>\n"
    }

    private static func interface(_ interface: InterfaceDescription) -> String {
        var text = "  <interface name=\"\(interface.name)\">\n"
        for method in interface.methods {
            let arguments = method.inputs.map { argument($0, "in") } + method.outputs.map { argument($0, "out") }
            text += element("method", method.name, arguments)
        }
        for signal in interface.signals {
            text += element("signal", signal.name, signal.arguments.map { argument($0) })
        }
        for property in interface.properties { text += Introspection.property(property) }
        return text + "  </interface>\n"
    }

    /// Names and signatures have no characters that XML would want escaped.
    private static func element(_ kind: String, _ name: String, _ content: [String]) -> String {
        guard !content.isEmpty else { return "    <\(kind) name=\"\(name)\"/>\n" }
        return "    <\(kind) name=\"\(name)\">\n" + content.joined() + "    </\(kind)>\n"
    }

    private static func argument(_ argument: Argument, _ direction: String? = nil) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        return "      <arg name=\"\(argument.name)\" type=\"\(argument.signature)\"\(direction)/>\n"
    }

    private static func property(_ property: PropertyDescription) -> String {
        let start =
            "    <property name=\"\(property.name)\" type=\"\(property.signature)\""
            + " access=\"\(property.access.rawValue)\""
        guard property.emitsChange != .yes else { return start + "/>\n" }
        return start + ">\n      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\""
            + " value=\"\(property.emitsChange.rawValue)\"/>\n    </property>\n"
    }
}
