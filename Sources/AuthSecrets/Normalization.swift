internal import CGLib
internal import CSodium

/// Unicode Normalization Form C in locked memory only.
///
/// `g_utf8_normalize` would do, but frees its working copy of the text unwiped. These are its parts.
enum Normalization {
    /// A character's full canonical decomposition has 4 scalars at most (G_UNICHAR_MAX_DECOMPOSITION_LENGTH says 18,
    /// compatibility forms included).
    private static let longestDecomposition = 18

    /// - Returns: nil when `bytes` are not UTF-8, hold a NUL, or memory cannot be had.
    static func composed(_ bytes: UnsafeRawBufferPointer) -> SodiumPasscode? {
        if bytes.allSatisfy({ $0 != 0 && $0 < 0x80 }) { return SodiumPasscode(bytes: bytes) }
        let text = bytes.assumingMemoryBound(to: CChar.self)
        // With a length given, a NUL inside counts as invalid (glib: "Unicode Manipulation").
        guard let start = text.baseAddress, g_utf8_validate(start, gssize(text.count), nil) != 0 else { return nil }

        let room = Int(g_utf8_strlen(start, gssize(text.count))) * longestDecomposition
        guard let memory = sodium_allocarray(room, MemoryLayout<gunichar>.stride) else { return nil }
        defer { sodium_free(memory) }
        let first = memory.bindMemory(to: gunichar.self, capacity: room)
        let scalars = UnsafeMutableBufferPointer(start: first, count: room)
        let decomposed = decompose(start, start + text.count, into: scalars)
        g_unicode_canonical_ordering(scalars.baseAddress, gsize(decomposed))
        let length = compose(UnsafeMutableBufferPointer(rebasing: scalars[..<decomposed]))

        return SodiumPasscode(count: length * 4) { output in
            var used = 0
            for scalar in scalars[..<length] {
                let place = output.baseAddress!.advanced(by: used).assumingMemoryBound(to: CChar.self)
                used += Int(g_unichar_to_utf8(scalar, place))
            }
            return used
        }
    }

    private static func decompose(
        _ start: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>, into scalars: UnsafeMutableBufferPointer<gunichar>
    ) -> Int {
        var count = 0
        var next = start
        while next < end {
            let place = scalars.baseAddress! + count
            count += Int(g_unichar_fully_decompose(g_utf8_get_char(next), 0, place, gsize(longestDecomposition)))
            // With an end given it does not look at the byte behind the last one, where the guard page is.
            guard let following = g_utf8_find_next_char(next, end) else { break }
            next = UnsafePointer(following)
        }
        return count
    }

    /// The canonical composition algorithm (The Unicode Standard, section 3.11, D117) in place.
    ///
    /// - Returns: how many scalars are left.
    private static func compose(_ scalars: UnsafeMutableBufferPointer<gunichar>) -> Int {
        var starter: Int?
        var lastClass: gint = 0
        var kept = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            let combining = g_unichar_combining_class(scalar)
            if let starter {
                // Blocked: something of the same or a higher class, or another starter, stands between.
                let isAdjacent = kept == starter + 1
                var composite: gunichar = 0
                if isAdjacent || (lastClass != 0 && lastClass < combining),
                    g_unichar_compose(scalars[starter], scalar, &composite) != 0
                {
                    scalars[starter] = composite
                    continue
                }
            }
            if combining == 0 { starter = kept }
            lastClass = combining
            scalars[kept] = scalar
            kept += 1
        }
        return kept
    }
}
