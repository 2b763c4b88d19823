/*
 * The JSON of a memory: one memory as one line of JSON, for export and import. It is deterministic:
 * the same memory always gives the same bytes. So commitments hash it, and undo patches are made
 * from it.
 */
#ifndef STEMMA_MEMORY_JSON_H
#define STEMMA_MEMORY_JSON_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/*
 * Appends the JSON object without a line end. Keys have a fixed order. A member with its default
 * value (absent string, empty list, false) is omitted, except ref, agent_id, text, created_at,
 * updated_at, confidence, source_type, status and version, which are always written. `label` may be
 * NULL; it is written last.
 */
void memory_json_write(struct strbuf *out, const struct memory *m, const char *label);

/*
 * Reads one line of `len` bytes into `m`. All strings and lists are in `arena`. Absent and null
 * members get their defaults: created_at `now`, updated_at created_at, agent_id `agent`,
 * source_type inferred from `source` (observation for an attribution), status active, times within
 * lists created_at. Times are ms since 1970, whole numbers; clock_parse_iso reads others.
 *
 * Other names of links are read too, in place of justifications and relations or in addition to
 * them: `derived_from` (refs; other schemes become annotations), `derivation`, `source_episodes` (a
 * bare id is an episode; each is a justification), `supersedes` (a bare id has the same kind) and
 * `processed_into`. Each may be one ref in place of a list. A duplicate ref in a group is dropped.
 * Every ref is exact. `label`, `effective`, `trust` and `why` are ignored. Unknown members are appended to `unknown`,
 * which may be NULL: names separated by ", ", one within a list as "marks.NAME".
 *
 * A `text` that is not valid UTF-8, or contains a NUL or a lone surrogate, is repaired and its
 * bytes are kept (memory_set_text); any other such string is an error. A byte order mark before the
 * line is skipped. A detail may have JSON_DEPTH_MAX levels. Returns -1 with ERROR_INVALID, which
 * names the member and what is wrong: "justifications[0]: antecedents[2]: relevance is not between
 * 0 and 1".
 */
int memory_json_read(struct memory *m, struct arena *arena, const char *line, size_t len,
                     const char *agent, int64_t now, struct strbuf *unknown, struct error *e);

/*
 * Appends an undo patch: the fields of `before` that differ in `after`, as a JSON object in the
 * JSON of a memory. An absent string is null. Lists are patched by element:
 *
 *   {"text":"old","tags":{"added":["new"],"removed":[{"index":0,"value":"old"}]}}
 *
 * To get the list of `before`, remove the `added` elements from that of `after`, then insert the
 * `removed` ones at their indices in ascending order. If an added element has equal ones in the
 * list, the last of them is meant, and each is before the next added one. If that rule does not
 * find them, `at` has their indices in `after`:
 *
 *   {"tags":{"added":["a"],"at":[0]}}
 *
 * The detail is a list of its members. An added member is given by name only, a removed one as an
 * object with that member alone; a changed one is both. If `before` is NULL, nothing is appended.
 * If `after` is NULL, all of `before` is, as by memory_json_write. O(n log n) in the size of both.
 */
void memory_json_patch(struct strbuf *out, const struct memory *before, const struct memory *after);

/*
 * Applies an undo patch: makes `before` from `after` and the patch between them, a string. A NULL
 * patch means that nothing changed. memory_json_write then gives the same bytes as for the original
 * memory. If `after` is NULL, the patch contains the whole memory. New data is in the arena;
 * unchanged data is shared with `after`, lists too, so `after` must live as long and not be
 * changed. `before` gets the row of `after` but no event (0). Antecedents and relations that are
 * put back have node 0 and an unknown status. O(size of the patch), plus the lists that change
 * otherwise than by a shorter end.
 *
 * Returns -1 with ERROR_STORE if the patch does not fit; the patch may contain anything.
 */
int memory_json_unpatch(struct memory *before, const struct memory *after, struct arena *arena,
                        const char *patch, struct error *e);

/*
 * Takes a change back from a memory that may have been changed since, as a three-way merge. `out`
 * is `now`, with the fields that differ between `before` and `after` as in `before`, if `now` still
 * has them as in `after`. A field that is already as in `before` stays. Members of the detail are
 * fields.
 *
 * Lists are merged by element: elements that the change added are removed, wherever they are, and
 * elements that it removed are inserted after the element that preceded them. If the change
 * replaced elements, the new ones must still be there or the old ones must be back (not for tags
 * and annotations). If `now` equals `after`, `out` is `before`, byte for byte, except version and
 * updated_at, which stay those of `now`.
 *
 * Returns -1 with ERROR_CONFLICT, which names the memory and the first field that was changed
 * again. `out` is in the arena and shares data with the other three. O(n log n) in the total size;
 * lists that they share cost nothing.
 */
int memory_json_restore(struct memory *out, const struct memory *now, const struct memory *before,
                        const struct memory *after, struct arena *arena, struct error *e);

/*
 * Appends two JSON objects with the members that differ, as they are in `a` and in `b`, in the
 * order of the JSON of a memory. A member that only the other one has is null. So merging `after` into
 * the form of `a` (null removes a member) gives that of `b`, and `before` the other way. If `a` or
 * `b` is NULL, null is appended for it, and the whole form of the other.
 */
void memory_json_diff(struct strbuf *before, struct strbuf *after, const struct memory *a,
                      const struct memory *b);

/* Write "kind:id" as a JSON string, and as a member. */
void memory_json_add_ref(struct strbuf *out, struct ref ref);
void memory_json_pair_ref(struct json_object *o, const char *key, struct ref ref);

#endif
