#include "tui/render/change_words.h"

#include <stdlib.h>
#include <string.h>
#include "model/json/json.h"
#include "store/journal/journal.h"
#include "store/entries/sweeper.h"

#define NAMED 3 /* elements of a list; more are counted */

/* The string without its quotes and escapes; another value as it stands. */
static void add_value(struct strbuf *out, struct json_slice value)
{
    if (value.len < 2 || value.ptr[0] != '"') {
        strbuf_add(out, value.ptr, value.len);
        return;
    }
    if (strbuf_grow(out, value.len)) {
        out->len += json_unescape(out->buf + out->len, value.ptr + 1, value.len - 2);
        out->buf[out->len] = '\0';
    }
}

static struct json_slice member(struct json_slice object, const char *name)
{
    if (object.len == 0 || object.ptr[0] != '{')
        return (struct json_slice){NULL, 0};
    return json_member(object.ptr, object.len, name);
}

/* How an element of that list is called: a tag by itself, a mark by its name, a link by what it is to. */
static void add_element(struct strbuf *out, const char *list, struct json_slice value)
{
    static const char *const naming[][2] = {
        {"marks", "mark"}, {"relations", "type"}, {"justifications", "role"}};
    for (size_t i = 0; i < sizeof(naming) / sizeof(naming[0]); i++) {
        struct json_slice name = member(value, naming[i][1]);
        if (!strcmp(list, naming[i][0]) && name.ptr) {
            add_value(out, name);
            return;
        }
    }
    if (value.len > 0 && value.ptr[0] == '{') { /* a member of the detail: by its name */
        struct json_each it = json_each(value);
        if (json_next(&it))
            strbuf_add(out, it.key.ptr, it.key.len);
        return;
    }
    add_value(out, value);
}

static void separate(struct strbuf *out, size_t start)
{
    if (out->len > start)
        strbuf_addstr(out, ", ");
}

static void add_elements(struct strbuf *out, size_t start, const char *list, char sign,
                         struct json_slice elements)
{
    size_t count = 0;
    for (struct json_each it = json_each(elements); elements.ptr && json_next(&it); count++) {
        struct json_slice value = member(it.value, "value");
        if (count >= NAMED)
            continue;
        separate(out, start);
        strbuf_addch(out, sign);
        add_element(out, list, sign == '-' && value.ptr ? value : it.value);
    }
    if (count > NAMED)
        strbuf_addf(out, ", %c%zu more", sign, count - NAMED);
}

/* Is that element among them, by the name of its member? */
static bool names(struct json_slice elements, struct json_slice key)
{
    for (struct json_each it = json_each(elements); elements.ptr && json_next(&it);)
        if (it.value.len == key.len + 2 && !memcmp(it.value.ptr + 1, key.ptr, key.len))
            return true;
    return false;
}

/* A member of the detail that is another now stands on both sides: it is named once. */
static void add_detail(struct strbuf *out, size_t start, struct json_slice change, bool told)
{
    struct json_slice added = member(change, "added"), removed = member(change, "removed");
    for (struct json_each it = json_each(added); added.ptr && json_next(&it);) {
        /* How often it was reinforced goes with its confidence. */
        if (told && it.value.len == 18 && !memcmp(it.value.ptr, "\"times_reinforced\"", 18))
            continue;
        separate(out, start);
        add_value(out, it.value);
    }
    for (struct json_each it = json_each(removed); removed.ptr && json_next(&it);) {
        struct json_slice value = member(it.value, "value");
        struct json_each only = json_each(value);
        if (!value.ptr || !json_next(&only) || names(added, only.key))
            continue;
        separate(out, start);
        strbuf_addf(out, "-%.*s", (int)only.key.len, only.key.ptr);
    }
}

/* Its last entry says from what to what; false where it says nothing of the kind. */
static bool add_history(struct strbuf *out, size_t start, struct json_slice change)
{
    struct json_slice added = member(change, "added"), last = {NULL, 0};
    double old, new;
    for (struct json_each it = json_each(added); added.ptr && json_next(&it);)
        last = it.value;
    struct json_slice from = member(last, "old"), to = member(last, "new");
    if (!from.ptr || !to.ptr || json_double(from, &old) || json_double(to, &new))
        return false;
    separate(out, start);
    strbuf_addf(out, "conf %.3f to %.3f", old, new);
    return true;
}

