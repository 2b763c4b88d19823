#include "tests/support/script.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/json/json.h"
#include "store/import/import.h"
#include "store/open.h"
#include "tui/loop/explorer.h"
#include "tests/support/random.h"
#include "tests/support/scratch.h"

static int64_t stands(void)
{
    return INT64_C(1795000000000); /* 2026-11-18 10:26:40 */
}

void script_open(struct script *s, struct store *store)
{
    *s = (struct script){.store = store, .rows = 24, .columns = 80, .frames = STRBUF_INIT};
    config_init(&s->config);
    /* Uses an editor that changes nothing, unless a test sets another. */
    setenv("EDITOR", "true", 1);
    unsetenv("VISUAL");
}

void script_open_demo(struct script *s)
{
    struct store_options options = {.create = true, .now = stands};
    struct import_options by = {.actor = "demo"};
    struct import_summary summary = {0};
    struct error e = {0};
    AUTO_FREE char *path = scratch_path("demo.db");
    struct store *store = store_open(path, &options, NULL, &e);
    if (!store ||
        import_source_run(&jsonl_format, store, "tests/data/demo.jsonl", &by, &summary, &e))
        fail_msg("%s", e.what);
    *strrchr(path, '/') = '\0';
    setenv("HOME", path, 1); /* the help names the store: ~/demo.db */
    script_open(s, store);
}

void script_close(struct script *s)
{
    config_release(&s->config);
    strbuf_release(&s->frames);
}

int script_set_up_demo(void **state)
{
    struct script *s = xcalloc(1, sizeof(*s));
    script_open_demo(s);
    *state = s;
    return 0;
}

int script_tear_down(void **state)
{
    AUTO_FREE struct script *s = *state;
    store_close(s->store);
    script_close(s);
    return 0;
}

struct last {
    struct script *script;
    size_t begins;
};

static void take_frame(void *arg, const char *name, const char *text)
{
    struct last *last = arg;
    strbuf_addf(&last->script->frames, "== %s\n", name);
    last->begins = last->script->frames.len;
    strbuf_addstr(&last->script->frames, text);
    last->script->frame = last->script->frames.buf + last->begins;
    if (last->script->at_shot)
        last->script->at_shot(last->script, name);
}

const char *script_run(struct script *s, const char *keys)
{
    struct last last = {s, 0};
    struct error e = {0};
    struct explorer_options options = {.script = keys,
                                       .rows = s->rows,
                                       .columns = s->columns,
                                       .no_colour = s->no_colour,
                                       .inbox_first = s->inbox_first,
                                       .tour = s->tour,
                                       .visit = s->visit,
                                       .place = s->place,
                                       .as_of = s->as_of,
                                       .name = s->name,
                                       .origin = s->origin,
                                       .open = s->open,
                                       .open_arg = s->open_arg,
                                       .follow = s->follow,
                                       .format = s->format,
                                       .person = s->person,
                                       .frame = take_frame,
                                       .arg = &last};
    strbuf_clear(&s->frames);
    if (explorer_run(s->store, &s->config, &options, &e))
        fail_msg("the explorer failed: %s %s", e.what, e.hint);
    return s->frames.buf + last.begins;
}

char *script_shot(const struct script *s, const char *name)
{
    char head[64];
    snprintf(head, sizeof(head), "== %s\n", name);
    const char *begin = strstr(s->frames.buf, head);
    if (!begin)
        return NULL;
    begin += strlen(head);
    const char *end = strstr(begin, "\n== ");
    return end ? strndup(begin, (size_t)(end - begin) + 1) : strdup(begin);
}

void script_put_hostile(struct store *s, uint64_t seed)
{
    struct random r = {seed};
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF line = STRBUF_INIT;
    for (int i = 0; i < 40; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"ref\":\"%s:hostile-%d\",\"text\":", i % 2 ? "belief" : "raw", i);
        json_add_string(&line, random_text(&r, &arena, 400));
        strbuf_addstr(&line, ",\"source\":");
        json_add_string(&line, random_text(&r, &arena, 20));
        strbuf_addf(&line, ",\"context\":");
        json_add_string(&line, random_text(&r, &arena, 20));
        if (i % 2)
            strbuf_addf(&line,
                        ",\"derived_from\":[\"raw:hostile-%d\",\"belief:hostile-%d\","
                        "\"raw:absent-%d\"]",
                        i - 1, (i + 7) % 40, i);
        strbuf_addstr(&line, "}");
        scratch_put(s, line.buf);
        arena_clear(&arena);
    }
}

void script_put_wide(struct store *s)
{
    AUTO_STRBUF line = STRBUF_INIT;
    for (int i = 0; i < 12; i++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "{\"ref\":\"raw:wide-%d\",\"created_at\":%d000000,\"text\":\"%.*s", i,
                    i + 1, i % 5, "abcd");
        for (int k = 0; k < 40 + 90 * i; k++)
            strbuf_addstr(&line, k % 7 == i % 7 ? "e\u0301" : "\u8a9e");
        strbuf_addstr(&line, "\"}");
        scratch_put(s, line.buf);
    }
}
