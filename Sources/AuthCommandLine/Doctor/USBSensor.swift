import Glibc

/// A fingerprint sensor on the USB that libfprint has a driver for, whoever may open it.
struct USBSensor: Equatable {
    let vendor: UInt16
    let product: UInt16
    /// libfprint's driver, where its list says so.
    let driver: String
    /// `/dev/bus/usb/BBB/DDD`.
    let node: String
    let canBeOpened: Bool

    /// As lsusb writes it, and the driver: `04f3:0903 (elan)`.
    var name: String {
        "\(USBSensor.hex(vendor)):\(USBSensor.hex(product))" + (driver.isEmpty ? "" : " (\(driver))")
    }

    private static func hex(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Looks through the devices that the kernel knows.
    ///
    /// - Parameters:
    ///   - devices: sysfs's folder of USB devices: `idVendor`, `idProduct`, `busnum` and `devnum` in each.
    ///   - nodes: the folder of the device nodes.
    ///   - lists: folders with libfprint's list of what it drives, in the form of hwdb(7).
    static func all(
        devices: String = "/sys/bus/usb/devices", nodes: String = "/dev/bus/usb",
        lists: [String] = ["/usr/lib/udev/hwdb.d", "/lib/udev/hwdb.d", "/etc/udev/hwdb.d"]
    ) -> [USBSensor] {
        let drivers = drivers(lists)
        return Folder.names(devices).sorted().compactMap { name in
            func number(_ file: String, radix: Int) -> Int? {
                guard let text = SmallFile.read("\(devices)/\(name)/\(file)") else { return nil }
                return Int(text.filter { !$0.isWhitespace }, radix: radix)
            }
            guard let vendor = number("idVendor", radix: 16).flatMap({ UInt16(exactly: $0) }),
                let product = number("idProduct", radix: 16).flatMap({ UInt16(exactly: $0) }),
                let driver = drivers[[vendor, product]], let bus = number("busnum", radix: 10),
                let device = number("devnum", radix: 10)
            else { return nil }
            let node = "\(nodes)/\(three(bus))/\(three(device))"
            return USBSensor(
                vendor: vendor, product: product, driver: driver, node: node,
                canBeOpened: access(node, R_OK | W_OK) == 0)
        }
    }

    private static func three(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)"
    }

    private static func drivers(_ folders: [String]) -> [[UInt16]: String] {
        var drivers: [[UInt16]: String] = [:]
        for folder in folders {
            for name in Folder.names(folder) where name.contains("fprint") || name.contains("fingerprint") {
                guard let text = SmallFile.read(folder + "/" + name) else { continue }
                drivers.merge(read(text)) { first, _ in first }
            }
        }
        return drivers
    }

    /// Vendor and product, and the driver, from libfprint's `fprint-list-udev-hwdb`. What it lists as known and not
    /// supported comes last, under a heading of its own.
    static func read(_ list: String) -> [[UInt16]: String] {
        var drivers: [[UInt16]: String] = [:]
        var driver = ""
        for line in list.split(separator: "\n") {
            if line.hasPrefix("#") {
                if line.contains("nsupported") { break }
                let words = line.split(separator: " ")
                if words.dropLast().last == "driver", let name = words.last { driver = String(name) }
            } else if line.hasPrefix("usb:v"), line.utf8.count >= 14 {
                let digits = Array(line.dropFirst(5))
                guard let vendor = UInt16(String(digits[0..<4]), radix: 16), digits[4] == "p",
                    let product = UInt16(String(digits[5..<9]), radix: 16)
                else { continue }
                drivers[[vendor, product]] = driver
            }
        }
        return drivers
    }
}
