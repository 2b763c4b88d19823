#include "store/lineage/labels_proof.h"

#include <string.h>
#include "store/db/reader.h"

/* Most ways are short; what is left is looked at once more, further. */
static const struct {
    unsigned depth; /* of a way */
    size_t rows;    /* looked at */
} reach[] = {{4, 64}, {24, 512}};
#define DEPTH_MAX 24
#define REACHES   (sizeof(reach) / sizeof(reach[0]))

/* As they are packed: who rests on more is for others. */
#define LINKS_MAX 256

enum answer {
    NO = 0,
    YES,
    UNKNOWN
};

struct proof {
    struct links_walk *walk;
    unsigned depth; /* a way may be that long */
    size_t left;    /* rows that may be looked at */
    int64_t way[DEPTH_MAX + 1];
};

/* A row's links in a place of their own, for others are read before all of them were looked at. */
struct support {
    struct links links;
    enum kind kind;
    enum status status;
    uint8_t bytes[LINKS_MAX];
};

/* 1; 0 where it is not copied, as it rests on too much. */
static int open_row(struct proof *p, int64_t row, struct support *out, struct error *e)
{
    if (links_of(p->walk, row, &out->links, e) ||
        links_nature(p->walk, row, &out->kind, &out->status, e))
        return -1;
    size_t len = (size_t)(out->links.end - out->links.at);
    if (len > sizeof(out->bytes))
        return 0;
    if (len)
        memcpy(out->bytes, out->links.at, len);
    out->links.at = out->bytes;
    out->links.end = out->bytes + len;
    return 1;
}

static bool is_on_way(const struct proof *p, unsigned depth, int64_t row)
{
    for (unsigned i = 0; i <= depth; i++)
        if (p->way[i] == row)
            return true;
    return false;
}

static enum answer both(enum answer a, enum answer b)
{
    return a == NO || b == NO ? NO : a == YES && b == YES ? YES : UNKNOWN;
}

static enum answer either(enum answer a, enum answer b)
{
    return a == YES || b == YES ? YES : a == NO && b == NO ? NO : UNKNOWN;
}

static int stands(struct proof *p, int64_t row, unsigned depth, enum answer *out, struct error *e);

/* Does the group of that shape hold: all of the `count` that follow, or one of them? */
static int group_holds(struct proof *p, struct support *s, bool all, size_t count, unsigned depth,
                       enum answer *out, struct error *e)
{
    *out = all || count == 0 ? YES : NO;
    for (; count > 0; count--) {
        enum answer one = UNKNOWN;
        int64_t row = links_next(&s->links);
        if (*out == (all ? NO : YES))
            continue;
        if (stands(p, row, depth, &one, e))
            return -1;
        *out = all ? both(*out, one) : either(*out, one);
    }
    return 0;
}

/* p->way[depth] is the row, which has links. */
static int is_supported(struct proof *p, struct support *s, unsigned depth, enum answer *out,
                        struct error *e)
{
    unsigned shape;
    size_t count;
    *out = NO;
    while (*out != YES && links_group(&s->links, &shape, &count)) {
        enum answer one;
        if (group_holds(p, s, SHAPE_READING(shape) == READING_ALL, count, depth, &one, e))
            return -1;
        *out = either(*out, one);
    }
    return 0;
}

/* What rests on p->way[depth - 1], at most DEPTH_MAX deep. On a circle nothing is known: who rests on it needs
 * another way. */
static int stands(struct proof *p, int64_t row, unsigned depth, enum answer *out, struct error *e)
{
    struct support s;
    int known;
    *out = UNKNOWN;
    if (p->left == 0 || is_on_way(p, depth, row))
        return 0;
    p->left--;
    if (links_stands(p->walk, row, &known, e))
        return -1;
    if (known >= 0) {
        *out = known ? YES : NO;
        return 0;
    }
    int opened = open_row(p, row, &s, e);
    if (opened <= 0)
        return opened;
    if (!STATUS_LIVES(s.status)) {
        *out = NO;
        links_keep_label(p->walk, row, LABEL_GONE);
        return 0;
    }
    bool given = s.links.at < s.links.end;
    if (given && depth == p->depth)
        return 0;
    if (given)
        p->way[depth + 1] = row;
    *out = YES;
    if (given && is_supported(p, &s, depth + 1, out, e))
        return -1;
    if (*out != UNKNOWN)
        links_keep_standing(p->walk, row, *out == YES);
    return 0;
}

/* Each of `any` is a justification of its own, once however often it is named. */
static bool is_repeated(const struct links *begun, size_t place, int64_t row)
{
    struct links again = *begun;
    while (place-- > 0)
        if (links_next(&again) == row)
            return true;
    return false;
}

static int count_any(struct proof *p, struct support *s, size_t count, struct row_label *out,
                     bool *known, struct error *e)
{
    const struct links begun = s->links;
    for (size_t i = 0; i < count && *known; i++) {
        enum answer one;
        int64_t row = links_next(&s->links);
        if (is_repeated(&begun, i, row))
            continue;
        if (stands(p, row, 0, &one, e))
            return -1;
        out->justs++;
        out->holds += one == YES;
        *known = one != UNKNOWN;
    }
    return 0;
}

static int count_group(struct proof *p, struct support *s, unsigned shape, size_t count,
                       struct row_label *out, bool *known, struct error *e)
{
    enum answer one;
    if (SHAPE_READING(shape) == READING_ANY && count > 0)
        return count_any(p, s, count, out, known, e);
    if (group_holds(p, s, true, count, 0, &one, e))
        return -1;
    out->justs++;
    out->holds += one == YES;
    *known = one != UNKNOWN;
    return 0;
}

static enum label label_of(const struct support *s, const struct row_label *counted)
{
    if (!STATUS_LIVES(s->status))
        return LABEL_GONE;
    if (counted->justs == 0)
        return kind_spec(s->kind)->is_source ? LABEL_GROUNDED : LABEL_UNSOURCED;
    return counted->holds < counted->justs ? LABEL_WEAKENED : LABEL_GROUNDED;
}

static int prove(struct proof *p, int64_t row, struct row_label *out, struct error *e)
{
    struct support s;
    unsigned shape;
    size_t count;
    bool known = true;
    int opened = open_row(p, row, &s, e);
    *out = (struct row_label){LABEL_GONE, 0, 0};
    p->way[0] = row;
    if (opened <= 0)
        return opened;
    while (known && links_group(&s.links, &shape, &count))
        if (count_group(p, &s, shape, count, out, &known, e))
            return -1;
    out->label = label_of(&s, out);
    /* What does not stand may be on a circle, which other ways tell. */
    known &= out->label == LABEL_GONE || out->justs == 0 || out->holds > 0;
    if (known)
        links_keep_label(p->walk, row, out->label);
    return known;
}

int label_prove(struct links_walk *w, struct reader *r, int64_t row, struct row_label *out,
                struct error *e)
{
    int known = 0;
    for (size_t i = 0; i < REACHES && known == 0; i++) {
        struct proof p = {.walk = w, .depth = reach[i].depth, .left = reach[i].rows};
        known = prove(&p, row, out, e);
        if (known >= 0 && reader_spend(r, (int64_t)(reach[i].rows - p.left + 1), e))
            return -1;
    }
    return known;
}
