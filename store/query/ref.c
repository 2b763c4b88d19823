#include "store/query/ref.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/query/known_names.h"
#include "store/record/get.h"

/* ---- what it may mean ---- */

#define CANDIDATES_SHOWN   5
#define CANDIDATES_COUNTED 1000

/* The first few are kept for the error that names them. Whoever names a memory that is not there makes a stub of any id
 * he likes, so stubs give way: what others see by a word is never changed by them. */
struct candidates {
    int64_t node; /* the first one's */
    size_t count;
    bool more;  /* there are more than are counted */
    bool stubs; /* none of them was ever written */
    enum kind kind[CANDIDATES_SHOWN];
    char *id[CANDIDATES_SHOWN];
};

static void candidates_clear(struct candidates *c)
{
    for (size_t i = 0; i < CANDIDATES_SHOWN; i++)
        free(c->id[i]);
    *c = (struct candidates){.count = 0};
}

static void candidates_add(struct candidates *c, int64_t node, struct ref ref, bool is_stub)
{
    if (c->count && c->stubs && !is_stub)
        candidates_clear(c);
    if (c->count && !c->stubs && is_stub)
        return;
    if (c->count == CANDIDATES_COUNTED) {
        c->more = true;
        return;
    }
    if (c->count == 0) {
        c->node = node;
        c->stubs = is_stub;
    }
    if (c->count < CANDIDATES_SHOWN) {
        c->kind[c->count] = ref.kind;
        c->id[c->count] = xstrdup(ref.id);
    }
    c->count++;
}

/* Behind stubs one may still come that is written. */
static int add_begun(void *arg, const struct begun *one)
{
    struct candidates *c = arg;
    candidates_add(c, one->node, (struct ref){one->kind, one->id}, one->is_stub);
    return c->more && !c->stubs;
}

/* A link names only whole UUIDs by their beginning: `abc` never matches `abcdef`. */
static int add_begun_uuid(void *arg, const struct begun *one)
{
    return strlen(one->id) == 36 ? add_begun(arg, one) : 0;
}

/* The row that has exactly that ref. What the caller sees only that it is there is found by its whole id alone. */
static int find_exact(struct reader *r, enum kind kind, const char *id, struct candidates *c,
                      struct error *e)
{
    enum status status;
    enum visibility visibility = VISIBLE_WHOLE;
    struct ref ref = {kind, id};
    int64_t node = ref_find_status(reader_db(r), ref, &status, e);
    if (node < 0 || (node > 0 && guard_visibility(r, node, &visibility, e)))
        return -1;
    if (node > 0 && visibility != VISIBLE_NONE)
        candidates_add(c, node, ref, status == STATUS_MISSING);
    return 0;
}

static int find_in(struct reader *r, unsigned kinds, const char *id, struct candidates *c,
                   struct error *e)
{
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (kinds & KIND_BIT(kind) && find_exact(r, (enum kind)kind, id, c, e))
            return -1;
    return 0;
}

/* What an agent is shown of an id names it as the id does. */
static int find_shown(struct reader *r, unsigned kinds, const char *id, struct candidates *c,
                      struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct ref ref;
    int meant = guard_resolve_opaque_id(reader_db(r), guard_rules_of(r), &arena, id, &ref, e);
    if (meant > 0 && kinds & KIND_BIT(ref.kind))
        meant = find_exact(r, ref.kind, ref.id, c, e);
    arena_release(&arena);
    return meant < 0 ? -1 : 0;
}

/* By the beginning of its id. A stub that is called just so gives way to the only memory that is written. */
static int find_begun(struct reader *r, unsigned kinds, const char *id,
                      int (*each)(void *, const struct begun *), struct candidates *c,
                      struct error *e)
{
    struct candidates begun = {.count = 0};
    int result = beginning_walk(r, kinds, id, each, &begun, e);
    if (c->count == 0 || (begun.count == 1 && !begun.stubs)) {
        struct candidates stub = *c;
        *c = begun;
        begun = stub;
    }
    candidates_clear(&begun);
    return result;
}

/* Exactly, in each of the kinds, or as it is shown; where that gives nothing, as a prefix. */
static int find_all(struct reader *r, unsigned kinds, const char *id, struct candidates *c,
                    struct error *e)
{
    if (find_in(r, kinds, id, c, e) || (c->count == 0 && find_shown(r, kinds, id, c, e)))
        return -1;
    bool asks =
        c->count ? c->stubs && utf8_count(id) >= REF_SHORT : utf8_count(id) >= REF_PREFIX_MIN;
    return asks ? find_begun(r, kinds, id, add_begun, c, e) : 0;
}

