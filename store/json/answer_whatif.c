/* What would lose support: as JSON, and as lines for agents. */
#include <string.h>
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/json/answer_internal.h"
#include "store/json/compact.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

/* Upper bound for one element and the end of the answer; each byte of an id may need an escape. */
#define ANSWER_ELEMENT (6 * REF_ID_MAX + 200)

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct retraction *q;
    struct arena arena;
    const struct answer_room *room; /* NULL for no limit */
    size_t began;                   /* start of the answer in `out` */
    bool is_text;
};

/* Returns true if there is room for another element after `written` elements. */
static bool has_room(const struct writing *w, size_t written)
{
    const struct answer_room *room = w->room;
    size_t len = w->out->len - w->began;
    size_t taken = w->is_text ? inside_json(w->out->buf + w->began, len) : len;
    return !room || ((room->count == 0 || written < room->count) &&
                     taken + (w->is_text ? OUTLINE_LINE : ANSWER_ELEMENT) <= room->bytes);
}

/* Memories that the caller may not see whole are left out of lists and counts. */
static int is_seen(struct writing *w, uint32_t node, bool *seen, struct error *e)
{
    enum visibility visibility = VISIBLE_WHOLE;
    *seen = true;
    if (!guard_hides_linked(w->reader))
        return 0;
    int result = guard_visibility(w->reader, graph_row(&w->q->graph, node), &visibility, e);
    *seen = visibility == VISIBLE_WHOLE;
    return result;
}

static int count_descending(struct writing *w, int64_t *count, struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    *count = (int64_t)outcome->descending_count;
    if (!guard_hides_linked(w->reader))
        return 0;
    *count = 0;
    for (size_t n = 0; n < outcome->descending_count; n++) {
        bool seen;
        if (is_seen(w, outcome->descending[n], &seen, e))
            return -1;
        *count += seen;
    }
    return 0;
}

/* A line of a what-if as text: "belief:54c5507f 3 -> 2 text". */
static int add_hit_line(struct writing *w, const struct memory_row *row,
                        const struct whatif_weakened *hit, bool weakened)
{
    size_t began = w->out->len;
    ref_add_visible(w->out, ref_short(w->reader, &w->arena, row->ref));
    if (weakened)
        strbuf_addf(w->out, " %u -> %u", (unsigned)hit->before, (unsigned)hit->after);
    size_t taken = inside_json(w->out->buf + began, w->out->len - began) + INSIDE_MORE;
    strbuf_addch(w->out, ' ');
    compact_add_text(w->out, row->text ? row->text : "", COMPACT_TEXT,
                     taken < OUTLINE_LINE ? OUTLINE_LINE - taken : 0);
    strbuf_addch(w->out, '\n');
    return 0;
}

static int add_hit(struct writing *w, const struct whatif_weakened *hit, bool weakened,
                   struct error *e)
{
    struct memory_row row;
    arena_clear(&w->arena);
    if (memory_row_read(w->reader, &w->arena, graph_row(&w->q->graph, hit->node), &row, e))
        return -1;
    if (w->is_text)
        return add_hit_line(w, &row, hit, weakened);
    struct json_object o;
    if (weakened) {
        o = json_begin(w->out, '{');
        json_key(&o, "ref");
    }
    if (w->room) /* for an agent */
        json_add_string(w->out, ref_short(w->reader, &w->arena, row.ref));
    else
        memory_json_add_ref(w->out, row.ref);
    if (weakened) {
        json_pair_int(&o, "before", hit->before);
        json_pair_int(&o, "after", hit->after);
        json_end(&o);
    }
    return w->to->flush ? w->to->flush(w->to->arg, e) : 0;
}

/* Adds the weakened or the unsupported memories that fit, as elements of `list` if it is not NULL. Sets *more to the
 * number of others. Returns how many were added, or -1. */
