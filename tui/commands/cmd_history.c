/*
 * stemma history: what became of a memory, each change with who, when and why and what differed, newest
 * first; and the versions that came before and after it.
 */
#include "tui/cli/cmd.h"

#include <string.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "store/json/answer.h"
#include "store/history/history.h"
#include "tui/render/brief.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/change_words.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/text/text.h"

static const struct option_spec options[] = {
    OPT_LIMIT("no more than the newest so many changes"),
    OPT_AS_OF,
    OPTION_END,
};

struct telling {
    struct output *out;
    struct reader *reader;
    struct arena arena;
    size_t told, most;
    bool more; /* than `most` */
    struct error *e;
};

/* ---- a change ---- */

/* "2026-02-01 00:55:39Z (3w)  sean  edit  version 3  event 17" */
static void print_head(struct telling *t, const struct revision *v)
{
    struct output *out = t->out;
    struct strbuf line = STRBUF_INIT;
    const struct event *event = &v->event;
    bool agent = !event->class_name || strcmp(event->class_name, "person") != 0;
    add_time(&line, event->at, out->now);
    output_text(out, STYLE_DIM, line.buf);
    strbuf_addstr(&out->text, "  ");
    output_text(out, STYLE_STRONG, event->operation ? event->operation : "");
    strbuf_addstr(&out->text, "  ");
    text_add(&out->text, event->actor, TEXT_EXACT | out->flags);
    strbuf_clear(&line);
    strbuf_addstr(&line, news_is_nobodys(event) ? " itself" : agent ? " (agent)" : "");
    if (v->after)
        strbuf_addf(&line, "  version %lld", (long long)v->after->version);
    strbuf_addf(&line, "  event %lld", (long long)event->seq);
    if (event->undoes)
        strbuf_addf(&line, "  takes back event %lld", (long long)event->undoes);
    if (v->undone_by)
        strbuf_addf(&line, "  taken back by event %lld", (long long)v->undone_by);
    strbuf_addf(&out->text, "%s\n", line.buf);
    strbuf_release(&line);
}

static int print_revision(struct telling *t, const struct revision *v)
{
    print_head(t, v);
    if (v->event.reason) {
        strbuf_addstr(&t->out->text, "    ");
        output_led(t->out, STYLE_DIM, "why: ", v->event.reason, 9);
    }
    if (v->after && v->purged_by)
        output_printf(t->out, STYLE_DIM, "    %swhat it was is not kept\n",
                      v->purged_by == v->event.seq ? "" : "purged since: ");
    else if (!v->after)
        strbuf_addstr(&t->out->text, "    taken back: it was not there then\n");
    else if (difference_print(t->out, v->before, v->after, 4, NULL, t->e))
        return -1;
    return output_row(t->out, t->e);
}

/* ---- walking ---- */

static int each(void *arg, const struct revision *v)
{
    struct telling *t = arg;
    if (t->told == t->most || t->out->closed) {
        t->more = true;
        return 1;
    }
    if (stop_check("history", t->e))
        return -1;
    t->told++;
    if (!t->out->json)
        return print_revision(t, v);
    if (answer_revision(&t->out->text, v, &t->arena, t->e))
        return -1;
    strbuf_addch(&t->out->text, '\n');
    return output_row(t->out, t->e);
}

/* ---- the chain of versions ---- */

static int print_version(struct telling *t, int64_t row, bool it, struct error *e)
{
    struct brief b;
    arena_clear(&t->arena);
    if (brief_read(t->reader, &t->arena, row, LABEL_COUNT, &b, e))
        return -1;
    strbuf_addstr(&t->out->text, it ? "> " : "  ");
    brief_print(t->out, &b, NULL, 2, NULL);
    return output_row(t->out, e);
}

static int print_versions(struct telling *t, struct arena *arena, int64_t row, struct error *e)
{
    int64_t *rows;
    size_t count;
    if (history_versions(t->reader, arena, row, &rows, &count, e))
        return -1;
    if (count < 2)
        return 0;
    output_printf(t->out, STYLE_STRONG, "Versions, the oldest first\n");
    for (size_t n = 0; n < count && !t->out->closed; n++)
        if (print_version(t, rows[n], rows[n] == row, e))
            return -1;
    output_printf(t->out, STYLE_STRONG, "Changes, the newest first\n");
    return 0;
}

static int tell(struct telling *t, struct invocation *i, struct error *e)
{
    int64_t row = opening_resolve(t->reader, i->words[0], e);
    if (row < 0 || (!i->out.json && print_versions(t, &i->arena, row, e)))
        return -1;
    e->code = ERROR_NONE;
    if (history_walk(t->reader, row, each, t, e) || e->code != ERROR_NONE)
        return -1;
    if (t->more && !t->out->closed)
        output_note("there are older changes: leave --limit out to see all");
    if (t->told)
        return 0;
    output_note("nothing was done to it");
    return 1;
}

static int read_history(struct invocation *i, struct reader *r, struct error *e)
{
    struct telling t = {.out = &i->out, .reader = r, .arena = ARENA_INIT, .e = e};
    double most = option_number(i, "limit", -1);
    t.most = most < 0 ? SIZE_MAX : (size_t)most;
    int result = tell(&t, i, e);
    arena_release(&t.arena);
    return result;
}

const struct command cmd_history = {
    .name = "history",
    .words = "REF",
    .about = "what became of a memory: each change, by whom, when and why",
    .details = "Newest first, with what differed; before that the versions of a belief, from "
               "whichever of them. --json: an event a line, as of `stemma log`, with version, "
               "undone_by, purged_by (a purge since, of which nothing that it was is kept) and "
               "changes [{field, before, after}]. `stemma undo N` takes event N back.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .read = read_history,
};
