internal import AuthCore
internal import CFprint
internal import CGLib

/// libfprint's numbers in the port's words.
extension Finger {
    /// `FpFinger` counts the fingers in the same order, from 1.
    var fprint: FpFinger { FpFinger(rawValue: UInt32((Self.allCases.firstIndex(of: self) ?? 0) + 1)) }

    init?(_ finger: FpFinger) {
        let index = Int(finger.rawValue) - 1
        guard Self.allCases.indices.contains(index) else { return nil }
        self = Self.allCases[index]
    }
}

extension RetryReason {
    /// - Parameter code: an `FpDeviceRetry`; one that a later libfprint adds is `general`.
    init(fprint code: Int32) {
        self =
            switch UInt32(bitPattern: code) {
            case FP_DEVICE_RETRY_TOO_SHORT.rawValue: .tooShort
            case FP_DEVICE_RETRY_CENTER_FINGER.rawValue: .centerFinger
            case FP_DEVICE_RETRY_REMOVE_FINGER.rawValue: .removeFinger
            default: .general
            }
    }
}

/// Why a call of libfprint's ended without a result.
enum FprintFailure: Error, Equatable {
    /// The finger has to be put on once more.
    case retry(RetryReason)
    case cancelled
    /// It is not there, or not on the chip.
    case notFound
    case duplicate
    case full
    case gone
    case busy
    case denied(String)
    /// libfprint lets a sensor rest that has waited for a finger for minutes.
    case hot
    /// Cancelled, and not even that was answered: the device is of no use until it is.
    case stuck
    case failed(String)

    init(_ error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self = .failed("no answer and no error")
            return
        }
        self.init(error.pointee.domain, error.pointee.code, String(cString: error.pointee.message))
    }

    /// - Parameter domain: a GQuark's text.
    init(domain: String, code: Int32, _ text: String) { self.init(g_quark_from_string(domain), code, text) }

    private init(_ domain: GQuark, _ code: Int32, _ text: String) {
        switch domain {
        case fp_device_retry_quark(): self = .retry(RetryReason(fprint: code))
        case fp_device_error_quark(): self = Self.device(FpDeviceError(UInt32(bitPattern: code)), text)
        case g_io_error_quark(): self = Self.io(GIOErrorEnum(UInt32(bitPattern: code)), text)
        case g_file_error_quark():
            let denied = [G_FILE_ERROR_ACCES.rawValue, G_FILE_ERROR_PERM.rawValue]
            self = denied.contains(UInt32(bitPattern: code)) ? .denied(text) : .failed(text)
        case g_quark_from_string("g-usb-device-error-quark"): self = Self.usb(code, text)
        default: self = .failed(text)
        }
    }

    private static func device(_ code: FpDeviceError, _ text: String) -> Self {
        switch code {
        case FP_DEVICE_ERROR_BUSY: .busy
        case FP_DEVICE_ERROR_DATA_NOT_FOUND: .notFound
        case FP_DEVICE_ERROR_DATA_DUPLICATE: .duplicate
        case FP_DEVICE_ERROR_DATA_FULL: .full
        case FP_DEVICE_ERROR_REMOVED: .gone
        case FP_DEVICE_ERROR_TOO_HOT: .hot
        default: .failed(text)
        }
    }

    private static func io(_ code: GIOErrorEnum, _ text: String) -> Self {
        switch code {
        case G_IO_ERROR_CANCELLED: .cancelled
        case G_IO_ERROR_PERMISSION_DENIED: .denied(text)
        case G_IO_ERROR_BUSY: .busy
        default: .failed(text)
        }
    }

    /// GUsb's numbers; libfprint's headers do not carry them. 0.3, which Debian 12 has, knows no "busy": there
    /// libusb's own number (−6) ends the text.
    private static func usb(_ code: Int32, _ text: String) -> Self {
        switch code {
        case 4: .gone
        case 9: .denied(text)
        case 10: .busy
        default: text.hasSuffix("[-6]") ? .busy : .failed(text)
        }
    }

    /// For the port; a retry is none of these.
    var sensorFailure: SensorFailure {
        switch self {
        case .retry(let reason): .failed(reason.rawValue)
        case .cancelled: .failed("cancelled")
        case .notFound: .notEnrolled
        case .duplicate: .duplicate(nil)
        case .full: .deviceFull
        case .gone: .gone
        case .busy: .busy
        case .denied(let why): .denied(why)
        case .hot: .failed("the sensor is too hot, and rests for some minutes")
        case .stuck: .failed("the sensor does not answer")
        case .failed(let why): .failed(why)
        }
    }
}
