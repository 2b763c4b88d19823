/*
 *   2026-11-20 16:20:31Z  ash               add                 note:1c2f1a30  Deploys are slow…
 *   2026-11-20 16:20:32Z  ash               memory_get          note:1c2f1a30  19 times in 1.2s
 */
#include "log_print.h"

#include <stdio.h>
#include <string.h>
#include "../model/clock.h"
#include "../model/json.h"
#include "../store/answer.h"
#include "brief.h"
#include "text.h"

#define TIME_WIDTH      20
#define ACTOR_WIDTH     16
#define OPERATION_WIDTH 18

/* ---- JSON ---- */

/* As the client was told; a call that it cancelled itself was told of in no answer. */
static const char *outcome_name(enum error_code outcome)
{
    return outcome == ERROR_NONE          ? "OK"
           : outcome == ERROR_INTERRUPTED ? "CANCELLED"
                                          : error_name(outcome);
}

/* When each of them was. */
static void add_times(struct json_object *o, const struct log_line *line)
{
    json_key(o, "times");
    struct json_object times = json_begin(o->out, '[');
    for (size_t i = 0; i < line->row->count; i++) {
        int64_t at = line->row->at[i];
        if (line->row->outcome[i] != line->outcome || at < line->at || at > line->until)
            continue;
        json_item(&times);
        json_add_int(o->out, at);
    }
    json_end(&times);
}

static void write_calls(struct strbuf *out, const struct log_line *line,
                        const struct session_row *session)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "call", line->row->id);
    json_pair_int(&o, "at", line->at);
    json_pair(&o, "actor", session->actor);
    json_pair(&o, "class", "agent");
    json_pair(&o, "agent", session->agent);
    json_pair_int(&o, "session", line->row->session);
    json_pair(&o, "operation", line->row->tool);
    json_key(&o, "ref");
    if (line->row->ref.id)
        exchange_add_ref(out, line->row->ref);
    else
        json_add_string(out, NULL);
    json_pair(&o, "outcome", outcome_name(line->outcome));
    json_pair_int(&o, "count", (int64_t)line->count);
    add_times(&o, line);
    json_end(&o);
}

/* ---- for people ---- */

/* "2026-11-20 16:20:31Z", and who, and what, and the rest, if there is any. */
static void print_parts(struct output *out, int64_t at, const char *actor, const char *operation,
                        const struct strbuf *rest, enum tone tone)
{
    char iso[32], time[40];
    clock_format_iso(iso, sizeof(iso), at);
    /* The T is a space, and the ms are left out. */
    size_t date = strcspn(iso, "T"), seconds = strcspn(iso, ".");
    snprintf(time, sizeof(time), "%.*s %.*sZ", (int)date, iso, (int)(seconds - date - 1),
             iso + date + 1);
    size_t used = output_column(out, TONE_DIM, time, TIME_WIDTH, 0);
    used += output_column(out, TONE_PLAIN, actor ? actor : "", ACTOR_WIDTH, TEXT_EXACT);
    if (rest->len)
        used += output_column(out, tone, operation, OPERATION_WIDTH, TEXT_EXACT);
    output_rest(out, tone, rest->len ? rest->buf : operation, used);
}

/* Which memory and what it says, or why it was done. */
static int describe_subject(struct log_lines *l, int64_t subject, const char *reason,
                            struct arena *arena, struct strbuf *rest, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(l->reader, arena, subject, &row, e))
        return e->code == ERROR_NOT_FOUND ? 0 : -1; /* an altered journal: fsck says so */
    strbuf_addstr(rest, short_ref(l->reader, arena, row.ref));
    if (reason)
        strbuf_addf(rest, "  (%s)", reason);
    if (row.text)
        strbuf_addf(rest, "  %s", row.text);
    return 0;
}

static int describe_session(struct log_lines *l, int64_t id, struct strbuf *rest, struct error *e)
{
    const struct session_row *session;
    if (log_lines_session(l, id, &session, e))
        return -1;
    strbuf_addf(rest, "session %lld", (long long)id);
    if (session->actor)
        strbuf_addf(rest, "  %s", session->actor);
    if (session->client && strcmp(session->client, session->actor ? session->actor : "") != 0)
        strbuf_addf(rest, ", %s", session->client);
    return 0;
}

static int print_event(struct output *out, struct log_lines *l, const struct event *event,
                       struct arena *arena, struct error *e)
{
    struct strbuf rest = STRBUF_INIT;
    int result = 0;
    if (event->subject)
        result = describe_subject(l, event->subject, event->reason, arena, &rest, e);
    else if (event->session)
        result = describe_session(l, event->session, &rest, e);
    if (result == 0)
        print_parts(out, event->at, event->actor, event->operation ? event->operation : "", &rest,
                    TONE_PLAIN);
    strbuf_release(&rest);
    return result;
}

static int print_calls(struct output *out, struct log_lines *l, const struct log_line *line,
                       const struct session_row *session, struct arena *arena)
{
    struct strbuf rest = STRBUF_INIT;
    bool failed = line->outcome != ERROR_NONE;
    if (line->row->ref.id)
        strbuf_addstr(&rest, short_ref(l->reader, arena, line->row->ref));
    if (failed)
        strbuf_addf(&rest, "%s%s", rest.len ? "  " : "", outcome_name(line->outcome));
    if (line->count > 1)
        strbuf_addf(&rest, "%s%zu times in %.1f s", rest.len ? "  " : "", line->count,
                    (double)(line->until - line->at) / 1000);
    print_parts(out, line->at, session->actor, line->row->tool ? line->row->tool : "", &rest,
                failed ? TONE_WARN : TONE_DIM);
    strbuf_release(&rest);
    return 0;
}

int log_print(struct output *out, struct log_lines *l, const struct log_line *line,
              struct arena *arena, struct error *e)
{
    const struct session_row *session;
    arena_clear(arena);
    if (line->event && !out->json)
        return print_event(out, l, line->event, arena, e);
    if (line->event) {
        answer_event(&out->text, line->event);
    } else {
        if (log_lines_session(l, line->row->session, &session, e))
            return -1;
        if (!out->json)
            return print_calls(out, l, line, session, arena);
        write_calls(&out->text, line, session);
    }
    strbuf_addch(&out->text, '\n');
    return 0;
}
