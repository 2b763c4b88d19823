/*
 * A search reads what the index leaves, newest first, and checks each memory's text. Those that have
 * all words whole are given as they are found; the others wait until all have been read, for they
 * come after them.
 *
 * "Newest first" is not the order of the rows. A few candidates are sorted by when they were created;
 * many are met in order on a walk along the list, which costs less than looking each of them up.
 */
#include "search.h"

#include "../model/alloc.h"
#include "../model/fold.h"
#include "column.h"
#include "filter.h"
#include "list.h"
#include "search_index.h"

struct search {
    struct reader *r;
    struct db *db;
    const struct search_query *query;
    struct words words;
    struct candidates candidates;
    int (*each)(void *arg, int64_t node, bool exact);
    void *arg;
    bool stopped;   /* `each` has enough */
    int64_t *later; /* matches in part, newest first */
    size_t later_count, later_alloc;
    /* of the memory that is checked */
    struct arena arena;
    struct strbuf text, folded;
};

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Search for a rarer word.", "memory ran out while searching");
}

static struct list_query as_list(const struct search_query *q)
{
    return (struct list_query){.kinds = q->kinds, .agent = q->agent, .statuses = q->statuses};
}

/* ---- one memory ---- */

static int read_text(struct search *s, int64_t node, struct error *e)
{
    struct memory m = {0};
    bool failed = false;
    sqlite3_stmt *stmt = db_prepare(s->db,
                                    "SELECT text, tags, context, source, source_entity, detail"
                                    " FROM memory WHERE id = ?",
                                    e);
    int found = stmt ? db_bind(s->db, stmt, e, "i", node) : -1;
    if (found <= 0)
        return found;
    m.text = column_text(&s->arena, stmt, 0, &failed);
    m.tags = column_strings(&s->arena, stmt, 1, &m.tag_count, &failed);
    m.context = column_text(&s->arena, stmt, 2, &failed);
    m.source = column_text(&s->arena, stmt, 3, &failed);
    m.source_entity = column_text(&s->arena, stmt, 4, &failed);
    m.detail = column_text(&s->arena, stmt, 5, &failed);
    sqlite3_reset(stmt);
    if (!failed)
        memory_search_text(&m, &s->text);
    return failed || s->text.failed ? out_of_memory(e) : 0;
}

/* Does the memory have the words? It is given at once, or kept for later. */
static int check(struct search *s, int64_t node, struct error *e)
{
    arena_clear(&s->arena);
    strbuf_clear(&s->text);
    strbuf_clear(&s->folded);
    if (read_text(s, node, e))
        return -1;
    fold_text(&s->folded, s->text.buf, s->text.len);
    if (s->folded.failed)
        return out_of_memory(e);
    enum match match = words_match(&s->words, s->folded.buf, s->folded.len);
    if (match == MATCH_EXACT)
        s->stopped = s->each(s->arg, node, true) != 0;
    if (match != MATCH_PART)
        return 0;
    if (!array_grow((void **)&s->later, &s->later_alloc, s->later_count, sizeof(*s->later)))
        return out_of_memory(e);
    s->later[s->later_count++] = node;
    return 0;
}

/* ---- many candidates: along the list ---- */

static int walk_list(struct search *s, struct error *e)
{
    struct list_query query = as_list(s->query);
    struct list *l = list_open(s->r, &query, NULL, e);
    if (!l)
        return -1;
    int64_t node;
    int more = 1;
    while (!s->stopped && (more = list_next(l, &node, e)) > 0) {
        if (!candidates_has(&s->candidates, node))
            continue;
        if (reader_check(s->r, e) || check(s, node, e)) {
            more = -1;
            break;
        }
    }
    list_close(l);
    return more < 0 ? -1 : 0;
}

/* ---- few: sorted ---- */

struct dated {
    int64_t created_at, node;
};

static int newest_first(const void *a, const void *b)
{
    const struct dated *x = a, *y = b;
    if (x->created_at != y->created_at)
        return x->created_at > y->created_at ? -1 : 1;
    return (x->node < y->node) - (x->node > y->node);
}

/* 1 and its time where the row is one of those that are searched. */
static int date_row(struct search *s, const struct filter *f, int64_t row, int64_t *created_at,
                    struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(s->db, "SELECT created_at, " FILTER_COLUMNS " FROM memory WHERE id = ?", e);
    int found = stmt ? db_bind(s->db, stmt, e, "i", row) : -1;
    if (found <= 0)
        return found;
    *created_at = sqlite3_column_int64(stmt, 0);
    bool passes = filter_passes(f, stmt, 1);
    sqlite3_reset(stmt);
    return passes;
}

static int date_candidates(struct search *s, struct dated *dated, size_t *count, struct error *e)
{
    struct filter f;
    struct list_query query = as_list(s->query);
    const struct candidates *c = &s->candidates;
    *count = 0;
    if (filter_make(&f, s->db, &query, e))
        return -1;
    for (size_t word = 0; word <= c->rows / 64; word++)
        for (uint64_t bits = c->bit[word]; bits; bits &= bits - 1) {
            struct dated *d = &dated[*count];
            d->node = (int64_t)(word * 64 + (size_t)__builtin_ctzll(bits));
            int found = date_row(s, &f, d->node, &d->created_at, e);
            if (found < 0 || reader_check(s->r, e))
                return -1;
            *count += (size_t)found;
        }
    return 0;
}

static int walk_sorted(struct search *s, struct error *e)
{
    size_t count;
    struct dated *dated = malloc((s->candidates.count + 1) * sizeof(*dated));
    if (!dated)
        return out_of_memory(e);
    int result = date_candidates(s, dated, &count, e);
    if (result == 0)
        qsort(dated, count, sizeof(*dated), newest_first);
    for (size_t i = 0; result == 0 && i < count && !s->stopped; i++)
        result = reader_check(s->r, e) || check(s, dated[i].node, e) ? -1 : 0;
    free(dated);
    return result;
}

/* ---- all of it ---- */

/* A walk costs a step for each row; looking one up costs as much as some sixteen of them. */
static bool are_few(const struct candidates *c)
{
    return !c->all && c->count < c->rows / 16 + 64;
}

static int run(struct search *s, struct error *e)
{
    if (candidates_find(&s->candidates, s->r, &s->words, e))
        return -1;
    if (are_few(&s->candidates) ? walk_sorted(s, e) : walk_list(s, e))
        return -1;
    for (size_t i = 0; i < s->later_count && !s->stopped; i++)
        s->stopped = s->each(s->arg, s->later[i], false) != 0;
    return 0;
}

int search_run(struct reader *r, const struct search_query *query,
               int (*each)(void *arg, int64_t node, bool exact), void *arg, struct error *e)
{
    struct search s = {.r = r,
                       .db = reader_db(r),
                       .query = query,
                       .each = each,
                       .arg = arg,
                       .arena = ARENA_INIT,
                       .text = STRBUF_INIT,
                       .folded = STRBUF_INIT};
    if (words_parse(&s.words, query->words))
        return out_of_memory(e);
    int result = reader_begin(r, e);
    if (result == 0) {
        result = run(&s, e);
        reader_end(r);
    }
    candidates_release(&s.candidates);
    words_release(&s.words);
    free(s.later);
    arena_release(&s.arena);
    strbuf_release(&s.text);
    strbuf_release(&s.folded);
    return result;
}
