import AuthPrompt

@main
struct Main {
    static func main() { Program.run() }
}
