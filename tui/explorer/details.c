#include "tui/explorer/details.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/lineage/loaded.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/facts.h"
#include "tui/render/kind_preview.h"
#include "tui/text/text.h"
#include "tui/widget/page_view.h"
#include "tui/widget/view.h"

#define ROWS_MOST    512 /* rows that are cached until the next change */
#define SLOT_DETAILS 0

struct details_job {
    struct job job;
    struct app *app;
    size_t count;
    uint32_t epoch;
    int64_t past_seq; /* the state that was shown */
    bool loses;       /* lists show what would lose all support */
    int64_t node[DETAILS_BATCH];
    struct detail found[DETAILS_BATCH];
};

void details_open(struct details *d)
{
    *d = (struct details){.epoch = 1, .arena = ARENA_INIT};
    d->detail = xcalloc(DETAILS_MAX, sizeof(*d->detail));
}

void details_release(struct details *d)
{
    row_index_release(&d->known);
    free(d->detail);
    map_release(&d->rows);
    arena_release(&d->arena);
    *d = (struct details){.arena = ARENA_INIT};
}

static void want(struct details *d, int64_t node)
{
    for (size_t i = 0; i < d->wanted_count; i++)
        if (d->wanted[i] == node)
            return;
    if (d->wanted_count < DETAILS_BATCH)
        d->wanted[d->wanted_count++] = node;
}

const struct detail *details_of(struct details *details, int64_t node)
{
    struct details *d = details;
    size_t at = node > 0 ? row_index_find(&d->known, node) : ROW_NONE;
    if (node > 0 && (at == ROW_NONE || d->detail[at].epoch != d->epoch))
        want(d, node);
    return at == ROW_NONE ? NULL : &d->detail[at];
}

const struct row_label *details_label(const struct detail *d)
{
    return d && d->label.label < LABEL_COUNT ? &d->label : NULL;
}

enum style details_style(const struct memory_row *m, const struct detail *d)
{
    const struct row_label *label = details_label(d);
    return (label ? label_stands(label->label) : STATUS_LIVES(m->status)) ? STYLE_TEXT : STYLE_DIM;
}

const struct memory_row *details_row(struct app *x, int64_t node)
{
    struct details *d = &x->details;
    struct error e;
    if (node <= 0)
        return NULL;
    const int64_t *known = map_find(&d->rows, node);
    if (known)
        return (const struct memory_row *)(intptr_t)*known;
    struct memory_row *row = arena_alloc(&d->arena, sizeof(*row));
    row = memory_row_read(x->data.reader, &d->arena, node, row, &e) ? NULL : row;
    *map_at(&d->rows, node) = (intptr_t)row;
    return row;
}

void details_changed(struct details *d)
{
    d->epoch++;
    d->rows_old = true;
}

void details_forget(struct details *d)
{
    details_changed(d);
    row_index_clear(&d->known);
    map_clear(&d->rows);
}

void details_frame_begin(struct details *details)
{
    struct details *d = details;
    d->wanted_count = 0;
    if (!d->rows_old && d->rows.keys.count < ROWS_MOST)
        return;
    map_clear(&d->rows);
    arena_clear(&d->arena);
    d->rows_old = false;
}

/* ---- the job ---- */

/* The first confidence and the one after each change; the last DETAIL_LEVELS of them. */
static void find_levels(const struct memory *m, struct detail *out)
{
    size_t changes = 0, first;
    for (size_t i = 0; i < m->history_count; i++)
        changes += m->history[i].new_ == m->history[i].new_;
    bool unrecorded = confidence_unrecorded(m, m->history_count) != 0;
    changes += unrecorded;
    first = changes > DETAIL_LEVELS - 1 ? changes - (DETAIL_LEVELS - 1) : 0;
    size_t seen = 0;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_ || seen++ < first)
            continue;
        if (out->level_count == 0)
            out->level[out->level_count++] = (float)(h->old == h->old ? h->old : h->new_);
        if (out->level_count < DETAIL_LEVELS)
            out->level[out->level_count++] = (float)h->new_;
    }
    if (unrecorded && out->level_count < DETAIL_LEVELS)
        out->level[out->level_count++] = (float)m->confidence;
}

