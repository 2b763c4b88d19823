/* Memories as resources (stemma:// URIs), and completion of arguments. */
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/format/memory_json.h"
#include "model/base/utf8.h"
#include "store/json/answer.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/lineage/effective.h"
#include "store/lineage/trust.h"
#include "model/pii/pii.h"
#include "store/mcp/protocol/message.h"
#include "store/mcp/tools/tools.h"
#include "store/query/known_names.h"
#include "store/query/ref.h"
#include "store/record/get.h"

#define SCHEME        "stemma://"
#define PAGE          100 /* resources of a page */
#define NEWEST        50  /* newest memories of an agent */
#define LINEAGE_DEPTH 20
#define LINEAGE_LINES 250
#define JSON_BYTES                                                                                 \
    (ANSWER_BYTES / 2 - 200) /* a resource is a JSON string, which escapes its quotes */
#define REST_BYTES  200      /* how to go on after an agent's newest memories */
#define TITLE_SHOWN 80       /* code points */
#define URI_SHOWN   200      /* bytes of a URI in an error */

const struct mcp_template resource_templates[] = {
    [TEMPLATE_MEMORY] = {SCHEME "{kind}/{id}", "memory", "A memory",
                         "A memory with its confidence, what it is based on and its label; kind:id "
                         "is its ref. The id may be the beginning of one.",
                         "application/json"},
    [TEMPLATE_LINEAGE] = {SCHEME "{kind}/{id}/lineage", "lineage", "What a memory is based on",
                          "An outline from the memory down to its sources, as text.", "text/plain"},
    [TEMPLATE_LINEAGE_JSON] = {SCHEME "{kind}/{id}/lineage.json", "lineage-data",
                               "What a memory is based on, as data",
                               "Nodes, links, circles and how many lie deeper.",
                               "application/json"},
    [TEMPLATE_REASONING] = {SCHEME "chain/{id}/reasoning", "reasoning", "A chain of thought",
                            "A chain with its question, its answer, its state and every step "
                            "with the sources it used. It changes while the chain is written.",
                            "application/json"},
    [TEMPLATE_SOURCES] = {SCHEME "chain/{id}/sources", "sources", "The sources of a chain",
                          "The documents that a chain used, the primary ones, and which step "
                          "used which.",
                          "application/json"},
    [TEMPLATE_AGENT] = {SCHEME "agent/{agent}", "agent", "An agent's memories",
                        "What an agent wrote, newest first, and how to go on if there is more.",
                        "application/json"},
};

/* ---- URIs ---- */

struct resource {
    int template; /* index of its template */
    const char *ref, *agent;
};

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes the part up to the next slash, in the arena, and moves *at after the slash (NULL after the last part).
 * Returns NULL if the part is invalid. */
static const char *next_part(struct arena *arena, const char **at)
{
    const char *s = *at, *end = strchr(s, '/');
    size_t len = end ? (size_t)(end - s) : strlen(s), written = 0;
    char *part = arena_strndup(arena, s, len);
    for (size_t i = 0; part && i < len; i++) {
        if (s[i] == '%') {
            int high = i + 2 < len ? hex(s[i + 1]) : -1, low = i + 2 < len ? hex(s[i + 2]) : -1;
            if (high < 0 || low < 0)
                return NULL;
            part[written++] = (char)(high << 4 | low);
            i += 2;
        } else if (strchr("?# <>\"\\^`{|}", s[i]) || (unsigned char)s[i] < 0x20) {
            return NULL;
        } else {
            part[written++] = s[i];
        }
    }
    *at = end ? end + 1 : NULL;
    if (!part || written == 0 || !utf8_valid(part, written))
        return NULL;
    part[written] = '\0';
    return part;
}

/* Masks the whole URI before it is cut, because half an address would not be recognised. */
static int no_such(struct reader *r, const char *uri, struct error *e)
{
    const struct guard_rules *rules = guard_rules_of(r);
    bool masks = rules && guard_permissions(rules)->mask;
    AUTO_STRBUF shown = STRBUF_INIT;
    if (masks)
        pii_mask_string(guard_pii(rules), uri, strlen(uri), &shown, NULL);
    else
        strbuf_addstr(&shown, uri);
    size_t fits = shown.len <= URI_SHOWN             ? shown.len
                  : utf8_valid(shown.buf, shown.len) ? utf8_fit(shown.buf, shown.len, URI_SHOWN)
                                                     : URI_SHOWN;
    error_set(e, ERROR_NOT_FOUND, "See resources/templates/list.", "there is no resource %.*s%s",
              (int)fits, shown.buf, fits < shown.len ? "…" : "");
    return -1;
}

