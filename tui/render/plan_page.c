#include "tui/render/plan_page.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "store/query/list.h"
#include "store/query/ref.h"
#include "tui/render/difference_page.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

/* ---- reading ---- */

/* With the label `then`, or its present one for LABEL_COUNT, whose sign is not shown. */
static int read_row(struct reader *r, struct arena *arena, int64_t node, enum label then,
                    struct fact_row *out, struct error *e)
{
    out->label.label = then;
    if (memory_row_read(r, arena, node, &out->row, e) ||
        (then == LABEL_COUNT ? effective_of_rows(r, &node, 1, &out->label, e)
                             : effective_fill(r, &node, 1, &out->label, e)))
        return -1;
    out->label.label = then;
    out->short_length = ref_short_length(r, out->row.ref);
    return 0;
}

/* A request for review that follows from what the operation takes away. Its reason needs no line of its own. */
static bool asks_review(const struct plan_facts *p, const struct planned *c)
{
    return op_spec(p->op)->shows_consequences && c->before && c->after &&
           !strcmp(c->operation, "mark");
}

/* Describes a memory without a row, or with a row that is erased. */
static void describe(struct reader *r, const struct plan_facts *p, const struct planned *c,
                     struct fact_row *out)
{
    const struct memory *m = c->after ? c->after : c->before;
    assert(m); /* a change has a state before it or after it */
    bool is_new = !c->before && !c->undoes && p->stage == PLAN_SHOWN;
    const struct memory *shown = c->erases && c->before && p->stage == PLAN_SHOWN ? c->before : m;
    out->row =
        (struct memory_row){.node = is_new ? 0 : m->node,
                            .ref = m->ref,
                            .agent_id = m->agent_id,
                            .text = shown->text, /* show text that will be erased once more */
                            .status = STATUS_ACTIVE,
                            .created_at = m->created_at};
    if (is_new)
        out->row.ref.id = "(new)";
    out->label = (struct row_label){.label = LABEL_COUNT,
                                    .effective = asks_review(p, c) ? NAN : m->confidence};
    out->short_length = is_new ? strlen("(new)") : ref_short_length(r, m->ref);
}

/* What the memory's effective confidence is after the change, where it is known without carrying it out. */
static int read_effective(struct reader *r, const struct plan_facts *p, const struct planned *c,
                          struct fact_row *out, struct error *e)
{
    struct row_label now;
    if (!c->after || isnan(out->label.effective))
        return 0;
    if (!STATUS_LIVES(c->after->status))
        out->label.effective = 0;
    if (p->stage != PLAN_DONE || c->after->node == 0)
        return 0;
    if (effective_of_rows(r, &c->after->node, 1, &now, e))
        return -1;
    out->label.effective = now.effective;
    return 0;
}

/* Reads the rows and sets the label that each memory would have. */
static int read_consequences(struct reader *r, struct arena *arena, const struct consequence *list,
                             size_t count, enum label then, struct fact_row **out, struct error *e)
{
    *out = arena_array(arena, count + 1, sizeof(**out));
    for (size_t i = 0; list && i < count; i++)
        if (read_row(r, arena, list[i].node, then, &(*out)[i], e))
            return -1;
    return 0;
}

int plan_facts_read(struct reader *r, struct arena *arena, struct plan_facts *p, struct error *e)
{
    const struct plan *plan = p->plan;
    p->change = arena_array(arena, plan->count + 1, sizeof(*p->change));
    p->descending = arena_array(arena, plan->descending_count + 1, sizeof(*p->descending));
    for (size_t i = 0; i < plan->count; i++)
        describe(r, p, &plan->change[i], &p->change[i]);
    for (size_t i = 0; i < plan->count; i++)
        if (read_effective(r, p, &plan->change[i], &p->change[i], e))
            return -1;
    for (size_t i = 0; i < plan->descending_count; i++)
        if (read_row(r, arena, plan->descending[i], LABEL_COUNT, &p->descending[i], e))
            return -1;
    return read_consequences(r, arena, plan->unsupported, plan->unsupported_count,
                             LABEL_UNSUPPORTED, &p->unsupported, e) ||
                   read_consequences(r, arena, plan->weakened, plan->weakened_count, LABEL_WEAKENED,
                                     &p->weakened, e)
               ? -1
               : 0;
}

