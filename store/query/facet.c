/* Counts the values of a field over a list. */
#include "store/query/matcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/map.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/query/search_words.h"

#define RANGES 10 /* of confidence */

struct counting {
    struct reader *r;
    enum query_field field;
    const struct loaded *labels; /* of QUERY_LABEL; else NULL */
    const struct ranks *ranks;   /* of QUERY_CONFIDENCE; else NULL */
    size_t ranges[RANGES];       /* the same, the lowest first */
    struct key_index values;
    size_t *counts, alloc; /* by place in `values` */
    struct arena arena;    /* of the memory being read */
    atomic_size_t *looked; /* memories so far; NULL is allowed */
    struct error *e;
    bool failed;
};

bool facet_is_of(enum query_field field)
{
    return field == QUERY_KIND || field == QUERY_AGENT || field == QUERY_LABEL ||
           field == QUERY_STATUS || field == QUERY_SOURCE || field == QUERY_TAG ||
           field == QUERY_TOLD || field == QUERY_FLAG || facet_is_ranges(field);
}

bool facet_is_ranges(enum query_field field)
{
    return field == QUERY_CONFIDENCE;
}

static void add(struct counting *c, const char *value)
{
    size_t before = c->values.count, at = key_index_add(&c->values, value, strlen(value));
    if (c->values.count > before)
        *ARRAY_ADD(c->counts, before, c->alloc) = 0;
    c->counts[at]++;
}

/* What lists show in their column of flags, and the names of all. */
static int add_flags(struct counting *c, int64_t node)
{
    const char **names;
    size_t count;
    struct memory_row row;
    if (memory_row_read(c->r, &c->arena, node, &row, c->e))
        return c->e->code == ERROR_NOT_FOUND ? 0 : -1;
    for (int i = 0; i < ROW_FLAGS; i++)
        if (row.flags >> i & 1)
            add(c, row_flag_name(i));
    if (!row.flags)
        add(c, QUERY_NONE);
    if (memory_flag_names(reader_db(c->r), &c->arena, node, &names, &count, c->e))
        return -1;
    for (size_t i = 0; i < count; i++)
        add(c, names[i]);
    return 0;
}

/* Tags, and who told it. */
static int add_parts(struct counting *c, int64_t node)
{
    struct memory m = {.text = NULL};
    bool same;
    struct query row =
        db_query(reader_db(c->r), c->e, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?",
                 "i", node);
    if (db_next(&row))
        search_parts_of(&m, &c->arena, row.stmt, 0);
    if (db_end(&row) || search_parts_matchable(&m, c->r, &c->arena, node, &same, c->e))
        return -1;
    for (size_t i = 0; c->field == QUERY_TAG && i < m.tag_count; i++)
        add(c, m.tags[i]);
    if (c->field == QUERY_TAG && !m.tag_count)
        add(c, QUERY_NONE);
    if (c->field == QUERY_TOLD && m.source_entity)
        add(c, m.source_entity);
    return 0;
}

static int add_shown(struct counting *c, int64_t node)
{
    struct memory_row row;
    if (memory_row_read(c->r, &c->arena, node, &row, c->e))
        return c->e->code == ERROR_NOT_FOUND ? 0 : -1;
    const char *value = c->field == QUERY_KIND     ? kind_name(row.ref.kind)
                        : c->field == QUERY_STATUS ? status_word(row.status)
                        : c->field == QUERY_AGENT  ? row.agent_id
                                                   : row.source_type;
    if (value)
        add(c, value);
    return 0;
}

static int add_memory(struct counting *c, int64_t node)
{
    struct row_label label;
    if (c->field == QUERY_LABEL) {
        if (loaded_label(c->labels, node, &label))
            add(c, label_name(label.label));
        return 0;
    }
    arena_clear(&c->arena);
    return c->field == QUERY_FLAG                            ? add_flags(c, node)
           : c->field == QUERY_TAG || c->field == QUERY_TOLD ? add_parts(c, node)
                                                             : add_shown(c, node);
}

