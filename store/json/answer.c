/* Memories, events, revisions and plans as JSON. */
#include "store/json/answer.h"

#include <string.h>
#include "model/base/hints.h"
#include "model/base/utf8.h"
#include "model/format/difference.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/history/past.h"
#include "store/journal/journal.h"
#include "store/lineage/effective.h"
#include "store/ops/operation.h"
#include "store/ops/policy.h"
#include "store/json/why.h"
#include "store/lineage/trust.h"
#include "store/query/list.h"
#include "store/query/ref.h"

int answer_read(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                struct error *e)
{
    if (memory_read(r, arena, node, m, e))
        return -1;
    if (m->status != STATUS_MISSING)
        return 0;
    return error_set(e, ERROR_NOT_FOUND, HINT_NAMED, "%s:%s %s", kind_name(m->ref.kind), m->ref.id,
                     m->event ? "was undone: only its ref is left"
                              : "is named by others and was never written here");
}

/* ---- memories as the caller sees them ---- */

static void add_withheld(struct strbuf *out, const struct memory *m)
{
    struct json_object o = json_begin(out, '{');
    memory_json_pair_ref(&o, "ref", m->ref);
    json_pair(&o, "agent_id", m->agent_id ? m->agent_id : "");
    json_pair_bool(&o, "withheld", true);
    json_end(&o);
}

/* Returns true if the form may contain more than the caller may see: the name of an entry, a link
 * to a withheld memory, or an excerpt to mask. An entry's own ref does not count. */
static bool may_say_more(const struct reader *r, const struct memory *m, const char *form,
                         size_t len)
{
    static const char excerpt[] = "\"excerpt\":\"", begins_entry[] = "{\"ref\":\"entry:";
    size_t own = m->ref.kind == KIND_ENTRY ? sizeof(begins_entry) - 1 : 0;
    return (guard_hides(r) && (guard_withholds(r) || guard_may_name(form + own, len - own))) ||
           (guard_masks(r) && memmem(form, len, excerpt, sizeof(excerpt) - 1));
}

/* Replaces the key of an entry by its opaque key in the part of `out` from `before` on. */
static int replace_key(struct reader *r, struct arena *arena, int64_t node, size_t before,
                       struct strbuf *out, struct error *e)
{
    const char *key, *shown;
    size_t len = out->len - before;
    if (guard_key(r, arena, node, &key, &shown, e))
        return -1;
    if (!shown)
        return 0;
    const char *form = arena_strndup(arena, out->buf + before, len);
    strbuf_cut(out, before);
    guard_add_opaque_key(out, form, len, key, shown);
    return 0;
}

int answer_support(struct reader *r, struct arena *arena, const struct memory *m,
                   const struct row_label *label, struct strbuf *out, struct error *e)
{
    AUTO_STRBUF why = STRBUF_INIT;
    int result = why_add(r, arena, m->node, m->status, label->label, &why, e);
    strbuf_cut(out, out->len - 1);
    struct json_object o = {out, '}', true};
    json_pair(&o, "label", label_name(label->label));
    json_pair_double(&o, "effective", label->effective);
    if (label->has_trust)
        json_pair_double(&o, "trust", label->trust);
    json_pair_if(&o, "class", trust_class_name(label->class));
    if (label->has_loses)
        json_pair_int(&o, "loses", label->loses);
    if (label->independent.known)
        json_pair_int(&o, label->independent.proven ? "independent" : "independent_at_least",
                      label->independent.count);
    if (why.len)
        json_pair(&o, "why", why.buf);
    json_end(&o);
    return result;
}

int answer_form(struct reader *r, struct arena *arena, int64_t node, const struct row_label *label,
                struct strbuf *out, struct error *e)
{
    struct memory m;
    enum visibility visibility = VISIBLE_WHOLE;
    size_t before = out->len;
    if (answer_read(r, arena, node, &m, e) ||
        guard_visibility_of(r, node, m.ref.kind, m.agent_id, &visibility, e))
        return -1;
    if (visibility == VISIBLE_NONE)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no such memory");
    if (visibility == VISIBLE_OWNER) {
        add_withheld(out, &m);
        return 0;
    }
    if (policy_set_by_agent(r, &m, e))
        return -1;
    memory_json_write(out, &m, NULL);
    bool thins = may_say_more(r, &m, out->buf + before, out->len - before);
    if (thins) {
        strbuf_cut(out, before);
        if (guard_memory(r, arena, &m, e) || guard_excerpts(r, arena, &m, e))
            return -1;
        m.form = NULL;
        memory_json_write(out, &m, NULL);
    }
    if (m.ref.kind == KIND_ENTRY && (thins || guard_hides(r)) &&
        replace_key(r, arena, node, before, out, e))
        return -1;
    return answer_support(r, arena, &m, label, out, e);
}

