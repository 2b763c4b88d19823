/* Why a memory does not stand, in one sentence for agents. */
#include "store/json/answer.h"

#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/query/ref.h"

#define AROUND    64 /* memories to look at; of a larger lineage nothing more is said */
#define SOURCES   16 /* ended sources to ask for their end */
#define REF_MOST  80 /* bytes of a ref; a longer one is not named */
#define DATE_SIZE 11 /* "2026-11-20" */

/* " was retracted on 2026-11-20 by sean", or " is retracted" if the journal does not say who did it. */
static void add_end(struct strbuf *out, const char *was, enum status status,
                    const struct author *author)
{
    char when[32];
    if (!author->who) {
        strbuf_addf(out, "%s%s", *was ? " is " : "", status_word(status));
        return;
    }
    clock_format_iso(when, sizeof(when), author->at);
    strbuf_addf(out, "%s%s on %.*s by %s", was, status_word(status), DATE_SIZE - 1, when,
                author->who);
}

/* Nobody is named to a caller who may not see all of the memory. */
static int end_of(struct reader *r, struct arena *arena, int64_t row, enum status status,
                  struct author *out, struct error *e)
{
    enum visibility visibility;
    *out = (struct author){.seq = 0};
    if (guard_visibility(r, row, &visibility, e))
        return -1;
    return visibility == VISIBLE_WHOLE ? history_ended_by(r, arena, row, status, out, e) : 0;
}

/* The nearest memories that ended, of those that a memory is based on. */
struct ended {
    int64_t row[SOURCES];
    enum status status[SOURCES];
    size_t count;
    bool deeper; /* it is not based on them directly */
};

struct search {
    struct reader *reader;
    struct links links;
    struct row_index seen;
    struct ended *out;
};

/* Looks at one source. Only one that does not stand leads to what fell. */
static int look_at(struct search *s, int64_t row, struct error *e)
{
    enum kind kind;
    enum status status;
    enum visibility visibility;
    struct row_label label;
    struct ended *out = s->out;
    if (row_index_find(&s->seen, row) != ROW_NONE)
        return 0;
    if (guard_visibility(s->reader, row, &visibility, e) ||
        links_nature(s->reader, row, &kind, &status, e))
        return -1;
    if (visibility == VISIBLE_NONE || (STATUS_LIVES(status) && out->count > 0))
        return 0;
    if (STATUS_LIVES(status) && labels_of_rows(s->reader, &row, 1, &label, e))
        return -1;
    if (STATUS_LIVES(status) && label_stands(label.label))
        return 0;
    row_index_add(&s->seen, row);
    if (!STATUS_LIVES(status) && out->count < SOURCES) {
        out->row[out->count] = row;
        out->status[out->count++] = status;
    }
    return 0;
}

static int look_from(struct search *s, int64_t row, struct error *e)
{
    if (links_of(&s->links, s->reader, row, e))
        return -1;
    size_t count = s->links.rows;
    AUTO_FREE int64_t *source =
        xmalloc((count + 1) * sizeof(*source)); /* a label reads other links */
    int result = 0;
    for (size_t i = 0; i < count; i++)
        source[i] = s->links.row[i];
    for (size_t i = 0; i < count && result == 0 && s->seen.count < AROUND; i++)
        result = look_at(s, source[i], e);
    return result;
}

/* Breadth first, up to the first level on which something ended. */
static int find_ended(struct reader *r, int64_t row, struct ended *out, struct error *e)
{
    struct search s = {.reader = r, .seen = ROW_INDEX_INIT, .out = out};
    int result = 0;
    row_index_add(&s.seen, row);
    for (size_t at = 0, end; result == 0 && out->count == 0 && at < s.seen.count;) {
        out->deeper = at > 0;
        for (end = s.seen.count; at < end && result == 0; at++)
            result = look_from(&s, s.seen.row[at], e);
    }
    row_index_release(&s.seen);
    links_release(&s.links);
    return result;
}

/* Of the nearest that ended the one that ended last, because until then it stood. */
struct fallen {
    struct ended all;
    size_t which;
    struct author author;
};

