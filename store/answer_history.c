/* A change of a memory as the object of its JSON form: its event, and what differed. */
#include "answer.h"

#include <string.h>

#include "../model/difference.h"
#include "../model/json.h"
#include "guard.h"
#include "history.h"

/* What names an entry that the reader's caller does not see is no change to it. */
static int is_hidden(struct reader *r, const struct difference *one, bool *hidden, struct error *e)
{
    bool after = false;
    *hidden = false;
    if (!r || !guard_hides(r))
        return 0;
    if (guard_names_hidden(r, one->before, hidden, e) ||
        guard_names_hidden(r, one->after, &after, e))
        return -1;
    *hidden |= after;
    return 0;
}

/* The key of an entry as it is shown. */
static const char *shown_for(const char *key, const char *shown, const char *text)
{
    return shown && text && strcmp(text, key) == 0 ? shown : text;
}

static int add_differences(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                           const struct difference *all, size_t count, struct error *e)
{
    const char *key = NULL, *shown = NULL;
    if (r && guard_key(r, arena, node, &key, &shown, e))
        return -1;
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        bool hidden;
        if (is_hidden(r, &all[i], &hidden, e))
            return -1;
        if (hidden)
            continue;
        json_item(&list);
        struct json_object o = json_begin(out, '{');
        json_pair(&o, "field", all[i].field);
        json_pair(&o, "before", shown_for(key, shown, all[i].before));
        json_pair(&o, "after", shown_for(key, shown, all[i].after));
        json_end(&o);
    }
    json_end(&list);
    return 0;
}

int answer_revision(struct strbuf *out, const struct revision *revision, struct arena *arena,
                    struct error *e)
{
    return answer_revision_to(NULL, out, revision, arena, e);
}

int answer_revision_to(struct reader *r, struct strbuf *out, const struct revision *revision,
                       struct arena *arena, struct error *e)
{
    struct difference *all = NULL;
    size_t count = 0;
    arena_clear(arena);
    if (!revision->purged_by &&
        memory_difference(revision->before, revision->after, arena, &all, &count))
        return error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
    answer_event(out, &revision->event);
    strbuf_cut(out, out->len - 1); /* more members follow */
    struct json_object o = {out, '}', true};
    if (revision->after)
        json_pair_int(&o, "version", revision->after->version);
    if (revision->undone_by)
        json_pair_int(&o, "undone_by", revision->undone_by);
    if (revision->purged_by && revision->purged_by != revision->event.seq)
        json_pair_int(&o, "purged_by", revision->purged_by);
    json_key(&o, "changes");
    if (add_differences(r, arena, revision->event.subject, out, all, count, e))
        return -1;
    json_end(&o);
    return out->failed ? error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out") : 0;
}
