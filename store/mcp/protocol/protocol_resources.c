#include "store/mcp/protocol/protocol.h"

bool protocol_has_resources(const struct mcp_service *service)
{
    return service->read_resource != NULL;
}

bool protocol_has_subscriptions(const struct mcp_service *service)
{
    return service->subscribed != NULL;
}

void protocol_resources_list(const struct exchange *x)
{
    struct json_slice cursor = message_member(x->m->params, "cursor");
    if (cursor.ptr && !message_is_string(cursor)) {
        reply_error(reply_to(x), RPC_INVALID_PARAMS, "params.cursor must be a string");
    } else if (x->c->service->list_resources) {
        protocol_start_read(x, x->c->service->list_resources);
    } else if (protocol_is_first_page(x)) {
        struct reply r = reply_to(x);
        reply_open(&r);
        json_key(&r.result, "resources");
        strbuf_addstr(r.out, "[]");
        reply_close(&r);
    }
}

static void add_text(struct json_object *o, const char *key, const char *text)
{
    if (!text)
        return;
    json_key(o, key);
    json_add_string(o->out, text);
}

static void add_template(struct strbuf *out, const struct mcp_template *t)
{
    struct json_object o = json_begin(out, '{');
    add_text(&o, "uriTemplate", t->uri);
    add_text(&o, "name", t->name);
    add_text(&o, "title", t->title);
    add_text(&o, "description", t->description);
    add_text(&o, "mimeType", t->mime);
    json_end(&o);
}

void protocol_templates_list(const struct exchange *x)
{
    if (!protocol_is_first_page(x))
        return;
    struct reply r = reply_to(x);
    reply_open(&r);
    json_key(&r.result, "resourceTemplates");
    struct json_object list = json_begin(r.out, '[');
    for (size_t i = 0; i < x->c->service->template_count; i++) {
        json_item(&list);
        add_template(r.out, &x->c->service->templates[i]);
    }
    json_end(&list);
    reply_close(&r);
}

void protocol_resources_read(const struct exchange *x)
{
    char uri[MCP_URI_MAX];
    if (message_word(message_member(x->m->params, "uri"), uri, sizeof(uri)) < 0)
        reply_error(reply_to(x), RPC_INVALID_PARAMS,
                    "params.uri must be a string of less than %d bytes", MCP_URI_MAX);
    else
        protocol_start_read(x, x->c->service->read_resource);
}
