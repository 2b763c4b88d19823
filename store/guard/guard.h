/*
 * The guard decides what an agent may see of a store. It is part of the reading path, so every
 * tool, count and notification passes it. A reader without a guard belongs to a person and sees
 * everything. Personal data is masked when an answer is sent (store/mcp/protocol/masking.c), and
 * before a text is truncated or searched, because half an address is not recognised.
 */
#ifndef STEMMA_GUARD_H
#define STEMMA_GUARD_H

#include "model/pii/pii.h"
#include "model/policy/permission.h"
#include "store/db/store.h"
#include "store/record/get.h"

struct db;
struct graph;
struct strbuf;

/* The rules of a configuration and the compiled patterns. Immutable, reference-counted, shared by
 * threads. */
struct guard_rules;
/* Takes ownership of the contents of `p`, also on error. Returns NULL with ERROR_INVALID if a
 * pattern is wrong. */
struct guard_rules *guard_rules_new(struct permissions *p, struct error *e);
/* Declares names of JSON members that stemma writes itself and that are never masked. Call before
 * anything is masked. */
void guard_rules_set_own_names(struct guard_rules *g, bool (*is_own)(const char *key, size_t len));
/* Adds a reference, and removes one. `g` may be NULL. */
struct guard_rules *guard_rules_hold(struct guard_rules *g);
void guard_rules_release(struct guard_rules *g);
const struct permissions *guard_permissions(const struct guard_rules *g);
const struct pii *guard_pii(const struct guard_rules *g);
/* Returns true if the text contains personal data (pii_in_string). */
bool guard_has_pii(const struct guard_rules *g, const char *text, size_t len);
/* A caller and its rules. */
struct guard {
    struct guard_rules *rules; /* NULL if nothing is guarded */
    /* The name that its channel granted, or AGENT_UNNAMED. Not NULL if anything is guarded. */
    const char *agent;
};

/* From now on the reader answers for this caller; NULL for a person. `g` remains the caller's and
 * must outlive its use. */
void reader_guard(struct reader *r, const struct guard *g);
/* NULL if the reader answers for a person. */
const struct guard *reader_guarded(const struct reader *r);
/* The rules by which answers are masked, for an agent or for a person who asked for masking
 * (reader_mask); NULL if they are not masked. */
const struct guard_rules *guard_rules_of(const struct reader *r);

enum visibility {
    VISIBLE_NONE =
        0, /* as if it did not exist: withheld by its status, or an entry that the agent may not read */
    VISIBLE_OWNER, /* ref and owner only: a memory of another agent, unless agents share */
    VISIBLE_WHOLE,
};
/* What the reader's caller may see of a memory. Without a guard always all of it. Returns -1 on
 * error. */
int guard_visibility(struct reader *r, int64_t node, enum visibility *out, struct error *e);
/* As guard_visibility if kind and agent are known (agent NULL for none). Reads the store only for
 * entries, and if anything is withheld. */
int guard_visibility_of(struct reader *r, int64_t node, enum kind kind, const char *agent,
                        enum visibility *out, struct error *e);
/* Sets *listed if the memory appears in lists, searches, completions and counts. An entry also
 * needs the grant to list its namespace. */
int guard_lists(struct reader *r, int64_t node, bool *listed, struct error *e);
/* Returns true if anything in the store may be hidden from the caller. */
bool guard_hides(const struct reader *r);
/* Returns true if any memory is hidden from agents by its status (STATUS_WITHHELD). Errors count as yes. */
bool guard_withholds(const struct reader *r);

/* Returns `kinds` without entries if the caller may list no namespace. */
unsigned guard_kinds(struct reader *r, unsigned kinds);
/* Returns true if memories of these kinds may be missing from lists. */
bool guard_hides_of(const struct reader *r, unsigned kinds);

/* Returns true if a memory with links may be hidden. */
bool guard_hides_linked(const struct reader *r);
/* Returns true if an entry with links may be hidden. */
bool guard_hides_linked_entries(const struct reader *r);
/* Removes the links of hidden entries from a loaded graph; nodes stay. O(nodes and links). */
int guard_graph(struct reader *r, struct graph *g, struct error *e);

/* ---- a memory ---- */

/* Reads a memory into the arena, masked for the caller. Its links may still name hidden memories:
 * guard_memory takes those out. ERROR_NOT_FOUND if there is no such row. A stub has STATUS_MISSING
 * and only its ref. */
int memory_read(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                struct error *e);

/* ---- in SQL ---- */

