/* Duplicates and conflicts of all memories, and recorded contradictions. */
#include "store/similar/similar.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "model/graph/graph.h"
#include "model/graph/lineage.h"
#include "store/guard/guard.h"
#include "store/lineage/neighbours.h"
#include "store/lineage/subgraph.h"
#include "store/similar/similar_internal.h"
#include "store/lineage/loaded.h"
#include "store/lineage/loaded_texts.h"

#define SHOWN_MAX 60 /* bytes of a value in a reason */

/* ---- texts as the caller sees them ---- */

bool is_compared(const struct finder *f, enum kind kind)
{
    /* Raw entries are what was captured: what they say of the world changes all the time. */
    return kind < KIND_ATTRIBUTION && (kind != KIND_RAW || f->question == SIMILAR_DUPLICATES);
}

/* The column as the caller may read it, until the next call: what is masked must not decide what is similar. */
static const char *shown_text(struct finder *f, int64_t row, enum kind kind, sqlite3_stmt *stmt,
                              int column)
{
    arena_clear(&f->each);
    const char *text = column_utf8(&f->each, stmt, column);
    if (!text || !guard_rules_of(f->r))
        return text ? text : "";
    text = guard_text(f->r, &f->each, text, strlen(text));
    text = guard_memory_text(f->r, &f->each, row, kind, text);
    return reader_masked(f->r) ? guard_mask_text(reader_masked(f->r), &f->each, text) : text;
}

static bool is_listed(struct finder *f, int64_t row)
{
    bool listed = true;
    return !guard_hides(f->r) || (guard_lists(f->r, row, &listed, f->e) == 0 && listed);
}

int read_seen(struct finder *f, int64_t row, unsigned kinds, struct seen *out)
{
    struct query one =
        db_query(reader_db(f->r), f->e,
                 "SELECT kind, status, created_at, text FROM memory WHERE id = ?", "i", row);
    *out = (struct seen){.row = row, .text = ""};
    if (!db_next(&one))
        return db_end(&one);
    int kind = column_enum(one.stmt, 0, KIND_COUNT);
    out->kind = kind < 0 ? KIND_ENTRY : (enum kind)kind;
    out->created_at = sqlite3_column_int64(one.stmt, 2);
    out->compared = is_compared(f, out->kind) && kinds & KIND_BIT(out->kind) &&
                    sqlite3_column_int(one.stmt, 1) == STATUS_ACTIVE && is_listed(f, row);
    if (out->compared)
        out->text = shown_text(f, row, out->kind, one.stmt, 3);
    return db_end(&one);
}

/* ---- the answer ---- */

static struct similar_set *add_set(struct finder *f, size_t count)
{
    struct similar_set *set = ARENA_ADD(f->arena, f->out->set, f->out->count, f->out->alloc);
    *set = (struct similar_set){
        .row = arena_array(f->arena, count, sizeof(*set->row)), .count = count, .similarity = 1};
    return set;
}

static bool is_newer(const struct seen *a, const struct seen *b)
{
    return a->created_at != b->created_at ? a->created_at > b->created_at : a->row > b->row;
}

static struct similar_set *add_pair(struct finder *f, const struct seen *a, const struct seen *b)
{
    struct similar_set *set = add_set(f, 2);
    set->row[0] = is_newer(a, b) ? a->row : b->row;
    set->row[1] = set->row[0] == a->row ? b->row : a->row;
    return set;
}

/* `text` is a copy: of two memories one is read after the other. */
void add_candidate(struct finder *f, const struct seen *a, const struct seen *b, double similarity,
                   enum difference how, struct span a_at, struct span b_at)
{
    struct similar_set *set = add_pair(f, a, b);
    bool swapped = set->row[0] != a->row;
    const struct seen *newer = swapped ? b : a, *older = swapped ? a : b;
    struct span at = swapped ? b_at : a_at, was = swapped ? a_at : b_at;
    const char *now = newer->text + at.at, *then = older->text + was.at;
    set->similarity = similarity;
    set->reason = !at.len ? difference_name(how)
                          : arena_format(f->arena, "%s: %.*s / %.*s", difference_name(how),
                                         (int)utf8_fit(now, at.len, SHOWN_MAX), now,
                                         (int)utf8_fit(then, was.len, SHOWN_MAX), then);
}

