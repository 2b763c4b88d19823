/* Resolves refs to memories, and finds the shortest unique prefix of an id. */
#include "store/query/ref.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/query/known_names.h"
#include "store/record/get.h"

/* ---- candidates ---- */

#define CANDIDATES_SHOWN   5
#define CANDIDATES_COUNTED 1000
#define UUID_LENGTH        36
#define NAMES_MOST         150 /* bytes of the candidates that an error names */

/*
 * The memories that a ref may mean; the first few are stored for the error text. Anybody can create
 * stubs of any id by naming them in a link, so written memories take precedence: a stub never
 * changes what a ref means for others.
 */
struct candidates {
    int64_t node; /* of the first candidate */
    size_t count;
    bool more;  /* more than CANDIDATES_COUNTED */
    bool stubs; /* all are stubs */
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

/* After stubs a written memory may follow, so go on. */
static int add_match(void *arg, const struct prefix_match *one)
{
    struct candidates *c = arg;
    candidates_add(c, one->node, (struct ref){one->kind, one->id}, one->is_stub);
    return c->more && !c->stubs;
}

/* In links only UUIDs can be abbreviated: `abc` never matches `abcdef`. */
static int add_uuid_match(void *arg, const struct prefix_match *one)
{
    return strlen(one->id) == 36 ? add_match(arg, one) : 0;
}

/*
 * Finds an exact ref. If the caller may know only that a memory exists, it is found only by its
 * whole id.
 */
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

/* An opaque id shown to an agent resolves like the id. */
static int find_opaque(struct reader *r, unsigned kinds, const char *id, struct candidates *c,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct ref ref;
    int meant = guard_resolve_opaque_id(reader_db(r), guard_rules_of(r), &arena, id, &ref, e);
    if (meant > 0 && kinds & KIND_BIT(ref.kind))
        meant = find_exact(r, ref.kind, ref.id, c, e);
    return meant < 0 ? -1 : 0;
}

/* Finds ids by prefix. The only written match takes precedence over a stub with that exact id. */
static int find_prefix(struct reader *r, unsigned kinds, const char *id,
                       int (*each)(void *, const struct prefix_match *), struct candidates *c,
                       struct error *e)
{
    struct candidates matches = {.count = 0};
    int result = prefix_walk(r, kinds, id, each, &matches, e);
    if (c->count == 0 || (matches.count == 1 && !matches.stubs)) {
        struct candidates stub = *c;
        *c = matches;
        matches = stub;
    }
    candidates_clear(&matches);
    return result;
}

/* Tries exact refs in each kind, then opaque ids, then prefixes. */
static int find_all(struct reader *r, unsigned kinds, const char *id, struct candidates *c,
                    struct error *e)
{
    if (find_in(r, kinds, id, c, e) || (c->count == 0 && find_opaque(r, kinds, id, c, e)))
        return -1;
    bool by_prefix =
        c->count ? c->stubs && utf8_count(id) >= REF_SHORT : utf8_count(id) >= REF_PREFIX_MIN;
    return by_prefix ? find_prefix(r, kinds, id, add_match, c, e) : 0;
}

/* Appends a short ref; whole if its id is masked. */
static void add_name(struct reader *r, struct strbuf *out, struct ref ref)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *id = guard_ref_id(r, &arena, ref);
    bool shortens = id && id == ref.id;
    size_t len = shortens ? ref_short_length(r, ref) : SIZE_MAX;
    strbuf_addf(out, "%s:%.*s", kind_name(ref.kind), len < REF_ID_MAX ? (int)len : REF_ID_MAX,
                id ? id : "");
}

/* "belief:8fc21b98, note:8a2770de and 3 more" */
static void add_names(struct strbuf *out, const struct candidates *c, struct reader *r)
{
    size_t shown = c->count < CANDIDATES_SHOWN ? c->count : CANDIDATES_SHOWN, first = out->len;
    for (size_t i = 0; i < shown; i++) {
        struct ref ref = {c->kind[i], c->id[i]};
        size_t began = out->len;
        strbuf_addstr(out, i ? ", " : "");
        add_name(r, out, ref);
        if (i > 0 && out->len - first > NAMES_MOST) { /* whole, or not at all */
            strbuf_cut(out, began);
            shown = i;
        }
    }
    if (c->more)
        strbuf_addstr(out, " and others");
    else if (c->count > shown)
        strbuf_addf(out, " and %zu more", c->count - shown);
}