#define SOURCES_BOUND 5000 /* memories; in a larger lineage they are not counted */

int answer_memory(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                  struct error *e)
{
    struct row_label label;
    if (reader_begin(r, e))
        return -1;
    int result = support_of_rows(r, &node, 1, &label, e) ||
                         trust_class_fill(r, &node, 1, &label, e) ||
                         independent_fill(r, node, SOURCES_BOUND, &label, e) ||
                         answer_form(r, arena, node, &label, out, e)
                     ? -1
                     : 0;
    reader_end(r);
    return result;
}

void answer_orphan(struct strbuf *out, const struct orphan *orphan, const char *fix)
{
    struct json_object o = json_begin(out, '{');
    memory_json_pair_ref(&o, "ref", orphan->ref);
    json_pair(&o, "problem", problem_name(orphan->problem));
    json_pair(&o, "field", orphan->field);
    json_pair(&o, "target", orphan->target);
    if (orphan->problem == PROBLEM_UNEXPLAINED)
        json_pair_double(&o, "stored", orphan->confidence);
    json_pair_if(&o, "fix", fix);
    json_end(&o);
}

/* ---- events ---- */

void answer_event(struct strbuf *out, const struct event *event)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "seq", event->seq);
    json_pair_int(&o, "at", event->at);
    json_pair(&o, "actor", event->actor);
    json_pair(&o, "class", event_is_automatic(event) ? "stemma" : event->class_name);
    json_pair(&o, "agent", event->agent);
    if (event->claimed)
        json_pair(&o, "claimed", event->claimed);
    json_pair(&o, "origin", event->origin);
    if (event->session)
        json_pair_int(&o, "session", event->session);
    else
        json_pair(&o, "session", NULL);
    if (event->about)
        json_pair_int(&o, "about_session", event->about);
    json_pair(&o, "operation", event->operation);
    if (event->ref.id) {
        memory_json_pair_ref(&o, "ref", event->ref);
    } else {
        json_pair(&o, "ref", NULL);
    }
    json_pair(&o, "before", event->before);
    json_pair(&o, "after", event->after);
    json_pair(&o, "reason", event->reason);
    json_pair(&o, "correlation", event->correlation);
    if (event->undoes)
        json_pair_int(&o, "undoes", event->undoes);
    if (event->provisional)
        json_pair_int(&o, "provisional", event->provisional);
    json_end(&o);
}

/* ---- changes between two moments ---- */

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
    AUTO_STRBUF before = STRBUF_INIT, after = STRBUF_INIT;
    struct json_object o = json_begin(out, '{');
    memory_json_diff(&before, &after, c->before, c->after);
    memory_json_pair_ref(&o, "ref", c->ref);
    json_pair_int(&o, "event", c->events[c->event_count - 1]);
    json_pair_raw(&o, "before", before.buf);
    json_pair_raw(&o, "after", after.buf);
    json_key(&o, "events");
    add_events(out, c);
    json_end(&o);
}

/* ---- revisions ---- */

/* One side of a difference, for masking. */
struct side {
    struct reader *r; /* NULL for a person */
    struct arena *arena;
    const struct answer_bounds *bounds; /* NULL for no limits */
    const char *key, *shown;            /* an entry's key at that time, and its opaque key */
};

/* Masks the value of a member together with its name, because the name may mark it as secret. */
static const char *mask_member(const struct side *s, const char *name, const char *text)
{
    AUTO_STRBUF object = STRBUF_INIT;
    strbuf_addf(&object, "{\"%s\":", name); /* escaped already */
    json_add_string(&object, text);
    strbuf_addch(&object, '}');
    const char *seen = guard_json(s->r, s->arena, object.buf, object.len);
    bool same = seen == object.buf;
    const char *value = same ? text : NULL;
    if (seen && !same)
        for (struct json_each it = json_each(json_trim(seen, strlen(seen))); json_next(&it);)
            value = json_text(s->arena, it.value, NULL);
    return value ? value : "[redacted]";
}

/* Callback: masks a text before it is joined with others on one line. */
static const char *mask_words(void *arg, const char *text)
{
    const struct side *s = arg;
    return s->r ? guard_text(s->r, s->arena, text, strlen(text)) : text;
}