static int by_size(const void *a, const void *b)
{
    const struct similar_set *x = a, *y = b;
    int order = COMPARE(y->count, x->count);
    return order ? order : COMPARE(x->row[0], y->row[0]);
}

static int by_pair(const void *a, const void *b)
{
    const struct similar_set *x = a, *y = b;
    int order = COMPARE(y->row[0], x->row[0]);
    return order ? order : COMPARE(y->row[1], x->row[1]);
}

static int by_record(const void *a, const void *b)
{
    const struct similar_set *x = a, *y = b;
    int order = y->recorded - x->recorded;
    return order ? order : by_pair(a, b);
}

static int by_pair_and_record(const void *a, const void *b)
{
    const struct similar_set *x = a, *y = b;
    int order = by_pair(a, b);
    return order ? order : y->recorded - x->recorded;
}

/* Sorts the sets, each pair once: a recorded one counts. */
static void sort_sets(struct finder *f)
{
    struct similar_sets *s = f->out;
    size_t kept = 0;
    if (s->count == 0)
        return;
    if (f->question == SIMILAR_DUPLICATES) {
        SORT(s->set, s->count, by_size);
        return;
    }
    SORT(s->set, s->count, by_pair_and_record);
    for (size_t i = 0; i < s->count; i++)
        if (kept == 0 || by_pair(&s->set[kept - 1], &s->set[i]) != 0)
            s->set[kept++] = s->set[i];
    s->count = kept;
    SORT(s->set, s->count, by_record);
}

/* ---- recorded contradictions ---- */

/* Adds the pairs that a query returns: memory, target, reason. Role 18 is contradicts. */
static int add_recorded(struct finder *f, struct query rows)
{
    struct seen a, b;
    while (db_next(&rows)) {
        int64_t from = sqlite3_column_int64(rows.stmt, 0), to = sqlite3_column_int64(rows.stmt, 1);
        const char *reason = column_utf8(f->arena, rows.stmt, 2);
        bool hidden = false; /* the reason is the name of an entry that the caller does not see */
        if (read_seen(f, from, KINDS_ALL, &a) || read_seen(f, to, KINDS_ALL, &b) ||
            (reason && guard_names_hidden(f->r, reason, &hidden, f->e)))
            return db_fail(&rows);
        if (from == to || !a.compared || !b.compared)
            continue;
        struct similar_set *set = add_pair(f, &a, &b);
        set->recorded = true;
        set->reason = reason && !hidden ? guard_text(f->r, f->arena, reason, strlen(reason)) : NULL;
    }
    return db_end(&rows);
}

#define RECORDED_SQL "SELECT memory, target, reason FROM link WHERE shape & 31 = 18 AND "

static int find_recorded(struct finder *f, const int64_t *rows, size_t count)
{
    struct db *db = reader_db(f->r);
    if (count == 0)
        return add_recorded(f, db_query(db, f->e, RECORDED_SQL "target IS NOT NULL", ""));
    for (size_t i = 0; i < count; i++)
        if (add_recorded(f, db_query(db, f->e, RECORDED_SQL "memory = ? AND target IS NOT NULL",
                                     "i", rows[i])) ||
            add_recorded(f, db_query(db, f->e, RECORDED_SQL "target = ?", "i", rows[i])))
            return -1;
    return 0;
}

/* ---- all memories ---- */

/* Passes for progress: signing, and each band once or twice. */
#define PARTS(f)                                                                                   \
    ((f)->question == SIMILAR_DUPLICATES ? 1 + SIGNATURE_BANDS : 1 + 2 * SIGNATURE_BANDS)

static int sign_all(struct finder *f)
{
    static const char seen[] = "SELECT id, kind, text FROM memory WHERE status = 0 AND kind < 9";
    static const char listed[] =
        "SELECT id, kind, text FROM memory WHERE status = 0 AND kind < 9" GUARD_SQL;
    AUTO(statement) s = STATEMENT_INIT;
    struct query rows = db_query(reader_db(f->r), f->e, guard_hides(f->r) ? listed : seen, "");
    while (db_next(&rows)) {
        int64_t row = sqlite3_column_int64(rows.stmt, 0);
        int kind = column_enum(rows.stmt, 1, KIND_COUNT);
        if (READER_REPORTS(++f->done))
            reader_progress(f->r, f->done, 0);
        if (kind < 0 || !is_compared(f, (enum kind)kind))
            continue;
        const char *text = shown_text(f, row, (enum kind)kind, rows.stmt, 2);
        statement_parse(&s, text, strlen(text));
        texts_add(&f->texts, row, kind, &s);
    }
    return db_end(&rows);
}

