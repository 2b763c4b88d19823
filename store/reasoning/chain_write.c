/* Chains as JSON, whole or within a limit. */
#include "store/reasoning/chain.h"

#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/reasoning/reasoning.h"
#include "model/base/utf8.h"
#include "store/guard/guard.h"

/* With a limit, longer texts of the chain are truncated. */
#define LONG_TEXT(most) ((most) / 16)
#define TEXT_START      2000 /* code points of a truncated text */
#define LONG_TITLE      400  /* bytes of a longer title that are kept */

/* State of writing a chain. */
struct chain_writing {
    struct reader *r;
    struct arena *arena;
    struct chain chain;
    struct step_sources *sources; /* [chain.step_count] */
    struct source_summary summary;
    size_t offset, end; /* range of the steps written */
    bool usage_of_part; /* list the sources used only for the steps written */
    size_t most, began; /* maximum bytes, 0 for no limit; start of the answer in `out` */
    struct strbuf *out;
    struct error *e;
};

/* ---- steps ---- */

static void add_judgements(struct json_object *o, const struct judgement j[JUDGES],
                           const char *const names[JUDGES])
{
    for (int judge = 0; judge < JUDGES; judge++)
        if (j[judge].word)
            json_pair(o, names[judge], j[judge].word);
}

/* Appends the specification's source with its ref. */
static void add_source(const struct chain_writing *w, struct json_object *list,
                       const struct chain_source *s)
{
    json_item(list);
    source_write(w->out, &s->source);
    strbuf_cut(w->out, w->out->len - 1);
    struct json_object o = {w->out, '}', true};
    memory_json_pair_ref(&o, "ref", w->chain.document[s->column].ref);
    if (s->source.version_hash)
        json_pair(&o, "version_hash", s->source.version_hash);
    json_pair_true_if(&o, "changed_since", s->changed);
    if (s->status != STATUS_ACTIVE)
        json_pair(&o, "status", status_name(s->status));
    json_pair_if(&o, "retrieval", s->source.retrieval);
    add_judgements(&o, s->rating, (const char *[]){"rating", "imported_rating", "agent_rating"});
    json_end(&o);
}

static void add_sources(const struct chain_writing *w, struct json_object *o,
                        const struct chain_step *step)
{
    struct json_object list = json_open(o, "source_attributions", '[');
    for (size_t i = 0; i < step->source_count; i++)
        add_source(w, &list, &step->source[i]);
    json_end(&list);
}

static void add_earlier(struct json_object *o, const struct chain_step *step)
{
    if (step->earlier_count == 0)
        return;
    struct json_object list = json_open(o, "earlier_steps", '[');
    for (size_t i = 0; i < step->earlier_count; i++)
        json_item_int(&list, step->earlier[i]);
    json_end(&list);
}

static void add_step(const struct chain_writing *w, const struct chain_step *step)
{
    struct json_object o = json_begin(w->out, '{');
    memory_json_pair_ref(&o, "ref", step->ref);
    json_key(&o, "step_number");
    if (step->number)
        json_add_int(w->out, step->number);
    else
        strbuf_addstr(w->out, "null");
    json_pair(&o, "question", step->question);
    json_pair(&o, "intermediate_answer", step->answer);
    json_pair_double(&o, "confidence_score", step->confidence);
    json_pair(&o, "reasoning_trace", step->trace);
    json_pair_double(&o, "execution_time", step->execution_time);
    if (step->status != STATUS_ACTIVE)
        json_pair(&o, "status", status_name(step->status));
    add_judgements(&o, step->faithful,
                   (const char *[]){"faithful", "imported_faithful", "agent_faithful"});
    add_earlier(&o, step);
    json_pair_value(&o, "context_used", step->context_used);
    json_pair_value(&o, "token_usage", step->token_usage);
    json_pair_if(&o, "model", step->model);
    add_sources(w, &o, step);
    json_end(&o);
}

/* Returns true if the limit is exceeded, so that the rest need not be written. */
static bool exceeds_limit(const struct chain_writing *w)
{
    return w->most && w->out->len - w->began > w->most;
}

