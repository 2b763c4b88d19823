/* stemma history and diff: the changes of one memory, and of all memories between two times. */
#include <string.h>
#include "model/memory/memory.h"
#include "store/history/history.h"
#include "store/history/past.h"
#include "store/journal/journal.h"
#include "store/json/answer.h"
#include "store/ops/operation.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/render/oneline.h"
#include "tui/render/difference_page.h"
#include "tui/text/text.h"

/* stemma history: the changes of a memory, newest first (who, when, why, what), and its earlier and later versions. */

static const struct option_spec options[] = {
    OPT_LIMIT("show at most N changes, the newest"),
    OPT_AS_OF,
    OPTION_END,
};

struct history_printing {
    struct output *out;
    struct reader *reader;
    struct arena arena;
    size_t printed, most;
    bool more; /* there are more than `most` */
    struct error *e;
};

/* ---- a change ---- */

/* "2026-02-01 00:55:39Z (3w)  sean  edit  version 3  event 17" */
static void print_head(struct history_printing *t, const struct revision *v)
{
    struct output *out = t->out;
    AUTO_STRBUF line = STRBUF_INIT;
    const struct event *event = &v->event;
    bool agent = !event->class_name || strcmp(event->class_name, "person") != 0;
    add_time(&line, event->at, out->now);
    output_text(out, STYLE_DIM, line.buf);
    strbuf_addstr(&out->text, "  ");
    output_text(out, STYLE_STRONG, event->operation ? display_name(event->operation) : "");
    strbuf_addstr(&out->text, "  ");
    text_add(&out->text, event->author, TEXT_EXACT | out->flags);
    strbuf_clear(&line);
    strbuf_addstr(&line, event_is_automatic(event) ? " itself" : agent ? " (agent)" : "");
    if (v->after)
        strbuf_addf(&line, "  version %lld", (long long)v->after->version);
    strbuf_addstr(&line, "  event ");
    event_add_number(&line, event, "");
    if (event->undoes)
        strbuf_addf(&line, "  undoes event %lld", (long long)event->undoes);
    if (v->undone_by)
        strbuf_addf(&line, "  undone by event %lld", (long long)v->undone_by);
    strbuf_addf(&out->text, "%s\n", line.buf);
}

static int print_revision(struct history_printing *t, const struct revision *v)
{
    print_head(t, v);
    if (v->event.reason) {
        strbuf_addstr(&t->out->text, "    ");
        output_flow_after(t->out, STYLE_DIM, "why: ", v->event.reason, 9);
    }
    if (v->after && v->purged_by)
        output_printf(t->out, STYLE_DIM, "    %sits earlier state is not kept\n",
                      v->purged_by == v->event.seq ? "" : "purged since: ");
    else if (v->damaged_by == v->event.seq)
        output_printf(t->out, STYLE_UNSUPPORTED,
                      "    damaged: it does not say what was before it. Run stemma fsck\n");
    else if (v->after && v->damaged_by)
        output_printf(t->out, STYLE_DIM, "    not known: event %lld is damaged\n",
                      (long long)v->damaged_by);
    else if (!v->after)
        strbuf_addstr(&t->out->text, "    undone: it did not exist then\n");
    else
        difference_print(t->out, v->before, v->after, 4);
    return output_row(t->out, t->e);
}

/* ---- walking ---- */

static int each(void *arg, const struct revision *v)
{
    struct history_printing *t = arg;
    if (t->printed == t->most || t->out->closed) {
        t->more = true;
        return 1;
    }
    if (stop_check("history", t->e))
        return -1;
    t->printed++;
    if (!t->out->json)
        return print_revision(t, v);
    if (answer_revision(NULL, &t->out->text, v, NULL, &t->arena, t->e))
        return -1;
    strbuf_addch(&t->out->text, '\n');
    return output_row(t->out, t->e);
}

/* ---- the chain of versions ---- */

static int print_version(struct history_printing *t, int64_t row, bool it, struct error *e)
{
    struct oneline b;
    arena_clear(&t->arena);
    if (oneline_read(t->reader, &t->arena, row, LABEL_COUNT, &b, e))
        return -1;
    strbuf_addstr(&t->out->text, it ? "> " : "  ");
    oneline_print(t->out, &b, NULL, 2, NULL);
    return output_row(t->out, e);
}