/* Sets ERROR_INVALID with the candidates and returns -1. */
static int candidates_refuse(const struct candidates *c, struct reader *r, const char *text,
                             struct error *e)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    strbuf_addstr(&hint, "Say which: ");
    add_names(&hint, c, r);
    error_set(e, ERROR_INVALID, hint.buf, "%s may be any of %s%zu memories", text,
              c->more ? "more than " : "", c->count);
    e->hint_quotes = true;
    return -1;
}

/* No memory has that ref. `near` are those whose ids begin so, if it is too short to mean one. */
static int refuse_unknown(struct reader *r, const struct candidates *near, const char *text,
                          bool is_short, bool has_kind, struct error *e)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    if (is_short)
        strbuf_addstr(&hint, "Give at least 4 characters of an id, or all of it");
    else
        strbuf_addstr(&hint, has_kind ? "Search for it, or list its kind" : "Search for it");
    strbuf_addstr(&hint, near->count ? ": " : ".");
    add_names(&hint, near, r);
    error_set(e, ERROR_NOT_FOUND, hint.buf, "no memory is called %s", text);
    e->hint_quotes = near->count > 0;
    return -1;
}

static int refuse(struct reader *r, unsigned kinds, const struct candidates *c, const char *text,
                  const char *id, struct error *e)
{
    struct candidates near = {0};
    bool is_short = utf8_count(id) < REF_PREFIX_MIN;
    if (c->count)
        return candidates_refuse(c, r, text, e);
    if (is_short && prefix_walk(r, kinds, id, add_match, &near, e))
        return -1;
    refuse_unknown(r, &near, text, is_short, id != text, e);
    candidates_clear(&near);
    return -1;
}

/* The bytes of a text that an error shows, to the end of a character. */
static int begun(const char *text, size_t most)
{
    return (int)utf8_fit(text, strlen(text), most);
}

/* Mask first, then cut. */
static int too_long(const struct reader *r, const char *text, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *seen = guard_text(r, &arena, text, strlen(text));
    seen = seen ? seen : "";
    error_set(e, ERROR_INVALID, "Give kind:id, such as belief:54c5507f, or an id alone.",
              "%.*s… names no memory: an id has at most %d bytes", begun(seen, 80), seen,
              REF_ID_MAX);
    return -1;
}

/* "belif:54c5507f": the word before the colon is no kind. */
static int no_kind(const char *text, struct error *e)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    strbuf_addstr(&hint, "The kinds are");
    for (int k = 0; k < KIND_COUNT; k++)
        strbuf_addf(&hint, "%s %s", k == 0 ? "" : ",", kind_name((enum kind)k));
    strbuf_addch(&hint, '.');
    error_set(e, ERROR_INVALID, hint.buf, "%s names no memory: \"%.*s\" is not a kind", text,
              (int)strcspn(text, ":"), text);
    return -1;
}

void ref_add_visible(struct strbuf *out, const char *ref)
{
    size_t began = out->len;
    clean_add(out, ref, SIZE_MAX);
    if (strcmp(out->buf + began, ref) == 0)
        return;
    strbuf_cut(out, began);
    json_add_string(out, ref);
}

static int64_t resolve(struct reader *r, const char *text, struct error *e)
{
    struct ref ref;
    enum ref_class class = ref_parse(text, &ref);
    if (class == REF_BAD && strlen(text) > REF_ID_MAX)
        return too_long(r, text, e);
    if (class == REF_ANNOTATION)
        return no_kind(text, e);
    if (class == REF_BAD)
        return error_set(e, ERROR_INVALID, "Give kind:id, such as belief:54c5507f, or an id alone.",
                         "%s names no memory", text);
    unsigned kinds = class == REF_MEMORY ? KIND_BIT(ref.kind) : KINDS_ALL;
    const char *id = class == REF_MEMORY ? ref.id : text;
    struct candidates c = {0};
    int64_t node = -1;
    if (reader_begin(r, e))
        return -1;
    if (find_all(r, kinds, id, &c, e) == 0)
        node = c.count == 1 ? c.node : refuse(r, kinds, &c, text, id, e);
    reader_end(r);
    candidates_clear(&c);
    return node;
}

int64_t ref_resolve(struct reader *r, const char *text, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error ignored;
    size_t len = strlen(text);
    bool quoted = len > 2 && text[0] == '"' && json_check(text, len, 1, &ignored) == 0;
    const char *meant = quoted ? json_text(&arena, (struct json_slice){text, len}, NULL) : text;
    return resolve(r, meant ? meant : text, e);
}

/* ---- refs in links ---- */

/* True if nothing or only a stub matches, and the id contains a mask. */
static bool names_masked(const struct candidates *c, const char *id)
{
    return c->count == 0 ? guard_has_placeholder(id)
                         : c->count == 1 && c->stubs && guard_has_placeholder(c->id[0]);
}

