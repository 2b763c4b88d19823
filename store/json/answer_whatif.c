/* What would lose support: as JSON, and as lines for agents. */
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/json/answer_internal.h"
#include "store/json/compact.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/get.h"

/* Upper bound for one element and the end of the answer; each byte of an id may need an escape. */
#define ANSWER_ELEMENT (6 * REF_ID_MAX + 200)

/* What would fall, as far as the caller may see it whole: what is hidden is neither listed nor counted. */
struct hits {
    struct whatif_weakened *hit; /* [count] in the arena `kept` */
    size_t count;
    size_t from, shown; /* the part that this answer has */
};

struct writing {
    const struct answer *to;
    struct strbuf *out;
    struct reader *reader;
    const struct retraction *q;
    struct arena kept, arena;
    const struct answer_room *room; /* NULL for no limit */
    size_t began;                   /* start of the answer in `out` */
    size_t line;                    /* most bytes of a line of text; 0: JSON */
    struct hits unsupported, weakened;
    int64_t descending;
};

/* ---- what the caller sees ---- */

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

static int collect(struct writing *w, bool weakened, struct hits *hits, struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    size_t count = weakened ? outcome->weakened_count : outcome->unsupported_count;
    hits->hit = arena_array(&w->kept, count + 1, sizeof(*hits->hit));
    for (size_t n = 0; n < count; n++) {
        bool seen;
        hits->hit[hits->count] = weakened
                                     ? outcome->weakened[n]
                                     : (struct whatif_weakened){.node = outcome->unsupported[n]};
        if (is_seen(w, hits->hit[hits->count].node, &seen, e))
            return -1;
        hits->count += seen;
    }
    return 0;
}

/* Collects what would fall, and passes over the first of both lists together. */
static int collect_all(struct writing *w, struct error *e)
{
    const struct whatif *outcome = &w->q->outcome;
    size_t over = w->room ? w->room->offset : 0;
    if (collect(w, false, &w->unsupported, e) || collect(w, true, &w->weakened, e))
        return -1;
    w->unsupported.from = over < w->unsupported.count ? over : w->unsupported.count;
    over -= w->unsupported.from;
    w->weakened.from = over < w->weakened.count ? over : w->weakened.count;
    for (size_t n = 0; n < outcome->descending_count; n++) {
        bool seen;
        if (is_seen(w, outcome->descending[n], &seen, e))
            return -1;
        w->descending += seen;
    }
    return 0;
}

static size_t more_of(const struct hits *hits)
{
    return hits->count - hits->from - hits->shown;
}

/* The offset that goes on; 0 if nothing is left, or if a limit of each list left out some of the first. */
static size_t next_of(const struct writing *w)
{
    const struct hits *a = &w->unsupported, *b = &w->weakened;
    if (more_of(a) + more_of(b) == 0 || (more_of(a) && b->shown))
        return 0;
    return a->from + a->shown + b->from + b->shown;
}

/* ---- elements ---- */

/* Returns true if there is room for another element after `written` elements. */
static bool has_room(const struct writing *w, size_t written)
{
    const struct answer_room *room = w->room;
    size_t len = w->out->len - w->began;
    size_t taken = w->line ? inside_json(w->out->buf + w->began, len) : len;
    return !room || ((room->count == 0 || written < room->count) &&
                     taken + (w->line ? w->line + CLOSING : ANSWER_ELEMENT) <= room->bytes);
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
                     taken < w->line ? w->line - taken : 0);
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
    if (w->line)
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

/* Adds those that fit, as elements of `list` if it is not NULL. */
static int add_hits(struct writing *w, struct hits *hits, struct json_object *list, struct error *e)
{
    bool weakened = hits == &w->weakened;
    for (; more_of(hits) && has_room(w, hits->shown); hits->shown++) {
        if (list)
            json_item(list);
        if (add_hit(w, &hits->hit[hits->from + hits->shown], weakened, e))
            return -1;
    }
    return 0;
}

/* ---- as JSON ---- */

static int add_list(struct writing *w, struct json_object *o, struct hits *hits, struct error *e)
{
    bool weakened = hits == &w->weakened;
    struct json_object list = json_open(o, weakened ? "weakened" : "loses_all_support", '[');
    if (add_hits(w, hits, &list, e))
        return -1;
    json_end(&list);
    if (more_of(hits))
        json_pair_int(o, weakened ? "weakened_more" : "loses_all_support_more",
                      (int64_t)more_of(hits));
    return 0;
}

int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      const struct answer_room *room, struct error *e)
{
    struct writing w = {.to = to, .out = to->out, .reader = r, .q = q, .room = room};
    w.began = w.out->len;
    struct json_object o = json_begin(w.out, '{');
    int result = failed_if(collect_all(&w, e) || add_list(&w, &o, &w.unsupported, e) ||
                           add_list(&w, &o, &w.weakened, e));
    size_t next = next_of(&w);
    json_pair_int(&o, "descends", w.descending);
    json_pair_int_if(&o, "next", (int64_t)next);
    if (room && more_of(&w.unsupported) + more_of(&w.weakened))
        json_pair(&o, "todo", next ? "Go on with `next` as offset." : "Give a larger limit.");
    json_end(&o);
    arena_release(&w.kept);
    arena_release(&w.arena);
    return result;
}

/* ---- as text ---- */

/* "3 would lose all support:" and a line for each that fits. */
static int add_paragraph(struct writing *w, struct hits *hits, struct error *e)
{
    bool weakened = hits == &w->weakened;
    if (weakened && hits->count == 0)
        return 0;
    strbuf_addf(w->out, "%zu would %s", hits->count,
                weakened ? "stand on fewer justifications" : "lose all support");
    if (hits->from && more_of(hits))
        strbuf_addf(w->out, "; after the first %zu", hits->from);
    strbuf_addstr(w->out, more_of(hits) && has_room(w, 0) ? ":\n" : ".\n");
    return add_hits(w, hits, NULL, e);
}

/* The bytes that a line may have, so that all of them fit if each has OUTLINE_LINE. */
static size_t line_of(const struct writing *w)
{
    size_t lines =
        w->unsupported.count - w->unsupported.from + w->weakened.count - w->weakened.from;
    size_t room = lineage_room(w->room->bytes, lines), line = (room - 3 * CLOSING) / (lines + 1);
    return line > OUTLINE_LINE ? line : OUTLINE_LINE;
}

static void add_end(struct writing *w)
{
    size_t more = more_of(&w->unsupported) + more_of(&w->weakened), next = next_of(w);
    if (more && next)
        strbuf_addf(w->out, "%zu more are not shown: go on with offset %zu.\n", more, next);
    else if (more)
        strbuf_addf(w->out, "%zu more are not shown: give a larger limit.\n", more);
    if (w->descending)
        strbuf_addf(w->out, "%lld more descend and would lose nothing.\n",
                    (long long)w->descending);
    strbuf_addstr(w->out, "Nothing was written.\n");
}

int answer_retraction_text(struct reader *r, const struct retraction *q,
                           const struct answer_room *room, struct strbuf *out, struct error *e)
{
    static const struct answer to = {.out = NULL};
    struct writing w = {.to = &to, .out = out, .reader = r, .q = q, .room = room};
    w.began = out->len;
    int result = collect_all(&w, e);
    w.line = line_of(&w);
    if (!result)
        result = add_paragraph(&w, &w.unsupported, e) || add_paragraph(&w, &w.weakened, e) ? -1 : 0;
    add_end(&w);
    arena_release(&w.kept);
    arena_release(&w.arena);
    return result;
}
