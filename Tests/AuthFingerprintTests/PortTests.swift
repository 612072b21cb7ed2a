import AuthCore
import Testing

@Test func fingersHaveFprintdsNamesInTheirOrder() {
    #expect(Finger.allCases.first?.rawValue == "left-thumb")
    #expect(Finger.allCases.sorted() == Finger.allCases)
    #expect(Finger(rawValue: "right-index-finger") == .rightIndex)
}