/* The range as a query has it: "0.7..<0.8". */
static void write_range(char out[24], size_t range)
{
    snprintf(out, 24, range + 1 < RANGES ? "%.1f..<%.1f" : "%.1f..%.0f", (double)range / RANGES,
             (double)(range + 1) / RANGES);
}

/* Decides as a query does, with the ends as it reads them: 0.3 is not three times 0.1. */
static size_t range_of(double value)
{
    size_t range = (size_t)(value * RANGES);
    if (range + 1 < RANGES && value >= (double)(range + 1) / RANGES)
        range++;
    else if (range > 0 && value < (double)range / RANGES)
        range--;
    return range;
}

static void add_confidence(struct counting *c, double shown)
{
    if (shown >= 0)
        c->ranges[shown >= 1 ? RANGES - 1 : range_of(shown)]++;
}

/* The confidence that lists show. The ranks have 0 both for that and for none, which takes a look at those rows. */
static int add_confidences(struct counting *c, const int64_t *nodes, size_t count)
{
    AUTO_FREE int64_t *rest = xcalloc(count + 1, sizeof(*rest));
    AUTO_FREE struct row_label *label = xcalloc(count + 1, sizeof(*label));
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = (uint64_t)nodes[i] <= c->ranks->rows && c->ranks->value[nodes[i] - 1] > 0;
        if (known)
            add_confidence(c, c->ranks->value[nodes[i] - 1]);
        else
            rest[left++] = nodes[i];
    }
    if (effective_of_rows(c->r, rest, left, label, c->e))
        return -1;
    for (size_t i = 0; i < left; i++)
        add_confidence(c, effective_shown(&label[i]));
    return reader_check(c->r, c->e);
}

static int take(void *arg, const int64_t *nodes, size_t count)
{
    struct counting *c = arg;
    if (c->looked)
        atomic_fetch_add(c->looked, count);
    if (facet_is_ranges(c->field)) {
        c->failed = add_confidences(c, nodes, count);
        return c->failed;
    }
    for (size_t i = 0; i < count && !c->failed; i++)
        c->failed = add_memory(c, nodes[i]) || (READER_REPORTS(i) && reader_check(c->r, c->e));
    return c->failed;
}

static int by_count(const void *a, const void *b)
{
    const struct facet *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->value, y->value);
}

/* All ranges, the highest first; none if all are empty. */
static size_t take_ranges(const struct counting *c, struct arena *arena, struct facet *out)
{
    size_t sum = 0;
    char text[24];
    for (size_t i = 0; i < RANGES; i++)
        sum += c->ranges[i];
    for (size_t i = 0; i < RANGES && sum; i++) {
        write_range(text, RANGES - 1 - i);
        out[i] = (struct facet){arena_strdup(arena, text), c->ranges[RANGES - 1 - i]};
    }
    return sum ? RANGES : 0;
}

int facet_count(struct reader *r, const struct list_query *list, enum query_field field,
                struct arena *arena, atomic_size_t *looked, struct facet **out, size_t *count,
                struct error *e)
{
    struct counting c = {.r = r, .field = field, .arena = ARENA_INIT, .looked = looked, .e = e};
    if (reader_begin(r, e))
        return -1;
    c.failed = field == QUERY_LABEL && !(c.labels = loaded_labels_get(r, e));
    if (!c.failed && facet_is_ranges(field))
        c.failed = !(c.ranks = ranks_get(r, RANKED_BY_EFFECTIVE, e));
    if (!c.failed && list_ids(r, list, take, &c, e))
        c.failed = true;
    *count = c.failed ? 0 : c.values.count;
    *out = arena_array(arena, *count + RANGES, sizeof(**out));
    for (size_t i = 0; i < *count; i++)
        (*out)[i] = (struct facet){arena_strdup(arena, c.values.key[i].text), c.counts[i]};
    SORT(*out, *count, by_count);
    if (!c.failed && facet_is_ranges(field))
        *count = take_ranges(&c, arena, *out);
    ranks_release(c.ranks);
    loaded_release(c.labels);
    key_index_release(&c.values);
    free(c.counts);
    arena_release(&c.arena);
    return reader_done(r, c.failed ? -1 : 0);
}