static int bad_link(const char *text, struct error *e)
{
    if (strlen(text) > REF_ID_MAX)
        return error_set(e, ERROR_INVALID, "Write kind:id.",
                         "%.*s… is no ref: an id has at most %d bytes", begun(text, 80), text,
                         REF_ID_MAX);
    return error_set(e, ERROR_INVALID, "Write kind:id.", "%.*s is not a ref", begun(text, 80),
                     text);
}

/*
 * Resolves the ref of a link. Refuses a masked id, because it could stand for any other id masked
 * in the same way. Also refuses an unknown entry, because a stub would tell hidden entries from
 * missing ones.
 */
static int find_linked(struct reader *r, const char *text, struct ref given, struct candidates *c,
                       struct error *e)
{
    unsigned kinds = given.kind == KIND_COUNT ? KINDS_ALL : KIND_BIT(given.kind);
    if (find_in(r, kinds, given.id, c, e) ||
        ((c->count == 0 || c->stubs) && ref_is_uuid_prefix(given.id, REF_LINK_PREFIX) &&
         find_prefix(r, kinds, given.id, add_uuid_match, c, e)) ||
        (c->count == 0 && find_opaque(r, kinds, given.id, c, e)))
        return -1;
    if (names_masked(c, given.id))
        return error_set(e, ERROR_NOT_FOUND, "Give its ref as it is answered now, or leave it out.",
                         "something in %.*s was masked, and no memory is called so",
                         begun(text, 100), text);
    if (c->count == 0 && given.kind == KIND_ENTRY && reader_guarded(r))
        return error_set(e, ERROR_NOT_FOUND, "Leave it out, or name one that is there.",
                         "no memory is called entry:%.*s", begun(given.id, 100), given.id);
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

/* ---- the shortest unique prefix ---- */

/* The length of the common prefix in bytes. */
static size_t common_length(const char *a, const char *b)
{
    size_t len = 0;
    while (a[len] && a[len] == b[len])
        len++;
    return len;
}

#define SKIPPED                                                                                    \
    16 /* number of adjacent ids that are ignored: stubs, and what is hidden from the caller */

/* Whether that row is a stub at the time of the reader. */
static bool is_stub_row(struct db *db, int64_t row)
{
    struct error ignored;
    int64_t status = STATUS_MISSING;
    return db_int(db, &status, STATUS_MISSING, &ignored, "SELECT status FROM memory WHERE id = ?",
                  "i", row) == 0 &&
           status == STATUS_MISSING;
}

static bool is_stub(struct db *db, struct ref ref)
{
    struct error ignored;
    enum status status;
    return ref_find_status(db, ref, &status, &ignored) > 0 && status == STATUS_MISSING;
}

/*
 * Names never change, so a reader of the past uses the table itself, because its view has no index
 * on names. The index covers the query.
 */
#define ADJACENT(how, order)                                                                       \
    "SELECT name, id FROM main.memory"                                                             \
    " WHERE kind = ? AND name " how " ? ORDER BY name " order

/* Whether ref_resolve ignores that neighbour: a stub, unless the ref is one, too; or one that the caller cannot find by
 * a prefix, whose id the length would reveal. */
static bool is_ignored(struct reader *r, struct ref ref, int64_t row)
{
    struct error ignored;
    bool listed = true;
    struct db *db = reader_db(r);
    if (guard_hides_of(r, KIND_BIT(ref.kind)) && guard_lists(r, row, &listed, &ignored))
        return false;
    return !listed || (is_stub_row(db, row) && !is_stub(db, ref));
}

/*
 * The length of the common prefix with the nearest id on one side in the index that is not ignored. Lengths below
 * `len` do not matter. 0 if there is none.
 */
static size_t shared_with(struct reader *r, const char *sql, struct ref ref, size_t len)
{
    struct error ignored;
    size_t shared = 0;
    struct query rows = db_query(reader_db(r), &ignored, sql, "is", (int64_t)ref.kind, ref.id);
    for (int skipped = 0; db_next(&rows); skipped++) {
        const char *name = (const char *)sqlite3_column_text(rows.stmt, 0);
        shared = name ? common_length(ref.id, name) : 0;
        if (shared < len || skipped == SKIPPED ||
            !is_ignored(r, ref, sqlite3_column_int64(rows.stmt, 1)))
            break;
        shared = 0;
    }
    db_end(&rows);
    return shared;
}

/* Whether no other id begins with the first `len` bytes. Such an id is not less than these bytes, and less than the
 * same with the last byte incremented. UTF-8 has no byte 0xff, so that cannot overflow. */
static bool is_alone(struct reader *r, struct ref ref, size_t len)
{
    static const char others[] =
        "SELECT 1 FROM main.memory WHERE kind = ? AND name >= ? AND name < ?"
        " AND name <> ? LIMIT 1";
    struct error ignored;
    char from[REF_SHORT * 4 + 1] = "", end[sizeof(from)];
    if (len >= sizeof(from))
        return false;
    memcpy(from, ref.id, len);
    memcpy(end, from, sizeof(end));
    end[len - 1]++;
    struct query row =
        db_query(reader_db(r), &ignored, others, "isss", (int64_t)ref.kind, from, end, ref.id);
    bool other = db_next(&row);
    return !db_end(&row) && !other;
}

/* The longest that it shares with the nearest ids of both sides; 0 if that is less than `len`, as nearly always. */
static size_t shared_with_nearest(struct reader *r, struct ref ref, size_t len)
{
    if (is_alone(r, ref, len))
        return 0;
    size_t before = shared_with(r, ADJACENT("<", "DESC"), ref, len);
    size_t after = shared_with(r, ADJACENT(">", "ASC"), ref, len);
    return before > after ? before : after;
}

/* A masked id is not a real id and is shown whole. */
static bool is_mask(struct reader *r, struct ref ref)
{
    struct error ignored;
    return reader_masked(r) && ref_find(reader_db(r), ref, &ignored) == 0;
}

size_t ref_short_length(struct reader *r, struct ref ref)
{
    size_t whole = strlen(ref.id), len = utf8_prefix(ref.id, REF_SHORT);
    if (len == whole || is_mask(r, ref))
        return whole;
    size_t shared = shared_with_nearest(r, ref, len);
    if (len <= shared)
        len = shared + 1;
    while (len < whole && ((unsigned char)ref.id[len] & 0xc0) == 0x80)
        len++;
    return len < whole ? len : whole;
}

/* Whether its caller finds the memory by a prefix. */
static bool is_listed(struct reader *r, struct ref ref)
{
    struct error ignored;
    bool listed = true;
    if (!guard_hides_of(r, KIND_BIT(ref.kind)))
        return true;
    int64_t row = ref_find(reader_db(r), ref, &ignored);
    return row > 0 && guard_lists(r, row, &listed, &ignored) == 0 && listed;
}

const char *ref_short(struct reader *r, struct arena *arena, struct ref ref)
{
    AUTO_STRBUF text = STRBUF_INIT;
    const char *id = guard_ref_id(r, arena, ref);
    bool shortens = id == ref.id && ref_is_uuid_prefix(id, UUID_LENGTH) && is_listed(r, ref);
    ref_add(&text, (struct ref){ref.kind, id ? id : ""});
    if (shortens)
        strbuf_cut(&text, text.len - UUID_LENGTH + ref_short_length(r, ref));
    return arena_strndup(arena, text.buf, text.len);
}

/* The length of the `kind:UUID` at the start of the text; 0 if there is none. */
static size_t uuid_ref_length(const char *text)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        const char *kind = kind_name((enum kind)k);
        size_t len = strlen(kind);
        if (strncmp(text, kind, len) != 0 || text[len] != ':')
            continue;
        char id[UUID_LENGTH + 1] = "";
        memcpy(id, text + len + 1, strnlen(text + len + 1, UUID_LENGTH));
        return ref_is_uuid_prefix(id, UUID_LENGTH) ? len + 1 + UUID_LENGTH : 0;
    }
    return 0;
}

const char *refs_shorten(struct reader *r, struct arena *arena, const char *text)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct ref ref;
    while (*text) {
        size_t len = uuid_ref_length(text);
        const char *whole = len ? arena_strndup(arena, text, len) : NULL;
        if (whole && ref_parse(whole, &ref) == REF_MEMORY)
            strbuf_addstr(&out, ref_short(r, arena, ref));
        else
            strbuf_add(&out, text, len ? len : 1);
        text += len ? len : 1;
    }
    return arena_strndup(arena, out.buf ? out.buf : "", out.len);
}

void refs_shorten_error(struct reader *r, struct arena *arena, struct error *e)
{
    for (size_t at = 0; e->what[at]; at++) {
        size_t len = uuid_ref_length(e->what + at);
        const char *name =
            len ? refs_shorten(r, arena, arena_strndup(arena, e->what + at, len)) : "";
        size_t kept = strlen(name);
        if (kept < len && strncmp(name, e->what + at, kept) == 0)
            error_cut(e, at + kept, len - kept);
    }
    const char *hint = refs_shorten(r, arena, e->hint);
    if (strlen(hint) < sizeof(e->hint))
        memcpy(e->hint, hint, strlen(hint) + 1);
}
