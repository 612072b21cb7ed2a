/// A value as D-Bus knows it.
///
/// The cases that would make every value large are boxed; a Boolean or a number costs no allocation.
public enum Value: Equatable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// A descriptor. Sending duplicates it, the sender keeps its own. In an incoming call or signal it is −1 (see
    /// ``MethodCall/takeDescriptor(at:)``), in a reply that was asked for descriptors it belongs to the caller.
    case unixFD(Int32)
    /// An array; `of` is the signature of one element, needed where there is none.
    case array(of: String, [Value])
    indirect case dictionary(key: String, value: String, [DictionaryEntry])
    case structure([Value])
    indirect case variant(Value)
}

/// One pair of a ``Value/dictionary(key:value:_:)``; order and doubles are kept as they came.
public struct DictionaryEntry: Equatable, Sendable {
    public var key: Value
    public var value: Value

    public init(key: Value, value: Value) {
        self.key = key
        self.value = value
    }
}

extension Value {
    /// The D-Bus type, for instance `a{sv}`.
    public var signature: String {
        switch self {
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        default: String(Unicode.Scalar(code))
        }
    }

    /// The type code: the signature's first character, `a` for dictionaries and `(` for structures.
    var code: UInt8 {
        switch self {
        case .byte: TypeCode.byte
        case .bool: TypeCode.bool
        case .int16: TypeCode.int16
        case .uint16: TypeCode.uint16
        case .int32: TypeCode.int32
        case .uint32: TypeCode.uint32
        case .int64: TypeCode.int64
        case .uint64: TypeCode.uint64
        case .double: TypeCode.double
        case .string: TypeCode.string
        case .objectPath: TypeCode.objectPath
        case .signature: TypeCode.signature
        case .unixFD: TypeCode.unixFD
        case .array, .dictionary: TypeCode.array
        case .structure: TypeCode.structureOpening
        case .variant: TypeCode.variant
        }
    }

    /// Whether this value's type is `signature`, a C string; costs no allocation for the basic types.
    func matches(_ signature: UnsafePointer<CChar>) -> Bool {
        switch self {
        case .array, .dictionary, .structure: self.signature == String(cString: signature)
        default: UInt8(bitPattern: signature[0]) == code && signature[1] == 0
        }
    }
}

/// The characters of a signature. libdbus has them as macros with a cast, which Swift does not import; and a structure
/// and a dictionary's entry have a code of their own in its iterators.
enum TypeCode {
    static let byte = UInt8(ascii: "y")
    static let bool = UInt8(ascii: "b")
    static let int16 = UInt8(ascii: "n")
    static let uint16 = UInt8(ascii: "q")
    static let int32 = UInt8(ascii: "i")
    static let uint32 = UInt8(ascii: "u")
    static let int64 = UInt8(ascii: "x")
    static let uint64 = UInt8(ascii: "t")
    static let double = UInt8(ascii: "d")
    static let string = UInt8(ascii: "s")
    static let objectPath = UInt8(ascii: "o")
    static let signature = UInt8(ascii: "g")
    static let unixFD = UInt8(ascii: "h")
    static let array = UInt8(ascii: "a")
    static let variant = UInt8(ascii: "v")
    static let structureOpening = UInt8(ascii: "(")
    /// libdbus's iterator code of a structure.
    static let structure = UInt8(ascii: "r")
    /// libdbus's iterator code of a dictionary's entry.
    static let entry = UInt8(ascii: "e")
}
