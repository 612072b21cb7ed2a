import AuthCover

@main
struct Main {
    static func main() { CoverProgram.main() }
}