int read_text(void *arg, size_t text, struct statement *out)
{
    struct finder *f = arg;
    struct seen m;
    if (READER_REPORTS(++f->done) && reader_check(f->r, f->e))
        return -1;
    if (read_seen(f, f->texts.text[text].row, KINDS_ALL, &m))
        return -1;
    statement_parse(out, m.text, strlen(m.text));
    return 0;
}

static int begin_band(void *arg, size_t band)
{
    struct finder *f = arg;
    reader_part(f->r, 1 + (int)band, PARTS(f));
    return reader_check(f->r, f->e);
}

static int check_band(void *arg, size_t band)
{
    struct finder *f = arg;
    (void)band;
    return reader_check(f->r, f->e);
}

/* Of each group with more than one member, the oldest first: rows ascend. */
static void add_groups(struct finder *f)
{
    const struct signed_text *text = f->texts.text;
    for (uint32_t i = 0; i < f->texts.count; i++) {
        size_t count = 1;
        if (text[i].parent != i || text[i].next == i)
            continue;
        for (uint32_t k = text[i].next; k != i; k = text[k].next)
            count++;
        struct similar_set *set = add_set(f, count);
        set->similarity = (double)text[i].similarity;
        set->row[0] = text[i].row;
        for (uint32_t k = text[i].next; k != i; k = text[k].next)
            set->row[--count] = text[k].row;
        SORT(set->row, set->count, row_compare);
    }
}

static int take_conflict(void *arg, size_t x, size_t y)
{
    struct finder *f = arg;
    AUTO(statement) s = STATEMENT_INIT, t = STATEMENT_INIT;
    struct seen a, b;
    double similarity;
    enum difference how;
    struct span a_at, b_at;
    AUTO_ARENA kept = ARENA_INIT;
    uint32_t i = texts_root(&f->texts, (uint32_t)x), k = texts_root(&f->texts, (uint32_t)y);
    int64_t key = (int64_t)((uint64_t)(i < k ? i : k) << 32 | (i < k ? k : i));
    if (row_index_find(&f->paired, key) != ROW_NONE)
        return 0;
    row_index_add(&f->paired, key);
    int result = read_seen(f, f->texts.text[x].row, KINDS_ALL, &a);
    if (result == 0) {
        a.text = arena_strdup(&kept, a.text);
        statement_parse(&s, a.text, strlen(a.text));
        result = read_seen(f, f->texts.text[y].row, KINDS_ALL, &b);
    }
    if (result == 0) {
        statement_parse(&t, b.text, strlen(b.text));
        if (statements_conflict(&s, &t, &similarity, &how, &a_at, &b_at))
            add_candidate(f, &a, &b, similarity, how, a_at, b_at);
    }
    return result;
}

static int find_all(struct finder *f)
{
    const struct text_reader from = {read_text, begin_band, f};
    bool duplicates = f->question == SIMILAR_DUPLICATES;
    if (duplicates && texts_take(f)) {
        add_groups(f);
        texts_give(f);
        return 0;
    }
    if (reader_begin_long(f->r, f->e))
        return -1;
    reader_part(f->r, 0, PARTS(f));
    if (sign_all(f) || texts_group(&f->texts, &from))
        return -1;
    if (duplicates) {
        add_groups(f);
        texts_put(f);
        return 0;
    }
    f->out->templates = texts_skip_templates(&f->texts);
    return texts_conflicts(&f->texts, &from, take_conflict);
}