static void add_steps(const struct chain_writing *w, struct json_object *o, const char *key)
{
    struct json_object list = json_open(o, key, '[');
    for (size_t i = w->offset; i < w->end && !exceeds_limit(w); i++) {
        json_item(&list);
        add_step(w, &w->chain.step[i]);
    }
    json_end(&list);
}

/* ---- the chain ---- */

/* The steps whose use of sources is listed. */
static const struct step_sources *used(const struct chain_writing *w, size_t *count)
{
    *count = w->usage_of_part ? w->end - w->offset : w->chain.step_count;
    return w->sources + (w->usage_of_part ? w->offset : 0);
}

static void add_summary(const struct chain_writing *w)
{
    struct source_summary s = w->summary;
    s.step = used(w, &s.step_count);
    source_summary_write(w->out, &s);
}

/* Appends the specification's SearchOutput. */
static void add_search(const struct chain_writing *w, struct json_object *o)
{
    size_t count;
    struct json_object s = json_open(o, "search", '{');
    json_pair(&s, "answer", w->chain.answer);
    struct json_object list = json_open(&s, "sources", '[');
    for (size_t i = 0; i < w->summary.primary_count; i++) {
        json_item(&list);
        source_write(w->out, &w->summary.primary[i]);
    }
    json_end(&list);
    add_steps(w, &s, "reasoning_trace");
    json_key(&s, "source_breakdown");
    const struct step_sources *steps = used(w, &count);
    source_usage_write(w->out, steps, count);
    json_end(&s);
}

/* The source_summary that came with the chain, and where it differs. */
static void add_differences(const struct chain_writing *w, struct json_object *o)
{
    const char **differences;
    size_t count;
    source_summary_compare(&w->summary, w->chain.summary, w->arena, &differences, &count);
    json_pair_value(o, "given_summary", w->chain.summary);
    if (count == 0)
        return;
    json_pair_strings(o, "differences", differences, count);
}

