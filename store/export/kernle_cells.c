/* The values of a memory in the columns of Kernle: the field that a column has, else what the detail kept, else its
 * default. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/format/memory_json.h"
#include "store/export/export_internal.h"

/* ---- values of fields ---- */

static struct cell text_cell(const char *text)
{
    return text ? (struct cell){.type = CELL_TEXT, .bytes = text, .len = strlen(text)}
                : (struct cell){.type = CELL_NULL};
}

static struct cell taken_cell(const struct row *row, struct strbuf *text)
{
    size_t len = text->len;
    return (struct cell){.type = CELL_TEXT, .bytes = arena_take(&row->x->arena, text), .len = len};
}

static struct cell integer_cell(int64_t value)
{
    return (struct cell){.type = CELL_INTEGER, .integer = value};
}

static struct cell time_cell(const struct row *row, int64_t ms)
{
    char text[32];
    clock_format_iso(text, sizeof(text), ms);
    return text_cell(arena_strdup(&row->x->arena, text));
}

/* A list under construction; an empty one is NULL. */
struct list {
    struct strbuf text;
    struct json_object items;
};

static void list_begin(struct list *l)
{
    strbuf_init(&l->text);
    l->items = json_begin(&l->text, '[');
}

static void list_add(struct list *l, const char *text)
{
    json_item_string(&l->items, text);
}

static struct cell list_end(const struct row *row, struct list *l)
{
    json_end(&l->items);
    if (l->items.any)
        return taken_cell(row, &l->text);
    strbuf_release(&l->text);
    return (struct cell){.type = CELL_NULL};
}

static struct cell list_cell(const struct row *row, const char **texts, size_t count)
{
    struct list l;
    list_begin(&l);
    for (size_t i = 0; i < count; i++)
        list_add(&l, texts[i]);
    return list_end(row, &l);
}

/* ---- links ---- */

bool kernle_has_kind(enum kind kind)
{
    return export_as_kernle.kinds & KIND_BIT(kind);
}

static bool in_history(const struct memory *m, struct ref of)
{
    struct ref ref;
    for (size_t i = 0; i < m->history_count; i++) {
        const char *text = m->history[i].evidence_source;
        if (!m->history[i].origin && text && ref_parse(text, &ref) == REF_MEMORY &&
            ref_equal(ref, of))
            return true;
    }
    return false;
}

/* Which column has a link: evidence that a change of confidence names stands there alone. */
enum kernle_field kernle_field_of_link(const struct row *row, const struct justification *j,
                                       struct ref ref)
{
    bool plain = j->at == row->m->created_at && !j->reason;
    if (j->role == ROLE_EVIDENCE && (plain || !in_history(row->m, ref)))
        return FIELD_SOURCE_EPISODES;
    if ((j->role == ROLE_EVIDENCE || j->role == ROLE_REINFORCEMENT) && in_history(row->m, ref))
        return FIELD_HISTORY;
    return row->table->place[FIELD_SOURCE_RAWS] >= 0 ? FIELD_SOURCE_RAWS : FIELD_DERIVED_FROM;
}

/* The kind of a bare id in that column; -1 if it has only refs. */
static int bare_kind(enum kernle_field field)
{
    return field == FIELD_SOURCE_EPISODES ? KIND_EPISODE
           : field == FIELD_SOURCE_RAWS   ? KIND_RAW
                                          : -1;
}

static void add_ref(struct list *l, enum kernle_field field, struct ref ref)
{
    json_item(&l->items);
    if ((int)ref.kind == bare_kind(field) && !strchr(ref.id, ':'))
        json_add_string(&l->text, ref.id);
    else
        memory_json_add_ref(&l->text, ref);
}

/* Kernle's own marks say that a link was guessed; they stand among the refs. */
static void add_mark(struct list *l, const struct memory *m)
{
    static const char *const marks[] = {
        [RECORDED_AUTO_LINKED] = "kernle:auto-linked",
        [RECORDED_MIGRATED] = "kernle:pre-v0.9-migration",
    };
    for (size_t i = 0; i < m->justification_count; i++) {
        enum recorded recorded = m->justifications[i].recorded;
        if ((recorded == RECORDED_AUTO_LINKED && !memory_is_annotated(m, SYNTHETIC_RAW) &&
             !memory_is_annotated(m, marks[recorded])) ||
            (recorded == RECORDED_MIGRATED && !memory_is_annotated(m, marks[recorded]))) {
            list_add(l, marks[recorded]);
            return;
        }
    }
}

static struct cell links_cell(const struct row *row, enum kernle_field field)
{
    const struct memory *m = row->m;
    struct list l;
    list_begin(&l);
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            struct ref ref = m->justifications[i].antecedents[k].ref;
            if (kernle_has_kind(ref.kind) &&
                kernle_field_of_link(row, &m->justifications[i], ref) == field)
                add_ref(&l, field, ref);
        }
    if (field == FIELD_DERIVED_FROM) {
        add_mark(&l, m);
        for (size_t i = 0; i < m->annotation_count; i++)
            list_add(&l, m->annotations[i]);
    }
    return list_end(row, &l);
}