/* As short as tells it apart; but how short that is would tell of what the caller does not see. */
static void add_name(struct reader *r, struct strbuf *out, struct ref ref)
{
    struct arena arena = ARENA_INIT;
    const char *id = guard_ref_id(r, &arena, ref);
    bool shortens = id && !guard_hides(r) && id == ref.id;
    size_t len = shortens ? ref_short_length(r, ref) : SIZE_MAX;
    strbuf_addf(out, "%s:%.*s", kind_name(ref.kind), len < REF_ID_MAX ? (int)len : REF_ID_MAX,
                id ? id : "");
    arena_release(&arena);
}

/* ERROR_INVALID that names them; returns -1. */
static int candidates_refuse(const struct candidates *c, struct reader *r, const char *text,
                             struct error *e)
{
    struct strbuf todo = STRBUF_INIT;
    size_t shown = c->count < CANDIDATES_SHOWN ? c->count : CANDIDATES_SHOWN;
    strbuf_addstr(&todo, "Say which: ");
    for (size_t i = 0; i < shown; i++) {
        struct ref ref = {c->kind[i], c->id[i]};
        strbuf_addstr(&todo, i ? ", " : "");
        add_name(r, &todo, ref);
    }
    if (c->more)
        strbuf_addstr(&todo, " and others");
    else if (c->count > shown)
        strbuf_addf(&todo, " and %zu more", c->count - shown);
    error_set(e, ERROR_INVALID, todo.buf, "%s may be any of %s%zu memories", text,
              c->more ? "more than " : "", c->count);
    e->todo_quotes = true;
    strbuf_release(&todo);
    return -1;
}

static int refuse(struct reader *r, const struct candidates *c, const char *text, const char *id,
                  struct error *e)
{
    if (c->count)
        return candidates_refuse(c, r, text, e);
    return error_set(e, ERROR_NOT_FOUND,
                     utf8_count(id) < REF_PREFIX_MIN
                         ? "Give at least 4 characters of an id, or all of it."
                         : "Search for it, or list its kind.",
                     "no memory is called %s", text);
}

/* As its caller may see it, and cut only then. */
static int too_long(const struct reader *r, const char *text, struct error *e)
{
    struct arena arena = ARENA_INIT;
    const char *seen = guard_text(r, &arena, text, strlen(text));
    error_set(e, ERROR_INVALID, "Give kind:id, as belief:54c5507f, or an id alone.",
              "%.80s… names no memory: an id has at most %d bytes", seen ? seen : "", REF_ID_MAX);
    arena_release(&arena);
    return -1;
}

int64_t ref_resolve(struct reader *r, const char *text, struct error *e)
{
    struct ref ref;
    enum ref_class class = ref_parse(text, &ref);
    if (class == REF_BAD && strlen(text) > REF_ID_MAX)
        return too_long(r, text, e);
    if (class == REF_ANNOTATION || class == REF_BAD)
        return error_set(e, ERROR_INVALID, "Give kind:id, as belief:54c5507f, or an id alone.",
                         "%s names no memory", text);
    unsigned kinds = class == REF_MEMORY ? KIND_BIT(ref.kind) : KINDS_ALL;
    const char *id = class == REF_MEMORY ? ref.id : text;
    struct candidates c = {0};
    int64_t node = -1;
    if (reader_begin(r, e))
        return -1;
    if (find_all(r, kinds, id, &c, e) == 0)
        node = c.count == 1 ? c.node : refuse(r, &c, text, id, e);
    reader_end(r);
    candidates_clear(&c);
    return node;
}

/* ---- what a link names ---- */

/* Does it name nothing, or what was only ever named so, by a name in which something was masked? */
static bool names_masked(const struct candidates *c, const char *id)
{
    return c->count == 0 ? guard_has_placeholder(id)
                         : c->count == 1 && c->stubs && guard_has_placeholder(c->id[0]);
}

static int bad_link(const char *text, struct error *e)
{
    if (strlen(text) > REF_ID_MAX)
        return error_set(e, ERROR_INVALID, "Write kind:id.",
                         "%.80s… is no ref: an id has at most %d bytes", text, REF_ID_MAX);
    return error_set(e, ERROR_INVALID, "Write kind:id.", "%.80s is not a ref", text);
}

/* A link to what is masked would be one to whatever else is masked so. And what is based on an entry that was never named
 * would be told from what is based on one that is not to be seen. */
