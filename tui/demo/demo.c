/*
 * The story is kept as exchange lines and imported as any other file would be, so the demo store
 * is a store like any other: journal, commitments and all.
 */
#include "tui/demo/demo.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/import/import.h"
#include "tui/text/embedded.h"

#define LAST_BEFORE_NOW (2 * 60 * 1000) /* ms */

/* Calls `each` for every memory of the story. */
static int each_memory(struct arena *arena, int64_t now,
                       int (*each)(void *arg, struct memory *m, struct error *e), void *arg,
                       struct error *e)
{
    const struct embedded_file *story = embedded_find("tui/demo/demo.jsonl");
    const char *line = story->text, *end = story->text + story->len;
    for (int number = 1; line < end; number++) {
        struct memory m;
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((stop ? stop : end) - line);
        arena_clear(arena);
        if (len > 0 &&
            (exchange_read(&m, arena, line, len, "ash", now, NULL, e) || each(arg, &m, e)))
            return error_prefix(e, "line %d of the story", number);
        line += len + 1;
    }
    return 0;
}

struct span {
    int64_t first, last; /* of all memories: when they were created, changed */
};

static int find_span(void *arg, struct memory *m, struct error *e)
{
    struct span *span = arg;
    (void)e;
    if (m->updated_at > span->last)
        span->last = m->updated_at;
    if (span->first == 0 || m->created_at < span->first)
        span->first = m->created_at;
    return 0;
}

struct rewriting {
    FILE *file;
    struct span span;
    int64_t by;
    struct arena *arena;
    struct strbuf line;
};

/* When it was retrieved, or expires, is part of the story where it lies within it; elsewhere it is what somebody
 * gave, right or wrong. */
static void move_retrieval(struct memory *m, const struct rewriting *w)
{
    const char *name = m->ref.kind == KIND_ATTRIBUTION ? "retrieval_timestamp"
                       : m->ref.kind == KIND_ENTRY     ? "expires_at"
                                                       : "retrieved_at";
    struct json_slice at = {0};
    struct strbuf detail = STRBUF_INIT;
    int64_t time;
    if (m->detail)
        at = json_member(m->detail, strlen(m->detail), name);
    if (!at.ptr || json_integer(at, &time) || time < w->span.first)
        return;
    strbuf_add(&detail, m->detail, (size_t)(at.ptr - m->detail));
    json_add_int(&detail, time + w->by);
    strbuf_addstr(&detail, at.ptr + at.len);
    m->detail = arena_strdup(w->arena, detail.buf);
    strbuf_release(&detail);
}

/* Other times within the text and the detail stay: they are part of what was said. */
static void move_times(struct memory *m, int64_t by)
{
    m->created_at += by;
    m->updated_at += by;
    for (size_t i = 0; i < m->justification_count; i++)
        m->justifications[i].at += m->justifications[i].at ? by : 0;
    for (size_t i = 0; i < m->history_count; i++)
        m->history[i].at += by;
    for (size_t i = 0; i < m->relation_count; i++)
        m->relations[i].at += m->relations[i].at ? by : 0;
    for (size_t i = 0; i < m->mark_count; i++)
        m->marks[i].at += by;
}

static int rewrite(void *arg, struct memory *m, struct error *e)
{
    struct rewriting *w = arg;
    move_retrieval(m, w);
    move_times(m, w->by);
    strbuf_clear(&w->line);
    exchange_write(&w->line, m, NULL);
    strbuf_addch(&w->line, '\n');
    if (fwrite(w->line.buf, 1, w->line.len, w->file) != w->line.len)
        return error_set(e, ERROR_STORE, "Make room there, or set XDG_STATE_HOME.",
                         "the story cannot be written: %s", strerror(errno));
    return 0;
}

/* The story with its times moved, as exchange lines at `path`. */
static int write_lines(const char *path, int64_t now, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct rewriting w = {.file = fopen(path, "wxe"), .arena = &arena, .line = STRBUF_INIT};
    if (!w.file)
        return error_set(e, ERROR_STORE, "Make room there, or set XDG_STATE_HOME.",
                         "%s cannot be written: %s", path, strerror(errno));
    int result = each_memory(&arena, now, find_span, &w.span, e);
    w.by = now - LAST_BEFORE_NOW - w.span.last;
    if (!result)
        result = each_memory(&arena, now, rewrite, &w, e);
    if (fclose(w.file) && !result)
        result = error_set(e, ERROR_STORE, "Make room there, or set XDG_STATE_HOME.",
                           "%s cannot be written: %s", path, strerror(errno));
    strbuf_release(&w.line);
    arena_release(&arena);
    return result;
}

static int import_lines(const char *path, const char *lines, struct error *e)
{
    struct store_options create = {.create = true};
    struct import_options options = {.actor = "demo"};
    struct import_summary summary = {0};
    struct store *s = store_open(path, &create, NULL, e);
    if (!s)
        return -1;
    int result = import_jsonl(s, lines, &options, &summary, e);
    store_close(s);
    if (!result && summary.refused + summary.taken + summary.not_understood > 0)
        return error_set(e, ERROR_STORE, "Build it again.",
                         "the story has lines that cannot be read");
    return result;
}

int demo_unpack(const char *path, int64_t now, struct error *e)
{
    struct strbuf lines = STRBUF_INIT;
    strbuf_addf(&lines, "%s-story", path);
    int result = write_lines(lines.buf, now, e);
    if (!result)
        result = import_lines(path, lines.buf, e);
    unlink(lines.buf);
    strbuf_release(&lines);
    return result;
}