/* ---- layout ---- */

#define ROW   3
#define BELOW 7  /* indent of details below a row */
#define HOW   96 /* from this width on a row itself tells how it changes */

struct laying {
    struct page *page;
    const struct plan_facts *facts;
};

static void put_section(struct laying *l, const char *shown, const char *done, size_t count,
                        const char *about)
{
    struct page *s = l->page;
    bool is_done = l->facts->stage == PLAN_DONE;
    if (s->count)
        page_line(s);
    page_rule(s, page_printf(s, "%s%s", is_done ? "" : "would ", is_done ? done : shown),
              *about
                  ? page_printf(s, "%zu %s %s", count, glyph_of(GLYPH_DOT, s->options.ascii), about)
                  : page_printf(s, "%zu", count));
}

static void put_row(struct laying *l, const struct fact_row *row, const char *how)
{
    page_opens(l->page, row->row.node);
    facts_put_row(l->page, row, how, false, ROW);
}

static void put_below(struct laying *l, const char *text)
{
    page_wrap(l->page, BELOW, l->page->width - BELOW - 1, STYLE_DIM, text, SIZE_MAX, false);
}

/* Indented more than difference_page does. */
static void put_differences(struct page *s, const struct difference *list, size_t count)
{
    size_t begin = s->count;
    if (s->width != PAGE_UNLIMITED)
        s->width -= BELOW - 1;
    difference_page(s, list, count, s->options.ascii);
    s->width = s->options.width;
    for (size_t i = begin; i < s->count; i++)
        for (uint32_t k = 0; k < s->line[i].span_count; k++)
            s->line[i].span[k].column += BELOW - 1;
}

static void put_change(struct laying *l, const struct planned *c, const struct fact_row *row)
{
    struct difference *list;
    size_t count;
    bool plain = c->before && c->after && !strcmp(c->operation, op_spec(l->facts->op)->name);
    bool reviews = asks_review(l->facts, c);
    const char *how = plain        ? ""
                      : reviews    ? "for review"
                      : !c->before ? c->erases ? event_verb(c->operation) : "added"
                      : !c->after  ? "undone"
                                   : event_verb(c->operation);
    put_row(l, row, how);
    if (*how && l->page->width < HOW)
        put_below(l, how);
    if (c->before && c->before->is_protected && l->facts->stage != PLAN_DONE &&
        op_spec(l->facts->op)->shows_consequences)
        put_below(l, "it is locked");
    if (!c->before || !c->after || reviews)
        return;
    if (c->erases) {
        put_below(l, "its text and all other content are erased; this cannot be undone");
        return;
    }
    memory_difference(c->before, c->after, &l->page->arena, &list, &count);
    for (size_t i = 0; i < count; i++)
        difference_readable(&list[i], &l->page->arena);
    put_differences(l->page, list, count);
}

static void put_changes(struct laying *l, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        put_change(l, &l->facts->plan->change[i], &l->facts->change[i]);
}

#define FOLLOWING_SHOWN                                                                            \
    20 /* of the memories that an operation changes as well; a command counts the rest */

/* "and 484 more: 480 unflagged, 4 edited; --json lists them all" */
static void put_more(struct laying *l, size_t from, size_t to)
{
    struct strbuf *note = page_buffer(l->page);
    struct followed {
        const char *operation;
        size_t count;
    } kinds[8];
    size_t count = 0;
    for (size_t i = from, k; i < to; i++) {
        const char *operation = l->facts->plan->change[i].operation;
        for (k = 0; k < count && strcmp(kinds[k].operation, operation) != 0;)
            k++;
        if (k == sizeof(kinds) / sizeof(*kinds))
            continue; /* they are in the sum */
        if (k == count)
            kinds[count++] = (struct followed){operation, 0};
        kinds[k].count++;
    }
    for (size_t k = 0; k < count; k++)
        strbuf_addf(note, "%s%zu %s", k ? ", " : ": ", kinds[k].count,
                    event_verb(kinds[k].operation));
    page_note(l->page, ROW, "and %s more%s; --json lists them all", GROUPED(to - from), note->buf);
}

