import AuthCore
import AuthWire
import DBus
import MainLoop

/// What properties read as.
extension Service {
    /// A property's value with the translated default where none is set; nil when there is no such authenticator.
    func value(of property: Property, _ id: AuthenticatorID) -> Value? {
        switch property {
        case .localizedReason: .string(localizedReason(id))
        case .localizedFallbackTitle: .string(machine.fallbackTitle(id) ?? Texts.fallback)
        default: machine.value(of: property, id)?.value
        }
    }

    /// What LocalizedReason reads as: the translated default where none is set.
    private func localizedReason(_ id: AuthenticatorID) -> String {
        guard case .string(let reason)? = machine.value(of: .localizedReason, id), !reason.isEmpty else {
            return Texts.reason
        }
        return reason
    }

    /// Manager's and Policy's BiometryType.
    var biometry: Wire.Biometry { machine.fingerprint.sensor.isPresent ? .fingerprint : .none }

    /// Says what is new of the sensor, and only that.
    func tellFingerprint() {
        let now = machine.fingerprint
        let changed = Wire.Fingerprint.Property.allCases.compactMap { property -> (String, Value)? in
            let value = now.value(of: property)
            return value == toldFingerprint.value(of: property) ? nil : (property.rawValue, value)
        }
        toldFingerprint = now
        if !changed.isEmpty {
            server.emitPropertiesChanged(path: Wire.Path.fingerprint, interface: Wire.Interface.fingerprint, changed)
        }
        tellSession()
    }
}

extension FingerprintState {
    func value(of property: Wire.Fingerprint.Property) -> Value {
        switch property {
        case .deviceName: .string(sensor.deviceName)
        case .scanType: .string(sensor.scanType)
        case .backend: .string(sensor.backend.rawValue)
        case .domainStateBasis: .string(sensor.basis.rawValue)
        case .enrollStages: .uint32(sensor.enrollStages)
        case .available: .bool(sensor.isPresent)
        case .busy: .bool(isBusy)
        }
    }
}