/* `told`: how the confidence changed was told by its history. */
static void add_field(struct strbuf *out, size_t start, const char *name, struct json_slice before,
                      bool told)
{
    double confidence;
    if (!strcmp(name, "updated_at") || !strcmp(name, "version"))
        return;
    if (before.ptr[0] == '{') {
        if (!strcmp(name, "detail")) {
            add_detail(out, start, before, told);
        } else if (strcmp(name, "history") != 0) {
            add_elements(out, start, name, '+', member(before, "added"));
            add_elements(out, start, name, '-', member(before, "removed"));
        }
        return;
    }
    separate(out, start);
    if (!strcmp(name, "confidence") && json_double(before, &confidence) == 0)
        strbuf_addf(out, "conf was %.3f", confidence);
    else if (!strcmp(name, "status"))
        strbuf_addstr(out, "was "), add_value(out, before);
    else if (!strcmp(name, "protected"))
        strbuf_addstr(out, before.ptr[0] == 't' ? "unprotected" : "protected");
    else
        strbuf_addstr(out, name);
}

void change_words(const struct event *event, struct strbuf *out)
{
    struct error e;
    char name[64];
    size_t start = out->len, len = event->patch ? strlen(event->patch) : 0;
    if (!event->before || len == 0 || event->patch[0] != '{' ||
        json_check(event->patch, len, JSON_DEPTH_LIMIT, &e))
        return;
    if (!event->after) {
        strbuf_addstr(out, "the addition");
        return;
    }
    struct json_slice fields = {event->patch, len}, history = member(fields, "history");
    bool told = history.ptr && add_history(out, start, history);
    for (struct json_each it = json_each(fields); json_next(&it);) {
        if (it.key.len >= sizeof(name) || (told && json_key_is(it.key, "confidence")))
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)it.key.len, it.key.ptr);
        add_field(out, start, name, it.value, told);
    }
}

const char *news_said(const char *operation)
{
    static const char *const words[][2] = {
        {"add", "added"},
        {"import", "imported"},
        {"edit", "edited"},
        {"process", "processed"},
        {"reinforce", "reinforced"},
        {"supersede", "superseded"},
        {"revise", "revised"},
        {"verify", "verified"},
        {"protect", "protected"},
        {"unprotect", "unprotected"},
        {"retract", "retracted"},
        {"restore", "restored"},
        {"forget", "forgot"},
        {"delete", "deleted"},
        {"purge", "purged"},
        {"mark", "marked"},
        {"unmark", "unmarked"},
        {"consolidate", "consolidated"},
        {"seed", "seeded"},
        {"end-session", "ended"},
        {"read-only-session", "made read-only"},
        {"read-write-session", "may write again"},
        {"propagate", "propagated"},
        {"fix-provenance", "fixed"},
        {"expire", "expired"},
        {"sweep", "swept"},
        {"finish", "finished"},
        {"source_added", "cited"},
        {"done", "answered"},
        {"undo", "undid"},
        {"redo", "redid"},
    };
    for (size_t i = 0; operation && i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], operation) == 0)
            return words[i][1];
    return operation ? operation : "changed";
}

const char *news_who(const struct event *event)
{
    return event->agent ? event->agent : event->actor ? event->actor : "someone";
}

bool news_is_nobodys(const struct event *event)
{
    return event->session <= 0 && event->origin && !strcmp(event->origin, SWEEPER_ORIGIN);
}

bool news_is_answer(const struct event *event)
{
    return event->subject <= 0 && event->operation && strcmp(event->operation, "done") == 0;
}

void news_add_answer(int64_t sources, struct strbuf *out)
{
    strbuf_addstr(out, out->len ? ": " : "");
    if (sources > 0)
        strbuf_addf(out, "%lld source%s", (long long)sources, sources == 1 ? "" : "s");
    else
        strbuf_addstr(out, "no sources");
}