/* Tells what becomes of memories whose addition is undone. */
static void put_removed(struct laying *l)
{
    const struct plan *p = l->facts->plan;
    size_t removed = 0;
    for (size_t i = 0; i < p->count; i++)
        removed += !p->change[i].after;
    if (removed)
        page_note(l->page, ROW, "%s %s removed; redo brings %s back",
                  removed == 1 ? "the memory" : "the memories",
                  l->facts->stage != PLAN_DONE ? "will be"
                  : removed == 1               ? "is"
                                               : "are",
                  removed == 1 ? "it" : "them");
}

/* "3 → 2 valid". If the operation has several memories, also which of them are the cause. */
static void put_consequence(struct laying *l, const struct consequence *c,
                            const struct fact_row *row, bool weakened)
{
    struct page *s = l->page;
    const char *valid =
        !weakened ? ""
                  : page_printf(s, "%u %s %u valid", (unsigned)c->valid,
                                glyph_of(GLYPH_ARROW, s->options.ascii), (unsigned)c->valid_after);
    bool within = s->width >= HOW;
    put_row(l, row, within ? valid : "");
    struct strbuf *note = page_buffer(s);
    if (row->row.status != STATUS_ACTIVE)
        strbuf_addstr(note, status_word(row->row.status));
    if (!within && *valid)
        strbuf_addf(note, "%s%s", note->len ? ", " : "", valid);
    if (l->facts->plan->named > 1 && c->because.id)
        strbuf_addf(note, "%sbecause of %s:%.8s%s", note->len ? ", " : "",
                    kind_name(c->because.kind), c->because.id, c->several ? " and others" : "");
    if (note->len)
        put_below(l, note->buf);
}

/* What becomes of memories that lose all support. */
static void put_dependants(struct laying *l)
{
    const struct plan *p = l->facts->plan;
    if (!p->dependants || l->facts->stage == PLAN_DONE)
        return;
    bool leaves = !strcmp(p->dependants, DEPENDANTS_LEAVE),
         quarantines = !strcmp(p->dependants, DEPENDANTS_QUARANTINE),
         retracts = !strcmp(p->dependants, DEPENDANTS_RETRACT);
    bool choice = !l->page->options.command && !quarantines;
    page_note(l->page, ROW, "%s%s",
              leaves        ? "they are left as they are"
              : quarantines ? "they are quarantined too"
              : retracts    ? "they are retracted too"
                            : "those based directly on it are sent to review",
              choice ? "; Enter changes that" : "");
    struct page_line *line = &l->page->line[l->page->count - 1];
    line->opens = choice;
    line->value = choice ? PLAN_DEPENDANTS : 0;
    if (l->page->options.command && !quarantines)
        page_note(l->page, ROW, "--dependants leave, review or retract chooses what happens");
}

/* The heading of each ring of a quarantine, whose list is sorted by ring. */
static void put_ring(struct laying *l, size_t i)
{
    const struct plan *p = l->facts->plan;
    uint32_t ring = p->unsupported[i].ring;
    if (p->dependants && !strcmp(p->dependants, DEPENDANTS_QUARANTINE) &&
        (i == 0 || p->unsupported[i - 1].ring != ring))
        page_note(l->page, ROW, "ring %u: %u step%s from %s", (unsigned)ring, (unsigned)ring,
                  ring == 1 ? "" : "s", p->named == 1 ? "it" : "those above");
}