/* Writes clean text in at most `columns`, and fewer if its bytes do not fit: combining marks take no
 * column, but bytes. */
static void fit(char *out, size_t size, const char *text, size_t len, size_t columns)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    text_fit(&clean, text, len, columns, TEXT_EXACT);
    while (clean.len >= size) {
        strbuf_cut(&clean, 0);
        text_fit(&clean, text, len, --columns, TEXT_EXACT);
    }
    snprintf(out, size, "%s", clean.buf);
}

#define SUBTYPE_COLUMNS 23

/* The type of an episode, note or belief, from its detail. */
static void find_subtype(const struct memory *m, struct arena *arena, struct detail *out)
{
    static const char *const keys[KIND_COUNT] = {
        [KIND_EPISODE] = "outcome_type", [KIND_NOTE] = "note_type",
        [KIND_BELIEF] = "belief_type",   [KIND_ATTRIBUTION] = "source_type",
        [KIND_CHAIN] = "strategy",
    };
    const char *key = keys[m->ref.kind];
    if (!key || !m->detail)
        return;
    const char *type = json_text_repaired(arena, json_member(m->detail, strlen(m->detail), key));
    if (type)
        fit(out->subtype, sizeof(out->subtype), type, strlen(type), SUBTYPE_COLUMNS);
}

/* What a memory file costs in tokens, and when it was last opened. */
static void find_cost(const struct memory *m, struct detail *out)
{
    const char *detail = m->detail ? m->detail : "{}";
    if (json_integer(json_member(detail, strlen(detail), "tokens"), &out->tokens))
        out->tokens = 0;
    if (json_integer(json_member(detail, strlen(detail), "last_opened_at"), &out->opened_at))
        out->opened_at = 0;
}

/* The number of its sources, and the first of them, as many as fit. */
static void find_from(struct reader *r, const struct memory *m, struct detail *out)
{
    AUTO_STRBUF text = STRBUF_INIT;
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].count;
    if (count == 0)
        return;
    strbuf_addf(&text, "%zu:", count);
    size_t named = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count && text.len < sizeof(out->from); k++) {
            struct memory_row row = {.ref = m->justifications[i].antecedents[k].ref};
            strbuf_addstr(&text, named++ == 0 ? " " : ", ");
            facts_ref(&row, ref_short_length(r, row.ref), &text);
        }
    fit(out->from, sizeof(out->from), text.buf, text.len, DETAIL_FROM);
}

static int find_one(struct reader *r, struct arena *arena, int64_t node, struct detail *out,
                    struct error *e)
{
    struct memory m;
    if (memory_read(r, arena, node, &m, e))
        return e->code == ERROR_NOT_FOUND ? 0 : -1;
    size_t length = ref_short_length(r, m.ref);
    out->short_length = length > UINT16_MAX ? UINT16_MAX : (uint16_t)length;
    find_levels(&m, out);
    find_subtype(&m, arena, out);
    find_cost(&m, out);
    find_from(r, &m, out);
    return kind_detail_read(r, arena, &m, &out->more, e);
}

#define SOURCES_BOUND 500 /* memories that are looked at for each row */

int details_read(struct reader *r, const int64_t *nodes, size_t count, bool loses,
                 struct detail *out, struct error *e)
{
    AUTO_FREE struct row_label *label = xcalloc(count + 1, sizeof(*label));
    AUTO_ARENA arena = ARENA_INIT;
    if (reader_begin(r, e))
        return -1;
    int failed = support_of_rows(r, nodes, count, label, e) ||
                 (loses && loses_fill(r, nodes, count, label, e));
    for (size_t i = 0; i < count && !failed; i++) {
        failed = find_one(r, &arena, nodes[i], &out[i], e);
        out[i].label = label[i];
        if (!failed && label[i].valid > 1)
            failed = independent_of_row(r, nodes[i], SOURCES_BOUND, &out[i].independent, e);
        arena_clear(&arena);
    }
    reader_end(r);
    return failed ? -1 : 0;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct details_job *j = (struct details_job *)job;
    return details_read(r, j->node, j->count, j->loses, j->found, e) ? JOB_FAILED : JOB_DONE;
}

