import Glibc

/// The address sanitizer, as far as tests have to know of it.
public enum Sanitizer {
    /// Whether this process runs with it: then memory that was freed stays in use for a while.
    public static let isPresent = dlsym(nil, "__asan_init") != nil
}
