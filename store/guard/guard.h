/*
 * The guard: what an agent may see of a store. It stands in the reading path, so that every tool, count and notification
 * passes it; a reader without one sees everything, as a person does. Personal data is masked where an answer leaves
 * (store/mcp/protocol/masking.c), and before a text is cut or searched: half an address is not found as one.
 */
#ifndef STEMMA_GUARD_H
#define STEMMA_GUARD_H

#include "model/pii/pii.h"
#include "model/policy/permission.h"
#include "store/db/store.h"
#include "store/record/get.h"

/* What a configuration says, with its matcher: immutable, shared by threads, freed with its last holder. */
struct guard_rules;
/* Takes over what is in `p`, also where it fails: ERROR_INVALID (a pattern). */
struct guard_rules *guard_rules_new(struct permissions *p, struct error *e);
/* Before anything is masked: members of these names (kept by the caller) are keys that stemma writes itself. */
struct key_index;
void guard_rules_spare(struct guard_rules *g, const struct key_index *names);
struct guard_rules *guard_rules_hold(struct guard_rules *g); /* NULL is allowed in both */
void guard_rules_release(struct guard_rules *g);
const struct permissions *guard_permissions(const struct guard_rules *g);
const struct pii *guard_pii(const struct guard_rules *g);
/* Is there personal data in the text (pii_in_string)? */
bool guard_finds(const struct guard_rules *g, const char *text, size_t len);
/* For one caller. */
struct guard {
    struct guard_rules *rules; /* NULL: nothing is guarded */
    const char *agent;         /* whose grants count; NULL: nobody's */
    bool bound; /* --agent or the request says who it is: others' memories are kept apart */
};

/* From here on it reads for that caller; NULL: for a person. `g` stays the caller's and must live so long. */
void reader_guard(struct reader *r, const struct guard *g);
/* NULL: it reads for a person. */
const struct guard *reader_guarded(const struct reader *r);
/* By which what it shows is masked, be it for an agent or for a person who wants it so; NULL: it is not. */
const struct guard_rules *guard_rules_of(const struct reader *r);

enum sight {
    SIGHT_NONE = 0, /* as if never named: an entry of a namespace that the agent may not read */
    SIGHT_OWNER,    /* its ref and whose it is: another agent's, unless agents share */
    SIGHT_WHOLE,
};
/* What the reader's caller sees of the memory of that row. Without a guard always the whole. -1 on error. */
int guard_sight(struct reader *r, int64_t node, enum sight *out, struct error *e);
/* The same where kind and agent (NULL: nobody's) are known: costs nothing but for entries. */
int guard_sight_of(struct reader *r, int64_t node, enum kind kind, const char *agent,
                   enum sight *out, struct error *e);
/* Is it shown in lists, searches, completions and counts? An entry takes the grant to list it as well. */
int guard_lists(struct reader *r, int64_t node, bool *listed, struct error *e);
/* May anything be hidden from the caller? */
bool guard_hides(const struct reader *r);

/* The kinds of which any may be listed: not entries, where the caller may list none of the namespaces. */
unsigned guard_kinds(struct reader *r, unsigned kinds);
/* May any of those kinds be left out of lists? */
bool guard_hides_of(const struct reader *r, unsigned kinds);

/* May anything that has links be hidden? */
bool guard_hides_linked(const struct reader *r);
/* May an entry that has links be? */
bool guard_hides_linked_entries(const struct reader *r);
/* Takes the links of hidden entries from a finished graph; nodes stay. O(nodes and links). */
struct graph;
int guard_graph(struct reader *r, struct graph *g, struct error *e);

/* ---- a memory ---- */

/* The memory of that row in `arena`. ERROR_NOT_FOUND: no such row. A stub has STATUS_MISSING and its ref alone. */
int memory_read(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                struct error *e);

/* ---- in SQL ---- */

