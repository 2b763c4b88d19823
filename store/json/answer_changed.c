#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/json/answer.h"
#include "store/history/past.h"

static void add_events(struct strbuf *out, const struct changed *c)
{
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < c->event_count; i++) {
        json_item(&list);
        json_add_int(out, c->events[i]);
    }
    json_end(&list);
}

void answer_changed(struct strbuf *out, const struct changed *c)
{
    struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
    struct json_object o = json_begin(out, '{');
    exchange_diff(&before, &after, c->before, c->after);
    json_key(&o, "ref");
    exchange_add_ref(out, c->ref);
    json_pair_int(&o, "event", c->events[c->event_count - 1]);
    json_key(&o, "before");
    strbuf_addstr(out, before.buf);
    json_key(&o, "after");
    strbuf_addstr(out, after.buf);
    json_key(&o, "events");
    add_events(out, c);
    json_end(&o);
    out->failed |= before.failed || after.failed;
    strbuf_release(&before);
    strbuf_release(&after);
}