/* Agents get refs as they find them in other answers: those that stemma wrote, in these fields. */
static const char *shortened(const struct side *s, const char *field, const char *text)
{
    static const char *const fields[] = {"justifications", "relations", "history", "marks"};
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        if (strcmp(field, fields[i]) == 0)
            return refs_shorten(s->r, s->arena, text);
    return text;
}

static const char *side_of(const struct side *s, const char *field, const char *text)
{
    static const char detail[] = "detail.";
    if (!text || !s->r)
        return text;
    text = shortened(s, field, text);
    if (!reader_guarded(s->r))
        return text;
    if (s->shown && strcmp(text, s->key) == 0)
        return s->shown;
    bool member = strncmp(field, detail, sizeof(detail) - 1) == 0;
    return member ? mask_member(s, field + sizeof(detail) - 1, text) : text;
}

/* Truncates the text to the limit, after masking. NULL stays NULL. */
static const char *truncated(const struct side *s, const char *text)
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
        json_pair(&o, "field", truncated(like, one->field));
        json_pair(&o, "before", truncated(&before, side_of(&before, one->field, one->before)));
        json_pair(&o, "after", truncated(&after, side_of(&after, one->field, one->after)));
        json_end(&o);
    }
    json_end(&list);
    return 0;
}

int answer_revision(struct reader *r, struct strbuf *out, const struct revision *revision,
                    const struct answer_bounds *bounds, struct arena *arena, struct error *e)
{
    struct difference *all = NULL;
    size_t count = 0;
    arena_clear(arena);
    struct side side = {r, arena, bounds, NULL, NULL};
    struct event event = revision->event;
    if (!revision->purged_by && !revision->damaged_by)
        memory_difference_seen(revision->before, revision->after, arena, mask_words, &side, &all,
                               &count);
    event.reason = truncated(&side, event.reason);
    if (r && event.reason)
        event.reason = refs_shorten(r, arena, event.reason);
    if (r && event.ref.id)
        ref_parse(ref_short(r, arena, event.ref), &event.ref);
    answer_event(out, &event);
    strbuf_cut(out, out->len - 1); /* reopen the object for more members */
    struct json_object o = {out, '}', true};
    if (revision->after)
        json_pair_int(&o, "version", revision->after->version);
    if (revision->undone_by)
        json_pair_int(&o, "undone_by", revision->undone_by);
    if (revision->purged_by && revision->purged_by != revision->event.seq)
        json_pair_int(&o, "purged_by", revision->purged_by);
    if (revision->damaged_by)
        json_pair_int(&o, "damaged_by", revision->damaged_by);
    json_key(&o, "changes");
    if (add_differences(&side, revision, out, all, count, e))
        return -1;
    json_end(&o);
    return 0;
}

/* ---- the effect of an operation ---- */

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader; /* its caller's guard applies; NULL for a person */
    struct arena *arena;
};

static int flush(const struct writing *w, struct error *e)
{
    return w->to->flush ? w->to->flush(w->to->arg, e) : 0;
}

/* Memories that the caller may not see whole are left out of lists. */
static int is_seen(const struct writing *w, int64_t node, bool *seen, struct error *e)
{
    enum visibility visibility = VISIBLE_WHOLE;
    int result = w->reader && node ? guard_visibility(w->reader, node, &visibility, e) : 0;
    *seen = visibility == VISIBLE_WHOLE;
    return result;
}

static void add_status(struct strbuf *out, const struct memory *m)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "status", status_name(m->status));
    json_end(&o);
}

/* Time and version differ in every change and are left out. */
static void add_difference(struct strbuf *before, struct strbuf *after, const struct memory *was,
                           const struct memory *is)
{
    struct memory alike;
    if (was && is) {
        alike = *was;
        alike.updated_at = is->updated_at;
        alike.version = is->version;
        alike.form = NULL;
        was = &alike;
    }
    memory_json_diff(before, after, was, is);
}

static int add_sides(struct writing *w, struct json_object *o, const struct planned *c,
                     struct error *e)
{
    AUTO_STRBUF before = STRBUF_INIT, after = STRBUF_INIT;
    const struct memory *was = c->before, *is = c->after;
    if (w->reader && (guard_state(w->reader, w->arena, c->before, &was, e) ||
                      guard_state(w->reader, w->arena, c->after, &is, e)))
        return -1;
    if (c->erases && was && is) { /* content being erased is not repeated */
        add_status(&before, was);
        add_status(&after, is);
    } else {
        add_difference(&before, &after, was, is);
    }
    json_key(o, "before");
    strbuf_add(w->out, before.buf, before.len);
    json_key(o, "after");
    strbuf_add(w->out, after.buf, after.len);
    return 0;
}

