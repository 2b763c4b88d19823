/* What becomes of a change when others were faster. */
#include "model/team/merge.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"

bool merge_is_same(const struct memory *a, const struct memory *b)
{
    AUTO_STRBUF x = STRBUF_INIT, y = STRBUF_INIT;
    if (!a || !b)
        return a == b;
    memory_json_write(&x, a, NULL);
    memory_json_write(&y, b, NULL);
    return x.len == y.len && memcmp(x.buf, y.buf, x.len) == 0;
}

static bool has_ended(const struct memory *m)
{
    return m->status != STATUS_ACTIVE && m->status != STATUS_PENDING;
}

static int refuse(struct error *why, const char *hint, const char *what, const char *more)
{
    error_set(why, ERROR_CONFLICT, hint, "%s%s", what, more);
    return 0;
}

/* When a person approved it last; 0: never. */
static int64_t approved_at(const struct memory *m)
{
    int64_t at = 0;
    for (size_t i = 0; i < m->flag_count; i++)
        if (strcmp(m->flags[i].name, "approved") == 0 && !m->flags[i].by_agent &&
            m->flags[i].at > at)
            at = m->flags[i].at;
    return at;
}

static bool says_the_same(const struct memory *a, const struct memory *b)
{
    return strcmp(a->text, b->text) == 0 &&
           strcmp(a->detail ? a->detail : "{}", b->detail ? b->detail : "{}") == 0;
}

#define READ_AGAIN "Read it again, then repeat the change if it still holds."

/* The memory as others left it, with the members that the change set. */
static int overrule(struct memory *out, const struct merge *m, struct arena *arena, struct error *e)
{
    AUTO_STRBUF was = STRBUF_INIT, mine = STRBUF_INIT, theirs = STRBUF_INIT, line = STRBUF_INIT;
    memory_json_diff(&was, &mine, m->was, m->mine);
    memory_json_write(&theirs, m->theirs, NULL);
    struct json_object o = json_begin(&line, '{');
    struct json_slice set = {mine.buf, mine.len}, all = {theirs.buf, theirs.len};
    for (struct json_each it = json_each(all); json_next(&it);) {
        const char *key = arena_strndup(arena, it.key.ptr, it.key.len);
        if (!json_member(set.ptr, set.len, key).ptr)
            json_pair_value(&o, key, it.value);
    }
    for (struct json_each it = json_each(set); json_next(&it);)
        json_pair_value(&o, arena_strndup(arena, it.key.ptr, it.key.len), it.value);
    json_end(&o);
    return memory_json_read(out, arena, line.buf, line.len, m->theirs->agent_id,
                            m->theirs->created_at, NULL, e);
}

/* Both changes, field by field; *field_error says which field both changed. */
static int merge_fields(const struct memory **out, const struct merge *m, struct arena *arena,
                        struct error *why, struct error *e)
{
    struct error clash;
    struct memory *merged = arena_alloc(arena, sizeof(*merged));
    bool retracts = has_ended(m->mine) && !has_ended(m->was);
    if (memory_json_restore(merged, m->theirs, m->mine, m->was, arena, &clash) == 0) {
    } else if (clash.code != ERROR_CONFLICT) {
        *e = clash;
        return -1;
    } else if (retracts) {
        *merged = *m->theirs;
        merged->status = m->mine->status;
    } else if (!m->by_person || m->theirs_by_person) {
        *why = clash;
        snprintf(why->hint, sizeof(why->hint), "%s", READ_AGAIN);
        return 0;
    } else if (overrule(merged, m, arena, e)) {
        return -1;
    }
    merged->node = m->theirs->node;
    merged->event = m->theirs->event;
    merged->version = m->theirs->version;
    if (m->mine->updated_at > merged->updated_at)
        merged->updated_at = m->mine->updated_at;
    *out = merged;
    return 1;
}

int merge_change(const struct memory **out, const struct merge *m, struct arena *arena,
                 struct error *why, struct error *e)
{
    *out = m->mine;
    if (merge_is_same(m->was, m->theirs))
        return 1;
    if (!m->was)
        return refuse(why, "Give it another id, or change the one that is there.",
                      "it was added meanwhile", "");
    if (!m->theirs)
        return refuse(why, READ_AGAIN, "its addition was taken back meanwhile", "");
    if (m->theirs->status == STATUS_PURGED)
        return refuse(why, "Add it anew if it should be there.", "it was purged meanwhile", "");
    if (!m->mine || m->mine->status == STATUS_PURGED) {
        bool holds = m->mine || (m->by_person && !m->theirs_by_person);
        return holds ? 1 : refuse(why, READ_AGAIN, "it was changed meanwhile", "");
    }
    bool over_person = !m->by_person && m->theirs_by_person;
    if (has_ended(m->mine) && !has_ended(m->was)) {
        if (has_ended(m->theirs))
            return refuse(why, "", "it was ended meanwhile: it is ",
                          status_name(m->theirs->status));
        if (over_person)
            return refuse(why, READ_AGAIN, "a person changed it meanwhile", "");
    } else if (has_ended(m->theirs) && !has_ended(m->was) &&
               (!m->by_person || m->theirs_by_person)) {
        return refuse(why, "Add another one if it still holds.", "it is now ",
                      status_name(m->theirs->status));
    }
    if (m->theirs->is_protected && !m->was->is_protected && !m->by_person)
        return refuse(why, "Ask a person to unlock it.", "a person locked it meanwhile", "");
    if (approved_at(m->mine) > approved_at(m->was) && !says_the_same(m->was, m->theirs))
        return refuse(why, READ_AGAIN, "its text was changed meanwhile", "");
    return merge_fields(out, m, arena, why, e);
}
