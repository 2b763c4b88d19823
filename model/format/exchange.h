/*
 * The exchange form: one memory as one line of JSON, of export and import. Writing it is
 * deterministic: the same memory gives the same bytes, so it is also what commitments hash and what
 * an undo patch is made of.
 */
#ifndef STEMMA_EXCHANGE_H
#define STEMMA_EXCHANGE_H

#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "model/memory/memory.h"

/*
 * Appends the object, without a line end. Keys in a fixed order; a member that has its
 * default (absent string, empty list, false) is left out, but ref, agent_id, text, created_at,
 * updated_at, confidence, source_type, status and version always stand. `label` may be NULL; it is
 * written last.
 */
void exchange_write(struct strbuf *out, const struct memory *m, const char *label);

/*
 * Reads one line of `len` bytes into `m`, everything allocated in `arena`. Absent and null members
 * take their defaults: created_at `now`, updated_at created_at, agent_id `agent`, source_type
 * inferred from `source` (an attribution: observation), status active, the times within lists
 * created_at. `derived_from` (refs; other schemes become annotations), `derivation`,
 * `source_episodes` (a bare id is an episode; one justification for each), `supersedes` (a bare id
 * is of the same kind) and `processed_into` stand in place of justifications and relations, or
 * next to them; each may be one ref instead of a list. A ref that a group repeats counts once. Every
 * ref is exact. `label` is ignored. An unknown member is appended to `unknown` (may be NULL), names
 * separated by ", ", one within a list as "marks.NAME".
 *
 * A `text` that is not valid UTF-8, or holds a NUL or half a surrogate pair, is repaired and its
 * bytes kept (memory_set_text); elsewhere such a string is an error. A byte order mark before the
 * line is skipped. ERROR_INVALID names the member that is wrong and how: "justifications[0]:
 * antecedents[2]: relevance is not between 0 and 1". A detail may be JSON_DEPTH_MAX levels deep.
 */
int exchange_read(struct memory *m, struct arena *arena, const char *line, size_t len,
                  const char *agent, int64_t now, struct strbuf *unknown, struct error *e);

/*
 * The fields of `before` that differ in `after`, as a JSON object in the exchange form: what an
 * undo must restore. An absent string is null. Lists by element:
 *
 *   {"text":"old","tags":{"added":["new"],"removed":[{"index":0,"value":"old"}]}}
 *
 * Without the `added` ones, and with each of the `removed` ones put in at its index in ascending
 * order, the list of `after` is that of `before`. Where an added one has its like in the list, it
 * is the last, each before the one added after it; where it was not, `at` says at which indices of
 * `after` they stand:
 *
 *   {"tags":{"added":["a"],"at":[0]}}
 *
 * The detail is a list of its members: of an added one only the name is given, a removed one is an
 * object of that member alone; a changed one is both. `before` NULL: nothing is appended; `after`
 * NULL: the whole of `before`, as exchange_write. O(n log n) in the size of both.
 */
void exchange_patch(struct strbuf *out, const struct memory *before, const struct memory *after);

/*
 * The other way: `before` from `after` and the patch between them (a NUL ends it; NULL: nothing
 * changed). The same bytes by exchange_write as the memory that was patched. `after` NULL (an
 * addition was taken back): the patch holds the whole memory. What is new is in the arena; what did
 * not change is shared with `after`, lists too, which therefore must live as long and not be
 * changed. Of `after` it has the row; it has no event (0), and nodes of antecedents and relations
 * that were put back are 0 and their statuses not known. O(what the patch says), and the lists that
 * it does not merely shorten.
 *
 * ERROR_STORE: the patch does not fit, whatever it holds.
 */
int exchange_unpatch(struct memory *before, const struct memory *after, struct arena *arena,
                     const char *patch, struct error *e);

/*
 * Takes a change back from a memory that may have been changed since: `now` with the fields that
 * differ between `before` and `after` as they were before, where they are still as they were after;
 * a field that is as before already stays. Members of the detail are fields. Lists go by element:
 * what the change added is taken out, wherever it stands, what it took away is put back behind what
 * stood before it; but where it replaced elements (not tags, not annotations), they must still be
 * there as it left them, or be as before. Where now is as after, the outcome is before, byte for byte, its version and
 * updated_at apart, which stay now's.
 *
 * ERROR_CONFLICT names the memory and the first field that is neither. `out` in the arena, sharing
 * with the other three. O(n log n) in the size of all; nothing for lists that they share.
 */
int exchange_restore(struct memory *out, const struct memory *now, const struct memory *before,
                     const struct memory *after, struct arena *arena, struct error *e);

/*
 * Appends two JSON objects: the members that differ, as they are in `a` and as they are in `b`, in
 * the order of the exchange form; null in one that the other has alone. So laying `after` over the
 * form of `a` (a null takes the member away) gives that of `b`, and `before` the other way. Where
 * one of them is NULL, null is appended for it, and the whole form of the other.
 */
void exchange_diff(struct strbuf *before, struct strbuf *after, const struct memory *a,
                   const struct memory *b);

/* "kind:id" as a JSON string, and as a member. */
void exchange_add_ref(struct strbuf *out, struct ref ref);
void exchange_pair_ref(struct json_object *o, const char *key, struct ref ref);

#endif