static int print_versions(struct history_printing *t, struct arena *arena, int64_t row,
                          struct error *e)
{
    int64_t *rows;
    size_t count;
    if (history_versions(t->reader, arena, row, &rows, &count, e))
        return -1;
    if (count < 2)
        return 0;
    output_printf(t->out, STYLE_STRONG, "Statements that replaced each other, oldest first\n");
    for (size_t n = 0; n < count && !t->out->closed; n++)
        if (print_version(t, rows[n], rows[n] == row, e))
            return -1;
    output_printf(t->out, STYLE_STRONG, "Changes, newest first\n");
    return 0;
}

static int tell(struct history_printing *t, struct invocation *i, struct error *e)
{
    int64_t row = opening_resolve(t->reader, i->words[0], e);
    if (row < 0 || (!i->out.json && print_versions(t, &i->arena, row, e)))
        return -1;
    e->code = ERROR_NONE;
    if (history_walk(t->reader, row, each, t, e) || e->code != ERROR_NONE)
        return -1;
    if (t->more && !t->out->closed)
        output_note("there are older changes: omit --limit to see all");
    if (t->printed)
        return 0;
    output_note(reader_past(t->reader) < 0 ? "nothing has changed it" : "it did not exist yet");
    return 1;
}

static int read_history(struct invocation *i, struct reader *r, struct error *e)
{
    struct history_printing t = {.out = &i->out, .reader = r, .arena = ARENA_INIT, .e = e};
    double most = option_number(i, "limit", -1);
    t.most = most < 0 ? SIZE_MAX : (size_t)most;
    int result = tell(&t, i, e);
    arena_release(&t.arena);
    return result;
}

const struct command cmd_history = {
    .name = "history",
    .words = "REF",
    .about = "show each change of a memory: who, when, why and what differed",
    .examples = "stemma history belief:8fc21b98",
    .details =
        "Newest first, with what differed; above that the beliefs that replaced each other, "
        "whichever of them is named. --json: an event per line, as in `stemma log`, with "
        "version, undone_by, purged_by (the purge that erased its earlier state), damaged_by "
        "(the event that does not say what was before it) and changes [{field, before, after}]. "
        "`stemma undo N` undoes event N.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .read = read_history,
};

/*
 * stemma diff: the differences between two times. JSON has a line for each memory with the patch from the first to
 * the second; text shows both versions under the event that made the change.
 */

struct comparing {
    struct output *out;
    struct reader *reader;
    struct arena arena;
    struct progress progress;
    struct error *e;
    bool back; /* the second time is before the first */
    size_t added, changed, removed;
    bool failed; /* `e` is set */
};

/* Going back in time, a memory that an event added disappears. */
static const char *what_became(const struct comparing *c, const struct changed *d)
{
    if (d->before && d->after)
        return "changed by";
    if (c->back)
        return d->before ? "not there before" : "there before";
    return d->before ? "undone by" : "added by";
}

static void add_others(struct strbuf *line, const struct changed *d)
{
    size_t before = 0;
    while (before < d->event_count && d->events[before] < d->made)
        before++;
    if (before)
        strbuf_addf(line, "; %zu earlier event%s", before, before == 1 ? "" : "s");
    if (before + 1 < d->event_count)
        strbuf_addf(line, "; %zu later event%s", d->event_count - before - 1,
                    d->event_count - before - 1 == 1 ? "" : "s");
}

/* "  added by event 17: add by sean, 2026-02-01 00:55:39Z (3w); 1 later event" */
static int print_event(struct comparing *c, const struct changed *d)
{
    AUTO_STRBUF line = STRBUF_INIT;
    struct event *event;
    size_t count;
    if (journal_read(c->reader, &c->arena, d->made - 1, 1, &event, &count, c->e))
        return -1;
    strbuf_addf(&line, "  %s event %lld", what_became(c, d), (long long)d->made);
    if (count && event->seq == d->made) {
        strbuf_addf(&line, ": %s by ", event->operation ? display_name(event->operation) : "");
        text_add(&line, event->author, TEXT_EXACT);
        strbuf_addstr(&line, ", ");
        add_time(&line, event->at, c->out->now);
    }
    add_others(&line, d);
    output_text(c->out, STYLE_DIM, line.buf);
    strbuf_addch(&c->out->text, '\n');
    return 0;
}

/* "belief:54c5507f  Never skip staging before a deploy…" and its change. A memory that was added or disappeared is
 * shown only by this line. */
