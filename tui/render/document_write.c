/* A document's uses, versions and retrievals as JSON. */
#include "tui/render/document_facts.h"

#include "model/format/exchange_parts.h"
#include "model/json/json.h"

static void add_ref(struct json_object *o, const char *key, struct ref ref)
{
    json_key(o, key);
    exchange_add_ref(o->out, ref);
}

static void add_text(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

/* -1: there is none. */
static void add_place(struct json_object *o, const char *key, int64_t value)
{
    if (value >= 0)
        json_pair_int(o, key, value);
}

/* What is said of one passage that was used. */
static void write_passage(struct json_object *o, const struct document_told *d,
                          const struct document_use *u)
{
    if (u->use.relevance == u->use.relevance) {
        json_key(o, "relevance");
        json_add_double(o->out, u->use.relevance);
    }
    if (u->use.score != SCORE_NONE)
        json_pair(o, "score", score_name(u->use.score));
    add_place(o, "rank", u->use.rank);
    add_place(o, "chunk", u->use.chunk);
    add_place(o, "page", u->use.page);
    add_text(o, "section", u->use.section);
    add_text(o, "title", u->use.title);
    add_text(o, "label", u->use.label);
    if (d->excerpts)
        add_text(o, "excerpt", u->use.excerpt);
    add_text(o, "version_hash", u->use.version_hash);
    json_pair_bool(o, "changed_since", u->changed);
    json_pair_bool(o, "recorded", !u->guessed);
}

static void write_further(struct json_object *o, const struct document_told *d,
                          const struct document_use *u)
{
    if (u->further_count == 0)
        return;
    json_key(o, "further");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < u->further_count; i++) {
        struct document_use one = document_use_further(u, i);
        json_item(&list);
        struct json_object passage = json_begin(list.out, '{');
        write_passage(&passage, d, &one);
        json_end(&passage);
    }
    json_end(&list);
}

static void write_use(struct json_object *list, const struct document_told *d,
                      const struct document_uses *uses, size_t i)
{
    const struct document_use *u = &uses->use[i];
    const struct document_facts *f = d->facts;
    json_item(list);
    struct json_object o = json_begin(list->out, '{');
    add_ref(&o, "ref", u->ref);
    if (uses == &f->steps && u->chain)
        add_ref(&o, "chain", f->chain[f->chain_of[i]].row.ref);
    if (u->step_number > 0)
        json_pair_int(&o, "step_number", u->step_number);
    json_pair(&o, "text", u->text);
    write_passage(&o, d, u);
    write_further(&o, d, u);
    json_pair(&o, "status", status_name(u->status));
    json_pair_int(&o, "at", u->created_at);
    json_end(&o);
}

static void write_uses(struct json_object *o, const char *key, const struct document_told *d,
                       const struct document_uses *uses)
{
    json_key(o, key);
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < uses->count; i++)
        write_use(&list, d, uses, i);
    json_end(&list);
}

static void write_counts(struct json_object *o, const struct document_counts *c)
{
    json_key(o, "counts");
    struct json_object counts = json_begin(o->out, '{');
    json_pair_int(&counts, "steps", c->steps);
    json_pair_int(&counts, "chains", c->chains);
    json_pair_int(&counts, "citations", c->citations);
    json_pair_int(&counts, "others", c->others);
    json_pair_int(&counts, "beliefs", c->beliefs);
    json_pair_bool(&counts, "bounded", c->bounded);
    json_end(&counts);
}

static void write_versions(struct json_object *o, const struct document_facts *f)
{
    json_key(o, "versions");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < f->version_count; i++) {
        const struct document_version *v = &f->version[i];
        json_item(&list);
        struct json_object version = json_begin(o->out, '{');
        add_place(&version, "chunk", v->chunk);
        json_pair(&version, "version_hash", v->hash);
        json_pair_int(&version, "uses", (int64_t)v->uses);
        json_pair_int(&version, "first_at", v->first_at);
        json_pair_int(&version, "last_at", v->last_at);
        json_pair_bool(&version, "latest", v->latest);
        json_end(&version);
    }
    json_end(&list);
}

static void write_retrievals(struct json_object *o, const struct document_facts *f)
{
    json_key(o, "retrievals");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < f->retrieval_count; i++) {
        json_item(&list);
        struct json_object one = json_begin(o->out, '{');
        add_ref(&one, "ref", f->retrieval_row[i].row.ref);
        json_pair_int(&one, "retrieval_timestamp", f->retrieval_at[i]);
        add_text(&one, "source_type", f->retrieval_type[i]);
        add_text(&one, "source_uri", f->retrieval_uri[i]);
        json_pair_bool(&one, "recorded", f->retrieval[i].recorded);
        json_end(&one);
    }
    json_end(&list);
}

static void write_beliefs(struct json_object *o, const struct document_reach *d)
{
    json_key(o, "beliefs");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < d->belief_count; i++) {
        json_item(&list);
        exchange_add_ref(o->out, d->belief[i].row.ref);
    }
    json_end(&list);
}

static void write_more(struct json_object *o, const struct document_told *d)
{
    const struct {
        const char *name;
        bool more;
    } lists[] = {{"steps", d->facts->steps.more},          {"citations", d->reach->citations.more},
                 {"others", d->reach->others.more},        {"versions", d->facts->version_more},
                 {"retrievals", d->facts->retrieval_more}, {"beliefs", d->reach->belief_more}};
    json_key(o, "more");
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (lists[i].more) {
            json_item(&list);
            json_add_string(o->out, lists[i].name);
        }
    json_end(&list);
}

void document_write(struct strbuf *out, const struct document_told *d)
{
    const struct document_facts *f = d->facts;
    struct json_object o = json_begin(out, '{');
    add_ref(&o, "ref", f->memory.ref);
    add_text(&o, "document_id", f->document_id);
    json_pair(&o, "title", f->memory.text);
    json_pair(&o, "uri", f->uri);
    json_pair(&o, "status", status_name(f->memory.status));
    json_pair(&o, "label", label_name(f->label.label));
    write_counts(&o, &d->reach->counts);
    write_uses(&o, "steps", d, &f->steps);
    write_uses(&o, "citations", d, &d->reach->citations);
    write_uses(&o, "others", d, &d->reach->others);
    write_versions(&o, f);
    write_retrievals(&o, f);
    write_beliefs(&o, d->reach);
    write_more(&o, d);
    json_end(&o);
}
