#include "store/lineage/kept_orphans.h"

#include <pthread.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/json/answer.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

#define BYTES_MAX (1 << 20)

/* One problem; its texts are places in `text`. */
struct kept {
    int64_t node, agent;
    const char *field;   /* a constant, or NULL */
    uint32_t id, target; /* target 0: none */
    uint8_t kind, problem, label;
};

struct found {
    struct kept *kept;
    size_t count, alloc;
    struct strbuf text;
    int64_t until; /* ms: from then on a time that lay ahead is suspect no more */
    struct guard_look look;
};

struct kept_orphans {
    pthread_mutex_t lock;
    int64_t seq; /* the event at which it holds; -1: nothing is kept */
    struct found found;
};

struct kept_orphans *kept_orphans_new(void)
{
    struct kept_orphans *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    k->found.text = (struct strbuf)STRBUF_INIT;
    k->seq = -1;
    return k;
}

static void release(struct found *f)
{
    free(f->kept);
    strbuf_release(&f->text);
    *f = (struct found){.text = STRBUF_INIT};
}

void kept_orphans_free(struct kept_orphans *k)
{
    if (!k)
        return;
    release(&k->found);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* ---- finding ---- */

struct finding {
    struct reader *reader;
    struct found found;
    bool keeps; /* all of it so far is in `found` */
    bool enough;
    int64_t agent; /* 0: any */
    int64_t now;
    int (*each)(void *arg, const struct orphan *orphan);
    void *arg;
};

/* Place 0 is nothing's. */
static uint32_t keep_text(struct found *f, const char *text)
{
    if (f->text.len == 0)
        strbuf_addch(&f->text, '\0');
    size_t at = f->text.len;
    strbuf_add(&f->text, text, strlen(text) + 1);
    return (uint32_t)at;
}

static bool keep(struct finding *g, const struct orphan *o)
{
    struct found *f = &g->found;
    if ((f->count + 1) * sizeof(*f->kept) + f->text.len > BYTES_MAX ||
        !array_grow((void **)&f->kept, &f->alloc, f->count, sizeof(*f->kept)))
        return false;
    f->kept[f->count++] = (struct kept){
        .node = o->node,
        .agent = o->agent,
        .field = o->field,
        .id = keep_text(f, o->ref.id),
        .target = o->target ? keep_text(f, o->target) : 0,
        .kind = (uint8_t)o->ref.kind,
        .problem = (uint8_t)o->problem,
        .label = (uint8_t)o->label,
    };
    bool dated = o->problem == PROBLEM_SUSPECT_TIME && o->target;
    int64_t ms = dated ? strtoll(o->target, NULL, 10) : 0;
    int64_t until = ms > g->now ? clock_suspect_until(ms) : INT64_MAX;
    f->until = until < f->until ? until : f->until;
    return !f->text.failed;
}

/* Whoever has enough, the rest is still found for the next who asks, while that can be kept. */
static int take(void *arg, const struct orphan *o)
{
    struct finding *g = arg;
    g->keeps = g->keeps && keep(g, o);
    if (!g->enough && (!g->agent || o->agent == g->agent))
        g->enough = g->each(g->arg, o) != 0;
    return g->enough && !g->keeps;
}

/* ---- asking ---- */

static struct orphan orphan_of(const struct found *f, const struct kept *one)
{
    return (struct orphan){.node = one->node,
                           .ref = {(enum kind)one->kind, f->text.buf + one->id},
                           .agent = one->agent,
                           .problem = (enum problem)one->problem,
                           .label = (enum label)one->label,
                           .field = one->field,
                           .target = one->target ? f->text.buf + one->target : NULL};
}

/* 1 where what is kept was given. */
static int give_kept(struct kept_orphans *k, int64_t seq, struct finding *g)
{
    pthread_mutex_lock(&k->lock);
    const struct found *f = &k->found;
    int known = k->seq == seq && g->now < f->until;
    if (known)
        reader_holds_until(g->reader, f->until);
    for (size_t i = 0; i < f->count && known && !g->enough; i++) {
        const struct kept *one = &f->kept[i];
        if (g->agent && one->agent != g->agent)
            continue;
        struct orphan o = orphan_of(f, one);
        g->enough = g->each(g->arg, &o) != 0;
    }
    pthread_mutex_unlock(&k->lock);
    return known;
}

/* What grew by doubling is cut to what it holds. Where that fails it is as good as it was. */
static void cut_to_fit(struct found *f)
{
    struct strbuf text = STRBUF_INIT;
    void *kept = f->count ? xrealloc(f->kept, f->count * sizeof(*f->kept)) : NULL;
    f->kept = kept ? kept : f->kept;
    if (!strbuf_grow(&text, f->text.len))
        return;
    strbuf_add(&text, f->text.buf, f->text.len);
    strbuf_release(&f->text);
    f->text = text;
}

static void keep_found(struct kept_orphans *k, int64_t seq, struct found *f)
{
    cut_to_fit(f);
    pthread_mutex_lock(&k->lock);
    if (seq >= k->seq) {
        struct found before = k->found;
        k->found = *f;
        k->seq = seq;
        *f = before;
    }
    pthread_mutex_unlock(&k->lock);
}

int kept_orphans_find(struct reader *r, const char *agent,
                      int (*each)(void *arg, const struct orphan *orphan), void *arg,
                      struct error *e)
{
    struct kept_orphans *k = reader_store(r)->orphans;
    int64_t seq;
    struct finding g = {.reader = r,
                        .found = {.text = STRBUF_INIT, .until = INT64_MAX},
                        .keeps = true,
                        .now = store_now(reader_store(r)),
                        .each = each,
                        .arg = arg};
    if (!reader_keeps(r) || guard_hides_linked_entries(r))
        return orphans_find(r, agent, each, arg, e);
    if (reader_moment(r, &seq, e) ||
        (agent &&
         db_int(reader_db(r), &g.agent, -1, e, "SELECT id FROM agent WHERE name = ?", "s", agent)))
        return -1;
    if (give_kept(k, seq, &g))
        return 0;
    int result = orphans_find(r, NULL, take, &g, e);
    if (result == 0 && g.keeps)
        keep_found(k, seq, &g.found);
    release(&g.found);
    return result;
}

/* As an answer has them. Where there is no memory for that they are not known to be clean. */
static bool looks_clean(const struct guard_rules *rules, const struct found *f)
{
    struct strbuf all = STRBUF_INIT;
    struct json_object list = json_begin(&all, '[');
    for (size_t i = 0; i < f->count; i++) {
        struct orphan o = orphan_of(f, &f->kept[i]);
        json_item(&list);
        answer_orphan(&all, &o);
    }
    json_end(&list);
    bool clean = !all.failed && !guard_finds_in_json(rules, all.buf, all.len);
    strbuf_release(&all);
    return clean;
}

bool kept_orphans_are_clean(struct reader *r)
{
    struct kept_orphans *k = reader_store(r)->orphans;
    const struct guard *g = reader_guarded(r);
    int64_t seq;
    struct error ignored;
    if (!g || !g->rules || !reader_keeps(r) || guard_hides_linked_entries(r) ||
        reader_moment(r, &seq, &ignored))
        return false;
    pthread_mutex_lock(&k->lock);
    struct found *f = &k->found;
    if (k->seq == seq && !guard_looked(&f->look, g->rules))
        guard_note_look(&f->look, g->rules, looks_clean(g->rules, f));
    bool clean = k->seq == seq && f->look.clean;
    pthread_mutex_unlock(&k->lock);
    return clean;
}
