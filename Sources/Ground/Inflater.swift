internal import CZlib

/// Unpacks what gzip or zlib has packed.
enum Inflater {
    /// Returns the unpacked bytes.
    ///
    /// - Parameter limit: How many there may be: a few packed ones can be made to unpack to very many.
    /// - Throws: `GroundError.Reason.damaged` when it is not gzip, is cut off, or gets longer.
    static func unpack(_ packed: [UInt8], limit: Int) throws(GroundError) -> [UInt8] {
        var stream = z_stream()
        guard waygate_inflate_init(&stream) == Z_OK else {
            throw GroundError(.unreadable, "zlib does not start")
        }
        defer { inflateEnd(&stream) }
        var unpacked: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        var packed = packed
        let status = packed.withUnsafeMutableBufferPointer { packed in
            stream.next_in = packed.baseAddress
            stream.avail_in = UInt32(clamping: packed.count)
            return piece.withUnsafeMutableBufferPointer { piece in
                step(&stream, through: piece, into: &unpacked, limit: limit)
            }
        }
        guard status == Z_STREAM_END else {
            let words = status == Z_OK ? "longer than \(limit) bytes" : "cut off or damaged"
            throw GroundError(.damaged, "what gzip has packed is \(words)")
        }
        return unpacked
    }

    /// Unpacks piece by piece; returns zlib's last word, `Z_OK` where the limit ended it.
    private static func step(
        _ stream: inout z_stream, through piece: UnsafeMutableBufferPointer<UInt8>,
        into unpacked: inout [UInt8], limit: Int
    ) -> Int32 {
        while true {
            stream.next_out = piece.baseAddress
            stream.avail_out = UInt32(piece.count)
            let status = inflate(&stream, Z_NO_FLUSH)
            unpacked.append(contentsOf: piece.prefix(piece.count - Int(stream.avail_out)))
            guard status == Z_OK else { return status }
            guard unpacked.count <= limit else { return Z_OK }
        }
    }
}
