/* The methods of tools, resources and prompts, from the tables of the service. */
#include "store/mcp/protocol/connection_internal.h"

#include <string.h>
#include <strings.h>

/* ---- tools/list ---- */

static const struct field no_arguments[] = {FIELD_END};

static void add_annotations(struct strbuf *out, const struct mcp_tool *tool)
{
    struct json_object o = json_begin(out, '{');
    if (tool->title)
        json_pair(&o, "title", tool->title);
    json_pair_bool(&o, "readOnlyHint", tool->hints & HINT_READ_ONLY);
    json_pair_bool(&o, "destructiveHint", tool->hints & HINT_DESTRUCTIVE);
    json_pair_bool(&o, "idempotentHint", tool->hints & HINT_IDEMPOTENT);
    json_pair_bool(&o, "openWorldHint", false);
    json_end(&o);
}

/* Adds a member unless its value is NULL. */
static void add_text(struct json_object *o, const char *key, const char *text)
{
    if (text)
        json_pair(o, key, text);
}

static bool is_listed(const struct mcp_offer *offer, const struct mcp_tool *tool)
{
    return (!offer->sets || tool->sets & offer->sets) && (!tool->opt_in || offer->opt_in) &&
           (tool->work != WORK_WRITE || !offer->read_only);
}

static void add_tool(struct json_object *list, const struct mcp_connection *c, size_t i)
{
    const struct mcp_tool *tool = c->service->tools[i];
    if (!is_listed(&c->offer, tool))
        return;
    struct json_object o = json_item_open(list, '{');
    add_text(&o, "name", tool->name);
    add_text(&o, "title", tool->title);
    add_text(&o, "description", tool->description);
    json_key(&o, "inputSchema");
    field_schema(o.out, tool->arguments ? tool->arguments : no_arguments, true);
    if (tool->answer) {
        json_key(&o, "outputSchema");
        field_schema(o.out, tool->answer, false);
    }
    json_key(&o, "annotations");
    add_annotations(o.out, tool);
    json_end(&o);
}

/* Answers with a list that has one page: `add` appends each element that is offered. */
static void answer_list(const struct exchange *x, const char *name, size_t count,
                        void (*add)(struct json_object *list, const struct mcp_connection *c,
                                    size_t i))
{
    if (!protocol_is_first_page(x))
        return;
    struct reply r = reply_to(x);
    reply_open(&r);
    struct json_object list = json_open(&r.result, name, '[');
    for (size_t i = 0; i < count; i++)
        add(&list, x->c, i);
    json_end(&list);
    reply_close(&r);
}

void protocol_tools_list(const struct exchange *x)
{
    answer_list(x, "tools", x->c->service->tool_count, add_tool);
}

/* ---- tools/call ---- */

static const struct mcp_tool *find_tool(const struct mcp_service *service, const char *name)
{
    for (size_t i = 0; i < service->tool_count; i++)
        if (strcmp(service->tools[i]->name, name) == 0)
            return service->tools[i];
    return NULL;
}

static bool has_agent_field(const struct mcp_tool *tool)
{
    for (const struct field *f = tool->arguments; f && f->name; f++)
        if (strcmp(f->name, "agent_id") == 0)
            return true;
    return false;
}

/* False for a tool that `strict` refuses. What agents may not do here is refused with whom to ask, which helps. */
static bool is_offered(const struct mcp_offer *offer, const struct mcp_tool *tool)
{
    return !offer->strict || !offer->sets || tool->sets & offer->sets;
}

/* Refuses a tool that the configuration does not let agents use. It is a refusal, not an unknown tool. */
static int check_leave(struct mcp_call *call, struct error *e)
{
    const struct mcp_offer *offer = &call->connection->offer;
    bool left = !call->tool->opt_in || offer->opt_in;
    if (left && is_offered(offer, call->tool))
        return 0; /* what a read-only store refuses is the store's to say */
    call->denied = DENIAL_TOOL;
    if (left)
        return error_set(e, ERROR_REFUSED,
                         "Use a tool that tools/list names, or ask the person who reviews this "
                         "memory to offer it: `--tools all`.",
                         "%s is not offered here", call->tool->name);
    return error_set(e, ERROR_REFUSED,
                     "Ask the person who reviews this memory: they do it, or let agents do it by "
                     "`destructive_tools: yes` in the configuration.",
                     "%s is not for agents here", call->tool->name);
}

