/* completion/complete: kinds, ids, agents and refs that begin with what was typed. */
#include <stdio.h>
#include <string.h>
#include "model/format/exchange_parts.h"
#include "store/query/known_names.h"
#include "store/mcp/tools/resources.h"
#include "store/mcp/tools/tools.h"

/* The values, and how many there are in all. */
struct values {
    struct strbuf *out;
    struct json_object list;
    size_t count;
    int64_t total;
    bool uncounted; /* there are more, and nobody knows how many */
};

struct asked {
    const char *value;
    const char *kind; /* of the context */
    size_t kind_len;  /* 0: none was chosen */
};

typedef int (*completer)(struct mcp_call *call, struct reader *r, const struct asked *asked,
                         struct values *v, struct error *e);

static void add_value(struct values *v, const char *value)
{
    if (v->count++ < KNOWN_NAMES_MAX) {
        json_item(&v->list);
        json_add_string(v->out, value);
    }
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

/* Ids of these kinds; as whole refs where `whole`. */
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
            exchange_add_ref(v->out, ref[i]);
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
    if (chosen && kind < 0) /* there is no memory of that kind */
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
        if (strlen(name[i]) <= URI_MAX) /* a longer one is nothing to type */
            add_value(v, name[i]);
    return 0;
}

/* Before the colon a kind is completed, behind it an id; an id alone is one of any kind. */
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
    bool prompt; /* an argument of a prompt, not of a template */
    const char *name;
    completer complete;
} completers[] = {
    {false, "kind", complete_kind},   {false, "id", complete_id},
    {false, "agent", complete_agent}, {true, "ref", complete_ref},
    {true, "agent", complete_agent},
};

static const struct mcp_template *find_template(const char *uri)
{
    for (size_t i = 0; i < RESOURCE_TEMPLATES; i++)
        if (uri && strcmp(resource_templates[i].uri, uri) == 0)
            return &resource_templates[i];
    return NULL;
}

/* Those that are of one kind alone name it. */
static bool is_of_chains(const char *uri)
{
    return strncmp(uri, "stemma://chain/", strlen("stemma://chain/")) == 0;
}

static const struct mcp_prompt *find_prompt(const char *name)
{
    for (size_t i = 0; i < MEMORY_PROMPTS; i++)
        if (name && strcmp(memory_prompts[i].name, name) == 0)
            return &memory_prompts[i];
    return NULL;
}

/* Does the URI have it in braces? */
static bool template_has(const struct mcp_template *t, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = t->uri; (at = strchr(at, '{')); at++)
        if (strncmp(at + 1, name, len) == 0 && at[1 + len] == '}')
            return true;
    return false;
}

static bool prompt_has(const struct mcp_prompt *p, const char *name)
{
    for (const struct field *f = p->arguments; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return true;
    return false;
}

/* A name; one with a NUL in it is nobody's, as an empty one is. NULL: there is none. */
static const char *take_name(struct taking *t, const char *member)
{
    size_t len;
    const char *name = take_text(t, member, &len);
    return name && strlen(name) < len ? "" : name;
}

/* The kind that was chosen before. */
static void take_kind(struct taking *context, const struct mcp_template *template,
                      struct asked *asked)
{
    struct taking chosen = take_within(context->arena, take_value(context, "arguments"));
    asked->kind = take_text(&chosen, "kind", &asked->kind_len);
    if (template && is_of_chains(template->uri)) {
        asked->kind = kind_name(KIND_CHAIN);
        asked->kind_len = strlen(asked->kind);
    }
}

/* What is asked about: one of the two. */
struct about {
    const struct mcp_template *template;
    const struct mcp_prompt *prompt;
};

static bool find_about(struct taking *ref, struct about *about)
{
    const char *type = take_name(ref, "type");
    *about = (struct about){NULL, NULL};
    if (type && strcmp(type, "ref/prompt") == 0)
        about->prompt = find_prompt(take_name(ref, "name"));
    else if (type && strcmp(type, "ref/resource") == 0)
        about->template = find_template(take_name(ref, "uri"));
    return about->prompt || about->template;
}

/* Of an argument that it does not have nothing is known. */
static completer completer_of(const struct about *about, const char *name)
{
    bool prompt = about->prompt != NULL;
    if (!(prompt ? prompt_has(about->prompt, name) : template_has(about->template, name)))
        return NULL;
    for (size_t i = 0; i < sizeof(completers) / sizeof(*completers); i++)
        if (completers[i].prompt == prompt && strcmp(completers[i].name, name) == 0)
            return completers[i].complete;
    return NULL;
}

/* What `ref` and `argument` ask for; *found NULL: nothing is known of that argument. */
static int find_completer(struct taking *t, completer *found, struct asked *asked, struct error *e)
{
    struct taking ref = take_within(t->arena, take_value(t, "ref"));
    struct taking argument = take_within(t->arena, take_value(t, "argument"));
    struct taking context = take_within(t->arena, take_value(t, "context"));
    struct about about;
    if (!find_about(&ref, &about))
        return error_set(e, ERROR_INVALID, "Name a prompt, or the URI of a template.",
                         "ref names no prompt and no template");
    size_t len;
    const char *name = take_name(&argument, "name");
    asked->value = take_text(&argument, "value", &len);
    take_kind(&context, about.template, asked);
    if (!name || !asked->value)
        return error_set(e, ERROR_INVALID, "Give argument.name and argument.value.",
                         "argument has no name or no value");
    bool is_text = strlen(asked->value) == len; /* nothing begins with a NUL in it */
    *found = is_text ? completer_of(&about, name) : NULL;
    return 0;
}

int complete_argument(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct taking t = take_from(call);
    struct asked asked = {.value = NULL};
    struct strbuf *out = &call->result;
    completer complete = NULL;
    if (find_completer(&t, &complete, &asked, e) || reader_begin(r, e))
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
    reader_end(r);
    return result;
}
