/* Chains as JSON. */
#include "chain.h"

#include "../model/json.h"
#include "../model/reasoning.h"
#include "reader.h"

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "", "memory ran out");
}

/* A chain that is written. */
struct chain_writing {
    struct reader *r;
    struct arena *arena;
    struct chain chain;
    struct step_sources *sources; /* [chain.step_count] */
    struct source_summary summary;
    size_t offset, end; /* of the steps that are written */
    struct strbuf *out;
    struct error *e;
};

static void add_number(struct json_object *o, const char *key, double number)
{
    json_key(o, key);
    if (isnan(number))
        strbuf_addstr(o->out, "null");
    else
        json_add_double(o->out, number);
}

static void add_ref(struct json_object *o, const char *key, struct ref ref)
{
    struct strbuf text = STRBUF_INIT;
    ref_add(&text, ref);
    json_pair(o, key, text.buf);
    o->out->failed |= text.failed;
    strbuf_release(&text);
}

static void add_value(struct json_object *o, const char *key, struct json_slice value)
{
    if (!value.ptr)
        return;
    json_key(o, key);
    json_add_value(o->out, value.ptr, value.len);
}

/* ---- steps ---- */

/* The specification's source, and which memory it is. */
static void add_source(const struct chain_writing *w, struct json_object *list,
                       const struct chain_source *s)
{
    json_item(list);
    source_write(w->out, &s->source);
    if (w->out->failed || w->out->buf[w->out->len - 1] != '}')
        return;
    strbuf_cut(w->out, w->out->len - 1);
    struct json_object o = {w->out, '}', true};
    add_ref(&o, "ref", w->chain.document[s->column].ref);
    if (s->source.version_hash)
        json_pair(&o, "version_hash", s->source.version_hash);
    if (s->changed)
        json_pair_bool(&o, "changed_since", true);
    if (s->status != STATUS_ACTIVE)
        json_pair(&o, "status", status_name(s->status));
    if (s->rating)
        json_pair(&o, "rating", s->rating);
    json_end(&o);
}

static void add_sources(const struct chain_writing *w, struct json_object *o,
                        const struct chain_step *step)
{
    json_key(o, "source_attributions");
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = 0; i < step->source_count; i++)
        add_source(w, &list, &step->source[i]);
    json_end(&list);
}

static void add_earlier(struct json_object *o, const struct chain_step *step)
{
    if (step->earlier_count == 0)
        return;
    json_key(o, "earlier_steps");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < step->earlier_count; i++) {
        json_item(&list);
        json_add_int(o->out, step->earlier[i]);
    }
    json_end(&list);
}

static void add_step(const struct chain_writing *w, const struct chain_step *step)
{
    struct json_object o = json_begin(w->out, '{');
    add_ref(&o, "ref", step->ref);
    json_key(&o, "step_number");
    if (step->number)
        json_add_int(w->out, step->number);
    else
        strbuf_addstr(w->out, "null");
    json_pair(&o, "question", step->question);
    json_pair(&o, "intermediate_answer", step->answer);
    add_number(&o, "confidence_score", step->confidence);
    json_pair(&o, "reasoning_trace", step->trace);
    add_number(&o, "execution_time", step->execution_time);
    if (step->status != STATUS_ACTIVE)
        json_pair(&o, "status", status_name(step->status));
    if (step->faithful)
        json_pair(&o, "faithful", step->faithful);
    add_earlier(&o, step);
    add_value(&o, "context_used", step->context_used);
    add_value(&o, "token_usage", step->token_usage);
    add_sources(w, &o, step);
    json_end(&o);
}

static void add_steps(const struct chain_writing *w, struct json_object *o, const char *key)
{
    json_key(o, key);
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = w->offset; i < w->end; i++) {
        json_item(&list);
        add_step(w, &w->chain.step[i]);
    }
    json_end(&list);
}

/* ---- the chain ---- */

static void add_breakdown(const struct chain_writing *w, struct json_object *o)
{
    json_key(o, "source_breakdown");
    struct json_object steps = json_begin(w->out, '{');
    for (size_t i = 0; i < w->chain.step_count; i++) {
        const struct step_sources *step = &w->sources[i];
        char key[32];
        snprintf(key, sizeof(key), "%lld", (long long)step->number);
        json_key(&steps, key);
        struct json_object ids = json_begin(w->out, '[');
        for (size_t k = 0; k < step->count; k++) {
            json_item(&ids);
            json_add_string(w->out, step->source[k].document_id);
        }
        json_end(&ids);
    }
    json_end(&steps);
}