static void call_tool(const struct exchange *x, const struct mcp_tool *tool)
{
    struct json_slice arguments = x->m->arguments;
    struct json_slice agent = {NULL, 0};
    if (has_agent_field(tool)) /* whom it acts for, if the tool has that argument */
        agent = message_member(arguments, "agent_id");
    struct mcp_call *call = request_new(x, agent);
    call->tool = tool;
    call->read = tool->read;
    call->write = tool->write;
    call->work = tool->work;
    call->arguments =
        arguments.ptr ? request_slice(call, x->m, arguments) : (struct json_slice){"{}", 2};
    struct error *e = &call->error;
    if ((tool->rate && tool->rate(call, e)) || protocol_admit(call, e) || check_leave(call, e) ||
        (tool->permit && tool->permit(call, e)) ||
        field_take(tool->arguments, call->arguments, &call->request_arena, &call->given, e) ||
        (tool->begin && tool->begin(call, e)))
        request_fail(call);
    else
        request_start(call);
}

static bool lacks(const struct exchange *x, const struct mcp_tool *tool)
{
    return tool->needs && x->m->modern && !message_member(x->m->capabilities, tool->needs).ptr;
}

static void refuse_client(const struct exchange *x, const struct mcp_tool *tool)
{
    AUTO_STRBUF data = STRBUF_INIT;
    strbuf_addf(&data, "{\"requiredCapabilities\":{\"%s\":{}}}", tool->needs);
    reply_error_with(reply_to(x), RPC_MISSING_CAPABILITY, &data,
                     "%s needs a client with the capability %s", tool->name, tool->needs);
}

/* Unknown tools are counted together, because a client can invent any number of names. */
static const struct mcp_tool unknown_tool = {.name = "unknown_tool"};

/* Sets *named if params.name is a string that could be a name. */
static const struct mcp_tool *named_tool(const struct exchange *x, char name[MCP_METHOD_MAX + 1],
                                         bool *named)
{
    *named = message_copy_string(x->m->name, name, MCP_METHOD_MAX + 1) >= 0;
    return *named ? find_tool(x->c->service, name) : NULL;
}

const struct mcp_tool *protocol_tool_meant(const struct exchange *x)
{
    char name[MCP_METHOD_MAX + 1];
    bool named;
    const struct mcp_tool *tool = named_tool(x, name, &named);
    return tool ? tool : &unknown_tool;
}

#define SLIP      1000
#define NEAR_MOST 3  /* tools that an error names because their names are near */
#define ALL_MOST  12 /* or else because they are listed */

/* How many letters at the start and the end of both names are the same. */
static size_t alike(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), most = la < lb ? la : lb, n = 0, m = 0;
    while (n < most && a[n] == b[n])
        n++;
    while (m < most - n && a[la - 1 - m] == b[lb - 1 - m])
        m++;
    return n + m;
}

/* The last word of a name. Some clients write "memory-search" or "memory.search". */
static const char *last_word(const char *name)
{
    const char *last = name;
    for (const char *at = name; *at; at++)
        if (strchr("_-.", *at))
            last = at + 1;
    return last;
}

/* How near the names are: 0 if not at all. A slip in the last word is nearer than a word that both have:
 * "search_memories". What all have, "memory_", makes none near. */
static size_t nearness(const char *name, const char *known)
{
    const char *own = last_word(name), *last = last_word(known);
    size_t len = strlen(last) > strlen(own) ? strlen(last) : strlen(own), same = alike(own, last);
    if (3 * same >= 2 * len)
        return SLIP + same;
    for (const char *at = name; *at; at++)
        if ((at == name || strchr("_-.", at[-1]) || (*at >= 'A' && *at <= 'Z')) &&
            strncasecmp(at, last, strlen(last)) == 0)
            return strlen(last);
    return 0;
}