/* Defines the functions below on a connection of the reader. */
int guard_prepare(struct reader *r, struct db *db, struct error *e);
/* Condition: the memory of these columns is listed to the caller. */
#define GUARD_SQL " AND guard_sees(kind, agent, status, id)"
/* Is anything in that text masked? Sorting by such a text would reveal it. */
#define GUARD_MASKS_SQL "guard_masks(kind, text)"
int guard_refuse(struct error *e); /* returns -1 with the error for a memory of another agent */
/* Returns true if the memories of that agent are hidden from the caller. Not for entries. */
bool guard_hides_agent(const struct reader *r, const char *agent);
/* Row of the only agent whose memories are listed to the caller, along with those of no agent; -1
 * if only those of no agent are listed, 0 if all are. Not for entries. */
int64_t guard_only_agent(struct reader *r);
/* Sets *seen if the memory is listed to the caller. `agent` is the row of the memory's agent, 0 for
 * none. */
int guard_sees(struct reader *r, enum kind kind, int64_t agent, enum status status, int64_t node,
               bool *seen, struct error *e);
/*
 * The status that a reader shows: what has expired by the wall clock is expired, whether it was swept or not. A reader
 * of the past shows what the store said then, and operations see what is stored. Sets *status, which is the stored one.
 */
int guard_status(struct reader *r, enum kind kind, int64_t node, enum status *status,
                 struct error *e);
#define STATUS_SQL "guard_status(kind, status, id)"
/* Returns true if an entry was read for the caller: then the answer is masked even if masking is
 * off for memories. */
bool guard_has_read_entry(const struct reader *r);

/* Appends the cursor, encrypted for a guarded caller with the store's secret (AES-SIV, RFC 5297),
 * in base 32. */
void guard_encrypt_cursor(struct reader *r, const char *cursor, struct strbuf *out);
int guard_bad_cursor(struct error *e); /* sets ERROR_INVALID, returns -1 */
/* Decrypts a cursor into the arena. ERROR_INVALID if it is damaged. */
int guard_decrypt_cursor(struct reader *r, struct arena *arena, const char *sealed,
                         const char **out, struct error *e);

/* ---- refs ---- */

/*
 * Opaque ids. An id with personal data is shown as "[REDACTED]_" and 26 digits of base 32: the
 * memory's row and a part of the hash of its ref, encrypted with the store's secret. The opaque id
 * of a memory never changes, and it is accepted wherever an id is.
 */
#define GUARD_OPAQUE_SIZE 40
/* Writes the opaque id whether or not the ref contains personal data. Returns false if the caller
 * sees no memory with that ref. */
bool guard_opaque_id(struct reader *r, struct ref ref, char out[GUARD_OPAQUE_SIZE]);
/* Returns the id as the caller may see it: unchanged, as an opaque id, or masked like a text if
 * there is no such memory. New strings are in the arena. */
const char *guard_ref_id(struct reader *r, struct arena *arena, struct ref ref);
/* Decodes an opaque id, for any caller. Returns 1 with the ref in the arena, 0 if it is none, -1 on
 * error. `rules` may be NULL. */
int guard_resolve_opaque_id(struct db *db, const struct guard_rules *rules, struct arena *arena,
                            const char *id, struct ref *out, struct error *e);
/* Returns true if `text` is the opaque id or opaque key of something that the caller sees. They
 * cannot be forged. */
bool guard_is_opaque(struct reader *r, const char *text);
/* Returns true if the id contains a placeholder of masked data. No memory has such an id, and
 * nothing may be linked to it. */
bool guard_has_placeholder(const char *id);
/* Overwrites placeholders, except those of cards, with spaces, so that a search for their letters
 * finds nothing. */
void guard_blank_placeholders(char *text);
/* Returns the number of placeholders in the text. */
int64_t guard_count_placeholders(const char *text, size_t len);

/* ---- texts ---- */

/* Returns true if personal data is masked for the caller. */
bool guard_masks(const struct reader *r);
/* The number of texts, refs and keys masked for the caller so far. */
size_t guard_masked(const struct reader *r);
/* Returns the text as the caller may see it: itself, or a masked copy in the arena
 * (pii_mask_string). */
const char *guard_text(const struct reader *r, struct arena *arena, const char *text, size_t len);
/* Appends the masked text on one line, truncated as by clean_add. */
void guard_add_clean(const struct reader *r, struct arena *arena, struct strbuf *out,
                     const char *text, size_t code_points);
/* As guard_text for JSON: also masks the values of members with secret names. Invalid JSON is
 * masked as a text. */
