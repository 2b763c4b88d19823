/* Builds the JSON of one memory. */
#include "store/import/builder.h"

#include <string.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "store/import/import_run.h"

/* Ends what is open below that level. */
static struct json_object *close_to(struct builder *b, int depth)
{
    for (; b->depth > depth; b->depth--) {
        if (b->depth == 1 && b->confidence_default && strcmp(b->list, "detail") == 0) {
            json_pair_bool(&b->level[1], "confidence_default", true);
            b->confidence_default = false;
        }
        json_end(&b->level[b->depth]);
    }
    return &b->level[depth];
}

static struct json_object *open_below(struct builder *b, int depth, const char *key, char open)
{
    struct json_object *outer = close_to(b, depth);
    b->level[++b->depth] = key ? json_open(outer, key, open) : json_item_open(outer, open);
    return &b->level[b->depth];
}

static struct json_object *open_list(struct builder *b, const char *name)
{
    if (b->depth > 0 && strcmp(b->list, name) == 0)
        return close_to(b, 1);
    struct json_object *list = open_below(b, 0, name, '[');
    b->list = name;
    return list;
}

struct builder build_begin(struct strbuf *out, const struct build_head *head)
{
    const struct {
        const char *key, *text;
    } texts[] = {{"agent_id", head->agent},          {"text", head->text},
                 {"context", head->context},         {"source", head->source},
                 {"source_type", head->source_type}, {"source_entity", head->source_entity}};
    AUTO_ARENA arena = ARENA_INIT;
    strbuf_clear(out);
    struct builder b = {.level = {json_begin(out, '{')},
                        .confidence_default = head->confidence_default};
    struct json_object *o = &b.level[0];
    if (head->kind)
        json_pair(o, "ref", arena_format(&arena, "%s:%s", head->kind, head->id));
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        json_pair_if(o, texts[i].key, texts[i].text);
    json_pair_int_if(o, "created_at", head->created_at);
    json_pair_int_if(o, "updated_at", head->updated_at);
    json_pair_true_if(o, "protected", head->is_protected);
    return b;
}

struct json_object *build_member(struct builder *b)
{
    return close_to(b, 0);
}

void build_bytes(struct builder *b, const char *text, size_t len)
{
    struct json_object *o = build_member(b);
    json_key(o, "text");
    strbuf_addch(o->out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == '"' || c == '\\')
            strbuf_addf(o->out, "\\u%04x", c);
        else
            strbuf_addch(o->out, (char)c);
    }
    strbuf_addch(o->out, '"');
}

struct json_object *build_detail(struct builder *b)
{
    struct json_object *detail = open_below(b, 0, "detail", '{');
    b->list = "detail";
    return detail;
}

struct json_object *build_item(struct builder *b, const char *list)
{
    open_list(b, list);
    return open_below(b, 1, NULL, '{');
}

void build_text(struct builder *b, const char *list, const char *text)
{
    if (!text || !*text)
        return;
    struct json_object *open = open_list(b, list);
    json_item_string(open, text);
}

struct json_object *build_relation(struct builder *b, const char *type, const char *to,
                                   const char *reason)
{
    struct json_object *one = build_item(b, "relations");
    json_pair(one, "type", type);
    json_pair(one, "to", to);
    json_pair_if(one, "reason", reason);
    return one;
}

void build_group(struct builder *b, const struct build_group *group)
{
    b->group = *group;
    b->has_group = true;
}

static void begin_group(struct builder *b)
{
    const struct build_group *g = &b->group;
    struct json_object *one = build_item(b, "justifications");
    json_pair_if(one, "role", g->role);
    json_pair_if(one, "reading", g->reading);
    json_pair_if(one, "recorded", g->recorded);
    json_pair_if(one, "reason", g->reason);
    json_pair_int_if(one, "at", g->at);
    b->has_group = false;
}

struct json_object *build_source(struct builder *b, const char *ref)
{
    if (!ref)
        return NULL;
    if (b->has_group)
        begin_group(b);
    if (b->depth == 2)
        open_below(b, 2, "antecedents", '[');
    struct json_object *one = open_below(b, 3, NULL, '{');
    json_pair(one, "ref", ref);
    return one;
}

void build_premise(struct builder *b, const char *role)
{
    struct json_object *one = build_item(b, "justifications");
    json_pair_if(one, "role", role);
    json_pair(one, "reading", "all");
}

struct json_object *build_retrieval(struct builder *b, const char *type, const char *uri,
                                    int64_t at, const char *text)
{
    struct digest hash;
    char hex[2 * DIGEST_SIZE + 1];
    struct json_object *detail = build_detail(b);
    digest_bytes(&hash, text, strlen(text));
    digest_hex(hex, &hash);
    json_pair(detail, "source_type", type);
    json_pair(detail, "source_uri", uri);
    json_pair_int(detail, "retrieval_timestamp", at);
    json_pair(detail, "full_content_hash", hex);
    return detail;
}

void build_end(struct builder *b)
{
    if (b->confidence_default && !(b->depth > 0 && strcmp(b->list, "detail") == 0))
        build_detail(b);
    json_end(close_to(b, 0));
}

int build_take(struct builder *b, struct import_run *run, int64_t line, struct error *e)
{
    build_end(b);
    return import_run_take(run, b->level[0].out, line, e);
}
