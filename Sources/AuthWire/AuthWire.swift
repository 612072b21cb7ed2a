// AuthWire
