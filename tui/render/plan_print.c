#include "tui/render/plan_print.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/history/history.h"
#include "tui/render/brief.h"
#include "tui/render/difference_sheet.h"

struct printing {
    struct output *out;
    struct reader *reader;
    const struct plan *p;
    enum operation op;
    enum plan_stage stage;
    struct arena arena; /* of a line */
};

/* ---- memories ---- */

/* One that has no row yet, or none any more that says what it is. */
static void describe(const struct memory *m, const char *ref, struct brief *b)
{
    *b = (struct brief){.ref = ref, .label = LABEL_COUNT};
    b->row.ref = m->ref;
    b->row.agent_id = m->agent_id;
    b->row.text = m->text;
    b->row.status = STATUS_ACTIVE; /* a change of it is a line of its own */
}

/* "belief:54c5507f  Deploys that skip staging fail  (restore)" */
static void print_subject(struct printing *x, const struct planned *c)
{
    const struct memory *m = c->after ? c->after : c->before;
    struct brief b;
    char note[80] = "";
    const char *ref = short_ref(x->reader, &x->arena, m->ref);
    struct strbuf unknown = STRBUF_INIT;
    if (!c->before && !c->undoes && x->stage == PLAN_SHOWN) {
        strbuf_addf(&unknown, "%s:(new)", kind_name(m->ref.kind));
        ref = unknown.buf;
    }
    describe(m, ref, &b);
    if (c->erases && c->before && x->stage == PLAN_SHOWN)
        b.row.text = c->before->text; /* a last look at it */
    if (!c->before || !c->after || strcmp(c->operation, op_spec(x->op)->name) != 0)
        snprintf(note, sizeof(note), "(%s)",
                 !c->before  ? c->erases ? c->operation : "added"
                 : !c->after ? "taken back"
                             : c->operation);
    strbuf_addstr(&x->out->text, "  ");
    brief_print(x->out, &b, NULL, 2, note);
    strbuf_release(&unknown);
}

static int print_change(struct printing *x, const struct planned *c, struct error *e)
{
    arena_clear(&x->arena);
    print_subject(x, c);
    if (c->erases && c->before && c->after) {
        strbuf_addstr(&x->out->text, "      its text and all else that it says are erased\n");
    } else if (c->before && c->after) {
        difference_print(x->out, c->before, c->after, 6);
    }
    return output_row(x->out, e);
}

static int print_changes(struct printing *x, size_t from, size_t to, struct error *e)
{
    for (size_t i = from; i < to && !x->out->closed; i++)
        if (print_change(x, &x->p->change[i], e))
            return -1;
    return 0;
}

/* ---- what follows ---- */

/* Where several were named: because of which. */
static void add_cause(struct printing *x, const struct consequence *c, struct strbuf *note)
{
    if (x->p->named < 2 || !c->because.id)
        return;
    strbuf_addf(note, "%sbecause of %s%s", note->len ? "  " : "",
                short_ref(x->reader, &x->arena, c->because), c->several ? " and others" : "");
}

/* `note`: of its justifications; it is released. */
static int print_consequence(struct printing *x, const struct consequence *c, struct strbuf *note,
                             struct error *e)
{
    struct brief b;
    enum label label = x->stage == PLAN_SHOWN ? c->before : LABEL_COUNT;
    arena_clear(&x->arena);
    if (brief_read(x->reader, &x->arena, c->node, label, &b, e)) {
        strbuf_release(note);
        return -1;
    }
    strbuf_addstr(&x->out->text, "  ");
    add_cause(x, c, note);
    if (note->len)
        brief_print_about(x->out, &b, 2, note->buf, NULL);
    else
        brief_print(x->out, &b, NULL, 2, NULL);
    strbuf_release(note);
    return output_row(x->out, e);
}

static void print_count(struct output *out, const char *title, int64_t count)
{
    output_printf(out, STYLE_STRONG, "%s", title);
    strbuf_addf(&out->text, "  %lld\n", (long long)count);
}

static int print_falls(struct printing *x, struct error *e)
{
    const struct plan *p = x->p;
    print_count(x->out, x->stage == PLAN_DONE ? "fell" : "falls", (int64_t)p->fall_count);
    for (size_t i = 0; p->falls && i < p->fall_count && !x->out->closed; i++) {
        struct strbuf note = STRBUF_INIT;
        if (print_consequence(x, &p->falls[i], &note, e))
            return -1;
    }
    return 0;
}

