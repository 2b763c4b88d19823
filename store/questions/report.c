/* Reports, and their JSON. */
#include "store/questions/report.h"

#include <string.h>
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/questions/questions.h"
#include "store/db/reader.h"

size_t report_columns(const struct report_part *part)
{
    size_t count = 0;
    while (part->columns[count].key || part->columns[count].heading)
        count++;
    return count;
}

struct cell *report_add(struct report *p, size_t part, uint32_t group)
{
    struct report_rows *rows = &p->part[part];
    size_t columns = report_columns(&p->question->parts[part]);
    struct report_row *row = ARENA_ADD(p->arena, rows->row, rows->count, rows->alloc);
    *row = (struct report_row){group, arena_array(p->arena, columns, sizeof(*row->cell))};
    return row->cell;
}

bool report_is_full(struct report *p, size_t limit)
{
    bool full = limit && p->part[0].count >= limit;
    p->more += full;
    return full;
}

/* ---- JSON ---- */

struct writing {
    const struct report *report;
    struct reader *reader;
    struct strbuf *out;
    struct report_bounds *bounds;
    size_t room; /* bytes of `out` up to the end of this part; 0: no limit */
    struct error *e;
};

/* Whether the caller may see as much as that of the memory. -1 on error. */
static int is_visible(struct writing *w, int64_t row, enum visibility least)
{
    enum visibility visibility;
    if (!w->bounds->agent)
        return 1;
    return guard_visibility(w->reader, row, &visibility, w->e) ? -1 : visibility >= least;
}

static int add_ref(struct writing *w, int64_t row)
{
    struct memory_row m;
    if (memory_row_read(w->reader, w->report->arena, row, &m, w->e))
        return -1;
    if (w->bounds->agent)
        json_add_string(w->out, ref_short(w->reader, w->report->arena, m.ref));
    else
        memory_json_add_ref(w->out, m.ref);
    return 0;
}

static bool has_room(const struct writing *w)
{
    return w->room == 0 || w->out->len < w->room;
}

static int add_refs(struct writing *w, const struct cell *c)
{
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = 0; i < c->is.refs.count; i++) {
        int known = is_visible(w, c->is.refs.row[i], VISIBLE_WHOLE);
        if (known < 0)
            return -1;
        if (known && !has_room(w))
            w->bounds->left++;
        if (!known || !has_room(w))
            continue;
        json_item(&list);
        if (add_ref(w, c->is.refs.row[i]))
            return -1;
    }
    json_end(&list);
    return 0;
}

static int add_cell(struct writing *w, enum report_type type, const struct cell *c)
{
    switch (type) {
    case REPORT_REF:
        return add_ref(w, c->is.integer);
    case REPORT_REFS:
        return add_refs(w, c);
    case REPORT_TEXT:
        json_add_string(w->out, w->bounds->agent ? guard_text(w->reader, w->report->arena,
                                                              c->is.text, strlen(c->is.text))
                                                 : c->is.text);
        return 0;
    case REPORT_WORD:
        json_add_string(w->out, c->is.text);
        return 0;
    case REPORT_NUMBER:
        json_add_double(w->out, c->is.number);
        return 0;
    case REPORT_YES:
        strbuf_addstr(w->out, c->is.integer ? "true" : "false");
        return 0;
    case REPORT_COUNT:
    case REPORT_TIME:
        break;
    }
    json_add_int(w->out, c->is.integer);
    return 0;
}

/* Adds the known cells as members. */
static int add_members(struct writing *w, struct json_object *o, const struct report_column *column,
                       const struct cell *cell)
{
    for (; column->key; column++, cell++) {
        if (!cell->known)
            continue;
        json_key(o, column->key);
        if (add_cell(w, column->type, cell))
            return -1;
    }
    return 0;
}

/* Whether the caller may know of the memory that the row begins with. -1 on error. */
static int row_is_known(struct writing *w, const struct report_part *part,
                        const struct report_row *row)
{
    bool names = part->columns[0].type == REPORT_REF && row->cell[0].known;
    return names ? is_visible(w, row->cell[0].is.integer, VISIBLE_OWNER) : 1;
}

static int add_row(struct writing *w, const struct report_part *part, const struct report_row *row)
{
    if (!part->columns[0].key)
        return add_cell(w, part->columns[0].type, &row->cell[0]);
    struct json_object o = json_begin(w->out, '{');
    int result = add_members(w, &o, part->columns, row->cell);
    json_end(&o);
    return result;
}

/* Adds the rows from `from` on that belong to one list; returns where they end. */
static int add_rows(struct writing *w, size_t part, size_t from, size_t to)
{
    const struct report_part *spec = &w->report->question->parts[part];
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = from; i < to; i++) {
        const struct report_row *row = &w->report->part[part].row[i];
        int known = row_is_known(w, spec, row);
        if (known < 0)
            return -1;
        if (known && !has_room(w)) {
            w->bounds->left++;
            continue;
        }
        if (!known)
            continue;
        json_item(&list);
        if (add_row(w, spec, row))
            return -1;
    }
    json_end(&list);
    return 0;
}

