#pragma once
#include <zlib.h>

/// Prepares a stream that reads gzip or zlib by its head; `inflateInit2` is a macro.
static inline int waygate_inflate_init(z_stream *stream) {
    return inflateInit2(stream, 15 + 32);
}
