internal import CGLib
import Glibc

/// What reading one of our files found.
public enum KeyFileReading: Sendable, Equatable {
    case missing
    /// There, read in full, and not one of ours; why, for the log.
    case broken(String)
    /// There, or perhaps there, and not to be read; an `errno`.
    case unreadable(Int32)
    case fields([String: String])
}

/// A file of `key=value` lines in one group, by GKeyFile: text a person can read, where keys that a newer version
/// wrote are kept.
///
/// Every call blocks: for a ``WorkThread`` only.
struct KeyFile: Sendable {
    private static let group = "smileauth"
    private let file: DurableFile

    /// - Parameter path: absolute.
    init(path: String) { file = DurableFile(path: path) }

    func read() -> KeyFileReading {
        switch load() {
        case .missing: return .missing
        case .broken(let why): return .broken(why)
        case .unreadable(let code): return .unreadable(code)
        case .loaded(let keys): return keys.fields().map { .fields($0) } ?? .broken("a value is not text")
        }
    }

    /// Sets `fields`, drops the keys in `removed`, keeps every other key, and writes the file durably. A broken file
    /// is set aside first, as `<name>.broken`, and said.
    ///
    /// - Returns: false when that did not work, which includes a file that cannot be read: the keys in it would be lost.
    func write(_ fields: [String: String], removing removed: [String] = [], log: (String) -> Void) -> Bool {
        guard fields.allSatisfy({ Self.isKey($0.key) && !$0.value.utf8.contains(0) }) else { return false }
        let keys: Keys
        switch load() {
        case .missing: keys = Keys()
        case .loaded(let loaded): keys = loaded
        case .unreadable: return false
        case .broken(let why):
            guard setAside(why, log: log) else { return false }
            keys = Keys()
        }
        for key in removed { g_key_file_remove_key(keys.pointer, Self.group, key, nil) }
        for (key, value) in fields { g_key_file_set_string(keys.pointer, Self.group, key, value) }
        do throws(DurableFile.Failure) {
            try file.write(keys.data())
            return true
        } catch {
            log("\(file.path): not written: \(String(cString: strerror(error.code)))")
            return false
        }
    }

    /// Renames a broken file to `<name>.broken`, and says so.
    func setAside(_ why: String, log: (String) -> Void) -> Bool {
        do throws(DurableFile.Failure) {
            try file.setAside()
            log("\(file.path): broken (\(why)); set aside as \(file.path).broken")
            return true
        } catch {
            log("\(file.path): broken (\(why)), and not to be set aside: \(String(cString: strerror(error.code)))")
            return false
        }
    }

    /// - Returns: whether the file is gone durably.
    func remove() -> Bool {
        do throws(DurableFile.Failure) {
            try file.remove()
            return true
        } catch {
            return false
        }
    }

    private enum Loaded {
        case missing
        case broken(String)
        case unreadable(Int32)
        case loaded(Keys)
    }

    private func load() -> Loaded {
        switch file.read() {
        case .missing: return .missing
        case .tooLarge: return .broken("too large")
        case .unreadable(let code): return .unreadable(code)
        case .bytes(let bytes):
            // We end every line; one without an end is a file that was cut off.
            guard bytes.last == UInt8(ascii: "\n") else { return .broken("cut off") }
            guard !bytes.contains(0) else { return .broken("not text") }
            guard let keys = Keys(bytes), g_key_file_has_group(keys.pointer, Self.group) != 0 else {
                return .broken("not a key file")
            }
            return .loaded(keys)
        }
    }

    private static func isKey(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Owns a GKeyFile.
    private final class Keys {
        let pointer: OpaquePointer = g_key_file_new()
        init() {}
        deinit { g_key_file_unref(pointer) }

        init?(_ bytes: [UInt8]) {
            let loaded = bytes.withUnsafeBytes { bytes in
                g_key_file_load_from_data(
                    pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), gsize(bytes.count),
                    GKeyFileFlags(G_KEY_FILE_KEEP_COMMENTS.rawValue), nil)
            }
            if loaded == 0 { return nil }
        }

        /// nil when a value has an escape or bytes that GKeyFile does not know.
        func fields() -> [String: String]? {
            var count: gsize = 0
            guard let keys = g_key_file_get_keys(pointer, KeyFile.group, &count, nil) else { return nil }
            defer { g_strfreev(keys) }
            var fields: [String: String] = [:]
            for index in 0..<Int(count) {
                guard let key = keys[index], let value = g_key_file_get_string(pointer, KeyFile.group, key, nil) else {
                    return nil
                }
                defer { g_free(value) }
                fields[String(cString: key)] = String(cString: value)
            }
            return fields
        }

        func data() -> [UInt8] {
            var length: gsize = 0
            guard let text = g_key_file_to_data(pointer, &length, nil) else { return [] }
            defer { g_free(text) }
            return [UInt8](UnsafeRawBufferPointer(start: text, count: Int(length)))
        }
    }
}