/* Gives a connection of the reader's the functions that follow. */
struct db;
struct strbuf;
int guard_prepare(struct reader *r, struct db *db, struct error *e);
/* Is the memory of these columns listed to the caller? */
#define GUARD_SQL " AND guard_sees(kind, agent, id)"
/* Is anything in that text masked? Then its place among others would tell what it is. */
#define GUARD_MASKS_SQL "guard_masks(kind, text)"
/* Is that agent another than the caller, from whom memories of others are kept? */
bool guard_is_another(const struct guard *g, const char *agent);
int guard_refuse(struct error *e); /* -1: what is another's is refused so */
/* Are memories of that agent kept from the caller? Entries are not asked about. */
bool guard_hides_agent(const struct reader *r, const char *agent);
/* The row of the agent whose memories alone, with nobody's, are listed to the caller; -1: only nobody's; 0: all.
 * Entries are not asked about. */
int64_t guard_only_agent(struct reader *r);
/* Is the memory of that row listed to the caller, whose agent has that row (0: nobody)? */
int guard_sees(struct reader *r, enum kind kind, int64_t agent, int64_t node, bool *seen,
               struct error *e);
/* Was one? Then the answer is masked even where memories in general are not. */
bool guard_met_entry(const struct reader *r);

/* A cursor that tells a guarded caller nothing: encrypted under the store's secret (AES-SIV, RFC 5297), in base 32. */
void guard_seal(struct reader *r, const char *cursor, struct strbuf *out);
int guard_bad_cursor(struct error *e); /* ERROR_INVALID; returns -1 */
/* The cursor in the arena. ERROR_INVALID: it is none. */
int guard_unseal(struct reader *r, struct arena *arena, const char *sealed, const char **out,
                 struct error *e);

/* ---- refs ---- */

/*
 * An id with personal data is shown as "[REDACTED]_" and 26 digits of base 32: the memory's row with a commitment to its
 * ref, encrypted under the store's secret. It is the same every time, and is taken wherever an id is.
 */
#define GUARD_SHOWN_SIZE 40
/* Whether there is personal data is not asked. false: the caller sees no memory that is called so. */
bool guard_ref_show(struct reader *r, struct ref ref, char out[GUARD_SHOWN_SIZE]);
/* The id as the caller may see it: itself; else in the arena, masked as a text where no memory is called so. */
const char *guard_ref_id(struct reader *r, struct arena *arena, struct ref ref);
/* Appends `kind:id` with that id, in one line. */
void guard_ref_add_clean(struct reader *r, struct arena *arena, struct strbuf *out, struct ref ref);
/* Which memory a shown id means, whoever asks: 1, with the ref in the arena; 0: none; -1 on error. `rules` may be NULL. */
int guard_ref_meant(struct db *db, const struct guard_rules *rules, struct arena *arena,
                    const char *id, struct ref *out, struct error *e);
/* Is it what is shown in the place of an id or of an entry's key that the caller sees? Nobody can make one up. */
bool guard_is_shown(struct reader *r, const char *text);
/* Is it an id in which something was masked? No memory is called so, and nothing is to be linked to it. */
bool guard_looks_masked(const char *id);
/* Puts spaces in the place of each mark but a card's: who searches for a mark's letters learns nothing. */
void guard_blank_marks(char *text);
/* How many marks stand in the text, each in the place of personal data. */
int64_t guard_count_marks(const char *text, size_t len);

/* ---- texts ---- */

/* Is personal data masked in what the caller reads? */
bool guard_masks(const struct reader *r);
/* How many texts, refs and keys were masked for the caller so far, to be shown. */
size_t guard_masked(const struct reader *r);
/* The text as the caller may see it: itself, or masked in the arena (pii_mask_string). */
const char *guard_text(const struct reader *r, struct arena *arena, const char *text, size_t len);
/* Appends it masked so, then in one line and cut as clean_add has it. */
void guard_add_clean(const struct reader *r, struct arena *arena, struct strbuf *out,
                     const char *text, size_t code_points);
/* The same of JSON, by which the values of secret keys are known; of what is no JSON, of a text. */
const char *guard_json(const struct reader *r, struct arena *arena, const char *json, size_t len);
/* An excerpt of that memory's text without the halves of personal data that it begins or ends with; in the arena. */
int guard_excerpt(struct reader *r, struct arena *arena, int64_t quoted, const char **excerpt,
                  struct error *e);
