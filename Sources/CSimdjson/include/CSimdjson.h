#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// A parser with its buffers, reused from text to text; one thread at a time.
typedef struct waygate_json_parser waygate_json_parser;

typedef enum waygate_json_status {
    WAYGATE_JSON_OK = 0,
    WAYGATE_JSON_INVALID_UTF8,
    WAYGATE_JSON_TOO_DEEP,
    WAYGATE_JSON_SYNTAX,
    WAYGATE_JSON_OUT_OF_MEMORY,
} waygate_json_status;

// A parsed text in simdjson's tape format (its doc/tape.md): valid until the parser's next call.
//
// tape[1] is the root value. One type is added to simdjson's: 'b', a number that neither 64 bits of
// integer nor a double can hold, whose payload is that of a string with its digits as they were sent.
typedef struct waygate_json_document {
    const uint64_t *tape;
    const uint8_t *strings;
} waygate_json_document;

// Returns a parser, or NULL when out of memory.
waygate_json_parser *waygate_json_parser_new(void);
void waygate_json_parser_free(waygate_json_parser *parser);

// Parses a text that nests at most 64 deep. Of an error, `waygate_json_parser_message` gives simdjson's words.
waygate_json_status waygate_json_parser_parse(
    waygate_json_parser *parser, const void *bytes, size_t count, waygate_json_document *document);
const char *waygate_json_parser_message(const waygate_json_parser *parser);

// Tells whether bytes are UTF-8.
bool waygate_is_utf8(const void *bytes, size_t count);

static inline bool waygate_bytes_equal(const void *left, const void *right, size_t count) {
    return memcmp(left, right, count) == 0;
}

#ifdef __cplusplus
}
#endif