static void add_chain(const struct chain_writing *w)
{
    const struct chain *c = &w->chain;
    struct json_object o = json_begin(w->out, '{');
    memory_json_pair_ref(&o, "ref", c->ref);
    json_pair(&o, "state", chain_state_name(c->state));
    json_pair(&o, "agent_id", c->agent_id);
    if (c->status != STATUS_ACTIVE)
        json_pair(&o, "status", status_name(c->status));
    json_pair(&o, "original_question", c->question);
    json_pair(&o, "final_answer", c->answer);
    add_steps(w, &o, "reasoning_steps");
    json_key(&o, "source_summary");
    add_summary(w);
    json_pair_double(&o, "total_confidence", c->confidence);
    json_pair_double(&o, "total_execution_time", c->total_time);
    json_pair(&o, "reasoning_strategy", c->strategy);
    json_pair_value(&o, "token_usage", c->token_usage);
    json_pair_if(&o, "model", c->model);
    add_differences(w, &o);
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

static void summarise(struct chain_writing *w)
{
    w->sources = chain_step_sources(&w->chain, w->arena);
    source_summarise(&w->summary, w->arena, w->sources, w->chain.step_count);
}

static int read_whole(struct chain_writing *w, int64_t node, bool excerpts)
{
    if (chain_read(w->r, w->arena, node, &w->chain, w->e))
        return -1;
    if (!excerpts)
        drop_excerpts(&w->chain);
    summarise(w);
    return 0;
}

/* ---- within a limit ---- */

/* Truncates a text longer than `longest` bytes. Masks it first, because a part of personal data
 * would not be recognised. */
static void truncate_text(struct chain_writing *w, const char **text, size_t longest, size_t bytes,
                          bool *cut)
{
    size_t len = *text ? strlen(*text) : 0;
    if (len <= longest)
        return;
    const char *seen = guard_text(w->r, w->arena, *text, len);
    *text = arena_strndup(w->arena, seen, utf8_fit(seen, utf8_prefix(seen, TEXT_START), bytes));
    *cut = true;
}

/*
 * Truncates the texts that every part of the chain repeats: its own and the titles of its sources.
 */
static void truncate_texts(struct chain_writing *w, bool *cut)
{
    struct chain *c = &w->chain;
    size_t longest = LONG_TEXT(w->most);
    const char **const texts[] = {&c->question, &c->answer, &c->strategy};
    for (size_t i = 0; i < 3; i++)
        truncate_text(w, texts[i], longest, longest, cut);
    struct json_slice *const values[] = {&c->token_usage, &c->summary};
    for (size_t i = 0; i < 2; i++)
        if (values[i]->len > longest) {
            values[i]->ptr = NULL;
            *cut = true;
        }
    for (size_t i = 0; i < c->step_count; i++)
        for (size_t k = 0; k < c->step[i].source_count; k++)
            truncate_text(w, &c->step[i].source[k].source.title, LONG_TITLE, LONG_TITLE, cut);
}

static int too_long(struct chain_writing *w)
{
    char hint[160];
    if (w->offset == w->chain.step_count)
        return error_set(w->e, ERROR_INVALID, "Read it in parts with memory_get.",
                         "the chain's own texts are too long for an answer");
    struct ref ref = w->chain.step[w->offset].ref;
    const char *id = guard_ref_id(w->r, w->arena, ref);
    snprintf(hint, sizeof(hint),
             "Read it in parts with memory_get, and the rest with cot_get from offset %zu.",
             w->offset + 1);
    return error_set(w->e, ERROR_INVALID, hint, "step:%.100s is too long for an answer",
                     id ? id : "");
}

static bool fits(struct chain_writing *w)
{
    strbuf_cut(w->out, w->began);
    add_chain(w);
    return !exceeds_limit(w);
}

/*
 * Binary search for the greatest *of, from `least` on, with which the chain fits into `room` bytes.
 */
static void find_greatest(struct chain_writing *w, size_t *of, size_t least, size_t room)
{
    size_t most = *of;
    w->most = room;
    while (least < most) {
        *of = most - (most - least) / 2;
        if (fits(w))
            least = *of;
        else
            most = *of - 1;
    }
    *of = least;
}

/* Half of the room is for the first step and as many sources as fit; then all of it is for further
 * steps. Writes the chain with as many steps as fit. */
static int fit(struct chain_writing *w, size_t most)
{
    size_t end = w->end, first = w->offset < end ? w->offset + 1 : end;
    w->usage_of_part = true;
    w->end = first;
    find_greatest(w, &w->summary.count, 0, most / 2);
    w->most = most;
    if (!fits(w))
        return too_long(w);
    w->end = end;
    find_greatest(w, &w->end, first, most);
    (void)fits(w); /* writes it with the greatest `end` */
    return 0;
}

static int write_part(struct chain_writing *w, const struct chain_part *part, struct chain_cut *cut)
{
    size_t sources = w->summary.count;
    bool whole;
    w->began = w->out->len;
    w->most = part->most;
    w->offset = part->offset < w->chain.step_count ? part->offset : w->chain.step_count;
    w->end = w->chain.step_count;
    whole = fits(w);
    if (!whole && part->excerpts) {
        cut->excerpts = true;
        drop_excerpts(&w->chain);
        summarise(w);
        whole = fits(w);
    }
    if (!whole) {
        truncate_texts(w, &cut->texts);
        summarise(w);
        if (fit(w, part->most))
            return -1;
    }
    cut->given = w->end - w->offset;
    cut->steps = w->chain.step_count - w->end;
    cut->sources = sources - w->summary.count;
    return 0;
}

int chain_write_part(struct reader *r, int64_t node, const struct chain_part *part,
                     struct chain_cut *cut, struct strbuf *out, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct chain_writing w = {.r = r, .arena = &arena, .out = out, .e = e};
    size_t was = out->len;
    *cut = (struct chain_cut){.excerpts = false};
    int result = read_whole(&w, node, part->excerpts) || write_part(&w, part, cut) ? -1 : 0;
    if (result)
        strbuf_cut(out, was);
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
    AUTO_ARENA arena = ARENA_INIT;
    struct chain_writing w = {.r = r, .arena = &arena, .out = out, .e = e};
    size_t was = out->len;
    int result = read_whole(&w, node, excerpts);
    if (result == 0)
        source_summary_display(out, &w.summary, excerpts);
    if (result)
        strbuf_cut(out, was);
    return result;
}