static int print_changed(struct comparing *c, const struct changed *d)
{
    size_t count = 1;
    const struct memory *m = d->after ? d->after : d->before;
    const char *ref = short_ref(c->reader, &c->arena, d->ref);
    output_text(c->out, STYLE_STRONG, ref);
    strbuf_addstr(&c->out->text, "  ");
    output_rest(c->out, STYLE_TEXT, m && m->text ? m->text : "", strlen(ref) + 2);
    if (print_event(c, d))
        return -1;
    if (d->before && d->after)
        count = difference_print(c->out, d->before, d->after, 4);
    if (d->before && d->after && d->before->status == STATUS_PURGED)
        output_printf(c->out, STYLE_DIM, "    purged: its earlier state is not kept\n");
    else if (count == 0)
        output_printf(c->out, STYLE_DIM, "    changed and changed back\n");
    return 0;
}

static int each_changed(void *arg, const struct changed *d)
{
    struct comparing *c = arg;
    progress_end(&c->progress);
    arena_clear(&c->arena);
    c->added += !d->before;
    c->removed += !d->after;
    c->changed += d->before && d->after;
    if (c->out->json) {
        answer_changed(&c->out->text, d);
        strbuf_addch(&c->out->text, '\n');
    } else if (print_changed(c, d)) {
        c->failed = true;
        return 1;
    }
    c->failed = output_row(c->out, c->e) != 0;
    return c->failed || c->out->closed || stop_wanted();
}

static void tell_progress(void *arg, int64_t done, int64_t total)
{
    struct comparing *c = arg;
    progress_tick(&c->progress, done, total);
}

static int compare(struct comparing *c, int64_t from, int64_t to, struct error *e)
{
    progress_begin(&c->progress, "diff");
    reader_on_progress(c->reader, tell_progress, c);
    int result = past_compare(c->reader, from, to, each_changed, c, e);
    reader_on_progress(c->reader, NULL, NULL);
    progress_end(&c->progress);
    if (result || c->failed)
        return -1;
    if (stop_check("comparison", e))
        return -1;
    if (c->added + c->changed + c->removed == 0) {
        output_note("nothing differs");
        return 1;
    }
    if (!c->out->json && !c->out->closed)
        strbuf_addf(&c->out->text, "%zu added, %zu changed, %zu removed\n", c->added, c->changed,
                    c->removed);
    return 0;
}

static void print_points(const struct point_in_time *from, const struct point_in_time *to)
{
    AUTO_STRBUF a = STRBUF_INIT, b = STRBUF_INIT;
    point_in_time_add(&a, from);
    point_in_time_add(&b, to);
    output_note("from %s, to %s", a.buf, b.buf);
}

static int read_diff(struct invocation *i, struct reader *r, struct error *e)
{
    struct point_in_time from, to;
    struct comparing c = {.out = &i->out, .arena = ARENA_INIT, .e = e};
    const char *second = i->word_count > 1 ? i->words[1] : "now";
    int result = point_in_time_read(r, i->words[0], i->out.now, &from, e) ||
                         point_in_time_read(r, second, i->out.now, &to, e)
                     ? -1
                     : 0;
    if (result == 0) {
        c.reader = r;
        c.back = to.seq < from.seq;
        print_points(&from, &to);
        result = compare(&c, from.seq, to.seq, e);
    }
    arena_release(&c.arena);
    return result;
}

const struct command cmd_diff = {
    .name = "diff",
    .words = "T1 [T2]",
    .about = "show what changed between two times",
    .examples = "stemma diff yesterday\n"
                "stemma diff @100 @120",
    .details =
        "A time is a date (its first moment, in UTC or as `times` in config.yaml says), ISO 8601, "
        "\"2 days ago\", \"last week\", "
        "or an event as @123: right after that event; @0 is before the first one. T2 is now "
        "if omitted. Memories are listed in the order of the events that are shown.\n\n--json: "
        "{ref, event, before, after, events} per line. before and after have the members of "
        "the memory's export that differ, null for a member that only the other side has; "
        "before or after is null if the memory was added or removed. Applying `after` to "
        "the first state gives the second. `event` is the last of `events` on it in "
        "between.\n\nThe exit status is 1 if nothing differs.",
    .min_words = 1,
    .max_words = 2,
    .read = read_diff,
};
