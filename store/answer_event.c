#include "answer.h"

#include "../model/json.h"
#include "journal.h"

static void add_text(struct json_object *o, const char *key, const char *text)
{
    json_key(o, key);
    json_add_string(o->out, text);
}

static void add_number(struct json_object *o, const char *key, int64_t number)
{
    json_key(o, key);
    json_add_int(o->out, number);
}

static void add_null(struct json_object *o, const char *key)
{
    json_key(o, key);
    strbuf_addstr(o->out, "null");
}

void answer_event(struct strbuf *out, const struct event *event)
{
    struct json_object o = json_begin(out, '{');
    add_number(&o, "seq", event->seq);
    add_number(&o, "at", event->at);
    add_text(&o, "actor", event->actor);
    add_text(&o, "class", event->class_name);
    add_text(&o, "agent", event->agent);
    add_text(&o, "origin", event->origin);
    if (event->session)
        add_number(&o, "session", event->session);
    else
        add_null(&o, "session");
    add_text(&o, "operation", event->operation);
    if (event->ref.id) {
        json_key(&o, "ref");
        exchange_add_ref(out, event->ref);
    } else {
        add_null(&o, "ref");
    }
    add_text(&o, "before", event->before);
    add_text(&o, "after", event->after);
    add_text(&o, "reason", event->reason);
    add_text(&o, "correlation", event->correlation);
    json_end(&o);
}
