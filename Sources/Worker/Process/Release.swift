/// Which Waygate this is.
package enum Release {
    /// The version, as `--version`, the metrics and the change log call it.
    package static let version = "0.1.0"
}
