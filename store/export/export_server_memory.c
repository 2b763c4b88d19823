/*
 * The file of the reference memory server of the protocol (@modelcontextprotocol/server-memory): lines of entities with
 * observations, and of relations between them. It has no place for anything else.
 *
 * A memory is an entity named by its ref, whose observation is its text. A note with relations that only their source
 * knows is what that server calls an entity, as store/import/import_server_memory.c makes it: it is named by its text,
 * its first tag is the type, and the beliefs about it are its observations. An agent takes what it reads there for
 * true, so only what stands is exported.
 */
#include <string.h>
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/db/db.h"
#include "store/export/export_internal.h"
#include "store/guard/guard.h"

#define NAME_MAX_CHARACTERS 200

enum walk {
    WALK_NAMES, /* which notes are subjects, and their names */
    WALK_LINES
};

#define ABOUT "about" /* the reason of the relation of a belief to its subject */

/* Those notes. Two of one name are told apart by the ref of the second. */
struct subjects {
    struct key_index names;
    struct row_index rows;
    const char **name; /* [rows.count], in x->kept */
    size_t alloc;
};

/* ---- subjects ---- */

/* In the order in which they were imported. Kind 2 is belief, status 0 active, relation 22 related_to. */
static struct query beliefs_about(struct export *x, int64_t note, struct error *e)
{
    return db_query(reader_db(x->reader), e,
                    "SELECT l.memory FROM link l INDEXED BY link_target CROSS JOIN memory m"
                    " ON m.id = l.memory WHERE l.target = ? AND l.shape & 31 = 22"
                    " AND l.reason = '" ABOUT "' AND m.kind = 2 AND m.status = 0 ORDER BY l.memory",
                    "i", note);
}

static const char *subject_name(const struct subjects *s, int64_t row)
{
    size_t at = row_index_find(&s->rows, row);
    return at == ROW_NONE ? NULL : s->name[at];
}

static void note_subject(struct export *x, const struct memory *m)
{
    struct subjects *s = x->state;
    struct strbuf name = STRBUF_INIT;
    export_add_title(x, &name, m->text, NAME_MAX_CHARACTERS);
    size_t before = s->names.count;
    if (name.len == 0 || key_index_add(&s->names, name.buf, name.len) != before) {
        strbuf_addstr(&name, name.len ? " (" : "(");
        ref_add(&name, m->ref);
        strbuf_addch(&name, ')');
    }
    size_t at = row_index_add(&s->rows, m->node), count = at;
    *ARENA_ADD(&x->kept, s->name, count, s->alloc) = arena_take(&x->kept, &name);
}

static int find_subject(struct export *x, const struct memory *m, struct error *e)
{
    int64_t related = 0;
    if (m->ref.kind != KIND_NOTE)
        return 0;
    for (size_t i = 0; i < m->relation_count; i++)
        related += m->relations[i].type == RELATION_RELATED;
    if (!related && db_int(reader_db(x->reader), &related, 0, e,
                           "SELECT count(*) FROM link INDEXED BY link_target WHERE target = ?"
                           " AND shape & 31 = 22",
                           "i", m->node))
        return -1;
    if (related)
        note_subject(x, m);
    return 0;
}

static bool is_about(const struct relation *r)
{
    return r->type == RELATION_RELATED && r->reason && strcmp(r->reason, ABOUT) == 0;
}

/* Is it an observation of a subject, and nothing more that a line of its own would tell? */
static bool is_observation(const struct export *x, const struct memory *m)
{
    return m->ref.kind == KIND_BELIEF && m->justification_count == 0 && m->relation_count == 1 &&
           is_about(&m->relations[0]) && subject_name(x->state, m->relations[0].to_node);
}

/* ---- lines ---- */

static void add_name(struct export *x, struct json_object *o, const char *key, struct ref ref,
                     int64_t row)
{
    const char *name = subject_name(x->state, row);
    if (name)
        json_pair(o, key, name);
    else
        memory_json_pair_ref(o, key, ref);
}

static int add_observations(struct export *x, struct json_object *list, const struct memory *m,
                            struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory belief;
    struct query rows = beliefs_about(x, m->node, e);
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        if (!export_has(x, row))
            continue;
        arena_clear(&arena);
        if (memory_read(x->reader, &arena, row, &belief, e))
            return db_fail(&rows);
        json_item_string(list, belief.text);
    }
    return db_end(&rows);
}

static int add_entity(struct export *x, const struct memory *m, struct error *e)
{
    const char *subject = subject_name(x->state, m->node);
    struct json_object o = json_begin(&x->out, '{');
    json_pair(&o, "type", "entity");
    add_name(x, &o, "name", m->ref, m->node);
    json_pair(&o, "entityType", subject && m->tag_count ? m->tags[0] : kind_name(m->ref.kind));
    struct json_object list = json_open(&o, "observations", '[');
    if (!subject || strcmp(subject, m->text) != 0)
        json_item_string(&list, m->text);
    int result = subject ? add_observations(x, &list, m, e) : 0;
    json_end(&list);
    json_end_line(&o);
    return result;
}

/* A relation to something that is not in the file is left out. */
static void add_relation(struct export *x, const struct memory *m, enum role type, const char *name,
                         struct ref to, int64_t row, enum status status)
{
    if (status != STATUS_ACTIVE || !export_has(x, row)) {
        x->result->part[ROLE_IS_SUPPORT(type) ? PART_LINK : PART_RELATION]++;
        return;
    }
    struct json_object o = json_begin(&x->out, '{');
    json_pair(&o, "type", "relation");
    add_name(x, &o, "from", m->ref, m->node);
    add_name(x, &o, "to", to, row);
    json_pair(&o, "relationType", name);
    json_end_line(&o);
}

static int write_lines(struct export *x, const struct memory *m, struct error *e)
{
    if (is_observation(x, m))
        return 0;
    if (add_entity(x, m, e))
        return -1;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            const struct antecedent *a = &m->justifications[i].antecedents[k];
            enum role role = m->justifications[i].role;
            add_relation(x, m, role, role_name(role), a->ref, a->node, a->status);
        }
    for (size_t i = 0; i < m->relation_count; i++) {
        const struct relation *r = &m->relations[i];
        bool named = r->type == RELATION_RELATED && r->reason && *r->reason;
        add_relation(x, m, r->type, named ? r->reason : role_name(r->type), r->to, r->to_node,
                     r->to_status);
    }
    json_show(&x->out);
    return 0;
}

/* ---- the format ---- */

static int begin(struct export *x, struct error *e)
{
    (void)e;
    if (!x->state)
        x->state = arena_alloc(&x->kept, sizeof(struct subjects));
    return 0;
}

static int take(struct export *x, const struct memory *m, struct error *e)
{
    return x->walk == WALK_NAMES ? find_subject(x, m, e) : write_lines(x, m, e);
}

static void release(struct export *x)
{
    struct subjects *s = x->state;
    if (!s)
        return;
    key_index_release(&s->names);
    row_index_release(&s->rows);
}

const struct export_format export_as_server_memory = {
    .name = "server-memory",
    .about = "the file of the reference memory server of MCP; only what is not ended",
    .parts = 1u << PART_TEXT | 1u << PART_LINK | 1u << PART_RELATION | 1u << PART_CHARACTER,
    .kinds = KINDS_ALL,
    .statuses = STATUS_BIT(STATUS_ACTIVE),
    .walks = 2,
    .begin = begin,
    .memory = take,
    .end = NULL,
    .close = release,
};
