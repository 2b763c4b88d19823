#include "model/reasoning/citation.h"

#include "model/base/clock.h"

void citation_format(struct strbuf *out, const char *name, int64_t page, const char *section)
{
    bool has_section = section && *section;
    strbuf_addch(out, '(');
    strbuf_addstr(out, name);
    if (page > 0)
        strbuf_addf(out, ", page %lld", (long long)page);
    if (has_section || page <= 0)
        strbuf_addstr(out, ", ");
    if (has_section)
        strbuf_addstr(out, section);
    else if (page <= 0)
        strbuf_addstr(out, "document");
    strbuf_addch(out, ')');
}

static void pair_time(struct json_object *o, const char *key, int64_t ms)
{
    char iso[40];
    clock_format_iso(iso, sizeof(iso), ms);
    json_pair(o, key, iso);
}

static void pair_if(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

static void write_location(struct json_object *source, const struct citation *c)
{
    bool has_section = c->section && *c->section;
    if (c->page <= 0 && !has_section && c->paragraph < 0)
        return;
    json_key(source, "location");
    struct json_object o = json_begin(source->out, '{');
    if (c->page > 0)
        json_pair_int(&o, "page", c->page);
    if (has_section)
        json_pair(&o, "section", c->section);
    if (c->paragraph >= 0)
        json_pair_int(&o, "paragraph", c->paragraph);
    json_end(&o);
}

void citation_write(struct strbuf *out, const struct citation *c)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "documentId", c->document_id);
    json_pair(&o, "documentName", c->name);
    write_location(&o, c);
    pair_if(&o, "snippet", c->snippet);
    json_key(&o, "relevanceScore");
    json_add_double(out, c->relevance);
    if (c->retrieved_at != INT64_MIN)
        pair_time(&o, "retrievedAt", c->retrieved_at);
    /* Whoever cites asserts it, unless they said otherwise. */
    if (c->origin != SCORE_NONE && c->origin != SCORE_ASSERTED)
        json_pair(&o, "score_origin", score_name(c->origin));
    json_end(&o);
}

static void end_event(struct json_object *o, const char *conversation, int64_t at)
{
    pair_if(o, "conversationId", conversation);
    pair_time(o, "timestamp", at);
    json_end(o);
}

void citation_added_event(struct strbuf *out, const struct citation *c, const char *conversation,
                          int64_t at)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "source_added");
    json_key(&o, "source");
    citation_write(out, c);
    end_event(&o, conversation, at);
}

void citation_done_event(struct strbuf *out, const struct citation *c, size_t count,
                         const char *conversation, const char *message, int64_t at)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "type", "done");
    pair_if(&o, "messageId", message);
    json_key(&o, "sources");
    struct json_object sources = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&sources);
        citation_write(out, &c[i]);
    }
    json_end(&sources);
    end_event(&o, conversation, at);
}
