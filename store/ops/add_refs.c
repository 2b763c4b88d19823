#include "store/ops/add_refs.h"

#include "model/base/utf8.h"
#include "store/guard/guard.h"
#include "store/ops/plan.h"

#define CANDIDATES_SHOWN 4 /* an error has room for no more */
#define UUID_LENGTH      36

/* What a ref may mean: the first, and all of them as a sentence. What was only named gives way to what is written. */
struct candidates {
    struct ref first;
    size_t count;
    bool known; /* they are written, not only named */
    struct strbuf names;
};

/* Where it is looked for: a write transaction remembers rows, a reader's connection does not. */
struct index_of_refs {
    struct db *db;
    struct txn *t;    /* NULL: none */
    struct reader *r; /* for whose caller it is looked for; NULL: a person */
};

static void add_name(struct candidates *c, struct ref ref)
{
    strbuf_addf(&c->names, "%s%s:%s", c->names.len ? ", " : "", kind_name(ref.kind), ref.id);
}

/* Names are only asked for where there are several. */
static void add_candidate(struct candidates *c, struct arena *arena, struct ref ref,
                          enum status status)
{
    bool known = status != STATUS_MISSING;
    if (c->count && c->known && !known)
        return;
    if (c->count && !c->known && known) {
        strbuf_clear(&c->names);
        c->count = 0;
    }
    if (c->count == 0) {
        c->first = (struct ref){ref.kind, arena_strdup(arena, ref.id)};
        c->known = known;
    }
    if (c->count == 1)
        add_name(c, c->first);
    if (c->count > 0 && c->count < CANDIDATES_SHOWN)
        add_name(c, ref);
    c->count++;
}

static int64_t look_up(const struct index_of_refs *in, struct ref ref, enum status *status,
                       struct error *e)
{
    if (in->t)
        return txn_look_up(in->t, ref, status, e);
    return ref_look_up(in->db, ref, status, e);
}

static int find_exact(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                      enum kind kind, const char *id, struct error *e)
{
    struct ref ref = {kind, id};
    enum status status;
    enum sight sight = SIGHT_WHOLE;
    int64_t node = look_up(in, ref, &status, e);
    if (node > 0 && in->r && guard_sight(in->r, node, &sight, e))
        return -1;
    if (node <= 0 || sight == SIGHT_NONE)
        return node < 0 ? -1 : 0;
    add_candidate(c, arena, ref, status);
    return 0;
}

/* Only whole UUIDs: `abc` never matches `abcdef`. '~' comes after every digit and the dash. */
static int find_uuid(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                     enum kind kind, const char *prefix, struct error *e)
{
#define FIND_UUID                                                                                  \
    "SELECT name, status FROM memory WHERE kind = ? AND name >= ? AND name < ?"                    \
    " AND length(name) = 36"
    bool hides = in->r && guard_hides(in->r);
    char end[UUID_LENGTH + 2];
    snprintf(end, sizeof(end), "%s~", prefix);
    sqlite3_stmt *stmt = db_prepare(
        in->db, hides ? FIND_UUID GUARD_SQL " ORDER BY name" : FIND_UUID " ORDER BY name", e);
    int more = db_bind(in->db, stmt, e, "iss", (int64_t)kind, prefix, end);
    for (; more > 0; more = db_step(in->db, stmt, e)) {
        struct ref ref = {kind, (const char *)sqlite3_column_text(stmt, 0)};
        enum status status = (enum status)sqlite3_column_int(stmt, 1);
        add_candidate(c, arena, ref, status);
    }
    return more;
}

/* What an agent is shown of an id names it as the id does. */
static int find_shown(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                      enum kind kind, const char *id, struct error *e)
{
    struct ref ref;
    const struct guard_rules *rules = in->r ? guard_rules_of(in->r) : NULL;
    int meant = guard_ref_meant(in->db, rules, arena, id, &ref, e);
    if (meant <= 0 || (kind != KIND_COUNT && kind != ref.kind))
        return meant < 0 ? -1 : 0;
    return find_exact(in, arena, c, ref.kind, ref.id, e);
}

/* Does it name nothing, or what was only ever named so, by a name in which something was masked? */
static bool names_masked(const struct candidates *c, const char *id)
{
    return c->count == 0 ? guard_looks_masked(id)
                         : c->count == 1 && !c->known && guard_looks_masked(c->first.id);
}

/* A link to it would be one to whatever else is masked so. */
static int no_masked(const char *text, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "Give its ref as it is answered now, or leave it out.",
                     "something in %.100s was masked, and no memory is called so", text);
}

typedef int (*finder)(const struct index_of_refs *, struct arena *, struct candidates *, enum kind,
                      const char *, struct error *);