/* An operation that removes support lists what it affects. */
static void put_consequences(struct laying *l)
{
    const struct plan *p = l->facts->plan;
    if (!p->unsupported && !p->weakened)
        return;
    if (!p->unsupported_count && !p->weakened_count && !p->descending_total)
        page_note(l->page, ROW, "no other memory is affected");
    if (p->unsupported_count)
        put_section(l, "lose all support", "lost all support", p->unsupported_count,
                    "no other support");
    if (p->unsupported_count)
        put_dependants(l);
    for (size_t i = 0; p->unsupported && i < p->unsupported_count; i++) {
        put_ring(l, i);
        put_consequence(l, &p->unsupported[i], &l->facts->unsupported[i], false);
    }
    if (p->weakened_count)
        put_section(l, "be weakened", "weakened", p->weakened_count,
                    "keep some of their justifications");
    for (size_t i = 0; p->weakened && i < p->weakened_count; i++)
        put_consequence(l, &p->weakened[i], &l->facts->weakened[i], true);
    if (p->descending_total)
        put_section(l, "lose an ancestor only", "lost an ancestor only",
                    (size_t)p->descending_total, "based on it, but keep their support");
    for (size_t i = 0; i < p->descending_count; i++) {
        const struct fact_row *row = &l->facts->descending[i];
        put_row(l, row, "");
        if (row->row.status != STATUS_ACTIVE)
            put_below(l, status_word(row->row.status));
    }
    if ((size_t)p->descending_total > p->descending_count)
        page_note(l->page, ROW, "and %zu more; `stemma whatif` lists them all",
                  (size_t)p->descending_total - p->descending_count);
}

static void put_words(struct laying *l, const char *title, const char **words, size_t count)
{
    if (count == 0)
        return;
    page_section(l->page, title, "");
    for (size_t i = 0; i < count; i++)
        page_wrap(l->page, ROW, l->page->width - ROW - 1, STYLE_TEXT, words[i], SIZE_MAX, false);
}

void plan_page(struct page *s, const struct plan_facts *facts, const struct page_options *options)
{
    const struct plan *p = facts->plan;
    const struct op_spec *spec = op_spec(facts->op);
    struct laying l = {s, facts};
    size_t named = p->named && p->named < p->count ? p->named : p->count;
    int width = facts_ref_width(facts->change, p->count, 12);
    s->options = *options;
    width = facts_ref_width(facts->unsupported, p->unsupported ? p->unsupported_count : 0, width);
    width = facts_ref_width(facts->weakened, p->weakened ? p->weakened_count : 0, width);
    s->options.ref_width = facts_ref_width(facts->descending, p->descending_count, width);
    if (p->count == 0)
        page_rule(s,
                  page_printf(s, "nothing %s %s", facts->stage == PLAN_DONE ? "was" : "would be",
                              spec->done),
                  "");
    else
        put_section(&l, page_printf(s, "be %s", spec->done), spec->done, named,
                    facts->reason ? page_printf(s, "why: %s", facts->reason) : "");
    put_changes(&l, 0, named);
    put_removed(&l);
    if (p->count)
        put_consequences(&l);
    if (named < p->count) {
        put_section(&l, "follow", "followed", p->count - named,
                    spec->undoable ? "changed as well, and undone with it" : "changed as well");
        size_t shown = named + FOLLOWING_SHOWN;
        shown = s->options.command && shown + 1 < p->count ? shown : p->count;
        put_changes(&l, named, shown);
        if (shown < p->count)
            put_more(&l, shown, p->count);
    }
    put_words(&l, "unchanged", p->left, p->left_count);
    put_words(&l, "notes", p->remarks, p->remark_count);
}

int plan_print(struct output *out, struct reader *r, enum operation op, const struct plan *p,
               enum plan_stage stage, struct error *e)
{
    struct plan_facts facts = {.op = op, .stage = stage, .plan = p};
    AUTO_ARENA arena = ARENA_INIT;
    struct page page;
    if (plan_facts_read(r, &arena, &facts, e))
        return -1;
    page_for_output(&page, out);
    plan_page(&page, &facts, &page.options);
    output_page(out, &page, 0);
    return output_row(out, e);
}

const char *problem_explained(enum problem problem)
{
    static const char *const explained[PROBLEM_COUNT] = {
        [PROBLEM_MISSING] = "names something that is not in this store",
        [PROBLEM_UNSUPPORTED] = "no justification is valid",
        [PROBLEM_CIRCULAR] = "supported only by a circle of memories that support each other",
        [PROBLEM_UNRECORDED] = "unsourced, and nothing else says where it comes from",
        [PROBLEM_DISAGREEING] = "was promoted, but the memory made from it does not name it",
        [PROBLEM_SUSPECT_TIME] = "has a time that cannot be right",
        [PROBLEM_UNEXPLAINED] = "its confidence differs from the end of its history",
    };
    return explained[problem];
}