/* Sets up to NEAR_MOST listed tools with the nearest names, the nearest first. Returns their number. */
static size_t find_near(const struct mcp_connection *c, const char *name,
                        const struct mcp_tool *near[NEAR_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < c->service->tool_count; i++) {
        const struct mcp_tool *tool = c->service->tools[i];
        size_t at, is = is_listed(&c->offer, tool) ? nearness(name, tool->name) : 0;
        if (is == 0)
            continue;
        for (at = count; at > 0 && nearness(name, near[at - 1]->name) < is; at--)
            if (at < NEAR_MOST)
                near[at] = near[at - 1];
        if (at < NEAR_MOST)
            near[at] = tool;
        count += count < NEAR_MOST;
    }
    /* Of a slip only the least is meant. */
    while (count > 1 && nearness(name, near[0]->name) >= SLIP &&
           nearness(name, near[count - 1]->name) < nearness(name, near[0]->name))
        count--;
    return count;
}

/* "no tool "memory_serch". The nearest is memory_search" */
static void refuse_tool(const struct exchange *x, const char *name)
{
    const struct mcp_service *service = x->c->service;
    const struct mcp_tool *near[NEAR_MOST];
    size_t count = find_near(x->c, name, near), listed = 0;
    AUTO_STRBUF what = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&what, "%s%s",
                    i           ? ", "
                    : count > 1 ? ". The nearest are "
                                : ". The nearest is ",
                    near[i]->name);
    for (size_t i = 0; count == 0 && i < service->tool_count && listed < ALL_MOST; i++)
        if (is_listed(&x->c->offer, service->tools[i]))
            strbuf_addf(&what, "%s%s", listed++ ? ", " : ". There are ", service->tools[i]->name);
    strbuf_addstr(&what, listed == ALL_MOST ? " and those of tools/list" : "");
    refuse_name(x, RPC_INVALID_PARAMS, "tool", name, what.buf ? what.buf : "");
}

void protocol_tools_call(const struct exchange *x)
{
    char name[MCP_METHOD_MAX + 1];
    bool named;
    struct json_slice arguments = x->m->arguments;
    const struct mcp_tool *tool = named_tool(x, name, &named);
    client_session_ensure(x->c, x->m); /* calls of unknown tools are logged too */
    if (tool && !lacks(x, tool) && (!arguments.ptr || message_is_object(arguments))) {
        call_tool(x, tool);
        return;
    }
    if (!named)
        refuse_params(x, "params.name must be the name of a tool");
    else if (!tool)
        refuse_tool(x, name);
    else if (lacks(x, tool))
        refuse_client(x, tool);
    else
        refuse_params(x, "params.arguments must be an object or be left out");
}

/* ---- resources ---- */

void protocol_resources_list(const struct exchange *x)
{
    struct json_slice cursor = message_member(x->m->params, "cursor");
    if (cursor.ptr && !message_is_string(cursor)) {
        refuse_params(x, "params.cursor must be a string");
    } else {
        protocol_start_read(x, x->c->service->list_resources);
    }
}

static void add_template(struct json_object *list, const struct mcp_connection *c, size_t i)
{
    const struct mcp_template *t = &c->service->templates[i];
    struct json_object o = json_item_open(list, '{');
    add_text(&o, "uriTemplate", t->uri);
    add_text(&o, "name", t->name);
    add_text(&o, "title", t->title);
    add_text(&o, "description", t->description);
    add_text(&o, "mimeType", t->mime);
    json_end(&o);
}

void protocol_templates_list(const struct exchange *x)
{
    answer_list(x, "resourceTemplates", x->c->service->template_count, add_template);
}

void protocol_resources_read(const struct exchange *x)
{
    char uri[MCP_URI_MAX];
    if (message_copy_string(message_member(x->m->params, "uri"), uri, sizeof(uri)) < 0)
        refuse_params(x, "params.uri must be a string of less than %d bytes", MCP_URI_MAX);
    else
        protocol_start_read(x, x->c->service->read_resource);
}

/* ---- prompts/list ---- */