/* In that kind, or for KIND_COUNT in all. */
static int find_in(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                   enum kind kind, finder look, const char *id, struct error *e)
{
    if (kind != KIND_COUNT)
        return look(in, arena, c, kind, id, e);
    for (int k = 0; k < KIND_COUNT; k++)
        if (look(in, arena, c, (enum kind)k, id, e))
            return -1;
    return 0;
}

static enum ref_class ambiguous(const struct candidates *c, const char *text, struct error *e)
{
    struct strbuf todo = STRBUF_INIT;
    strbuf_addf(&todo, "Say which: %s%s.", c->names.buf, c->count > CANDIDATES_SHOWN ? ", …" : "");
    error_set(e, ERROR_INVALID, todo.buf, "%s may be any of %zu memories", text, c->count);
    e->todo_quotes = true;
    strbuf_release(&todo);
    return REF_BAD;
}

static enum ref_class settle(const struct candidates *c, struct arena *arena, const char *text,
                             struct ref given, struct ref *out, bool *known, struct error *e)
{
    if (c->count > 1)
        return ambiguous(c, text, e);
    *known = c->count == 1 && c->known;
    if (c->count == 1) {
        *out = c->first;
        return REF_MEMORY;
    }
    if (given.kind == KIND_COUNT) {
        error_set(e, ERROR_INVALID, "Write kind:id, such as raw:…, or the whole id.",
                  "no memory is called %s", text);
        return REF_BAD;
    }
    *out = (struct ref){given.kind, arena_strdup(arena, given.id)};
    return REF_MEMORY;
}

/* What rests on an entry that was never named would be told from what rests on one that is not to be seen. */
static int no_entry(const char *id, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "Leave it out, or name one that is there.",
                     "no memory is called entry:%.100s", id);
}

/* A UUID that begins so. One that was never written and is called just so gives way where only one is meant. */
static int find_begun(const struct index_of_refs *in, struct arena *arena, struct candidates *c,
                      struct ref given, struct error *e)
{
    struct candidates begun = {.names = STRBUF_INIT};
    int found = find_in(in, arena, &begun, given.kind, find_uuid, given.id, e);
    if (c->count == 0 || (begun.count == 1 && begun.known)) {
        struct candidates stub = *c;
        *c = begun;
        begun = stub;
    }
    strbuf_release(&begun.names);
    return found;
}

static enum ref_class find_ref(const struct index_of_refs *in, struct arena *arena,
                               const char *text, enum kind bare, struct ref *out, bool *known,
                               struct error *e)
{
    struct ref given;
    enum ref_class class = utf8_valid(text, strlen(text)) ? ref_parse(text, &given) : REF_BAD;
    if (class == REF_ANNOTATION)
        return class;
    if (class == REF_BAD || (class == REF_BARE && strlen(text) > REF_ID_MAX)) {
        if (strlen(text) > REF_ID_MAX)
            error_set(e, ERROR_INVALID, "Write kind:id.",
                      "%.80s… is no ref: an id has at most %d bytes", text, REF_ID_MAX);
        else
            error_set(e, ERROR_INVALID, "Write kind:id.", "%.80s is not a ref", text);
        return REF_BAD;
    }
    if (class == REF_BARE)
        given = (struct ref){bare, text};
    struct candidates c = {.names = STRBUF_INIT};
    int found = find_in(in, arena, &c, given.kind, find_exact, given.id, e);
    if (found == 0 && !(c.count && c.known) && ref_is_uuid_prefix(given.id, REF_LINK_PREFIX))
        found = find_begun(in, arena, &c, given, e);
    if (found == 0 && c.count == 0)
        found = find_shown(in, arena, &c, given.kind, given.id, e);
    if (found == 0 && names_masked(&c, given.id))
        found = no_masked(text, e);
    if (found == 0 && c.count == 0 && given.kind == KIND_ENTRY && in->r && reader_guarded(in->r))
        found = no_entry(given.id, e);
    class = found ? REF_BAD : settle(&c, arena, text, given, out, known, e);
    strbuf_release(&c.names);
    return class;
}

enum ref_class add_ref(struct txn *t, struct arena *arena, const char *text, enum kind bare,
                       struct ref *out, bool *known, struct error *e)
{
    return find_ref(&(struct index_of_refs){t->db, t, t->reader}, arena, text, bare, out, known, e);
}

enum ref_class plan_ref(struct plan *p, const char *text, enum kind bare, struct ref *out,
                        bool *known, struct error *e)
{
    return find_ref(&(struct index_of_refs){reader_db(p->reader), NULL, p->reader}, p->arena, text,
                    bare, out, known, e);
}
