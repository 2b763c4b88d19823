/*
 * Finds what matters of a line of a transcript in one pass over its bytes. Nothing is copied, and a large value is only
 * skipped, so most of the time goes into finding the ends of strings. The line is hostile: it may be no JSON at all.
 * Only for store/import/transcripts.
 */
#ifndef STEMMA_TRANSCRIPT_SCAN_H
#define STEMMA_TRANSCRIPT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/json/json.h"

/* A place in JSON that was not checked. */
struct scan {
    const char *at, *end;
    bool bad; /* it is no JSON; `at` does not move any more */
};

/* At the beginning of a value that was found before; at nothing if it is absent. */
struct scan scan_of(struct json_slice value);
/* The value at s->at, whatever it is, with its quotes or brackets; moves behind it. */
struct json_slice scan_value(struct scan *s);
/* Enters the object or array at s->at. Returns false if it is of another type, and moves behind it then. */
bool scan_open(struct scan *s, char open);
/* The next member of an object: the text between the quotes of its key in *key, and s->at is at its value. Returns
 * false at the end of the object and moves behind it. */
bool scan_member(struct scan *s, struct json_slice *key);
/* The next element of an array is at s->at. Returns false at its end. */
bool scan_element(struct scan *s);

/* The last member of that name of the object at s->at; ptr is NULL if there is none. Moves behind the value. */
struct json_slice scan_find(struct scan *s, const char *name);
/* The value if it is a string. */
struct json_slice string_or_none(struct json_slice value);

/* Is the value that string, or that key that name? Text with escapes never is. */
bool scan_is(struct json_slice value, const char *text);
bool scan_key_is(struct json_slice key, const char *name);

enum scan_type {
    SCAN_OTHER, /* what is no message: progress, snapshots, … */
    SCAN_USER,
    SCAN_ASSISTANT,
    SCAN_SYSTEM,
    SCAN_SUMMARY,
    SCAN_FAULT, /* no JSON object */
    SCAN_LONG,  /* longer than TRANSCRIPT_LINE_MAX: not read */
    SCAN_TYPES
};

struct scan_call {
    struct json_slice id, name, path; /* values; `path` of a tool that opens or writes a file */
    bool is_result, failed;
};

/* Values are slices of the line with their quotes; ptr NULL if absent. */
struct scanned {
    enum scan_type type;
    struct json_slice id, parent, session, time, cwd, branch, version, model, message, usage;
    bool is_person;    /* a person's own words, neither a result nor a message of the program */
    bool is_sidechain; /* of a subagent */
    bool has_text;     /* a text of the agent's, or a tool call */
    bool has_thought;
    bool usage_is_total;     /* of the session up to here, not of the message */
    struct json_slice agent; /* the id of the subagent whose result this is */
    struct scan_call *call;  /* tool calls and results; see scan_reset */
    size_t call_count, call_alloc;
};

/* What a line contains. Slices of the line; absent ones are NULL. */
enum part_kind {
    PART_TEXT,
    PART_THINKING,
    PART_CALL,  /* of a tool; `value` is its input */
    PART_RESULT /* `value` is a string, or a list of blocks of which those with a text count */
};
struct part {
    enum part_kind kind;
    struct json_slice id, name, value;
    bool failed;
};
/* The parts of a line that is well-formed JSON; the list is in the arena. Returns their number. */
typedef size_t line_parts_fn(struct json_slice line, struct arena *arena, struct part **out);
line_parts_fn claude_parts, codex_parts;

/* *out is zero, or of another line. */
typedef void scan_line_fn(const char *line, size_t len, struct scanned *out);
scan_line_fn scan_claude_line, scan_codex_line;
/* Clears it but for the array of calls, which the next line uses again; free(out->call) at the end. */
void scan_reset(struct scanned *out, enum scan_type type);

/* A hash of 64 bits, to notice that a line changed. It does not resist a chosen collision. */
uint64_t scan_hash(const char *bytes, size_t len);

#endif