static int64_t add_hits(struct writing *w, struct json_object *list, bool weakened, int64_t *more,
                        struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    size_t written = 0, count = weakened ? outcome->weakened_count : outcome->unsupported_count;
    *more = 0;
    for (size_t n = 0; n < count; n++) {
        struct whatif_weakened hit =
            weakened ? outcome->weakened[n]
                     : (struct whatif_weakened){.node = outcome->unsupported[n]};
        bool seen;
        if (is_seen(w, hit.node, &seen, e))
            return -1;
        if (seen && (*more || !has_room(w, written))) {
            ++*more;
        } else if (seen) {
            written++;
            if (list)
                json_item(list);
            if (add_hit(w, &hit, weakened, e))
                return -1;
        }
    }
    return (int64_t)written;
}

#define GO_ON "memory_lineage with descendants and a small depth follows one of them"

static int add_list(struct writing *w, struct json_object *o, bool weakened, bool *cut,
                    struct error *e)
{
    int64_t more;
    struct json_object list = json_open(o, weakened ? "weakened" : "loses_all_support", '[');
    if (add_hits(w, &list, weakened, &more, e) < 0)
        return -1;
    json_end(&list);
    if (more)
        json_pair_int(o, weakened ? "weakened_more" : "loses_all_support_more", more);
    *cut |= more > 0;
    return 0;
}

int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      const struct answer_room *room, struct error *e)
{
    int64_t descending_count;
    bool cut = false;
    struct writing w = {.to = to, .out = to->out, .reader = r, .q = q, .room = room};
    w.began = w.out->len;
    struct json_object o = json_begin(w.out, '{');
    int result = add_list(&w, &o, false, &cut, e) || add_list(&w, &o, true, &cut, e) ||
                         count_descending(&w, &descending_count, e)
                     ? -1
                     : 0;
    arena_release(&w.arena);
    if (result)
        return -1;
    json_pair_int(&o, "descends", descending_count);
    if (cut && room)
        json_pair(&o, "todo", "For those that are left out: " GO_ON ".");
    json_end(&o);
    return 0;
}

/* "3 memories would be weakened:" and a line for each that fits. */
static int add_paragraph(struct writing *w, bool weakened, struct error *e)
{
    struct strbuf *out = w->out, lines = STRBUF_INIT;
    struct writing part = *w;
    struct answer_room room = *w->room;
    int64_t more, shown;
    size_t taken = inside_json(out->buf + w->began, out->len - w->began) + CLOSING;
    room.bytes -= taken < room.bytes ? taken : room.bytes;
    part.out = &lines;
    part.began = 0;
    part.room = &room;
    part.arena = (struct arena)ARENA_INIT;
    shown = add_hits(&part, NULL, weakened, &more, e);
    arena_release(&part.arena);
    if (shown >= 0 && (shown || !weakened)) {
        strbuf_addf(out, "%lld would %s%s\n", (long long)(shown + more),
                    weakened ? "stand on fewer justifications" : "lose all support",
                    shown ? ":" : ".");
        strbuf_add(out, lines.buf, lines.len);
        if (more)
            strbuf_addf(out, "and %lld more; " GO_ON ".\n", (long long)more);
    }
    strbuf_release(&lines);
    return shown < 0 ? -1 : 0;
}

int answer_retraction_text(struct reader *r, const struct retraction *q,
                           const struct answer_room *room, struct strbuf *out, struct error *e)
{
    static const struct answer to = {.out = NULL};
    int64_t descending_count;
    struct writing w = {.to = &to, .out = out, .reader = r, .q = q, .room = room, .is_text = true};
    w.began = out->len;
    if (add_paragraph(&w, false, e) || add_paragraph(&w, true, e) ||
        count_descending(&w, &descending_count, e))
        return -1;
    if (descending_count)
        strbuf_addf(out, "%lld more descend and would lose nothing.\n",
                    (long long)descending_count);
    strbuf_addstr(out, "Nothing was written.\n");
    return 0;
}
