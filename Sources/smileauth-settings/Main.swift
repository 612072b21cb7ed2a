import AuthSettings

@main
struct Main {
    static func main() { Program.run() }
}
