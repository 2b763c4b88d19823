/* Events, changes between two moments and revisions as the objects of their JSON forms. */
#include <string.h>
#include "model/base/utf8.h"
#include "model/format/difference.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/history/past.h"
#include "store/journal/journal.h"
#include "store/json/answer.h"

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
        exchange_pair_ref(&o, "ref", event->ref);
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

/* ---- what changed between two moments ---- */

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
    exchange_pair_ref(&o, "ref", c->ref);
    json_pair_int(&o, "event", c->events[c->event_count - 1]);
    json_pair_raw(&o, "before", before.buf);
    json_pair_raw(&o, "after", after.buf);
    json_key(&o, "events");
    add_events(out, c);
    json_end(&o);
    strbuf_release(&before);
    strbuf_release(&after);
}

/* ---- revisions ---- */

/* What one side of a difference may say of it. */
struct side {
    struct reader *r; /* NULL: a person's */
    struct arena *arena;
    const struct answer_bounds *bounds; /* NULL: there are none */
    const char *key, *shown;            /* of an entry as it was then, and how it is shown */
};

/* A member of the detail is told without its name, by which a secret is known. */
static const char *mask_member(const struct side *s, const char *name, const char *text)
{
    struct strbuf object = STRBUF_INIT;
    strbuf_addf(&object, "{\"%s\":", name); /* escaped already */
    json_add_string(&object, text);
    strbuf_addch(&object, '}');
    const char *seen = guard_json(s->r, s->arena, object.buf, object.len);
    bool same = seen == object.buf;
    const char *value = same ? text : NULL;
    if (seen && !same)
        for (struct json_each it = json_each(json_trim(seen, strlen(seen))); json_next(&it);) {
            char *said = arena_strndup(s->arena, it.value.ptr + 1, it.value.len - 2);
            said[json_unescape(said, said, it.value.len - 2)] = '\0';
            value = said;
        }
    strbuf_release(&object);
    return value ? value : "[redacted]";
}

/* What is set into a line with others is masked before. */
static const char *mask_words(void *arg, const char *text)
{
    const struct side *s = arg;
    return s->r ? guard_text(s->r, s->arena, text, strlen(text)) : text;
}

static const char *side_of(const struct side *s, const char *field, const char *text)
{
    static const char detail[] = "detail.";
    if (!text || !s->r || !reader_guarded(s->r))
        return text;
    if (s->shown && strcmp(text, s->key) == 0)
        return s->shown;
    bool member = strncmp(field, detail, sizeof(detail) - 1) == 0;
    return member ? mask_member(s, field + sizeof(detail) - 1, text) : text;
}

/* The text as far as the bounds go, masked before it is cut; NULL stays NULL. */
static const char *within(const struct side *s, const char *text)
{
    if (!text || !s->bounds)
        return text;
    const char *seen = mask_words((void *)s, text);
    size_t end = utf8_prefix(seen, s->bounds->characters);
    return seen[end] ? arena_strndup(s->arena, seen, end) : seen;
}

static int begin_side(struct side *s, const struct side *like, const struct memory *m,
                      struct error *e)
{
    *s = *like;
    return s->r ? guard_entry_key(s->r, s->arena, m, &s->key, &s->shown, e) : 0;
}

static int add_differences(const struct side *like, const struct revision *v, struct strbuf *out,
                           const struct difference *all, size_t count, struct error *e)
{
    struct side before, after;
    size_t began = out->len;
    if (begin_side(&before, like, v->before, e) || begin_side(&after, like, v->after, e))
        return -1;
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        const struct difference *one = &all[i];
        if (like->bounds && out->len - began > like->bounds->bytes)
            break;
        struct json_object o = json_item_open(&list, '{');
        json_pair(&o, "field", within(like, one->field));
        json_pair(&o, "before", within(&before, side_of(&before, one->field, one->before)));
        json_pair(&o, "after", within(&after, side_of(&after, one->field, one->after)));
        json_end(&o);
    }
    json_end(&list);
    return 0;
}

int answer_revision(struct strbuf *out, const struct revision *revision, struct arena *arena,
                    struct error *e)
{
    return answer_revision_to(NULL, out, revision, NULL, arena, e);
}

int answer_revision_to(struct reader *r, struct strbuf *out, const struct revision *revision,
                       const struct answer_bounds *bounds, struct arena *arena, struct error *e)
{
    struct difference *all = NULL;
    size_t count = 0;
    arena_clear(arena);
    struct side side = {r, arena, bounds, NULL, NULL};
    struct event event = revision->event;
    if (!revision->purged_by)
        memory_difference_seen(revision->before, revision->after, arena, mask_words, &side, &all,
                               &count);
    event.reason = within(&side, event.reason);
    answer_event(out, &event);
    strbuf_cut(out, out->len - 1); /* more members follow */
    struct json_object o = {out, '}', true};
    if (revision->after)
        json_pair_int(&o, "version", revision->after->version);
    if (revision->undone_by)
        json_pair_int(&o, "undone_by", revision->undone_by);
    if (revision->purged_by && revision->purged_by != revision->event.seq)
        json_pair_int(&o, "purged_by", revision->purged_by);
    json_key(&o, "changes");
    if (add_differences(&side, revision, out, all, count, e))
        return -1;
    json_end(&o);
    return 0;
}
