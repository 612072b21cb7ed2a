internal import AuthCore
internal import AuthSecrets
internal import Glibc
internal import MainLoop

/// The files of the prints: `<folder>/<driver>/<device id>/<finger>`, mode 0600, each replaced as a whole and durably.
///
/// Nothing that is not a print of ours is ever deleted: it stays, or is set aside as `<finger>.broken` when the finger
/// is enrolled anew.
struct PrintStore: Sendable {
    /// Absolute, as a rule `$XDG_DATA_HOME/smileauth/fingerprints`.
    let folder: String
    private let thread = WorkThread(name: "prints")

    init(folder: String) { self.folder = folder }

    enum Reading: Sendable, Equatable {
        case bytes([UInt8])
        /// There, and not to be read; why, for the log.
        case unusable(String)
    }

    /// Where one sensor's prints are.
    struct Place: Sendable, Equatable {
        let folder: String

        func path(of finger: Finger) -> String { "\(folder)/\(finger.rawValue)" }
    }

    /// - Parameters: as the device says; both are cut down to names of folders.
    func place(driver: String, deviceID: String) -> Place {
        Place(folder: "\(folder)/\(Self.name(driver))/\(Self.name(deviceID))")
    }

    /// Every finger that has a file.
    func read(_ place: Place) async -> [Finger: Reading] {
        await thread.run {
            var readings: [Finger: Reading] = [:]
            for finger in Finger.allCases {
                switch DurableFile(path: place.path(of: finger)).read() {
                case .missing: break
                case .bytes(let bytes): readings[finger] = .bytes(bytes)
                case .tooLarge: readings[finger] = .unusable("too large")
                case .unreadable(let code): readings[finger] = .unusable(String(cString: strerror(code)))
                }
            }
            return readings
        }
    }

    /// Returns once the print is on the disk.
    ///
    /// - Parameter settingAside: what stands there is no print of ours.
    /// - Returns: nil, or why it is not stored: then nothing of it is left.
    func write(_ bytes: [UInt8], of finger: Finger, to place: Place, settingAside: Bool) async -> String? {
        await thread.run {
            let file = DurableFile(path: place.path(of: finger))
            do throws(DurableFile.Failure) {
                if settingAside { try file.setAside() }
            } catch {
                return "not set aside: \(String(cString: strerror(error.code)))"
            }
            do throws(DurableFile.Failure) {
                try file.write(bytes)
            } catch {
                // Its very last step leaves the file in place.
                try? file.remove()
                return String(cString: strerror(error.code))
            }
            return nil
        }
    }

    /// - Returns: nil, or why it is not deleted.
    func remove(_ finger: Finger, from place: Place) async -> String? {
        await thread.run {
            do throws(DurableFile.Failure) {
                try DurableFile(path: place.path(of: finger)).remove()
            } catch {
                return String(cString: strerror(error.code))
            }
            return nil
        }
    }

    private static func name(_ text: String) -> String {
        let safe = text.utf8.prefix(100).map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return safe.isEmpty ? "_" : String(decoding: safe, as: UTF8.self)
    }
}