/* ---- what would be written back into a source ---- */

#define WRITE 2
#define SIGN  4
#define VALUE 6

static void put_wrapped(struct page *s, int column, enum style style, const char *text, bool here)
{
    page_wrap(s, column, s->width - column - 1, style, text, SIZE_MAX, here);
}

/* Each line of a value with its sign, as in a diff. */
static void put_value(struct page *s, const char *sign, enum style style, const char *text)
{
    while (text) {
        const char *end = strchr(text, '\n');
        page_line(s);
        page_put(s, SIGN, 1, style, sign);
        put_wrapped(s, VALUE, style,
                    page_printf(s, "%.*s", (int)(end ? end - text : (ptrdiff_t)strlen(text)), text),
                    true);
        text = end ? end + 1 : NULL;
    }
}

/* "belief:1a2b3c4d edited by sean: it was seen twice" */
static const char *heading(struct page *s, const struct decision *d)
{
    return page_printf(s, "%s:%.8s %s%s%s%s%s", REF_ARGS(d->now->ref), d->verb,
                       d->who ? " by " : "", d->who ? d->who : "", d->why ? ": " : "",
                       d->why ? d->why : "");
}

static void put_write(struct page *s, const struct write_change *c, const struct decision *last)
{
    char there[40], here[40];
    if (c->decision && c->decision != last) {
        if (s->count && s->line[s->count - 1].kind != PAGE_RULE)
            page_line(s);
        page_opens(s, c->decision->now->node);
        put_wrapped(s, WRITE, STYLE_STRONG, heading(s, c->decision), true);
    }
    put_wrapped(s, SIGN, c->decision ? STYLE_DIM : STYLE_STRONG, c->place, false);
    if (c->at) {
        times_format(there, sizeof(there), c->at);
        times_format(here, sizeof(here), c->decision->at);
        page_line(s);
        page_format(s, SIGN, 0, STYLE_WEAKENED, "changed there %s, %s here %s", there,
                    c->decision->verb, here);
    }
    put_value(s, "-", STYLE_ENDED, c->old);
    put_value(s, "+", STYLE_SUPPORTED, c->new_);
}

static void put_title(struct page *s, const char *title)
{
    (s->count ? page_section : page_rule)(s, title, "");
}

void apply_page(struct page *s, const struct apply *a)
{
    const struct write_back *w = &a->w;
    for (size_t i = 0; i < w->change_count; i++)
        put_write(s, &w->change[i], i ? w->change[i - 1].decision : NULL);
    if (w->conflict_count)
        put_title(s, s->options.command
                         ? "left out: changed on both sides; --overwrite writes it"
                         : "left out: changed on both sides; :apply --overwrite writes it");
    for (size_t i = 0; i < w->conflict_count; i++)
        put_write(s, &w->conflict[i], i ? w->conflict[i - 1].decision : NULL);
    if (w->left_count)
        put_title(s, "cannot be written");
    for (size_t i = 0; i < w->left_count; i++) {
        const struct write_left *left = &w->left[i];
        page_opens(s, left->decision->now->node);
        put_wrapped(s, WRITE, STYLE_TEXT,
                    page_printf(s, "%s:%.8s: %s", REF_ARGS(left->decision->now->ref), left->what),
                    true);
    }
}

const char *apply_summary(struct arena *arena, const struct apply *a)
{
    const struct write_back *w = &a->w;
    const char *name = strrchr(w->path, '/') + 1;
    char at[40];
    if (a->undoes) {
        times_format(at, sizeof(at), a->undone_at);
        return arena_format(arena, "undoes what was written %s to %s", at, w->path);
    }
    if (w->change_count == 0 && w->conflict_count)
        return arena_format(arena, "nothing else to write to %s", name);
    if (w->change_count == 0)
        return arena_format(arena, "nothing to write: %s says what was decided here%s", name,
                            w->left_count ? ", as far as it can" : "");
    return arena_format(arena, "%zu %s to %s%s", w->change_count,
                        w->change_count == 1 ? "change" : "changes", w->path,
                        w->conflict_count ? ", without what is left out" : "");
}
