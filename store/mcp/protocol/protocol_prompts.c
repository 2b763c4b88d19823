#include "store/mcp/protocol/protocol.h"

bool protocol_has_prompts(const struct mcp_service *service)
{
    return service->prompt_count > 0;
}

bool protocol_has_completion(const struct mcp_service *service)
{
    return service->complete != NULL;
}

/* ---- prompts/list ---- */

static void add_argument(struct strbuf *out, const struct field *f)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "name");
    json_add_string(out, f->name);
    if (f->about) {
        json_key(&o, "description");
        json_add_string(out, f->about);
    }
    json_key(&o, "required");
    strbuf_addstr(out, f->flags & FIELD_REQUIRED ? "true" : "false");
    json_end(&o);
}

static void add_prompt(struct strbuf *out, const struct mcp_prompt *p)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "name");
    json_add_string(out, p->name);
    if (p->title) {
        json_key(&o, "title");
        json_add_string(out, p->title);
    }
    if (p->description) {
        json_key(&o, "description");
        json_add_string(out, p->description);
    }
    json_key(&o, "arguments");
    struct json_object list = json_begin(out, '[');
    for (const struct field *f = p->arguments; f && f->name; f++) {
        json_item(&list);
        add_argument(out, f);
    }
    json_end(&list);
    json_end(&o);
}

void protocol_prompts_list(const struct exchange *x)
{
    if (!protocol_is_first_page(x))
        return;
    struct reply r = reply_to(x);
    reply_open(&r);
    json_key(&r.result, "prompts");
    struct json_object list = json_begin(r.out, '[');
    for (size_t i = 0; i < x->c->service->prompt_count; i++) {
        json_item(&list);
        add_prompt(r.out, &x->c->service->prompts[i]);
    }
    json_end(&list);
    reply_close(&r);
}

/* ---- prompts/get ---- */

static const struct mcp_prompt *find_prompt(const struct exchange *x, struct json_slice name)
{
    char said[MCP_METHOD_MAX + 1];
    if (message_word(name, said, sizeof(said)) < 0)
        return NULL;
    for (size_t i = 0; i < x->c->service->prompt_count; i++)
        if (strcmp(x->c->service->prompts[i].name, said) == 0)
            return &x->c->service->prompts[i];
    return NULL;
}

void protocol_prompts_get(const struct exchange *x)
{
    static const struct field none[] = {FIELD_END};
    const struct mcp_prompt *p = find_prompt(x, x->m->name);
    struct json_slice arguments = x->m->arguments;
    struct error e;
    if (!p) {
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "params.name must be the name of a prompt");
    } else if (arguments.ptr && !message_is_object(arguments)) {
        reply_error(reply_to(x), RPC_INVALID_PARAMS,
                    "params.arguments must be an object or be left out");
    } else if (field_check(p->arguments ? p->arguments : none, arguments, &e)) {
        refuse_given(x, RPC_INVALID_PARAMS, arguments, &e);
    } else {
        protocol_start_read(x, p->get);
    }
}

/* ---- completion/complete ---- */

/* What is wrong with the params, or NULL. */
static const char *completion_problem(const struct exchange *x)
{
    struct json_slice ref = message_member(x->m->params, "ref");
    struct json_slice argument = message_member(x->m->params, "argument");
    struct json_slice context = message_member(x->m->params, "context");
    char type[32];
    if (!message_is_object(ref) || !message_is_object(argument))
        return "params.ref and params.argument must be objects";
    message_word(message_member(ref, "type"), type, sizeof(type));
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
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "%s", problem);
    else
        protocol_start_read(x, x->c->service->complete);
}