/* The specification's SearchOutput. */
static void add_search(const struct chain_writing *w, struct json_object *o)
{
    json_key(o, "search");
    struct json_object s = json_begin(w->out, '{');
    json_pair(&s, "answer", w->chain.answer);
    json_key(&s, "sources");
    struct json_object list = json_begin(w->out, '[');
    for (size_t i = 0; i < w->summary.primary_count; i++) {
        json_item(&list);
        source_write(w->out, &w->summary.primary[i]);
    }
    json_end(&list);
    add_steps(w, &s, "reasoning_trace");
    add_breakdown(w, &s);
    json_end(&s);
}

static void add_chain(const struct chain_writing *w)
{
    const struct chain *c = &w->chain;
    struct json_object o = json_begin(w->out, '{');
    add_ref(&o, "ref", c->ref);
    json_pair(&o, "state", chain_state_name(c->state));
    json_pair(&o, "agent_id", c->agent_id);
    if (c->status != STATUS_ACTIVE)
        json_pair(&o, "status", status_name(c->status));
    json_pair(&o, "original_question", c->question);
    json_pair(&o, "final_answer", c->answer);
    add_steps(w, &o, "reasoning_steps");
    json_key(&o, "source_summary");
    source_summary_write(w->out, &w->summary);
    add_number(&o, "total_confidence", c->confidence);
    add_number(&o, "total_execution_time", c->total_time);
    json_pair(&o, "reasoning_strategy", c->strategy);
    add_value(&o, "token_usage", c->token_usage);
    json_pair_int(&o, "created_at", c->created_at);
    add_search(w, &o);
    json_end(&o);
}

static void drop_excerpts(struct chain *c)
{
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++)
            c->step[i].source[k].source.excerpt = NULL;
}

static int summarise(struct chain_writing *w)
{
    w->sources = chain_step_sources(&w->chain, w->arena);
    if (!w->sources)
        return no_memory(w->e);
    return source_summarise(&w->summary, w->arena, w->sources, w->chain.step_count, w->e);
}

static int read_whole(struct chain_writing *w, int64_t node, bool excerpts)
{
    if (chain_read(w->r, w->arena, node, &w->chain, w->e))
        return -1;
    if (!excerpts)
        drop_excerpts(&w->chain);
    return summarise(w);
}

/* Half of what is too much: of the steps until one is left, then of the sources. False: of neither. */
static bool write_less(struct chain_writing *w)
{
    if (w->end > w->offset + 1)
        w->end = w->offset + (w->end - w->offset) / 2;
    else if (w->summary.count > 0)
        w->summary.count /= 2;
    else
        return false;
    return true;
}

static int write_part(struct chain_writing *w, const struct chain_part *part, struct chain_cut *cut)
{
    size_t before = w->out->len, sources = w->summary.count;
    w->offset = part->offset < w->chain.step_count ? part->offset : w->chain.step_count;
    w->end = w->chain.step_count;
    add_chain(w);
    while (part->most && w->out->len - before > part->most && !w->out->failed) {
        if (part->excerpts && !cut->excerpts) {
            cut->excerpts = true;
            drop_excerpts(&w->chain);
            if (summarise(w))
                return -1;
        } else if (!write_less(w)) {
            break;
        }
        strbuf_cut(w->out, before);
        add_chain(w);
    }
    cut->given = w->end - w->offset;
    cut->steps = w->chain.step_count - w->end;
    cut->sources = sources - w->summary.count;
    return 0;
}

int chain_write_part(struct reader *r, int64_t node, const struct chain_part *part,
                     struct chain_cut *cut, struct strbuf *out, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct chain_writing w = {.r = r, .arena = &arena, .out = out, .e = e};
    size_t was = out->len;
    *cut = (struct chain_cut){.excerpts = false};
    int result = read_whole(&w, node, part->excerpts) || write_part(&w, part, cut) ? -1 : 0;
    if (result == 0 && out->failed)
        result = no_memory(e);
    if (result)
        strbuf_cut(out, was);
    arena_release(&arena);
    return result;
}

int chain_write(struct reader *r, int64_t node, bool excerpts, struct strbuf *out, struct error *e)
{
    struct chain_cut none;
    return chain_write_part(r, node, &(struct chain_part){.excerpts = excerpts}, &none, out, e);
}

int chain_write_sources(struct reader *r, int64_t node, bool excerpts, struct strbuf *out,
                        struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct chain_writing w = {.r = r, .arena = &arena, .out = out, .e = e};
    size_t was = out->len;
    int result = read_whole(&w, node, excerpts);
    if (result == 0)
        source_summary_display(out, &w.summary, excerpts);
    if (result == 0 && out->failed)
        result = no_memory(e);
    if (result)
        strbuf_cut(out, was);
    arena_release(&arena);
    return result;
}