/* What may follow a memory's id, and for which kind. */
static const struct {
    const char *name;
    int template, kind; /* kind is -1 for any */
} views[] = {
    {"lineage", TEMPLATE_LINEAGE, -1},
    {"lineage.json", TEMPLATE_LINEAGE_JSON, -1},
    {"reasoning", TEMPLATE_REASONING, KIND_CHAIN},
    {"sources", TEMPLATE_SOURCES, KIND_CHAIN},
};

/* Finds a template; `view` NULL is the memory itself. Returns -1 if the kind has no such view. */
static int resource_find_template(const char *view, int kind)
{
    if (!view)
        return TEMPLATE_MEMORY;
    for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
        if (strcmp(views[i].name, view) == 0 && (views[i].kind < 0 || views[i].kind == kind))
            return views[i].template;
    return -1;
}

/* `stemma://KIND/ID[/VIEW]` or `stemma://agent/AGENT`. */
static int parse(struct reader *r, struct arena *arena, const char *uri, struct resource *out,
                 struct error *e)
{
    const char *part[4] = {NULL}, *at = uri + strlen(SCHEME);
    size_t count = 0;
    if (strncmp(uri, SCHEME, strlen(SCHEME)) != 0)
        return no_such(r, uri, e);
    while (at && count < 4)
        if (!(part[count++] = next_part(arena, &at)))
            return no_such(r, uri, e);
    if (count == 2 && strcmp(part[0], "agent") == 0) {
        *out = (struct resource){TEMPLATE_AGENT, NULL, part[1]};
        return 0;
    }
    int kind = kind_from_name(part[0], strlen(part[0]));
    int template = count == 2 || count == 3 ? resource_find_template(part[2], kind) : -1;
    if (kind < 0 || template <0)
        return no_such(r, uri, e);
    size_t size = strlen(part[0]) + strlen(part[1]) + 2;
    char *ref = arena_alloc(arena, size);
    snprintf(ref, size, "%s:%s", part[0], part[1]);
    *out = (struct resource){template, ref, NULL};
    return 0;
}

/* Returns the row, or -1 and sets ERROR_NOT_FOUND for any invalid ref. */
static int64_t find_row(struct reader *r, const char *ref, struct error *e)
{
    int64_t row = ref_resolve(r, ref, e);
    if (row < 0 && e->code == ERROR_INVALID)
        e->code = ERROR_NOT_FOUND;
    return row;
}

int64_t find_agent(struct reader *r, const char *agent, struct error *e)
{
    int64_t found = list_find_agent(r, agent, e);
    if (found)
        return found;
    AUTO_ARENA arena = ARENA_INIT;
    const char *name = guard_text(r, &arena, agent, strlen(agent));
    error_set(e, ERROR_NOT_FOUND, "Complete the name, or list memories.",
              "no memory is of an agent %.*s", name ? (int)utf8_fit(name, strlen(name), 100) : 0,
              name ? name : "");
    return -1;
}

static void add_encoded(struct strbuf *out, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~", c);
        if (plain)
            strbuf_addch(out, *s);
        else
            strbuf_addf(out, "%%%02X", c);
    }
}

/* ---- resources/read ---- */

/* Adds how to go on after so many memories: memory_list takes the cursor, since it asks the same. */
static int add_rest(struct mcp_call *call, struct reader *r, const struct list_query *query,
                    size_t written, struct json_object *o, struct error *e)
{
    struct list_rows rows = {.most = written};
    if (list_rows_read(call, r, query, NULL, &rows, e))
        return -1;
    json_pair(o, "next", rows.next);
    json_pair(o, "todo", "memory_list goes on: give it this agent_id, and next as cursor.");
    return 0;
}