/* ---- relations ---- */

/* Does Kernle's audit say that this belief revised the other one? Then an import reads it there. */
bool kernle_in_audit(const struct memory *m, struct ref old)
{
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        struct ref ref;
        if (!h->origin || strcmp(h->origin, "kernle") != 0 || !h->evidence_source ||
            !h->operation || strcmp(h->operation, "belief.revised") != 0)
            continue;
        if (ref_parse(h->evidence_source, &ref) == REF_BARE)
            ref = (struct ref){KIND_BELIEF, h->evidence_source};
        else if (ref_parse(h->evidence_source, &ref) != REF_MEMORY)
            continue;
        if (ref_equal(ref, old))
            return true;
    }
    return false;
}

static struct cell relation_cell(const struct row *row, enum role type)
{
    for (size_t i = 0; i < row->m->relation_count; i++) {
        const struct relation *r = &row->m->relations[i];
        if (r->type != type || !kernle_has_kind(r->to.kind) ||
            (r->reason && kernle_in_audit(row->m, r->to)))
            continue;
        struct strbuf text = STRBUF_INIT;
        if (type == RELATION_SUPERSEDES && r->to.kind == KIND_BELIEF && !strchr(r->to.id, ':'))
            strbuf_addstr(&text, r->to.id);
        else
            ref_add(&text, r->to);
        return taken_cell(row, &text);
    }
    return (struct cell){.type = CELL_NULL};
}

static struct cell processed_cell(const struct row *row)
{
    struct list l;
    list_begin(&l);
    for (size_t i = 0; i < row->m->relation_count; i++)
        if (row->m->relations[i].type == RELATION_PROCESSED_INTO)
            add_ref(&l, FIELD_PROCESSED_INTO, row->m->relations[i].to);
    return list_end(row, &l);
}

/* ---- history ---- */

static void pair_number(struct json_object *o, const char *key, double value)
{
    if (!isnan(value))
        json_pair_double(o, key, value);
}

static struct cell history_cell(const struct row *row)
{
    struct list l;
    char time[32];
    list_begin(&l);
    for (size_t i = 0; i < row->m->history_count; i++) {
        const struct history_entry *h = &row->m->history[i];
        if (h->origin)
            continue;
        clock_format_iso(time, sizeof(time), h->at);
        struct json_object o = json_item_open(&l.items, '{');
        json_pair(&o, "timestamp", time);
        pair_number(&o, "old", h->old);
        pair_number(&o, "new", h->new_);
        json_pair_if(&o, "reason", h->reason);
        json_pair_if(&o, "evidence_source", h->evidence_source);
        json_end(&o);
    }
    return list_end(row, &l);
}

/* ---- columns ---- */

/* A value of the detail as SQLite has it: numbers as numbers, texts, and JSON as text. */
static struct cell detail_cell(const struct row *row, const char *name)
{
    struct json_slice value = json_get(row->detail, name);
    struct cell cell = {.type = CELL_NULL};
    if (!value.ptr || *value.ptr == 'n')
        return cell;
    if (*value.ptr == '"')
        return text_cell(json_text(&row->x->arena, value, NULL));
    if (*value.ptr == 't' || *value.ptr == 'f')
        return integer_cell(*value.ptr == 't');
    if (strchr("[{", *value.ptr))
        return text_cell(arena_strndup(&row->x->arena, value.ptr, value.len));
    bool whole = !memchr(value.ptr, '.', value.len) && !memchr(value.ptr, 'e', value.len) &&
                 !memchr(value.ptr, 'E', value.len);
    if (whole && json_integer(value, &cell.integer) == 0)
        cell.type = CELL_INTEGER;
    else if (json_double(value, &cell.real) == 0)
        cell.type = CELL_REAL;
    return cell;
}

/* The declared default as a value. */
static struct cell default_cell(const struct row *row, const struct kernle_column *column)
{
    const char *sql = column->fallback;
    if (!sql || strcmp(sql, "NULL") == 0)
        return (struct cell){.type = CELL_NULL};
    if (*sql == '\'')
        return text_cell(arena_strndup(&row->x->arena, sql + 1, strlen(sql) - 2));
    return (struct cell){.type = CELL_REAL, .real = strtod(sql, NULL)};
}

/* The text of a drive begins with its type, that of a relationship with its name: those stand in the detail. */
static struct cell text_field(const struct row *row, const char *column)
{
    const struct memory *m = row->m;
    struct cell kept = detail_cell(row, column);
    bool begins = kept.type == CELL_TEXT && strncmp(m->text, kept.bytes, kept.len) == 0;
    if (m->ref.kind == KIND_SUGGESTION) {
        struct strbuf content = STRBUF_INIT;
        if (kept.type == CELL_TEXT)
            return kept;
        struct json_object o = json_begin(&content, '{');
        json_pair(&o, "content", m->text);
        json_end(&o);
        return taken_cell(row, &content);
    }
    if (begins)
        return kept;
    if (row->bytes.len)
        return (struct cell){.type = CELL_TEXT, .bytes = row->bytes.buf, .len = row->bytes.len};
    return text_cell(m->text);
}

