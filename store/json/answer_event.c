#include "store/json/answer.h"

#include "model/json/json.h"
#include "store/journal/journal.h"

void answer_event(struct strbuf *out, const struct event *event)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "seq", event->seq);
    json_pair_int(&o, "at", event->at);
    json_pair(&o, "actor", event->actor);
    json_pair(&o, "class", event->class_name);
    json_pair(&o, "agent", event->agent);
    json_pair(&o, "origin", event->origin);
    if (event->session)
        json_pair_int(&o, "session", event->session);
    else
        json_pair(&o, "session", NULL);
    if (event->about)
        json_pair_int(&o, "about_session", event->about);
    json_pair(&o, "operation", event->operation);
    if (event->ref.id) {
        json_key(&o, "ref");
        exchange_add_ref(out, event->ref);
    } else {
        json_pair(&o, "ref", NULL);
    }
    json_pair(&o, "before", event->before);
    json_pair(&o, "after", event->after);
    json_pair(&o, "reason", event->reason);
    json_pair(&o, "correlation", event->correlation);
    if (event->undoes)
        json_pair_int(&o, "undoes", event->undoes);
    json_end(&o);
}
