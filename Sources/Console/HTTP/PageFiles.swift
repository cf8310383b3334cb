internal import CPage

/// The live map's own files, compiled into the program from the folder `Page`.
enum PageFiles {
    /// Returns all of them, by name.
    static func all() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        while let file = page_file(files.count)?.pointee {
            let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
            files[String(cString: file.name)] = Array(bytes)
        }
        return files
    }
}
