#include "CSimdjson.h"

#include <charconv>
#include <memory>
#include <new>
#include <simdjson.h>
#include <system_error>
#include <vector>

namespace {

constexpr size_t deepest = 64;
constexpr size_t smallest_capacity = 4096;
constexpr uint64_t payload_mask = 0x00FFFFFFFFFFFFFF;

bool is_blank(uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

bool is_in_number(uint8_t byte) {
    return is_digit(byte) || byte == '-' || byte == '+' || byte == '.' || byte == 'e' || byte == 'E';
}

const uint8_t *skip_digits(const uint8_t *at, const uint8_t *end) {
    while (at < end && is_digit(*at)) { at++; }
    return at;
}

// Tells whether a whole token is a number of RFC 8259, section 6; `integer` whether it has no
// fraction and no exponent.
bool is_number(const uint8_t *at, const uint8_t *end, bool &integer) {
    if (at < end && *at == '-') { at++; }
    const uint8_t *digits = at;
    at = skip_digits(at, end);
    if (at == digits || (*digits == '0' && at - digits > 1)) { return false; }
    integer = at == end;
    if (at < end && *at == '.') {
        const uint8_t *fraction = ++at;
        at = skip_digits(at, end);
        if (at == fraction) { return false; }
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-')) { at++; }
        const uint8_t *exponent = at;
        at = skip_digits(at, end);
        if (at == exponent) { return false; }
    }
    return at == end;
}

template <typename Number>
bool fits(const uint8_t *start, const uint8_t *end) {
    Number value;
    auto result = std::from_chars(
        reinterpret_cast<const char *>(start), reinterpret_cast<const char *>(end), value);
    return result.ec == std::errc();
}

// Tells whether a token is a number that simdjson refuses for its size.
bool is_oversized(const uint8_t *start, const uint8_t *end) {
    bool integer = false;
    if (!is_number(start, end, integer)) { return false; }
    if (!integer) { return !fits<double>(start, end); }
    return !fits<int64_t>(start, end) && !fits<uint64_t>(start, end);
}

// How deep a text nests, strings left aside; exact for valid JSON.
size_t nesting(const uint8_t *text, size_t count) {
    size_t depth = 0, most = 0;
    bool quoted = false;
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = text[i];
        if (quoted) {
            if (byte == '\\') { i++; }
            quoted = byte != '"';
        } else if (byte == '"') {
            quoted = true;
        } else if (byte == '[' || byte == '{') {
            if (++depth > most) { most = depth; }
        } else if ((byte == ']' || byte == '}') && depth > 0) {
            depth--;
        }
    }
    return most;
}

}  // namespace

struct waygate_json_parser {
    simdjson::dom::parser parser;
    // The text, with the padding behind it that simdjson reads into.
    std::unique_ptr<uint8_t[]> text;
    size_t text_capacity = 0;
    const char *message = "";

    waygate_json_status parse(const uint8_t *bytes, size_t count, waygate_json_document *document);

private:
    std::vector<uint8_t> quoted_text;
    // Which strings of `quoted_text`, counted from 0 in the order of the text, are numbers.
    std::vector<size_t> quoted;

    simdjson::error_code run(const uint8_t *bytes, size_t count);
    simdjson::error_code run_once(const uint8_t *bytes, size_t count, size_t max_depth);
    bool quote_oversized_numbers(const uint8_t *bytes, size_t count);
    void mark_quoted_numbers();
};

// simdjson fails on reaching `max_depth` with a container that is not empty. So a text that passes
// with 64 nests at most 64 deep, and one that fails is counted.
simdjson::error_code waygate_json_parser::run(const uint8_t *bytes, size_t count) {
    auto error = run_once(bytes, count, deepest);
    if (error != simdjson::DEPTH_ERROR || nesting(bytes, count) > deepest) { return error; }
    return run_once(bytes, count, deepest + 1);
}

