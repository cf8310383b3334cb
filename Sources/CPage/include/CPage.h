#pragma once
#include <stddef.h>

/// One of the live map's files, compiled into the program.
struct PageFile {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// Returns a file of the folder `Sources/Console/Page`, or null after the last.
const struct PageFile *page_file(size_t index);