static int find_linked(struct reader *r, const char *text, struct ref given, struct candidates *c,
                       struct error *e)
{
    unsigned kinds = given.kind == KIND_COUNT ? KINDS_ALL : KIND_BIT(given.kind);
    if (find_in(r, kinds, given.id, c, e) ||
        ((c->count == 0 || c->stubs) && ref_is_uuid_prefix(given.id, REF_LINK_PREFIX) &&
         find_begun(r, kinds, given.id, add_begun_uuid, c, e)) ||
        (c->count == 0 && find_shown(r, kinds, given.id, c, e)))
        return -1;
    if (names_masked(c, given.id))
        return error_set(e, ERROR_NOT_FOUND, "Give its ref as it is answered now, or leave it out.",
                         "something in %.100s was masked, and no memory is called so", text);
    if (c->count == 0 && given.kind == KIND_ENTRY && reader_guarded(r))
        return error_set(e, ERROR_NOT_FOUND, "Leave it out, or name one that is there.",
                         "no memory is called entry:%.100s", given.id);
    if (c->count == 0 && given.kind == KIND_COUNT)
        return error_set(e, ERROR_INVALID, "Write kind:id, such as raw:…, or the whole id.",
                         "no memory is called %s", text);
    return c->count > 1 ? candidates_refuse(c, r, text, e) : 0;
}

enum ref_class ref_link(struct reader *r, struct arena *arena, const char *text, enum kind bare,
                        struct ref *out, bool *known, struct error *e)
{
    struct ref given;
    enum ref_class class = utf8_valid(text, strlen(text)) ? ref_parse(text, &given) : REF_BAD;
    if (class == REF_ANNOTATION)
        return class;
    if (class == REF_BAD || (class == REF_BARE && strlen(text) > REF_ID_MAX)) {
        bad_link(text, e);
        return REF_BAD;
    }
    if (class == REF_BARE)
        given = (struct ref){bare, text};
    struct candidates c = {.count = 0};
    int found = find_linked(r, text, given, &c, e);
    *known = c.count == 1 && !c.stubs;
    if (c.count == 1)
        given = (struct ref){c.kind[0], c.id[0]};
    *out = (struct ref){given.kind, arena_strdup(arena, given.id)};
    candidates_clear(&c);
    return found ? REF_BAD : REF_MEMORY;
}

/* ---- the shortest that tells an id apart ---- */

/* How many bytes the two have in common at their beginning. */
static size_t common_length(const char *a, const char *b)
{
    size_t len = 0;
    while (a[len] && a[len] == b[len])
        len++;
    return len;
}

#define PASSED_OVER 16 /* stubs next to it; beyond so many it is told apart from them as well */

static bool is_stub(struct db *db, struct ref ref)
{
    struct error ignored;
    enum status status;
    return ref_find_status(db, ref, &status, &ignored) > 0 && status == STATUS_MISSING;
}

/* Names never change, so a reader of the past takes them from the table itself: its view has no order of names. */
#define ADJACENT(how, order)                                                                       \
    "SELECT name, (SELECT status FROM memory WHERE id = m.id) FROM main.memory m"                  \
    " WHERE kind = ? AND name " how " ? ORDER BY name " order

/*
 * What `ref` shares with the ids on that side of it in the index, nearest first: with the nearest that is written,
 * since stubs give way to what is; a stub with the nearest of all. Where that is less than `len` it does not matter.
 * 0: none.
 */
static size_t shared_with(struct db *db, const char *sql, struct ref ref, size_t len)
{
    struct error ignored;
    size_t shared = 0;
    struct query rows = db_query(db, &ignored, sql, "is", (int64_t)ref.kind, ref.id);
    for (int passed = 0; db_next(&rows); passed++) {
        const char *name = (const char *)sqlite3_column_text(rows.stmt, 0);
        bool gives_way = sqlite3_column_int(rows.stmt, 1) == STATUS_MISSING;
        shared = name ? common_length(ref.id, name) : 0;
        if (shared < len || !gives_way || passed == PASSED_OVER || is_stub(db, ref))
            break;
        shared = 0;
    }
    db_end(&rows);
    return shared;
}

/* What stands for a name that is masked is no name, and is shown whole. */
static bool is_mask(struct reader *r, struct ref ref)
{
    struct error ignored;
    return reader_masked(r) && ref_find(reader_db(r), ref, &ignored) == 0;
}

size_t ref_short_length(struct reader *r, struct ref ref)
{
    struct db *db = reader_db(r);
    size_t whole = strlen(ref.id), len = utf8_prefix(ref.id, REF_SHORT);
    if (is_mask(r, ref))
        return whole;
    size_t before = shared_with(db, ADJACENT("<", "DESC"), ref, len);
    size_t after = shared_with(db, ADJACENT(">", "ASC"), ref, len);
    size_t shared = before > after ? before : after;
    if (len <= shared)
        len = shared + 1;
    while (len < whole && ((unsigned char)ref.id[len] & 0xc0) == 0x80)
        len++;
    return len < whole ? len : whole;
}
