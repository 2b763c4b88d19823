/*
 * The question suspects: which source, agent or session stands behind what reviewers rejected.
 * Fault localisation: a memory that a person rejected is a failed test, one that a person approved
 * a passed one, and what it comes from is the code that ran (Ochiai's coefficient; Abreu, Zoeteweij
 * and van Gemund 2007).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/graph/walk.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/orphans.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/questions/questions.h"

static const struct report_column columns[] = {
    {"subject", "subject", REPORT_TEXT},
    {"rejected", "rejected", REPORT_COUNT},
    {"approved", "approved", REPORT_COUNT},
    {"score", "score", REPORT_NUMBER},
    {"ref", NULL, REPORT_REF},
    {0},
};
static const struct report_part parts[] = {
    {.shape = PART_LINES,
     .title = "suspects",
     .columns = columns,
     .none = "nothing was rejected by a person"},
    {0},
};

/* Status 3 is retracted, 10 rejected. A person's word alone counts. */
static const char verdicts_sql[] =
    "SELECT m.id, a.name, (SELECT v.session FROM event v WHERE "
    "v.subject = m.id ORDER BY v.seq LIMIT 1),"
    " EXISTS (SELECT 1 FROM mark k WHERE k.memory = m.id AND k.mark "
    "= 'poisoned' AND k.by_agent IS NOT 1)"
    "  OR (m.status IN (3, 10) AND EXISTS (SELECT 1 FROM event v WHERE "
    "v.subject = m.id AND v.operation = 'retract'"
    "   AND v.person)),"
    " EXISTS (SELECT 1 FROM mark k WHERE k.memory = m.id AND k.mark "
    "= 'approved' AND k.by_agent IS NOT 1)"
    " FROM memory m NOT INDEXED LEFT JOIN agent a ON a.id = m.agent "
    "WHERE m.status <> 7 AND (m.status IN (3, 10)"
    "  OR m.id IN (SELECT memory FROM mark WHERE mark IN "
    "('poisoned', 'approved') AND by_agent IS NOT 1))";

struct verdict {
    int64_t row, session; /* session 0: none is known */
    const char *agent;
    bool rejected;
};

/* A source, an agent or a session, and what became of the memories that come from it. */
struct suspect {
    const char *name;
    int64_t row; /* of a source, else 0 */
    size_t rejected, approved;
    double score;
};

struct trial {
    struct arena *arena;
    struct reader *reader;
    struct verdict *verdict;
    size_t count, alloc, rejected;
    struct key_index names; /* of the suspects, in their order */
    struct suspect *suspect;
    size_t suspects, suspect_alloc;
    struct map known; /* of a source: its place among the suspects, and one */
    struct error *e;
};

static int read_verdicts(struct trial *t)
{
    struct query rows = db_query(reader_db(t->reader), t->e, verdicts_sql, "");
    while (db_next(&rows)) {
        bool rejected = sqlite3_column_int(rows.stmt, 3) != 0,
             approved = sqlite3_column_int(rows.stmt, 4) != 0;
        enum visibility visibility = VISIBLE_WHOLE; /* what others did is not the caller's */
        if (guard_hides(t->reader) &&
            guard_visibility(t->reader, sqlite3_column_int64(rows.stmt, 0), &visibility, t->e))
            return db_fail(&rows);
        if ((!rejected && !approved) || visibility != VISIBLE_WHOLE)
            continue;
        *ARENA_ADD(t->arena, t->verdict, t->count, t->alloc) =
            (struct verdict){sqlite3_column_int64(rows.stmt, 0), sqlite3_column_int64(rows.stmt, 2),
                             column_utf8(t->arena, rows.stmt, 1), rejected};
        t->rejected += rejected;
    }
    return db_end(&rows);
}

static size_t find_suspect(struct trial *t, const char *name, int64_t row)
{
    size_t at = key_index_add(&t->names, name, strlen(name));
    if (at == t->suspects)
        *ARENA_ADD(t->arena, t->suspect, t->suspects, t->suspect_alloc) =
            (struct suspect){.name = name, .row = row};
    return at;
}

static void accuse(struct trial *t, size_t suspect, bool rejected)
{
    t->suspect[suspect].rejected += rejected;
    t->suspect[suspect].approved += !rejected;
}

