/* A change of a memory as the object of its JSON form: its event, and what differed. */
#include "answer.h"

#include "../model/difference.h"
#include "../model/json.h"
#include "history.h"

static void add_differences(struct strbuf *out, const struct difference *all, size_t count)
{
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&list);
        struct json_object o = json_begin(out, '{');
        json_pair(&o, "field", all[i].field);
        json_pair(&o, "before", all[i].before);
        json_pair(&o, "after", all[i].after);
        json_end(&o);
    }
    json_end(&list);
}

int answer_revision(struct strbuf *out, const struct revision *revision, struct arena *arena,
                    struct error *e)
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
    add_differences(out, all, count);
    json_end(&o);
    return out->failed ? error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out") : 0;
}
