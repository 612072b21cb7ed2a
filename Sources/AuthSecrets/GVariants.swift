internal import CGLib

/// The few GVariants and GHashTables that the Secret Service's calls want, in one place: GLib's own ways to make them
/// are variadic.
enum GVariants {
    typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>
    typealias Table = OpaquePointer

    /// `(v)`: what Properties.Get answers.
    nonisolated(unsafe) static let variantReply: OpaquePointer? = g_variant_type_new("(v)")

    static func proxy(_ pointer: OpaquePointer) -> UnsafeMutablePointer<GDBusProxy> { UnsafeMutablePointer(pointer) }

    /// Takes a NULL-terminated array over and frees it.
    static func strings(taking array: Strings?) -> [String] {
        guard let array else { return [] }
        defer { g_strfreev(array) }
        var strings: [String] = []
        var index = 0
        while let string = array[index] {
            strings.append(String(cString: string))
            index += 1
        }
        return strings
    }

    /// Lends a NULL-terminated array.
    static func withStrings(_ strings: [String], _ body: (UnsafeMutablePointer<UnsafePointer<gchar>?>) -> Void) {
        let copies = strings.map { g_strdup($0) }
        defer { for copy in copies { g_free(copy) } }
        var array = copies.map { UnsafePointer<gchar>($0) } + [nil]
        array.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// Strings to strings. The caller unrefs it.
    static func table(of strings: [String: String]) -> Table {
        let table = g_hash_table_new_full(g_str_hash, g_str_equal, { g_free($0) }, { g_free($0) })!
        for (key, value) in strings { g_hash_table_insert(table, g_strdup(key), g_strdup(value)) }
        return table
    }

    /// CreateItem's properties. The caller unrefs it.
    static func itemProperties(label: String, attributes: [String: String]) -> Table {
        let table = g_hash_table_new_full(
            g_str_hash, g_str_equal, { g_free($0) }, { g_variant_unref(OpaquePointer($0!)) })!
        func insert(_ name: String, _ value: OpaquePointer) {
            let owned = UnsafeMutableRawPointer(g_variant_ref_sink(value))
            g_hash_table_insert(table, g_strdup("org.freedesktop.Secret.Item." + name), owned)
        }
        insert("Label", g_variant_new_string(label))
        insert("Attributes", dictionary(attributes))
        return table
    }

    /// A floating `a{ss}`.
    static func dictionary(_ strings: [String: String]) -> OpaquePointer {
        var entries: [OpaquePointer?] = strings.map { key, value in
            g_variant_new_dict_entry(g_variant_new_string(key), g_variant_new_string(value))
        }
        let type = g_variant_type_new("{ss}")
        defer { g_variant_type_free(type) }
        return g_variant_new_array(type, &entries, gsize(entries.count))
    }

    /// A floating `(ss)`.
    static func tuple(_ first: String, _ second: String) -> OpaquePointer {
        var children: [OpaquePointer?] = [g_variant_new_string(first), g_variant_new_string(second)]
        return g_variant_new_tuple(&children, 2)
    }

    /// Reads an `a{ss}`; nil for any other type.
    static func dictionary(_ value: OpaquePointer) -> [String: String]? {
        guard String(cString: g_variant_get_type_string(value)) == "a{ss}" else { return nil }
        var strings: [String: String] = [:]
        for index in 0..<g_variant_n_children(value) {
            guard let entry = g_variant_get_child_value(value, index) else { return nil }
            defer { g_variant_unref(entry) }
            guard let key = g_variant_get_child_value(entry, 0) else { return nil }
            defer { g_variant_unref(key) }
            guard let text = g_variant_get_child_value(entry, 1) else { return nil }
            defer { g_variant_unref(text) }
            strings[String(cString: g_variant_get_string(key, nil))] = String(cString: g_variant_get_string(text, nil))
        }
        return strings
    }

    /// Lends what a `(v)` holds.
    static func unwrapped<Value>(_ reply: OpaquePointer, _ body: (OpaquePointer) -> Value?) -> Value? {
        guard let boxed = g_variant_get_child_value(reply, 0) else { return nil }
        defer { g_variant_unref(boxed) }
        guard let value = g_variant_get_variant(boxed) else { return nil }
        defer { g_variant_unref(value) }
        return body(value)
    }
}