/* Each is read once, however many memories come from it. */
static int accuse_source(struct trial *t, int64_t row, bool rejected)
{
    int64_t *known = map_at(&t->known, row);
    if (!*known) {
        struct memory_row m;
        if (memory_row_read(t->reader, t->arena, row, &m, t->e))
            return -1;
        *known = 1 + (int64_t)find_suspect(t, ref_short(t->reader, t->arena, m.ref), row);
    }
    accuse(t, (size_t)*known - 1, rejected);
    return 0;
}

/* Accuses each source of the memory: what it comes from and what is based on nothing itself,
 * whether it stands or not. */
static int accuse_sources(struct trial *t, const struct graph *g, uint32_t node, bool rejected)
{
    AUTO(row_index) reached = ROW_INDEX_INIT;
    int result = 0;
    row_index_add(&reached, node);
    reached_walk(&reached, g, ANCESTORS, 0, NULL);
    for (size_t i = 0; i < reached.count && result == 0; i++) {
        uint32_t source = reached_node(&reached, i);
        struct steps steps = graph_steps(g, ANCESTORS, source);
        if (steps.from == steps.to)
            result = accuse_source(t, graph_row(g, source), rejected);
    }
    return result;
}

static int accuse_all(struct trial *t)
{
    struct graph g;
    bool bounded;
    AUTO_FREE uint8_t *view = NULL;
    int64_t *rows = arena_array(t->arena, t->count + 1, sizeof(*rows));
    for (size_t i = 0; i < t->count; i++)
        rows[i] = t->verdict[i].row;
    int result =
        graph_load_surroundings(t->reader, &g, rows, t->count, ANCESTORS, 0, &bounded, t->e) ||
        guard_graph(t->reader, &g, t->e) ||
        (guard_hides_linked(t->reader) && graph_thin_visible(&g, t->reader, false, &view, t->e));
    for (uint32_t i = 0; i < t->count && result == 0; i++) {
        const struct verdict *v = &t->verdict[i];
        if (v->agent)
            accuse(t, find_suspect(t, arena_format(t->arena, "agent %s", v->agent), 0),
                   v->rejected);
        if (v->session)
            accuse(
                t,
                find_suspect(t, arena_format(t->arena, "session %lld", (long long)v->session), 0),
                v->rejected);
        result = accuse_sources(t, &g, i, v->rejected);
    }
    graph_release(&g);
    return result ? -1 : 0;
}

static int most_suspect_first(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    int order =
        x->score != y->score ? COMPARE(y->score, x->score) : COMPARE(y->rejected, x->rejected);
    return order ? order : strcmp(x->name, y->name);
}

static void report(struct trial *t, struct report *p, const struct asked *asked)
{
    for (size_t i = 0; i < t->suspects; i++) {
        struct suspect *s = &t->suspect[i];
        s->score = t->rejected ? (double)s->rejected /
                                     sqrt((double)t->rejected * (double)(s->rejected + s->approved))
                               : 0;
    }
    SORT(t->suspect, t->suspects, most_suspect_first);
    for (size_t i = 0; i < t->suspects; i++) {
        const struct suspect *s = &t->suspect[i];
        if (s->rejected == 0 || !asked_for(asked, s->row) || report_is_full(p, asked->limit))
            continue;
        struct cell *c = report_add(p, 0, 0);
        cell_text(&c[0], s->name);
        cell_int(&c[1], (int64_t)s->rejected);
        cell_int(&c[2], (int64_t)s->approved);
        cell_number(&c[3], s->score);
        if (s->row)
            cell_int(&c[4], s->row);
    }
}

static int answer_suspects(struct report *p, struct reader *r, const struct asked *asked,
                           struct error *e)
{
    struct trial t = {.arena = p->arena, .reader = r, .e = e};
    int result = read_verdicts(&t) || (t.rejected && accuse_all(&t)) ? -1 : 0;
    if (result == 0)
        report(&t, p, asked);
    key_index_release(&t.names);
    map_release(&t.known);
    return result;
}

const struct question question_suspects = {
    .name = "suspects", .of = ABOUT_ALL, .parts = parts, .answer = answer_suspects};