static int add_groups(struct writing *w, size_t part)
{
    const struct report_rows *rows = &w->report->part[part];
    struct json_object groups = json_begin(w->out, '[');
    for (size_t from = 0, to; from < rows->count; from = to) {
        for (to = from + 1; to < rows->count && rows->row[to].group == rows->row[from].group;)
            to++;
        if (!has_room(w)) {
            w->bounds->left += to - from;
            continue;
        }
        json_item(&groups);
        if (add_rows(w, part, from, to))
            return -1;
    }
    json_end(&groups);
    return 0;
}

static int add_part(struct writing *w, struct json_object *o, size_t part)
{
    const struct report_part *spec = &w->report->question->parts[part];
    const struct report_rows *rows = &w->report->part[part];
    if (spec->shape == PART_MEMBERS)
        return rows->count ? add_members(w, o, spec->columns, rows->row[0].cell) : 0;
    json_key(o, spec->key);
    return spec->shape == PART_GROUPS ? add_groups(w, part) : add_rows(w, part, 0, rows->count);
}

static int add_lines(struct writing *w, size_t part)
{
    const struct report_part *spec = &w->report->question->parts[part];
    const struct report_rows *rows = &w->report->part[part];
    struct report_bounds *bounds = w->bounds;
    size_t at = bounds->from;
    for (; at < rows->count && (at == bounds->from || has_room(w)); at++) {
        int known = row_is_known(w, spec, &rows->row[at]);
        if (known < 0 || (known && add_row(w, spec, &rows->row[at])))
            return -1;
        if (known)
            strbuf_addch(w->out, '\n');
    }
    bounds->next = at < rows->count || w->report->more ? at : 0;
    if (bounds->next)
        strbuf_addf(w->out, "{\"next\":%zu}\n", bounds->next);
    return 0;
}

static int add_answer(struct writing *w)
{
    const struct report *p = w->report;
    if (p->question->parts[0].shape == PART_LINES)
        return add_lines(w, 0);
    struct json_object o = json_begin(w->out, '{');
    if (p->subject) {
        json_key(&o, "ref");
        if (add_ref(w, p->subject))
            return -1;
    }
    if (p->text)
        json_pair(&o, "text", p->text);
    size_t parts = 0;
    while (p->question->parts[parts].columns)
        parts++;
    for (size_t part = 0; part < parts; part++) { /* each leaves room for those after it */
        w->room = w->bounds->most * (part + 1) / parts;
        if (add_part(w, &o, part))
            return -1;
    }
    json_end_line(&o);
    return 0;
}

int report_json(const struct report *p, struct reader *r, struct report_bounds *bounds,
                struct strbuf *out, struct error *e)
{
    struct writing w = {
        .report = p, .reader = r, .out = out, .bounds = bounds, .room = bounds->most, .e = e};
    return add_answer(&w);
}

/* ---- the table of questions ---- */

const struct question *const questions[] = {
    [QUESTION_WHY] = &question_why,
    [QUESTION_BLAME] = &question_blame,
    [QUESTION_ROOTS] = &question_roots,
    [QUESTION_CONFIDENCE] = &question_confidence,
    [QUESTION_KEYSTONES] = &question_keystones,
    [QUESTION_TAINT] = &question_taint,
    [QUESTION_SUSPECTS] = &question_suspects,
    [QUESTION_FORENSICS] = &question_forensics,
    [QUESTION_WHY_NOT] = &question_why_not,
    [QUESTION_DUPLICATES] = &question_duplicates,
    [QUESTION_CONFLICTS] = &question_conflicts,
    [QUESTION_STALE] = &question_stale,
    [QUESTION_RESOLVE] = &question_resolve,
    [QUESTION_REPLACED] = &question_replaced,
    [QUESTION_EFFECTS] = &question_effects,
    NULL,
};

const struct question *question_find(const char *name)
{
    for (const struct question *const *q = questions; *q; q++)
        if (strcmp((*q)->name, name) == 0)
            return *q;
    return NULL;
}

int question_ask(struct report *p, const struct question *q, struct reader *r, struct arena *arena,
                 const struct asked *asked, struct error *e)
{
    *p = (struct report){.question = q,
                         .arena = arena,
                         .subject = q->of == ABOUT_MEMORY ? asked->row[0] : 0,
                         .text = q->of == ABOUT_TEXT ? arena_strdup(arena, asked->text) : NULL};
    if (reader_begin(r, e))
        return -1;
    int result = q->answer(p, r, asked, e);
    return reader_done(
        r, result || reader_check(r, e) ? -1 : 0); /* model/graph says nothing when it gives up */
}