const char *guard_json(const struct reader *r, struct arena *arena, const char *json, size_t len);
/* Masks personal data that the start or the end of an excerpt of the memory cuts in two. */
int guard_excerpts(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* Returns true if a name contains personal data, so that it must not be found by its prefix. False
 * for NULL. */
bool guard_masks_name(const struct reader *r, const char *name);
/* Sets *hidden if the text names an entry that the caller does not see. */
int guard_names_hidden(struct reader *r, const char *text, bool *hidden, struct error *e);
/*
 * Removes names of entries that the caller does not see, whether they exist or not, if the name is
 * all of a value: elements of arrays in the detail, values of members (replaced by null), values of
 * flags, the source, the text (replaced by the kind's name). Memories of the caller's own are not
 * changed. New strings are in the arena.
 */
int guard_names(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* As guard_names for a memory with only some fields read; looks up its kind and agent if a field
 * may contain a name. */
int guard_names_of_row(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                       struct error *e);
/* As guard_names for the JSON in `out` from offset `from`, of a memory of that agent. */
int guard_names_in_json(struct reader *r, const char *agent, struct strbuf *out, size_t from,
                        struct error *e);
/* Quick test: returns false if the text certainly contains no name of an entry. */
bool guard_may_name(const char *text, size_t len);
/* Sets *hidden if the text begins with the ref of a memory that the caller does not see whole. */
int guard_begins_hidden(struct reader *r, const char *text, bool *hidden, struct error *e);
/* Sets *key to the key of an entry and *shown to its opaque key (entry_masked_key), or to NULL if
 * the key is shown as it is. Both are NULL if the row is no entry. */
int guard_key(struct reader *r, struct arena *arena, int64_t node, const char **key,
              const char **shown, struct error *e);
/* As guard_key for `m`, which may be an old version, with the key and the namespace of that
 * version. */
int guard_entry_key(struct reader *r, struct arena *arena, const struct memory *m, const char **key,
                    const char **shown, struct error *e);
/* Appends JSON, with each string that equals the key replaced by the opaque key. Keys need no
 * escaping in JSON. */
void guard_add_opaque_key(struct strbuf *out, const char *form, size_t len, const char *key,
                          const char *shown);
/* Returns the text to show for a memory: an entry's key or opaque key, or the text as guard_names
 * leaves it. */
const char *guard_memory_text(struct reader *r, struct arena *arena, int64_t node, enum kind kind,
                              const char *text);
/* Removes what the caller may not see from a memory: antecedents and relations, or everything but
 * ref and owner. */
int guard_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* The same for a memory that the caller sees whole. */
int guard_filter(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* ---- masking for persons ---- */

/* From now on what is read for a person is masked as it would be for agents; nothing is hidden.
 * `rules` must outlive its use; NULL ends the masking. */
void reader_mask(struct reader *r, const struct guard_rules *rules);
const struct guard_rules *reader_masked(const struct reader *r);

/* Mask fields; new strings are in the arena. */
void guard_mask_row(struct reader *r, struct arena *arena, struct memory_row *row);
int guard_mask_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* Masks a text; NULL stays NULL. */
const char *guard_mask_text(const struct guard_rules *rules, struct arena *arena, const char *text);
/* The ref with its id replaced by guard_ref_id. */
struct ref guard_mask_ref(struct reader *r, struct arena *arena, struct ref ref);

/* memory_read without masking, to look up what a memory names. Never show the result. */
int guard_read_unmasked(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                        struct error *e);
/* The same for texts that were read by other functions than memory_read. */
void guard_mask_texts(const struct reader *r, struct arena *arena, const char **const *texts,
                      size_t count);

/* ---- expired values ---- */

/*
 * Removes the value of an entry from `m`, which may be an old version, if that version or the
 * present one has expired; for agents also if the present one is deleted. New strings are in the
 * arena. Does nothing for a writer's reader, because the writer stores what it reads.
 */
int entry_hide(struct reader *r, struct arena *arena, struct memory *m, struct error *e);

/* The same for the detail of a row of any kind. The result is in the arena if the value was
 * removed. */
int entry_hide_detail(struct reader *r, struct arena *arena, int64_t node, const char **detail,
                      struct error *e);
/* As memory_read but with expired values, to walk back from the present state. */
int memory_read_with_expired(struct reader *r, struct arena *arena, int64_t node,
                             struct memory *out, struct error *e);

/* ---- text in one line ---- */

/*
 * Appends at most `count` code points of `s` (valid UTF-8), with an ellipsis if it is longer. Runs
 * of white space and control characters become one space; characters that reorder or hide text
 * become U+FFFD.
 */
void clean_add(struct strbuf *out, const char *s, size_t count);

#endif