/* Appends {"agent_id","memories","more"}: the newest memories, and whether there are more. */
static int add_agent(struct mcp_call *call, struct reader *r, const char *agent, struct strbuf *out,
                     struct error *e)
{
    struct list_query query = {.agent = agent};
    struct list_rows rows = {.most = NEWEST};
    struct row_label label[NEWEST];
    size_t written;
    if (list_rows_read(call, r, &query, NULL, &rows, e) ||
        support_of_rows(r, rows.row, rows.count, label, e) ||
        trust_class_fill(r, rows.row, rows.count, label, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "agent_id", agent);
    const struct memory_page page = {.row = rows.row,
                                     .label = label,
                                     .count = rows.count,
                                     .full = true,
                                     .bytes = JSON_BYTES,
                                     .around = REST_BYTES};
    if (add_memories(call, r, &page, &o, &written, e))
        return -1;
    bool more = rows.more || written < rows.count;
    json_pair_bool(&o, "more", more);
    if (more && add_rest(call, r, &query, written, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

/* Appends the content of a resource, in ANSWER_BYTES as any answer, unless a specification fixes it. */
static int add_text(struct mcp_call *call, struct reader *r, const struct resource *resource,
                    struct strbuf *out, struct error *e)
{
    if (resource->agent)
        return find_agent(r, resource->agent, e) < 0 ? -1
                                                     : add_agent(call, r, resource->agent, out, e);
    int64_t row = find_row(r, resource->ref, e);
    if (row < 0)
        return -1;
    call->subject = row;
    bool written =
        resource->template == TEMPLATE_REASONING || resource->template == TEMPLATE_SOURCES;
    if (written && check_whole(r, row, e))
        return -1;
    bool data = resource->template == TEMPLATE_LINEAGE_JSON;
    const struct lineage_part part = {.direction = ANCESTORS,
                                      .depth = LINEAGE_DEPTH,
                                      .lines = LINEAGE_LINES,
                                      .most = data ? JSON_BYTES : ANSWER_BYTES - 200};
    if (data)
        return answer_lineage(r, row, &part, out, NULL, e);
    if (resource->template == TEMPLATE_LINEAGE)
        return answer_outline(r, row, &part, out, NULL, e);
    if (resource->template == TEMPLATE_REASONING)
        return add_reasoning(r, row, true, 0, out, e);
    if (resource->template == TEMPLATE_SOURCES)
        return add_displayed(r, row, true, out, e);
    struct row_label label;
    if (support_of_rows(r, &row, 1, &label, e) || trust_class_fill(r, &row, 1, &label, e) ||
        add_form(call, r, row, &label, JSON_BYTES, out, e))
        return -1;
    if (json_member(out->buf, out->len, "too_large").ptr) {
        strbuf_cut(out, out->len - 1); /* reopen the object for one more member */
        strbuf_addstr(out, ",\"todo\":\"memory_get gives each part, in pieces: part, offset.\"}");
    }
    return 0;
}

static int read_uri(struct mcp_call *call, struct reader *r, const char *uri, struct error *e)
{
    struct resource resource = {0, NULL, NULL};
    AUTO_STRBUF text = STRBUF_INIT;
    struct strbuf *out = &call->result;
    bool masks = guard_masks(r);
    int failed =
        parse(r, &call->arena, uri, &resource, e) || add_text(call, r, &resource, &text, e);
    if (resource.template == TEMPLATE_LINEAGE)
        answer_masked_in_parts(call, r, masks);
    if (failed)
        return -1;
    strbuf_addstr(out, "\"contents\":");
    struct json_object list = json_begin(out, '[');
    struct json_object o = json_item_open(&list, '{');
    json_pair(&o, "uri", uri);
    json_pair(&o, "mimeType", resource_templates[resource.template].mime);
    json_key(&o, "text");
    json_add_string_len(out, text.buf, text.len);
    json_end(&o);
    json_end(&list);
    return 0;
}

int read_resource(struct mcp_call *call, struct reader *r, struct error *e)
{
    const char *uri = mcp_call_text(call, "uri", NULL);
    if (!uri)
        return error_set(e, ERROR_INVALID, "Give the URI of a resource.", "uri is missing");
    return read_uri(call, r, uri, e);
}

/* ---- resources/list ---- */

static void add_title(struct strbuf *out, const struct memory_row *row)
{
    AUTO_STRBUF title = STRBUF_INIT;
    strbuf_addf(&title, "%s: ", kind_spec(row->ref.kind)->name);
    clean_add(&title, row->text ? row->text : "", TITLE_SHOWN);
    json_add_string_len(out, title.buf, title.len);
}

static int add_resource(struct mcp_call *call, struct reader *r, int64_t node, struct error *e)
{
    struct strbuf *out = &call->result;
    struct memory_row row;
    char when[32];
    if (memory_row_read(r, &call->arena, node, &row, e))
        return -1;
    clock_format_iso(when, sizeof(when), row.updated_at);
    struct json_object o = json_begin(out, '{');
    json_key(&o, "uri");
    strbuf_addf(out, "\"" SCHEME "%s/", kind_name(row.ref.kind));
    const char *id = guard_ref_id(r, &call->arena, row.ref);
    add_encoded(out, id ? id : "");
    strbuf_addch(out, '"');
    memory_json_pair_ref(&o, "name", (struct ref){row.ref.kind, id ? id : ""});
    json_key(&o, "title");
    add_title(out, &row);
    json_pair(&o, "mimeType", resource_templates[TEMPLATE_MEMORY].mime);
    json_key(&o, "annotations");
    strbuf_addf(out, "{\"lastModified\":\"%s\"}", when);
    json_end(&o);
    return 0;
}

int list_resources(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct list_query query = {.order = ORDER_RECORDED};
    struct list_rows rows = {.most = PAGE};
    size_t len;
    const char *cursor = mcp_call_text(call, "cursor", &len);
    bool masks = guard_masks(r);
    if (cursor && strlen(cursor) < len) /* contains NUL, which no cursor does */
        return error_set(e, ERROR_INVALID, "Give nextCursor of the page before as it stands.",
                         "there is no page for this cursor");
    if (list_rows_read(call, r, &query, cursor, &rows, e))
        return -1;
    strbuf_addstr(&call->result, "\"resources\":");
    struct json_object list = json_begin(&call->result, '[');
    for (size_t i = 0; i < rows.count; i++) {
        json_item(&list);
        if (add_resource(call, r, rows.row[i], e))
            return -1;
    }
    json_end(&list);
    if (rows.more) {
        strbuf_addstr(&call->result, ",\"nextCursor\":");
        json_add_string(&call->result, rows.next);
    }
    answer_masked_in_parts(call, r, masks);
    return 0;
}

/* ---- completion/complete: kinds, ids, agents and refs by prefix ---- */

/* The values found, and their total number. */
struct values {
    struct strbuf *out;
    struct json_object list;
    size_t count;
    int64_t total;
    bool uncounted; /* there are more, and the total is not known */
};

struct asked {
    const char *value;
    const char *kind; /* kind in the context */
    size_t kind_len;  /* 0 if none */
};

typedef int (*completer)(struct mcp_call *call, struct reader *r, const struct asked *asked,
                         struct values *v, struct error *e);

static void add_value(struct values *v, const char *value)
{
    if (v->count++ < KNOWN_NAMES_MAX)
        json_item_string(&v->list, value);
}

static void add_kinds(struct values *v, const char *prefix, const char *end)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const char *name = kind_name((enum kind)kind);
        char value[64];
        if (strncmp(name, prefix, strlen(prefix)) != 0)
            continue;
        snprintf(value, sizeof(value), "%s%s", name, end);
        add_value(v, value);
        v->total++;
    }
}

static int complete_kind(struct mcp_call *call, struct reader *r, const struct asked *asked,
                         struct values *v, struct error *e)
{
    (void)call;
    (void)r;
    (void)e;
    add_kinds(v, asked->value, "");
    return 0;
}

/* Adds ids of these kinds, or whole refs if `whole`. */
static int add_ids(struct mcp_call *call, struct reader *r, unsigned kinds, const char *prefix,
                   bool whole, struct values *v, struct error *e)
{
    struct ref ref[KNOWN_NAMES_MAX];
    size_t count;
    int64_t total;
    if (known_ids(r, kinds, prefix, &call->arena, ref, &count, &total, e))
        return -1;
    v->total += total;
    v->uncounted |= total < 0;
    for (size_t i = 0; i < count; i++, v->count++) {
        if (v->count >= KNOWN_NAMES_MAX)
            break;
        json_item(&v->list);
        const char *id = whole ? ref[i].id : guard_ref_id(r, &call->arena, ref[i]);
        if (whole)
            memory_json_add_ref(v->out, ref[i]);
        else
            json_add_string(v->out, id ? id : "");
    }
    return 0;
}

static int complete_id(struct mcp_call *call, struct reader *r, const struct asked *asked,
                       struct values *v, struct error *e)
{
    bool chosen = asked->kind_len > 0;
    int kind = chosen ? kind_from_name(asked->kind, asked->kind_len) : -1;
    if (chosen && kind < 0) /* unknown kind */
        return 0;
    return add_ids(call, r, chosen ? KIND_BIT(kind) : KINDS_ALL, asked->value, false, v, e);
}

static int complete_agent(struct mcp_call *call, struct reader *r, const struct asked *asked,
                          struct values *v, struct error *e)
{
    const char *name[KNOWN_NAMES_MAX];
    size_t count;
    if (known_agents(r, asked->value, &call->arena, name, &count, &v->total, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (strlen(name[i]) <= URI_MAX) /* longer names cannot be typed */
            add_value(v, name[i]);
    return 0;
}

/* Completes the kind before the colon and the id after it. Without a colon it also completes ids of any kind. */
static int complete_ref(struct mcp_call *call, struct reader *r, const struct asked *asked,
                        struct values *v, struct error *e)
{
    const char *colon = strchr(asked->value, ':');
    if (!colon) {
        add_kinds(v, asked->value, ":");
        return *asked->value ? add_ids(call, r, KINDS_ALL, asked->value, true, v, e) : 0;
    }
    int kind = kind_from_name(asked->value, (size_t)(colon - asked->value));
    return kind < 0 ? 0 : add_ids(call, r, KIND_BIT(kind), colon + 1, true, v, e);
}

static const struct {
    const char *name;
    completer complete;
} completers[] = {
    {"kind", complete_kind}, {"id", complete_id}, {"agent", complete_agent}, {"ref", complete_ref}};

/* A string member. Returns NULL if absent, and "" (which matches nothing) if it contains NUL. */
static const char *take_name(struct arena *arena, struct json_slice object, const char *name)
{
    size_t len;
    const char *text = json_text(arena, message_member(object, name), &len);
    return text && strlen(text) < len ? "" : text;
}

static bool is_template(const char *uri)
{
    for (size_t i = 0; i < RESOURCE_TEMPLATES; i++)
        if (strcmp(resource_templates[i].uri, uri) == 0)
            return true;
    return false;
}

/* Finds the completer for `ref` and `argument`, which the protocol has validated. *found stays NULL if there is none
 * for the argument. */
static int find_completer(struct mcp_call *call, completer *found, struct asked *asked,
                          struct error *e)
{
    /* templates of only one kind have it in their URI */
    static const char chains[] = SCHEME "chain/";
    struct json_slice ref = message_member(call->arguments, "ref");
    struct json_slice argument = message_member(call->arguments, "argument");
    struct json_slice context = message_member(call->arguments, "context");
    struct json_slice chosen = message_member(context, "arguments");
    const char *type = take_name(&call->arena, ref, "type");
    const char *uri = strcmp(type, "ref/prompt") == 0 ? "" : take_name(&call->arena, ref, "uri");
    const char *name = take_name(&call->arena, argument, "name");
    size_t len;
    if (strcmp(type, "ref/prompt") != 0 && !is_template(uri))
        return error_set(e, ERROR_INVALID, "Name a prompt, or the URI of a template.",
                         "ref names no prompt and no template");
    asked->value = json_text(&call->arena, message_member(argument, "value"), &len);
    asked->kind = json_text(&call->arena, message_member(chosen, "kind"), &asked->kind_len);
    if (strncmp(uri, chains, strlen(chains)) == 0) {
        asked->kind = kind_name(KIND_CHAIN);
        asked->kind_len = strlen(asked->kind);
    }
    if (strlen(asked->value) < len) /* nothing contains NUL */
        return 0;
    for (size_t i = 0; i < sizeof(completers) / sizeof(*completers); i++)
        if (strcmp(completers[i].name, name) == 0)
            *found = completers[i].complete;
    return 0;
}

int complete_argument(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct asked asked = {.value = NULL};
    struct strbuf *out = &call->result;
    completer complete = NULL;
    if (find_completer(call, &complete, &asked, e))
        return -1;
    strbuf_addstr(out, "\"completion\":");
    struct json_object o = json_begin(out, '{');
    json_key(&o, "values");
    struct values v = {.out = out, .list = json_begin(out, '[')};
    int result = complete ? complete(call, r, &asked, &v, e) : 0;
    json_end(&v.list);
    if (!v.uncounted)
        json_pair_int(&o, "total", v.total);
    json_pair_bool(&o, "hasMore", v.uncounted || v.total > KNOWN_NAMES_MAX);
    json_end(&o);
    return result;
}
