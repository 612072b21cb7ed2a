/// One object that is served.
final class ObjectNode {
    let path: CName
    var interfaces: [(table: InterfaceTable, object: any ServedInterface)] = []
    var isManager = false
    /// The object manager above it knows it.
    var isManaged = true
    /// The next one in the tree's bucket.
    fileprivate var next: ObjectNode?

    fileprivate init(_ path: String) { self.path = CName(path) }

    /// The index of an interface among this object's own.
    func index(of interface: UnsafePointer<CChar>) -> Int? {
        for index in interfaces.indices where interfaces[index].table.name.equals(interface) { return index }
        return nil
    }
}

/// All objects by path; looking one up costs the same for one as for a thousand.
struct ObjectTree {
    private var buckets: [ObjectNode?] = Array(repeating: nil, count: 16)
    private var count = 0
    private var last: ObjectNode?

    /// The object at a path as it stands in a message. The one before is tried first.
    mutating func find(_ path: UnsafePointer<CChar>) -> ObjectNode? {
        if let last, last.path.equals(path) { return last }
        let hash = CName.hash(path)
        var node = buckets[Int(hash) & (buckets.count - 1)]
        while let candidate = node {
            if candidate.path.hash == hash, candidate.path.equals(path) {
                last = candidate
                return candidate
            }
            node = candidate.next
        }
        return nil
    }

    mutating func make(_ path: String) -> ObjectNode {
        if let node = path.withCString({ find($0) }) { return node }
        if count == buckets.count { grow() }
        let node = ObjectNode(path)
        insert(node)
        count += 1
        return node
    }

    mutating func remove(_ node: ObjectNode) {
        last = nil
        let index = Int(node.path.hash) & (buckets.count - 1)
        if buckets[index] === node {
            buckets[index] = node.next
        } else {
            var before = buckets[index]
            while let candidate = before, candidate.next !== node { before = candidate.next }
            guard let before else { return }
            before.next = node.next
        }
        node.next = nil
        count -= 1
    }

    /// Every object below `path`, sorted by path; for `/` all but the root.
    func below(_ path: String) -> [ObjectNode] {
        let prefix = path == "/" ? "/" : path + "/"
        var found: [ObjectNode] = []
        for bucket in buckets {
            var node = bucket
            while let candidate = node {
                if candidate.path.text.hasPrefix(prefix), candidate.path.text != "/" { found.append(candidate) }
                node = candidate.next
            }
        }
        return found.sorted { $0.path.text < $1.path.text }
    }

    /// The nearest object manager above `path`.
    mutating func manager(above path: String) -> ObjectNode? {
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), rest != "/" {
            rest = slash == rest.startIndex ? "/" : rest[..<slash]
            if let node = String(rest).withCString({ find($0) }), node.isManager { return node }
        }
        return nil
    }

    private mutating func insert(_ node: ObjectNode) {
        let index = Int(node.path.hash) & (buckets.count - 1)
        node.next = buckets[index]
        buckets[index] = node
    }

    private mutating func grow() {
        let old = buckets
        buckets = Array(repeating: nil, count: old.count * 2)
        for bucket in old {
            var node = bucket
            while let moving = node {
                node = moving.next
                insert(moving)
            }
        }
    }
}