static void done(struct job *job, const struct error *e)
{
    struct details_job *j = (struct details_job *)job;
    struct details *d = &j->app->details;
    if (e->code == ERROR_INTERRUPTED || j->past_seq != j->app->asof.point.seq)
        return;
    if (d->known.count + j->count > DETAILS_MAX)
        row_index_clear(&d->known);
    for (size_t i = 0; i < j->count; i++) {
        bool is_new = row_index_find(&d->known, j->node[i]) == ROW_NONE;
        struct detail *detail = &d->detail[row_index_add(&d->known, j->node[i])];
        /* A failed read is not repeated before something changes. */
        if (e->code == ERROR_NONE || is_new)
            *detail = j->found[i];
        detail->epoch = j->epoch;
        if (detail->short_length == 0)
            detail->short_length = REF_SHORT;
        if (e->code != ERROR_NONE)
            detail->label.label = LABEL_COUNT;
    }
}

static void release(struct job *job)
{
    free(job);
}

static const struct job_ops job_ops = {
    .name = "labels", .run = run, .done = done, .release = release, .quiet = true};

/* Requests the lines next to those on the screen, too, so that scrolling by one needs one frame. */
static void want_neighbours(struct app *x)
{
    struct view *v = x->nav.top;
    const size_t lines[] = {v->top + (size_t)(v->height > 0 ? v->height : 0), v->top - 1};
    for (size_t i = 0; i < 2 && v->height > 0; i++) {
        int64_t node = view_node_at(v, lines[i]);
        if (node > 0)
            details_of(&x->details, node);
    }
}

void details_frame_end(struct app *x)
{
    struct details *d = &x->details;
    want_neighbours(x);
    /* One batch at a time. The next frame requests what is still missing. */
    if (d->wanted_count == 0 || worker_has(&x->data.worker, d, SLOT_DETAILS))
        return;
    struct details_job *j = xcalloc(1, sizeof(*j));
    j->app = x;
    j->count = d->wanted_count;
    j->epoch = d->epoch;
    j->past_seq = x->asof.point.seq;
    j->loses = x->prefs.order == ORDER_KEYSTONES;
    memcpy(j->node, d->wanted, d->wanted_count * sizeof(*d->wanted));
    worker_submit(&x->data.worker, &j->job, &job_ops, d, SLOT_DETAILS);
}

void details_ref(struct app *x, const struct memory_row *row, struct strbuf *out)
{
    const struct detail *detail = details_of(&x->details, row->node);
    size_t len = strlen(row->ref.id), shortest = detail ? detail->short_length : REF_SHORT;
    /* Only random ids are shortened. A short word is a name, and so is the stand-in for a masked id. */
    bool random = ref_is_uuid_prefix(row->ref.id, REF_SHORT);
    if (!random && (len <= 24 || (!detail && rules_mask_is_on(&x->data))))
        shortest = len;
    strbuf_addf(out, "%s:%.*s", kind_name(row->ref.kind), (int)(shortest < len ? shortest : len),
                row->ref.id);
}

void details_name_open(struct app *x, struct memory_name *name, int64_t node)
{
    const struct memory_row *row = details_row(x, node);
    AUTO_STRBUF text = STRBUF_INIT;
    if (row)
        details_ref(x, row, &text);
    name->node = node;
    name->masked = rules_mask_is_on(&x->data);
    snprintf(name->text, sizeof(name->text), "%s", text.buf);
}

const char *details_name(struct app *x, struct memory_name *name)
{
    if (name->masked != rules_mask_is_on(&x->data))
        details_name_open(x, name, name->node);
    return name->text;
}