static int find_among(struct finder *f, const int64_t *rows, size_t count)
{
    const struct text_reader from = {read_text, check_band, f};
    struct statement s = STATEMENT_INIT;
    struct seen m;
    int result = 0;
    struct row_set once = {0}, none = {0};
    for (size_t i = 0; i < count; i++)
        row_set_add(&once, rows[i]);
    for (int64_t row = 0; result == 0 && (row = row_set_next(&once, &none, row));) {
        result = reader_check(f->r, f->e) || read_seen(f, row, KINDS_ALL, &m) ? -1 : 0;
        if (result == 0 && m.compared) {
            statement_parse(&s, m.text, strlen(m.text));
            texts_add(&f->texts, m.row, (int)m.kind, &s);
        }
    }
    row_set_release(&once);
    statement_release(&s);
    if (result || texts_group(&f->texts, &from))
        return -1;
    add_groups(f);
    return 0;
}

static int find_sets(struct finder *f, const int64_t *rows, size_t count)
{
    if (f->question == SIMILAR_CONFLICTS && find_recorded(f, rows, count))
        return -1;
    if (count == 0)
        return find_all(f);
    for (size_t i = 0; i < count; i++)
        if (find_near(f, rows[i]))
            return -1;
    return 0;
}

static int ask(struct reader *r, struct arena *arena, enum similar_question question,
               int (*find)(struct finder *f, const int64_t *rows, size_t count),
               const int64_t *rows, size_t count, struct similar_sets *out, struct error *e)
{
    struct finder f = {.r = r,
                       .arena = arena,
                       .question = question,
                       .out = out,
                       .e = e,
                       .texts = TEXTS_INIT,
                       .paired = ROW_INDEX_INIT,
                       .each = ARENA_INIT};
    *out = (struct similar_sets){.set = NULL};
    if (reader_begin(r, e))
        return -1;
    int result = find(&f, rows, count);
    if (result == 0)
        sort_sets(&f);
    texts_release(&f.texts);
    row_index_release(&f.paired);
    arena_release(&f.each);
    return reader_done(r, result);
}

int similar_find(struct reader *r, struct arena *arena, enum similar_question question,
                 const int64_t *rows, size_t count, struct similar_sets *out, struct error *e)
{
    return ask(r, arena, question, find_sets, rows, count, out, e);
}

int similar_among(struct reader *r, struct arena *arena, const int64_t *rows, size_t count,
                  struct similar_sets *out, struct error *e)
{
    return ask(r, arena, SIMILAR_DUPLICATES, find_among, rows, count, out, e);
}

const char *similar_left_out(struct arena *arena, const struct similar_sets *sets)
{
    if (sets->cut)
        return "many memories have the same words: only the newest were compared";
    if (sets->templates)
        return arena_format(arena,
                            "%zu wording%s with more than %d different values: no candidates from "
                            "%s",
                            sets->templates, sets->templates == 1 ? "" : "s", TEMPLATE_VALUES,
                            sets->templates == 1 ? "it" : "them");
    return NULL;
}

/* ---- independence ---- */

/* Walks from a member to all that it is based on. Returns false if another member came there. */
static bool claim_ancestors(const struct graph *g, uint32_t member, uint32_t *owner, uint32_t *todo)
{
    size_t count = 0;
    if (owner[member] != NODE_NONE)
        return false;
    owner[member] = member;
    todo[count++] = member;
    while (count) {
        uint32_t node = todo[--count];
        for (uint32_t j = g->just_first[node]; j < g->just_first[node + 1]; j++)
            for (uint32_t i = g->link_first[j]; i < g->link_first[j + 1]; i++) {
                uint32_t to = g->link_to[i];
                if (owner[to] == member)
                    continue;
                if (owner[to] != NODE_NONE)
                    return false;
                owner[to] = member;
                todo[count++] = to;
            }
    }
    return true;
}

/* Is one of the origins that the walks found a memory of which nobody said where it comes from? */
static bool has_unsourced(const struct graph *g, const uint32_t *owner)
{
    for (uint32_t node = 0; node < g->nodes; node++)
        if (owner[node] != NODE_NONE && g->just_first[node] == g->just_first[node + 1] &&
            !kind_spec(g->kind[node])->is_source)
            return true;
    return false;
}