/* The same of all that a memory uses. */
int guard_excerpts(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* Has a name personal data in it, so that it is not to be found by its beginning? NULL is none. */
bool guard_masks_name(const struct reader *r, const char *name);
/* Does the text name an entry that the caller does not see? */
int guard_names_hidden(struct reader *r, const char *text, bool *hidden, struct error *e);
/*
 * Leaves out what names, in nothing but a ref or a URI, an entry that the caller does not see, be it there or not: an
 * element of an array in the detail, a member's value (null then), a mark's value, the source, the text (its kind stands
 * there). What the caller wrote himself stays. In the arena.
 */
int guard_names(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* The same of some of its texts, whose kind and agent are looked up where any of them may name one. */
int guard_names_of_row(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                       struct error *e);
/* The same of JSON that was appended from `from` on, of a memory of that agent. */
int guard_names_in_json(struct reader *r, const char *agent, struct strbuf *out, size_t from,
                        struct error *e);
/* May the text name one at all? */
bool guard_may_name(const char *text, size_t len);
/* Does it begin with the ref of a memory that the caller does not see whole? */
int guard_begins_hidden(struct reader *r, const char *text, bool *hidden, struct error *e);
/* The key of an entry, and how it is shown in its place (entry_shown_key); NULL where it is shown as it is. Both
 * NULL: that row is no entry. */
int guard_key(struct reader *r, struct arena *arena, int64_t node, const char **key,
              const char **shown, struct error *e);
/* The same of an entry as `m` says it was, which may be past: its key and its namespace of then. NULL is no entry. */
int guard_entry_key(struct reader *r, struct arena *arena, const struct memory *m, const char **key,
                    const char **shown, struct error *e);
/* Adds JSON with the key, where it stands by itself, as it is shown. Keys need no escape in JSON. */
void guard_add_shown(struct strbuf *out, const char *form, size_t len, const char *key,
                     const char *shown);
/* What is shown in place of a memory's text: of an entry its key as above, else the text as guard_names leaves it. */
const char *guard_memory_text(struct reader *r, struct arena *arena, int64_t node, enum kind kind,
                              const char *text);
/* Takes away from a memory what the caller does not see: antecedents, relations, or all but ref and owner. */
int guard_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* The same of one that he sees whole. */
int guard_thin(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* ---- masked memories ---- */

/* From here on what is read for a person is masked by these rules, which must live so long, as agents would be given it;
 * nothing is hidden. NULL: as it is. */
void reader_mask(struct reader *r, const struct guard_rules *rules);
const struct guard_rules *reader_masked(const struct reader *r);

/* In the arena, where anything is masked. A row's text is guard_text's. */
void guard_mask_row(struct reader *r, struct arena *arena, struct memory_row *row);
int guard_mask_memory(struct reader *r, struct arena *arena, struct memory *m, struct error *e);
/* A text; NULL stays. */
const char *guard_mask_text(const struct guard_rules *rules, struct arena *arena, const char *text);
/* With the id as an agent is shown it (guard_ref_id), in the arena where that is another. */
struct ref guard_mask_ref(struct reader *r, struct arena *arena, struct ref ref);

/* memory_read without a mask, to look up what the memory names; never to show it. */
int guard_read_bare(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                    struct error *e);
/* The same for texts, and what is said of a use, that were read past memory_read. */
void guard_mask_texts(const struct reader *r, struct arena *arena, const char **const *texts,
                      size_t count);
void guard_mask_use(const struct reader *r, struct arena *arena, struct use *use);

/* ---- values that are gone ---- */

/*
 * Takes the value out of `m`, an entry now or at any time, where that version or the present one has expired, and for
 * agents also where the present one is deleted. In the arena. A writer's reader sees all: what it reads is written again.
 */
int entry_hide(struct reader *r, struct arena *arena, struct memory *m, struct error *e);

/* The same of the detail of a row, which may be of any kind: in the arena where anything was taken out of it. */
int entry_hide_detail(struct reader *r, struct arena *arena, int64_t node, const char **detail,
                      struct error *e);
/* As memory_read, with what has expired: for a walk from the present back. */
int memory_read_whole(struct reader *r, struct arena *arena, int64_t node, struct memory *out,
                      struct error *e);

/* ---- text in one line ---- */

/*
 * Appends at most `count` code points of `s` (valid UTF-8), and an ellipsis where that is not all of it.
 * A run of white space and control characters is a space; what would reorder or hide text is U+FFFD.
 */
void clean_add(struct strbuf *out, const char *s, size_t count);

#endif
