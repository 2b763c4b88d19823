/* What forms an answer may have, as Accept says. */
#include "tests/support/scratch.h"

#include "store/mcp/http/http_state.h"

/* The values of one or two headers. */
static void what_is_wanted_is_what_names_it_most_closely(void **state)
{
    static const struct {
        const char *values[2];
        bool json, events;
    } rows[] = {
        {{"application/json, text/event-stream"}, true, true},
        {{"application/json", "text/event-stream"}, true, true},
        {{"Application/JSON ; charset=utf-8"}, true, false},
        {{"*/*"}, true, true},
        {{"text/*"}, false, true},
        {{"application/*, text/html"}, true, false},
        {{""}, false, false},
        {{" , ,application/json"}, true, false},
        {{"application/jsonx, text/event-stream2"}, false, false},
        {{"xapplication/json, application/json text/event-stream"}, false, false},
        {{"application, application/, */json, *"}, false, false},
        {{"*/*;q=0"}, false, false},
        {{"*/*;q=0.000"}, false, false},
        {{"*/*;q=0.001"}, true, true},
        {{"*/* ; Q=0."}, false, false},
        {{"*/*;q=1"}, true, true},
        {{"application/json;q=0, */*"}, false, true},
        {{"*/*", "application/json;q=0"}, false, true},
        {{"text/*;q=0, text/event-stream;q=0.1"}, false, true},
        {{"text/event-stream;q=0, text/*, application/json;q=0.5;a=b"}, true, false},
        {{"application/json;q=0, application/json"}, true, false},
        {{"text/html;a=\"x, application/json;q=1\", text/event-stream"}, false, true},
        {{"text/html;a=\"\\\", application/json\", */*;b=\";q=0\""}, true, true},
        {{"text/html;a=\"application/json"}, false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct http_wish json = {0}, events = {0};
        for (int n = 0; n < 2 && rows[i].values[n]; n++) {
            http_accept(&json, "application/json", rows[i].values[n]);
            http_accept(&events, "text/event-stream", rows[i].values[n]);
        }
        if (json.wanted != rows[i].json || events.wanted != rows[i].events)
            fail_msg("row %zu: %d %d", i, json.wanted, events.wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wanted_is_what_names_it_most_closely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