void details_position(struct view *v, struct strbuf *out)
{
    const struct memory_row *row = details_row(v->app, view_node(v));
    if (!row)
        return;
    /* A name is not shortened: cut at the start that is unique, it looks like another. */
    if (ref_is_uuid_prefix(row->ref.id, REF_SHORT)) {
        strbuf_addstr(out, "on ");
        details_ref(v->app, row, out);
    } else {
        strbuf_addf(out, "on %s:%s", kind_name(row->ref.kind), row->ref.id);
    }
}

#define PREVIEW_BOUND 20000 /* nodes that are traversed for "used by" */

/* The data of the preview. */
struct shown {
    struct facts *facts;
    struct kind_preview *preview; /* NULL if its kind has none */
};

static void shown_free(void *facts)
{
    struct shown *s = facts;
    facts_free(s->facts);
    kind_preview_free(s->preview);
    free(s);
}

static void *shown_read(const struct panel_key *key, struct reader *r, struct error *e)
{
    struct shown *s = xcalloc(1, sizeof(*s));
    if (reader_begin(r, e) == 0) {
        s->facts = facts_read(r, key->id, PREVIEW_BOUND, false, NULL, e);
        if (s->facts)
            s->preview = kind_preview_read(r, &s->facts->memory);
        reader_end(r);
    }
    if (s->facts)
        return s;
    shown_free(s);
    return NULL;
}

static void shown_lay(struct panel *p, const struct page_options *options)
{
    const struct shown *s = p->facts;
    struct page_options own = *options;
    own.traced = p->known.how; /* the view shows its text and what it is based on */
    if (s->preview)
        kind_preview_page(&p->page, s->facts, s->preview, &own);
    else
        facts_preview(&p->page, s->facts, &own);
}

void memory_preview_init(struct app *x)
{
    static const struct panel_ops ops = {
        .job = "preview", .read = shown_read, .free = shown_free, .lay = shown_lay};
    panel_init(&x->preview, &ops, &x->ui);
}

/* Draws what the row has until the facts are read, so that the text appears at once. */
static void draw_row(struct app *x, const struct pane *p, const struct memory_row *row)
{
    struct page page;
    AUTO_STRBUF ref = STRBUF_INIT, state = STRBUF_INIT;
    const struct row_label *label = details_label(details_of(&x->details, row->node));
    int sign = label ? sign_of_memory(row->status, label->label) : SIGN_COUNT;
    details_ref(x, row, &ref);
    if (sign < LABEL_ENDED)
        strbuf_addf(&state, "%s%s%s", style_speaks() ? "" : mark_of_label(sign, !x->ui.screen.utf8),
                    style_speaks() ? "" : " ", legend_word(sign));
    page_init(&page);
    page_clear(&page, p->width);
    if (!x->preview.key.how)
        page_wrap(&page, 1, p->width - 2, STYLE_TEXT, row->text, (size_t)p->height, false);
    page_draw(&page, p, 0, ref.buf, state.buf);
    page_release(&page);
}

static void draw_facts(struct app *x, const struct pane *p)
{
    const struct shown *s = x->preview.facts;
    AUTO_STRBUF ref = STRBUF_INIT, state = STRBUF_INIT;
    struct memory_row row = {.ref = s->facts->memory.ref};
    int half = (p->height - 1) / 2;
    facts_ref(&row, s->facts->short_length, &ref);
    if (s->preview)
        kind_preview_state(s->preview, !x->ui.screen.utf8, &state);
    facts_state(s->facts, !x->ui.screen.utf8, &state);
    panel_draw(&x->preview, p, x->ui.preview_focus ? 0 : half < 3 ? 3 : half, ref.buf, state.buf);
}

void memory_preview_draw(struct app *x, const struct pane *p)
{
    const struct memory_row *row = details_row(x, x->preview.key.id);
    if (p->height < 1 || p->width < 1)
        return;
    if (panel_is_known(&x->preview))
        draw_facts(x, p);
    else if (row)
        draw_row(x, p, row);
    else
        paint_rule(p, 0, "", "");
}
