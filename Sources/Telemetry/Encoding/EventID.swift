import CLibUUID

/// Ids of events that are the same after a crash and replay: UUIDs of version 5 in RFC 4122's URL namespace.
package enum EventID {
    /// Returns the id of a trip's event, in the text form of 36 characters.
    package static func event(vehicleID: String, tripID: String, sequence: Int) -> String {
        uuid(name: "urn:waygate:event:\(vehicleID)/\(tripID)/\(sequence)")
    }

    /// Returns the id of a vehicle's alarm.
    package static func alarm(vehicleID: String, sequence: Int64) -> String {
        uuid(name: "urn:waygate:alarm:\(vehicleID)/\(sequence)")
    }

    /// Returns the id of what a place tells of itself, made from the place of its cause in the spool.
    package static func place(spoolID: String, position: Int64) -> String {
        uuid(name: "urn:waygate:place:\(spoolID):\(position)")
    }

    /// Returns the id of a roadblock's beginning or end; an entry may be the cause of several.
    package static func roadblock(
        spoolID: String, position: Int64, placeID: String, type: String
    ) -> String {
        uuid(name: "urn:waygate:roadblock:\(spoolID):\(position):\(type):\(placeID)")
    }

    /// Returns the id of the refusal of a command, made from the command's place in the spool.
    package static func rejection(spoolID: String, position: Int64) -> String {
        uuid(name: "urn:waygate:rejection:\(spoolID):\(position)")
    }

    private static func uuid(name: String) -> String {
        // 6ba7b811-9dad-11d1-80b4-00c04fd430c8, RFC 4122 appendix C.
        let namespace: [UInt8] = [
            0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4,
            0x30, 0xc8,
        ]
        var uuid = [UInt8](repeating: 0, count: 16)
        uuid_generate_sha1(&uuid, namespace, name, name.utf8.count)
        return String(unsafeUninitializedCapacity: 37) { text in
            text.withMemoryRebound(to: CChar.self) { characters in
                if let start = characters.baseAddress { uuid_unparse_lower(uuid, start) }
            }
            // The last byte is the terminator.
            return 36
        }
    }
}
