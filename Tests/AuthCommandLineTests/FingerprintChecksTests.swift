import AuthWire
import DBus
import Glibc
import Testing

@testable import AuthCommandLine

/// What `doctor` says of sensors, from what the kernel, fprintd and the service say.
@Suite struct FingerprintChecksTests {
    /// From libfprint 1.94's 60-autosuspend-libfprint-2.hwdb.
    private static let list = """
        # SPDX-License-Identifier: LGPL-2.1-or-later
        # Supported by libfprint driver aes1610
        usb:v08FFp1600*
         ID_AUTOSUSPEND=1
         ID_PERSIST=0

        # Supported by libfprint driver elan
        usb:v04F3p0903*
        usb:v04F3p0C26*
         ID_AUTOSUSPEND=1

        # Known unsupported devices
        usb:v04F3p036B*
         ID_AUTOSUSPEND=1

        """

    @Test func theListIsReadUpToWhatIsUnsupported() {
        #expect(
            USBSensor.read(Self.list) == [
                [0x08ff, 0x1600]: "aes1610", [0x04f3, 0x0903]: "elan", [0x04f3, 0x0c26]: "elan",
            ])
        #expect(USBSensor.read("usb:v04\nusb:vZZZZp0903*\nrubbish") == [:])
    }

    @Test func sensorsAreFoundAndTriedToOpen() throws {
        var template = Array("/tmp/smileauth-usb-XXXXXX".utf8CString)
        let base = String(cString: try #require(mkdtemp(&template)))
        var made: [String] = []
        defer { for path in made.reversed() where unlink(path) != 0 { rmdir(path) } }
        made.append(base)
        func folder(_ path: String) {
            mkdir(base + path, 0o700)
            made.append(base + path)
        }
        func file(_ path: String, _ text: String, mode: mode_t = 0o600) {
            let file = open(base + path, O_CREAT | O_WRONLY, mode)
            _ = text.withCString { write(file, $0, strlen($0)) }
            close(file)
            made.append(base + path)
        }
        for path in ["/hwdb", "/devices", "/devices/1-1", "/devices/1-2", "/devices/usb1", "/usb", "/usb/001"] {
            folder(path)
        }
        file("/hwdb/60-autosuspend-libfprint-2.hwdb", Self.list)
        file("/hwdb/20-usb.hwdb", "usb:v1D6Bp0002*\n")
        for (device, product, number) in [("1-1", "0903", "4"), ("1-2", "ffff", "5")] {
            file("/devices/\(device)/idVendor", "04f3\n")
            file("/devices/\(device)/idProduct", product + "\n")
            file("/devices/\(device)/busnum", "1\n")
            file("/devices/\(device)/devnum", number + "\n")
        }
        file("/devices/usb1/idVendor", "1d6b\n")
        file("/devices/usb1/idProduct", "0002\n")
        func found() -> [USBSensor] {
            USBSensor.all(devices: base + "/devices", nodes: base + "/usb", lists: [base + "/hwdb"])
        }
        let node = base + "/usb/001/004"
        #expect(
            found() == [
                USBSensor(vendor: 0x04f3, product: 0x0903, driver: "elan", node: node, canBeOpened: false)
            ])
        file("/usb/001/004", "")
        #expect(found().first?.canBeOpened == true)
        #expect(found().first?.name == "04f3:0903 (elan)")
        #expect(USBSensor.all(devices: base + "/nowhere", nodes: base, lists: [base + "/hwdb"]) == [])
    }

    private static func sensor(_ isAvailable: Bool, _ backend: String = "none", _ basis: String = "prints")
        -> SensorSummary
    {
        SensorSummary([
            "Available": .bool(isAvailable), "Backend": .string(backend), "DeviceName": .string("Elan"),
            "DomainStateBasis": .string(basis),
        ])
    }

    private static func usb(_ canBeOpened: Bool) -> USBSensor {
        USBSensor(
            vendor: 0x04f3, product: 0x0903, driver: "elan", node: "/dev/bus/usb/001/004", canBeOpened: canBeOpened)
    }

    @Test func aMissingRuleIsSaidWithItsMend() throws {
        func usb(_ canBeOpened: Bool, _ sensor: SensorSummary, _ rule: String? = nil) -> Finding {
            FingerprintChecks.usb(Self.usb(canBeOpened), sensor, rule: rule.map { ("/etc/udev/rules.d/x", $0) })
        }
        let finding = usb(false, Self.sensor(false))
        #expect(finding.level == .warn)
        #expect(finding.text.contains("/dev/bus/usb/001/004"))
        let mend = try #require(finding.mend)
        #expect(mend.contains("desktop/71-smileauth-fingerprint.rules as /etc/udev/rules.d/71-smileauth"))
        #expect(mend.contains("udevadm control --reload && udevadm trigger"))
        #expect(usb(true, Self.sensor(true, "libfprint")).level == .ok)
        // fprintd has it: nothing is to be mended.
        #expect(usb(false, Self.sensor(true, "fprintd")).level == .ok)
        // The rule is there: it is about the seat, or somebody wants it so.
        #expect(usb(false, Self.sensor(false), "TAG+=\"uaccess\"").mend?.contains("seat") == true)
        #expect(usb(false, Self.sensor(false), "").mend?.contains("Remove that file") == true)
        #expect(FingerprintChecks.installedRule(["/nowhere"]) == nil)
    }

    @Test func whatTheServiceHas() {
        func finding(_ sensor: SensorSummary, usb: [USBSensor] = [], forced: String? = nil) -> Finding {
            FingerprintChecks.service(sensor, [.leftThumb], usb, forced: forced)
        }
        let names = finding(Self.sensor(true, "fprintd", "names"))
        #expect(names.level == .ok)
        #expect(names.text.contains("Elan, by fprintd, 1 enrolled: left thumb; another finger under the same name"))
        #expect(!finding(Self.sensor(true, "libfprint")).text.contains("same name"))
        #expect(finding(Self.sensor(false)).level == .ok)
        #expect(finding(Self.sensor(false), usb: [Self.usb(false)]).level == .warn)
        #expect(finding(Self.sensor(false), forced: "none").mend?.contains("environment") == true)
        #expect(finding(Self.sensor(false), forced: "auto").level == .ok)
        #expect(FingerprintChecks.forced("A=1\0SMILEAUTH_FINGERPRINT=none\0B=2") == "none")
        #expect(FingerprintChecks.forced("A=1\0SMILEAUTH_FINGERPRINT=\0") == nil)
        #expect(FingerprintChecks.forced(nil) == nil)
    }

    @Test(
        arguments: [
            ("net.reactivated.Fprint.Error.NoEnrolledPrints", true, Finding.Level.ok, "has a sensor"),
            ("net.reactivated.Fprint.Error.NoSuchDevice", true, .ok, "knows no sensor"),
            ("net.reactivated.Fprint.Error.PermissionDenied", false, .warn, "does not let"),
            ("org.freedesktop.DBus.Error.AccessDenied", false, .warn, "does not let"),
            ("org.freedesktop.DBus.Error.ServiceUnknown", true, .warn, "is not installed"),
            ("org.freedesktop.DBus.Error.ServiceUnknown", false, .ok, "is not installed"),
            ("org.freedesktop.DBus.Error.NoReply", false, .warn, "fails"),
        ])
    func whatFprintdAnswers(_ name: String, _ needed: Bool, _ level: Finding.Level, _ text: String) {
        let finding = FingerprintChecks.fprintd(.failure(DBusFailure(name: name, message: "x")), needed: needed)
        #expect(finding.level == level)
        #expect(finding.text.contains(text))
        #expect((finding.mend != nil) == (level == .warn))
    }

    @Test func fingersByTheirNames() throws {
        #expect(try FingerWords.finger("left-index-finger") == .leftIndex)
        #expect(try FingerWords.finger("left-index") == .leftIndex)
        #expect(try FingerWords.finger("right-thumb") == .rightThumb)
        for word in ["", "index", "left-pinky", "Left-Thumb", "1234"] {
            #expect { try FingerWords.finger(word) } throws: { error in
                // What was typed may be a passcode in the wrong place.
                let failure = error as? CommandFailure
                return failure?.status == .usage && (word.isEmpty || failure?.message.contains(" \(word),") == false)
            }
        }
        #expect(FingerWords.name(.rightLittle) == "right little finger")
    }

    @Test(
        arguments: [
            (3, 5, "[###..]  3 of 5"), (0, 5, "[.....]  0 of 5"), (5, 5, "[#####]  5 of 5"), (6, 5, "[######]  6 of 6"),
            (0, 0, "[.]  0 of 0"),
        ] as [(UInt32, UInt32, String)])
    func theBarSaysHowFarItIs(_ stage: UInt32, _ stages: UInt32, _ bar: String) {
        #expect(FingerWords.bar(stage, of: stages) == bar)
    }

    @Test func everyRetryTellsThePersonWhatToDo() {
        for status in Wire.EnrollStatus.allCases {
            let isStep = status == .stagePassed || status == .completed
            #expect((FingerWords.instruction(status) == nil) == isStep)
        }
    }
}