static int find_fallen(struct reader *r, struct arena *arena, int64_t row, struct fallen *out,
                       struct error *e)
{
    struct author one;
    *out = (struct fallen){.which = 0};
    if (find_ended(r, row, &out->all, e))
        return -1;
    for (size_t i = 0; i < out->all.count; i++) {
        if (end_of(r, arena, out->all.row[i], out->all.status[i], &one, e))
            return -1;
        out->which = one.at > out->author.at ? i : out->which;
        out->author = one.at > out->author.at ? one : out->author;
    }
    return 0;
}

int why_source(struct reader *r, struct arena *arena, int64_t row, int64_t *source,
               struct author *author, struct error *e)
{
    struct fallen fallen;
    if (find_fallen(r, arena, row, &fallen, e))
        return -1;
    *source = fallen.all.count ? fallen.all.row[fallen.which] : 0;
    *author = fallen.author;
    return 0;
}

/* "its source was retracted on …" */
static int add_unsupported(struct reader *r, struct arena *arena, int64_t row, struct strbuf *out,
                           struct error *e)
{
    struct fallen fallen;
    if (find_fallen(r, arena, row, &fallen, e))
        return -1;
    if (fallen.all.count == 0) {
        strbuf_addstr(out, "nothing that it is based on stands");
        return 0;
    }
    strbuf_addstr(out, fallen.all.deeper      ? "what its source is based on"
                       : fallen.all.count > 1 ? "its last source"
                                              : "its source");
    add_end(out, " was ", fallen.all.status[fallen.which], &fallen.author);
    return 0;
}

/* "superseded by belief:1b2c3d4e on 2026-11-20 by sean": what of it is known, and may be. */
static int add_superseded(struct reader *r, struct arena *arena, int64_t row, struct strbuf *out,
                          struct error *e)
{
    enum visibility visibility;
    struct memory_row successor;
    struct author author = {.seq = 0};
    int64_t newer, at;
    char when[32];
    if (history_successor(r, row, &newer, &at, e) || guard_visibility(r, row, &visibility, e) ||
        (newer && memory_row_read(r, arena, newer, &successor, e)) ||
        (visibility == VISIBLE_WHOLE && history_superseded_by(r, arena, row, &author, e)))
        return -1;
    strbuf_addstr(out, status_name(STATUS_SUPERSEDED));
    const char *ref = newer ? ref_short(r, arena, successor.ref) : "";
    if (*ref && strlen(ref) <= REF_MOST)
        strbuf_addf(out, " by %s", ref);
    at = author.who ? author.at : newer ? at : 0;
    clock_format_iso(when, sizeof(when), at);
    if (at)
        strbuf_addf(out, " on %.*s", DATE_SIZE - 1, when);
    if (author.who)
        strbuf_addf(out, " by %s", author.who);
    return 0;
}

static int add_why(struct reader *r, struct arena *arena, int64_t row, enum status status,
                   enum label label, struct strbuf *out, struct error *e)
{
    struct author author;
    bool replaced = status == STATUS_SUPERSEDED && label != LABEL_ENDED;
    /* The successor comes first: it is where to go on, whatever became of the sources. */
    if (replaced && add_superseded(r, arena, row, out, e))
        return -1;
    if (replaced && !label_stands(label))
        strbuf_addstr(out, "; ");
    if (label == LABEL_CIRCULAR)
        strbuf_addstr(out, "circular: it is based only on itself");
    if (label == LABEL_UNSUPPORTED) {
        strbuf_addstr(out, replaced ? "" : "unsupported: ");
        return add_unsupported(r, arena, row, out, e);
    }
    if (status == STATUS_EXPIRED && label_stands(label))
        strbuf_addstr(out, status_name(status));
    if (label != LABEL_ENDED)
        return 0;
    if (end_of(r, arena, row, status, &author, e))
        return -1;
    add_end(out, "", status, &author);
    return 0;
}

int why_add(struct reader *r, struct arena *arena, int64_t row, enum status status,
            enum label label, struct strbuf *out, struct error *e)
{
    if (memory_holds(status, label))
        return 0;
    return reader_begin(r, e) ? -1 : reader_done(r, add_why(r, arena, row, status, label, out, e));
}
