#include "tui/view/memory/facts_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "store/history/history.h"

/* A step with the entry of the history that came with it. */
struct told {
    struct fact_step step;
    int64_t at;
    double new_;
};

struct walk {
    struct arena *arena;
    const struct memory *m;
    struct facts_past *out;
    struct told *told; /* newest first */
    size_t count, alloc;
    bool failed;
};

static const char *who_of(struct walk *w, const struct event *e, bool *person)
{
    *person = e->class_name && !strcmp(e->class_name, "person");
    const char *who = *person || !e->agent ? e->actor : e->agent;
    const char *kept = arena_strdup(w->arena, who ? who : "someone");
    w->failed |= !kept;
    return kept;
}

/* The newest that does so and stands. */
static void take_deed(struct walk *w, struct fact_deed *deed, const struct revision *revision)
{
    const struct event *e = &revision->event;
    if (deed->seq == 0 && revision->undone_by == 0)
        *deed = (struct fact_deed){e->seq, e->at, who_of(w, e, &deed->person), deed->person};
}

static void take_deeds(struct walk *w, const struct revision *revision)
{
    const struct memory *b = revision->before, *a = revision->after;
    const char *operation = revision->event.operation;
    /* What it was added with was nobody's deed here. */
    if (a && b && a->is_protected && !b->is_protected && w->m->is_protected)
        take_deed(w, &w->out->protected_by, revision);
    if (operation && !strcmp(operation, "verify"))
        take_deed(w, &w->out->verified_by, revision);
    if (a && b && a->status == w->m->status && b->status != a->status &&
        w->m->status != STATUS_ACTIVE)
        take_deed(w, &w->out->ended_by, revision);
}

static int64_t times_reinforced(const struct memory *m)
{
    int64_t n = 0;
    struct json_slice value = {NULL, 0};
    if (m->detail)
        value = json_member(m->detail, strlen(m->detail), "times_reinforced");
    return value.ptr && json_integer(value, &n) == 0 && n > 0 ? n : 0;
}

static void take_step(struct walk *w, const struct revision *revision)
{
    const struct memory *b = revision->before, *a = revision->after;
    if (!b || !a || a->history_count == 0 || a->history_count <= b->history_count)
        return;
    if (!array_grow((void **)&w->told, &w->alloc, w->count, sizeof(*w->told))) {
        w->failed = true;
        return;
    }
    struct told *t = &w->told[w->count++];
    *t = (struct told){.at = a->history[a->history_count - 1].at,
                       .new_ = a->history[a->history_count - 1].new_};
    t->step = (struct fact_step){.seq = revision->event.seq,
                                 .before = b->confidence,
                                 .after = a->confidence,
                                 .n = times_reinforced(a)};
    t->step.operation = arena_strdup(w->arena, revision->event.operation);
    t->step.who = who_of(w, &revision->event, &t->step.person);
}

static int take(void *arg, const struct revision *revision)
{
    struct walk *w = arg;
    take_deeds(w, revision);
    take_step(w, revision);
    if (!revision->before && revision->after) { /* the oldest so far */
        struct fact_deed *created = &w->out->created;
        *created = (struct fact_deed){.seq = revision->event.seq, .at = revision->event.at};
        created->who = who_of(w, &revision->event, &created->person);
        w->out->first =
            revision->after->history_count == 0 ? revision->after->confidence : (double)NAN;
    }
    return w->failed;
}

/* Each entry goes with the newest event before it that made such a one: undone ones have left the history. */
static void match(struct walk *w)
{
    size_t next = 0;
    for (size_t i = w->m->history_count; i-- > 0;) {
        const struct history_entry *h = &w->m->history[i];
        size_t at = next;
        while (at < w->count && (w->told[at].at != h->at || w->told[at].new_ != h->new_))
            at++;
        if (at == w->count || h->origin)
            continue;
        w->out->step[i] = w->told[at].step;
        next = at + 1;
    }
}

int facts_past_read(struct reader *r, struct arena *arena, const struct memory *m,
                    struct facts_past *out, struct error *e)
{
    struct walk w = {.arena = arena, .m = m, .out = out};
    *out = (struct facts_past){.first = (double)NAN};
    out->step = arena_array(arena, m->history_count + 1, sizeof(*out->step));
    int failed = out->step ? history_walk(r, m->node, take, &w, e) : 0;
    if (!failed && out->step && !w.failed)
        match(&w);
    free(w.told);
    if (!failed && (!out->step || w.failed))
        failed = error_set(e, ERROR_MEMORY, "", "there is no memory left for the history");
    out->known = !failed;
    return failed;
}

/* ---- sums ---- */

#define STEP    0.05
#define SLOWER  0.1
#define CEILING 0.99

bool fact_step_sum(const struct fact_step *s, bool ascii, struct strbuf *out)
{
    const char *times = ascii ? "*" : "\xc2\xb7", *minus = ascii ? "-" : "\xe2\x88\x92";
    double more = STEP / (1 + SLOWER * (double)s->n) * (CEILING - s->before);
    more = more > 0 ? more : 0;
    if (s->operation && !strcmp(s->operation, "verify")) {
        strbuf_addstr(out, s->before + 0.1 > 1 ? "+0.1, at most 1" : "+0.1");
        return true;
    }
    if (s->n == 0 || fabs(s->before + more - s->after) > 1e-12)
        return false;
    if (more > 0)
        strbuf_addf(out, "0.05/(1+0.1%s%lld)%s(0.99%s%.3f)", times, (long long)s->n, times, minus,
                    s->before);
    else
        strbuf_addstr(out, "nothing above 0.99");
    return true;
}