static bool offers_prompt(const struct mcp_connection *c, const struct mcp_prompt *p)
{
    unsigned sets = c->service->prompt_sets;
    bool named = !sets || !c->offer.sets || sets & c->offer.sets;
    return named && !(p->writes && c->offer.read_only);
}

static void add_prompt(struct json_object *prompts, const struct mcp_connection *c, size_t i)
{
    const struct mcp_prompt *p = &c->service->prompts[i];
    if (!offers_prompt(c, p))
        return;
    struct json_object o = json_item_open(prompts, '{');
    add_text(&o, "name", p->name);
    add_text(&o, "title", p->title);
    add_text(&o, "description", p->description);
    struct json_object list = json_open(&o, "arguments", '[');
    for (const struct field *f = p->arguments; f && f->name; f++) {
        struct json_object argument = json_item_open(&list, '{');
        add_text(&argument, "name", f->name);
        add_text(&argument, "description", f->about);
        json_pair_bool(&argument, "required", f->flags & FIELD_REQUIRED);
        json_end(&argument);
    }
    json_end(&list);
    json_end(&o);
}

void protocol_prompts_list(const struct exchange *x)
{
    answer_list(x, "prompts", x->c->service->prompt_count, add_prompt);
}

/* ---- prompts/get ---- */

static const struct mcp_prompt *find_prompt(const struct exchange *x, struct json_slice name)
{
    char given[MCP_METHOD_MAX + 1];
    if (message_copy_string(name, given, sizeof(given)) < 0)
        return NULL;
    for (size_t i = 0; i < x->c->service->prompt_count; i++) {
        const struct mcp_prompt *p = &x->c->service->prompts[i];
        if (offers_prompt(x->c, p) && strcmp(p->name, given) == 0)
            return p;
    }
    return NULL;
}

static void get_prompt(const struct exchange *x, const struct mcp_prompt *p,
                       struct json_slice arguments)
{
    struct error e;
    struct mcp_call *call = request_new(x, (struct json_slice){NULL, 0});
    if (arguments.ptr)
        arguments = request_slice(call, x->m, arguments);
    if (field_take(p->arguments, arguments, &call->request_arena, &call->given, &e)) {
        refuse_given(x, RPC_INVALID_PARAMS, arguments, &e);
        request_drop(call);
    } else {
        call->prompt = p;
        protocol_start(call, p->get);
    }
}

void protocol_prompts_get(const struct exchange *x)
{
    const struct mcp_prompt *p = find_prompt(x, x->m->name);
    struct json_slice arguments = x->m->arguments;
    if (!p) {
        refuse_params(x, "params.name must be the name of a prompt");
    } else if (arguments.ptr && !message_is_object(arguments)) {
        refuse_params(x, "params.arguments must be an object or be left out");
    } else {
        get_prompt(x, p, arguments);
    }
}

/* ---- completion/complete ---- */

/* Returns a message if the params are invalid, or NULL. */
static const char *completion_problem(const struct exchange *x)
{
    struct json_slice ref = message_member(x->m->params, "ref");
    struct json_slice argument = message_member(x->m->params, "argument");
    struct json_slice context = message_member(x->m->params, "context");
    char type[32];
    if (!message_is_object(ref) || !message_is_object(argument))
        return "params.ref and params.argument must be objects";
    message_copy_string(message_member(ref, "type"), type, sizeof(type));
    if (strcmp(type, "ref/prompt") == 0) {
        if (!find_prompt(x, message_member(ref, "name")))
            return "params.ref.name must be the name of a prompt";
    } else if (strcmp(type, "ref/resource") != 0) {
        return "params.ref.type must be ref/prompt or ref/resource";
    } else if (!message_is_string(message_member(ref, "uri"))) {
        return "params.ref.uri must be a string";
    }
    if (!message_is_string(message_member(argument, "name")) ||
        !message_is_string(message_member(argument, "value")))
        return "params.argument must have a name and a value, both strings";
    return context.ptr && !message_is_object(context) ? "params.context must be an object" : NULL;
}

void protocol_complete(const struct exchange *x)
{
    const char *problem = completion_problem(x);
    if (problem)
        refuse_params(x, "%s", problem);
    else
        protocol_start_read(x, x->c->service->complete);
}