static int add_change(struct writing *w, const struct planned *c, bool done, struct error *e)
{
    const struct memory *m = c->after ? c->after : c->before;
    struct json_object o = json_begin(w->out, '{');
    json_key(&o, "ref");
    if (m && (done || c->before || c->undoes))
        memory_json_add_ref(w->out, m->ref);
    else
        json_add_string(w->out, NULL); /* the id is not known before the commit */
    json_pair(&o, "operation", c->operation);
    if (done)
        json_pair_int(&o, "event", c->event);
    if (c->undoes)
        json_pair_int(&o, "undoes", c->undoes);
    if (c->after)
        json_pair_int(&o, "version", c->after->version);
    json_pair(&o, "reason", c->reason);
    if (add_sides(w, &o, c, e))
        return -1;
    json_end(&o);
    return flush(w, e);
}

/* ---- consequences ---- */

static int add_consequences(struct writing *w, struct json_object *o, const char *name,
                            const struct consequence *all, size_t count, bool counted,
                            struct error *e)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < count; i++) {
        bool seen;
        if (is_seen(w, all[i].node, &seen, e))
            return -1;
        if (!seen)
            continue;
        json_item(&list);
        if (counted) {
            struct json_object one = json_begin(w->out, '{');
            memory_json_pair_ref(&one, "ref", all[i].ref);
            json_pair_int(&one, "before", all[i].valid);
            json_pair_int(&one, "after", all[i].valid_after);
            json_end(&one);
        } else {
            memory_json_add_ref(w->out, all[i].ref);
        }
        if (flush(w, e))
            return -1;
    }
    json_end(&list);
    return 0;
}

static int add_words(struct writing *w, struct json_object *o, const char *name, const char **words,
                     size_t count, struct error *e)
{
    struct json_object list = json_open(o, name, '[');
    for (size_t i = 0; i < count; i++) {
        bool hidden = false;
        if (w->reader && guard_begins_hidden(w->reader, words[i], &hidden, e))
            return -1;
        if (hidden)
            continue;
        json_item(&list);
        json_add_string(o->out, words[i]);
    }
    json_end(&list);
    return 0;
}

/* How many memories of `loses_all_support` are one step from what is named, two steps, … */
static void add_rings(struct json_object *o, const struct plan *p)
{
    struct json_object list = json_open(o, "rings", '[');
    for (size_t i = 0, n = 0; i < p->unsupported_count; i += n, n = 0) {
        while (i + n < p->unsupported_count && p->unsupported[i + n].ring == p->unsupported[i].ring)
            n++;
        json_item(&list);
        strbuf_addf(o->out, "%zu", n);
    }
    json_end(&list);
}

static int add_plan(struct writing *w, const char *operation, const struct plan *p, bool done,
                    struct error *e)
{
    struct json_object o = json_begin(w->out, '{');
    json_pair(&o, "operation", operation);
    json_pair_bool(&o, "done", done);
    struct json_object changes = json_open(&o, "changes", '[');
    for (size_t i = 0; i < p->count; i++) {
        bool seen;
        if (is_seen(w, p->change[i].before ? p->change[i].before->node : 0, &seen, e))
            return -1;
        if (!seen)
            continue;
        json_item(&changes);
        if (add_change(w, &p->change[i], done, e))
            return -1;
    }
    json_end(&changes);
    if (add_consequences(w, &o, "loses_all_support", p->unsupported, p->unsupported_count, false,
                         e) ||
        add_consequences(w, &o, "weakened", p->weakened, p->weakened_count, true, e))
        return -1;
    json_pair_int(&o, "descends", p->descending_total);
    if (same_text(p->dependants, DEPENDANTS_QUARANTINE))
        add_rings(&o, p);
    if (add_words(w, &o, "left", p->left, p->left_count, e) ||
        add_words(w, &o, "remarks", p->remarks, p->remark_count, e) ||
        (p->unresolved_count &&
         add_words(w, &o, "unresolved", p->unresolved, p->unresolved_count, e)))
        return -1;
    json_end(&o);
    return flush(w, e);
}

int answer_plan(const struct answer *to, const char *operation, const struct plan *p, bool done,
                struct error *e)
{
    struct writing w = {to, to->out, to->reader, p->arena};
    return add_plan(&w, operation, p, done, e);
}