static int print_weakened(struct printing *x, struct error *e)
{
    const struct plan *p = x->p;
    print_count(x->out, "weakened", (int64_t)p->weakened_count);
    for (size_t i = 0; p->weakened && i < p->weakened_count && !x->out->closed; i++) {
        const struct consequence *c = &p->weakened[i];
        struct strbuf note = STRBUF_INIT;
        strbuf_addf(&note, "%u%s%u hold", (unsigned)c->holds, x->out->ascii ? " -> " : " → ",
                    (unsigned)c->remain);
        if (print_consequence(x, c, &note, e))
            return -1;
    }
    return 0;
}

/* Operations that take support away: all three are said, none of them too. */
static int print_consequences(struct printing *x, struct error *e)
{
    if (!x->p->falls && !x->p->weakened)
        return 0;
    if (print_falls(x, e) || print_weakened(x, e))
        return -1;
    print_count(x->out, x->stage == PLAN_DONE ? "only descend" : "only descends", x->p->descends);
    return 0;
}

static int print_words(struct output *out, const char *title, const char **words, size_t count,
                       struct error *e)
{
    if (count)
        output_printf(out, STYLE_STRONG, "%s\n", title);
    for (size_t i = 0; i < count && !out->closed; i++) {
        strbuf_addstr(&out->text, "  ");
        output_flow(out, words[i], 4);
        if (output_row(out, e))
            return -1;
    }
    return 0;
}

/* ---- all of it ---- */

/* "Retracted", "Would be retracted" */
static void print_title(struct printing *x, const struct op_spec *entry, size_t count)
{
    struct output *out = x->out;
    char done[40];
    snprintf(done, sizeof(done), "%s", entry->done);
    done[0] = (char)toupper((unsigned char)done[0]);
    if (count == 0)
        output_printf(out, STYLE_STRONG, "Nothing %s %s",
                      x->stage == PLAN_DONE ? "was" : "would be", entry->done);
    else if (x->stage == PLAN_DONE)
        output_printf(out, STYLE_STRONG, "%s", done);
    else
        output_printf(out, STYLE_STRONG, "Would be %s", entry->done);
    if (count)
        strbuf_addf(&out->text, "  %zu", count);
    strbuf_addch(&out->text, '\n');
}

static int print_plan(struct printing *x, const struct op_spec *entry, struct error *e)
{
    const struct plan *p = x->p;
    size_t named = p->named && p->named < p->count ? p->named : p->count;
    print_title(x, entry, named);
    if (print_changes(x, 0, named, e))
        return -1;
    if (named < p->count)
        print_count(x->out, "and with that", (int64_t)(p->count - named));
    if (print_changes(x, named, p->count, e) || (p->count && print_consequences(x, e)) ||
        print_words(x->out, "left as it is", p->left, p->left_count, e))
        return -1;
    return print_words(x->out, "to know", p->remarks, p->remark_count, e);
}

int plan_print(struct output *out, struct reader *r, enum operation op, const struct plan *p,
               enum plan_stage stage, struct error *e)
{
    struct printing x = {
        .out = out, .reader = r, .p = p, .op = op, .stage = stage, .arena = ARENA_INIT};
    int result = print_plan(&x, op_spec(op), e);
    arena_release(&x.arena);
    return result;
}

void plan_tell_unresolved(const struct plan *p)
{
    for (size_t i = 0; i < p->unresolved_count; i++)
        output_note("%s names nothing here yet; the link is kept as given", p->unresolved[i]);
}

const char *problem_explained(enum problem problem)
{
    static const char *const explained[PROBLEM_COUNT] = {
        [PROBLEM_MISSING] = "names something that is not in this store",
        [PROBLEM_UNGROUNDED] = "nothing that it rests on holds any more",
        [PROBLEM_CIRCULAR] = "holds only because it holds itself up",
        [PROBLEM_UNRECORDED] = "says nothing of where it comes from",
        [PROBLEM_DISAGREEING] = "was processed into a memory that does not name it",
        [PROBLEM_SUSPECT_TIME] = "has a time that cannot be right",
        [PROBLEM_UNEXPLAINED] = "its confidence is not what its history ends with",
    };
    return explained[problem];
}
