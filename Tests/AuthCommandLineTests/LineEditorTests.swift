import MainLoop
import Testing

@testable import AuthCommandLine

@Suite struct LineEditorTests {
    private func type(_ bytes: [UInt8], _ editor: inout LineEditor, _ buffer: SecretBuffer) -> LineEditor.Event {
        var last = LineEditor.Event.none
        for byte in bytes { last = editor.take(byte, into: buffer) }
        return last
    }

    private func entry(_ bytes: [UInt8]) throws -> [UInt8] {
        var editor = LineEditor()
        let buffer = try #require(SecretBuffer())
        #expect(type(bytes + [0x0a], &editor, buffer) == .entry)
        return buffer.withBytes { Array($0) }
    }

    @Test func editsWithoutBeingSeen() throws {
        #expect(try entry(Array("1234".utf8)) == Array("1234".utf8))
        #expect(try entry(Array("12\u{7f}\u{8}34".utf8)) == Array("34".utf8))
        #expect(try entry(Array("wrong\u{15}right".utf8)) == Array("right".utf8))
        #expect(try entry(Array("ab\u{17}cd".utf8)) == Array("cd".utf8))
        // A whole character goes, not its last byte.
        #expect(try entry(Array("aé\u{7f}b".utf8)) == Array("ab".utf8))
        #expect(try entry(Array("a你\u{7f}".utf8)) == Array("a".utf8))
    }

    @Test func keysThatAreNoTextAreNoEntry() throws {
        #expect(try entry(Array("1\u{1b}[A2\u{1b}[3~3\u{1b}OP4\t\u{1}".utf8)) == Array("1234".utf8))
    }

    @Test func tooLongIsSaidAndForgotten() throws {
        var editor = LineEditor()
        let buffer = try #require(SecretBuffer())
        let most = [UInt8](repeating: 0x61, count: SecretBuffer.capacity - 1)
        #expect(type(most + [0x0a], &editor, buffer) == .entry)
        buffer.removeAll()
        for length in [SecretBuffer.capacity, 10_000] {
            #expect(type([UInt8](repeating: 0x61, count: length) + [0x0d], &editor, buffer) == .tooLong)
            #expect(buffer.isEmpty)
        }
        #expect(type(Array("ok\n".utf8), &editor, buffer) == .entry)
    }

    @Test func controlDEndsAnEmptyLineOnly() throws {
        var editor = LineEditor()
        let buffer = try #require(SecretBuffer())
        #expect(editor.take(0x04, into: buffer) == .end)
        #expect(type([0x31, 0x04], &editor, buffer) == .none)
    }
}