static bool is_set(struct cell cell)
{
    return (cell.type == CELL_INTEGER && cell.integer) ||
           (cell.type == CELL_REAL && cell.real != 0);
}

static bool is_forgotten(const struct memory *m)
{
    return m->status == STATUS_FORGOTTEN || m->status == STATUS_RETRACTED ||
           m->status == STATUS_QUARANTINED;
}

/* Strength 0 is how Kernle says that a memory was forgotten; older versions said is_forgotten. */
static struct cell strength_field(const struct row *row)
{
    struct cell kept = detail_cell(row, "strength");
    bool zero = kept.type != CELL_NULL && !is_set(kept),
         said = is_set(detail_cell(row, "is_forgotten"));
    if (is_forgotten(row->m) && !zero && !said)
        return (struct cell){.type = CELL_REAL, .real = 0};
    return zero && STATUS_LIVES(row->m->status)
               ? default_cell(row, &(struct kernle_column){.fallback = "1.0"})
               : kept;
}

static struct cell field_cell(const struct row *row, const struct kernle_column *column)
{
    const struct cell none = {.type = CELL_NULL};
    const struct memory *m = row->m;
    struct cell cell;
    switch (column->field) {
    case FIELD_ID:
        return text_cell(m->ref.id);
    case FIELD_AGENT:
        return text_cell(m->agent_id);
    case FIELD_TEXT:
        return text_field(row, column->name);
    case FIELD_CREATED:
        return time_cell(row, m->created_at);
    case FIELD_UPDATED:
        return time_cell(row, m->updated_at);
    case FIELD_UPDATED_BEFORE: /* drives have both, and the detail has the one that differs */
        cell = detail_cell(row, column->name);
        return cell.type == CELL_NULL ? time_cell(row, m->updated_at) : cell;
    case FIELD_VERSION:
        return integer_cell(m->version);
    case FIELD_CONFIDENCE:
        return (struct cell){.type = CELL_REAL, .real = m->confidence};
    case FIELD_SOURCE_TYPE:
        return text_cell(m->source_type);
    case FIELD_SOURCE_ENTITY:
        return text_cell(m->source_entity);
    case FIELD_CONTEXT:
        return text_cell(m->context);
    case FIELD_TAGS:
        return list_cell(row, m->tags, m->tag_count);
    case FIELD_PROTECTED:
        return integer_cell(m->is_protected);
    case FIELD_STRENGTH:
        return strength_field(row);
    case FIELD_FORGOTTEN:
        return integer_cell(is_forgotten(m) && is_set(detail_cell(row, column->name)));
    case FIELD_DELETED:
        return integer_cell(m->status == STATUS_DELETED);
    case FIELD_IS_ACTIVE:
        cell = STATUS_LIVES(m->status) ? none : detail_cell(row, column->name);
        return cell.type == CELL_NULL ? integer_cell(m->status != STATUS_SUPERSEDED) : cell;
    case FIELD_SUPERSEDES:
        return relation_cell(row, RELATION_SUPERSEDES);
    case FIELD_PROMOTED_TO:
        return relation_cell(row, RELATION_PROCESSED_INTO);
    case FIELD_PROCESSED_INTO:
        return processed_cell(row);
    case FIELD_DERIVED_FROM:
    case FIELD_SOURCE_EPISODES:
    case FIELD_SOURCE_RAWS:
        return links_cell(row, column->field);
    case FIELD_HISTORY:
        return history_cell(row);
    default:
        return none;
    }
}

/* Kernle would process a raw entry again whose memories we already know. */
static bool is_processed(const struct row *row, const struct kernle_column *column)
{
    return row->native && row->m->ref.kind == KIND_RAW && strcmp(column->name, "processed") == 0 &&
           processed_cell(row).type != CELL_NULL;
}

/* The field, else what the detail kept (a value that could not be read), else the default. */
struct cell kernle_column_cell(const struct row *row, const struct kernle_column *column)
{
    struct cell cell = field_cell(row, column);
    if (cell.type == CELL_NULL)
        cell = is_processed(row, column) ? integer_cell(1) : detail_cell(row, column->name);
    if (cell.type == CELL_NULL && (row->native || !column->always))
        cell = default_cell(row, column);
    if (cell.type == CELL_NULL && column->field == FIELD_SOURCE_RAWS)
        cell = text_cell("[]"); /* required */
    if (cell.type == CELL_NULL && column->fallback && strcmp(column->fallback, "''") == 0)
        cell = text_cell("");
    return cell;
}
