internal import AuthCore
internal import CGLib
internal import CSecret
internal import MainLoop

/// The single calls at the Secret Service, each with the deadline of the whole.
///
/// By libsecret's functions that take and give D-Bus paths: its simple ones answer "nothing" for what is locked.
@LoopActor
struct SecretSteps {
    let service: GObjectReference
    let deadline: Deadline

    private var pointer: UnsafeMutablePointer<SecretService> { UnsafeMutablePointer(service.pointer) }

    struct Hits: Sendable {
        var unlocked: [String]
        var locked: [String]
    }

    /// SearchItems: both lists.
    func search(_ attributes: [String: String]) async -> Result<Hits, StepFailure> {
        let table = GVariants.table(of: attributes)
        defer { g_hash_table_unref(table) }
        return await GioCall<Hits>.run(by: deadline) { cancellable, callback, data in
            secret_service_search_for_dbus_paths(pointer, SecretItems.schema, table, cancellable, callback, data)
        } finish: { result, error in
            var unlocked: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
            var locked: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
            guard secret_service_search_for_dbus_paths_finish(pointer, result, &unlocked, &locked, error) != 0 else {
                return nil
            }
            return Hits(unlocked: GVariants.strings(taking: unlocked), locked: GVariants.strings(taking: locked))
        }
    }

    /// GetSecrets: the text of each item; empty where it is not text. An item that is missing in the answer is a
    /// failure, as nobody knows what it holds.
    func secrets(of paths: [String]) async -> Result<[String: String], StepFailure> {
        if paths.isEmpty { return .success([:]) }
        let result = await GioCall<[String: String]>.run(by: deadline) { cancellable, callback, data in
            GVariants.withStrings(paths) { paths in
                secret_service_get_secrets_for_dbus_paths(pointer, paths, cancellable, callback, data)
            }
        } finish: { result, error in
            guard let table = secret_service_get_secrets_for_dbus_paths_finish(pointer, result, error) else {
                return nil
            }
            defer { g_hash_table_unref(table) }
            var secrets: [String: String] = [:]
            for path in paths {
                if let value = g_hash_table_lookup(table, path) { secrets[path] = Self.text(OpaquePointer(value)) }
            }
            return secrets
        }
        if case .success(let secrets) = result, secrets.count < Set(paths).count {
            return .failure(.failed("the provider did not give out every secret"))
        }
        return result
    }

    private static func text(_ value: OpaquePointer) -> String {
        var length: gsize = 0
        guard let bytes = secret_value_get(value, &length) else { return "" }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(length))
        return String(validating: buffer, as: UTF8.self) ?? ""
    }

    /// ReadAlias: the default collection; nil inside the success when there is none ("/").
    func defaultCollection() async -> Result<String?, StepFailure> {
        await GioCall<String?>.run(by: deadline) { cancellable, callback, data in
            secret_service_read_alias_dbus_path(pointer, "default", cancellable, callback, data)
        } finish: { result, error in
            guard let path = secret_service_read_alias_dbus_path_finish(pointer, result, error) else {
                // libsecret makes NULL of "/".
                return error.pointee == nil ? .some(nil) : nil
            }
            defer { g_free(path) }
            return .some(String(cString: path))
        }
    }

    func isLocked(_ collection: String) async -> Result<Bool, StepFailure> {
        let result = await property("Locked", of: "org.freedesktop.Secret.Collection", at: collection) { value in
            g_variant_classify(value) == G_VARIANT_CLASS_BOOLEAN ? g_variant_get_boolean(value) != 0 : nil
        }
        return result
    }

    func attributes(of item: String) async -> Result<[String: String], StepFailure> {
        await property("Attributes", of: "org.freedesktop.Secret.Item", at: item) { GVariants.dictionary($0) }
    }

    private func property<Value: Sendable>(
        _ name: String, of interface: String, at path: String, _ read: @escaping @LoopActor (OpaquePointer) -> Value?
    ) async -> Result<Value, StepFailure> {
        let bus = g_dbus_proxy_get_connection(GVariants.proxy(service.pointer))!
        return await GioCall<Value>.run(by: deadline) { cancellable, callback, data in
            g_dbus_connection_call(
                bus, SecretProvider.busName, path, "org.freedesktop.DBus.Properties", "Get",
                GVariants.tuple(interface, name), GVariants.variantReply, G_DBUS_CALL_FLAGS_NONE, -1, cancellable,
                callback, data)
        } finish: { result, error in
            guard let reply = g_dbus_connection_call_finish(bus, result, error) else { return nil }
            defer { g_variant_unref(reply) }
            return GVariants.unwrapped(reply, read)
        }
    }

    /// CreateItem, replace false. After a failure it may be there all the same: read back.
    func create(_ secret: String, label: String, attributes: [String: String], in collection: String) async
        -> Result<String, StepFailure>
    {
        let properties = GVariants.itemProperties(label: label, attributes: attributes)
        defer { g_hash_table_unref(properties) }
        guard let value = secret_value_new(secret, gssize(secret.utf8.count), "text/plain") else {
            return .failure(.failed("no memory"))
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        return await GioCall<String>.run(by: deadline) { cancellable, callback, data in
            secret_service_create_item_dbus_path(
                pointer, collection, properties, value, SECRET_ITEM_CREATE_NONE, cancellable, callback, data)
        } finish: { result, error in
            guard let path = secret_service_create_item_dbus_path_finish(pointer, result, error) else { return nil }
            defer { g_free(path) }
            return String(cString: path)
        }
    }

    /// Item.Delete, with the provider's prompt if it wants one. After a failure it may be gone all the same.
    func delete(_ item: String) async -> Result<Void, StepFailure> {
        await GioCall<Void>.run(by: deadline) { cancellable, callback, data in
            secret_service_delete_item_dbus_path(pointer, item, cancellable, callback, data)
        } finish: { result, error in
            secret_service_delete_item_dbus_path_finish(pointer, result, error) != 0 ? () : nil
        }
    }

    /// Service.Unlock, with the provider's prompt.
    ///
    /// - Returns: whether it is unlocked; false when the person said no.
    func unlock(_ collection: String) async -> Result<Bool, StepFailure> {
        await GioCall<Bool>.run(by: deadline, endsWithTask: true) { cancellable, callback, data in
            GVariants.withStrings([collection]) { paths in
                secret_service_unlock_dbus_paths(pointer, paths, cancellable, callback, data)
            }
        } finish: { result, error in
            let count = secret_service_unlock_dbus_paths_finish(pointer, result, nil, error)
            return error.pointee == nil ? count > 0 : nil
        }
    }
}