simdjson::error_code waygate_json_parser::run_once(
    const uint8_t *bytes, size_t count, size_t max_depth) {
    if (text_capacity < count || parser.max_depth() != max_depth) {
        size_t capacity = text_capacity < smallest_capacity ? smallest_capacity : text_capacity;
        while (capacity < count) { capacity *= 2; }
        text_capacity = 0;
        text.reset(new uint8_t[capacity + simdjson::SIMDJSON_PADDING]);
        auto error = parser.allocate(capacity, max_depth);
        if (error) { return error; }
        error = parser.doc.allocate(capacity);
        if (error) { return error; }
        text_capacity = capacity;
    }
    memcpy(text.get(), bytes, count);
    memset(text.get() + count, 0, simdjson::SIMDJSON_PADDING);
    return parser.parse(text.get(), count, false).error();
}

// Writes the text again with each oversized number in quotes; returns whether there was one.
bool waygate_json_parser::quote_oversized_numbers(const uint8_t *bytes, size_t count) {
    quoted_text.clear();
    quoted.clear();
    const uint8_t *at = bytes, *end = bytes + count;
    size_t strings = 0;
    bool after_value_start = true;
    while (at < end) {
        const uint8_t *start = at;
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++) {
                if (*at == '\\' && at + 1 < end) { at++; }
            }
            if (at < end) { at++; }
            strings++;
            after_value_start = false;
        } else if (after_value_start && is_in_number(*at)) {
            while (at < end && is_in_number(*at)) { at++; }
            bool closed = at == end || is_blank(*at) || *at == ',' || *at == ']' || *at == '}';
            if (closed && is_oversized(start, at)) {
                quoted.push_back(strings++);
                quoted_text.push_back('"');
                quoted_text.insert(quoted_text.end(), start, at);
                quoted_text.push_back('"');
                start = at;
            }
            after_value_start = false;
        } else {
            if (!is_blank(*at)) {
                after_value_start = *at == ':' || *at == '[' || *at == ',';
            }
            at++;
        }
        quoted_text.insert(quoted_text.end(), start, at);
    }
    return !quoted.empty();
}

void waygate_json_parser::mark_quoted_numbers() {
    uint64_t *tape = parser.doc.tape.get();
    size_t count = tape[0] & payload_mask;
    size_t strings = 0;
    auto next = quoted.begin();
    for (size_t i = 1; i < count && next != quoted.end(); i++) {
        char type = char(tape[i] >> 56);
        if (type == 'l' || type == 'u' || type == 'd') {
            i++;
        } else if (type == '"' && strings++ == *next) {
            tape[i] = (uint64_t('b') << 56) | (tape[i] & payload_mask);
            next++;
        }
    }
}

waygate_json_status waygate_json_parser::parse(
    const uint8_t *bytes, size_t count, waygate_json_document *document) {
    auto error = run(bytes, count);
    if (error == simdjson::NUMBER_ERROR && quote_oversized_numbers(bytes, count)) {
        error = run(quoted_text.data(), quoted_text.size());
        if (!error) { mark_quoted_numbers(); }
    }
    if (!error) {
        *document = {parser.doc.tape.get(), parser.doc.string_buf.get()};
        return WAYGATE_JSON_OK;
    }
    message = simdjson::error_message(error);
    if (error == simdjson::MEMALLOC) { return WAYGATE_JSON_OUT_OF_MEMORY; }
    if (!waygate_is_utf8(bytes, count)) { return WAYGATE_JSON_INVALID_UTF8; }
    return error == simdjson::DEPTH_ERROR ? WAYGATE_JSON_TOO_DEEP : WAYGATE_JSON_SYNTAX;
}

waygate_json_parser *waygate_json_parser_new(void) {
    return new (std::nothrow) waygate_json_parser;
}

void waygate_json_parser_free(waygate_json_parser *parser) { delete parser; }

waygate_json_status waygate_json_parser_parse(
    waygate_json_parser *parser, const void *bytes, size_t count, waygate_json_document *document) {
    try {
        return parser->parse(static_cast<const uint8_t *>(bytes), count, document);
    } catch (...) {
        parser->message = "out of memory";
        return WAYGATE_JSON_OUT_OF_MEMORY;
    }
}

const char *waygate_json_parser_message(const waygate_json_parser *parser) {
    return parser->message;
}

bool waygate_is_utf8(const void *bytes, size_t count) {
    return simdjson::validate_utf8(static_cast<const char *>(bytes), count);
}