int similar_independent(struct reader *r, const struct similar_set *set, enum similar_origins *out,
                        struct error *e)
{
    struct graph g;
    bool bounded;
    graph_init(&g);
    bool independent = false;
    if (reader_begin(r, e))
        return -1;
    int result =
        failed_if(graph_load_surroundings(r, &g, set->row, set->count, ANCESTORS, 0, &bounded, e) ||
                  guard_graph(r, &g, e));
    AUTO_FREE uint32_t *owner = xmalloc(((size_t)g.nodes + 1) * sizeof(*owner));
    AUTO_FREE uint32_t *todo = xmalloc(((size_t)g.nodes + 1) * sizeof(*todo));
    for (uint32_t node = 0; node < g.nodes; node++)
        owner[node] = NODE_NONE;
    /* The one place that decides: model/graph/roots.h may answer with its derivations. */
    for (uint32_t i = 0; i < set->count && result == 0; i++)
        independent = claim_ancestors(&g, i, owner, todo) && (i == 0 || independent);
    *out = !independent               ? ORIGINS_SHARED
           : has_unsourced(&g, owner) ? ORIGINS_UNKNOWN
                                      : ORIGINS_INDEPENDENT;
    graph_release(&g);
    return reader_done(r, result);
}

/* ---- the texts of all memories ---- */

/*
 * The texts of all memories, kept once somebody asked for all duplicates (store/lineage/loaded.h), and brought to the
 * reader's event from the journal: then a question about one memory, or about all again, costs what changed since.
 *
 * Each question looks at all texts that came after the bands were sorted. Beyond LATER_MOST it would cost a
 * millisecond: they are forgotten, and computed anew when somebody asks for all.
 */
#define LATER_MOST 4096

static int last_row(struct finder *f, int64_t *last)
{
    return db_int(reader_db(f->r), last, 0, f->e, "SELECT max(id) FROM memory", "");
}

static int change(struct finder *f, int64_t row)
{
    const struct text_reader from = {read_text, NULL, f};
    AUTO(statement) s = STATEMENT_INIT;
    struct seen m;
    int result = read_seen(f, row, KINDS_ALL, &m);
    if (result == 0 && m.compared)
        statement_parse(&s, m.text, strlen(m.text));
    if (result == 0)
        result = texts_change(&f->texts, &from, row, (int)m.kind, m.compared ? &s : NULL);
    return result;
}

/* Returns 0, or -1 if the texts cannot be those of the reader's event. */
static int bring_to(struct finder *f, struct loaded_texts *k, int64_t seq)
{
    enum similar_question asked = f->question;
    int64_t row[LATER_MOST];
    size_t count;
    int result = loaded_changed(f->r, k->seq, k->last, LATER_MOST, row, &count) &&
                         texts_later(&f->texts) + count < LATER_MOST
                     ? last_row(f, &k->last)
                     : -1;
    f->question = SIMILAR_DUPLICATES; /* raw entries are among the texts */
    for (size_t i = 0; i < count && result == 0; i++)
        result = change(f, row[i]);
    f->question = asked;
    k->seq = result ? 0 : seq;
    return result;
}

bool texts_take(struct finder *f)
{
    struct error ignored;
    int64_t seq;
    struct loaded_texts *k = f->kept = loaded_texts_take(f->r);
    if (!k)
        return false;
    bool usable = k->seq && reader_snapshot_seq(f->r, &seq, &ignored) == 0 && k->seq <= seq;
    f->texts = k->texts;
    if (usable && k->seq < seq && bring_to(f, k, seq)) {
        texts_release(&f->texts);
        usable = false;
    }
    if (!usable)
        texts_give(f);
    return usable;
}

void texts_give(struct finder *f)
{
    f->kept->texts = f->texts;
    f->texts = (struct texts)TEXTS_INIT;
    f->kept = NULL;
    loaded_texts_give(f->r);
}

void texts_put(struct finder *f)
{
    struct loaded_texts *k = loaded_texts_take(f->r);
    int64_t seq;
    if (!k)
        return;
    if (reader_snapshot_seq(f->r, &seq, f->e) == 0 && seq > k->seq && last_row(f, &k->last) == 0) {
        texts_release(&k->texts);
        *k = (struct loaded_texts){f->texts, seq, k->last};
        f->texts = (struct texts)TEXTS_INIT;
    }
    loaded_texts_give(f->r);
}
