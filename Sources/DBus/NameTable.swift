import Glibc

/// A C string of our own, which lives as long as this does.
final class CName: @unchecked Sendable {  // nothing in it ever changes
    let text: String
    let bytes: UnsafeMutablePointer<CChar>
    let hash: UInt32

    init(_ text: String) {
        self.text = text
        let count = text.utf8.count
        bytes = .allocate(capacity: count + 1)
        for (index, byte) in text.utf8.enumerated() { bytes[index] = CChar(bitPattern: byte) }
        bytes[count] = 0
        hash = CName.hash(bytes)
    }

    deinit { bytes.deallocate() }

    /// FNV-1a.
    static func hash(_ bytes: UnsafePointer<CChar>) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        var next = bytes
        while next.pointee != 0 {
            hash = (hash ^ UInt32(UInt8(bitPattern: next.pointee))) &* 16_777_619
            next += 1
        }
        return hash
    }

    func equals(_ other: UnsafePointer<CChar>) -> Bool { strcmp(bytes, other) == 0 }
}

/// Finds a C string among a few dozen names, without making a Swift string of it: a property is read often.
final class NameTable {
    private let names: [CName]
    private let hashes: UnsafeMutablePointer<UInt32>

    init(_ texts: [String]) {
        names = texts.map(CName.init)
        hashes = .allocate(capacity: max(1, names.count))
        for (index, name) in names.enumerated() { hashes[index] = name.hash }
    }

    deinit { hashes.deallocate() }

    subscript(index: Int) -> CName { names[index] }

    func index(of text: UnsafePointer<CChar>) -> Int? {
        let hash = CName.hash(text)
        for index in 0..<names.count where hashes[index] == hash && names[index].equals(text) { return index }
        return nil
    }
}
