/*
 * Memories mostly stand in the order in which they were created. So the index is walked from its last row back, until
 * as many have matched as will be taken and none further back can be newer (recency.h): what is common is found
 * among a few rows, however large the store is.
 *
 * Where hardly any of the latest have the words whole, those in which they may stand whole are walked alone; when
 * there are no more of them, what matches in part is given too.
 */
#include <string.h>
#include "model/base/alloc.h"
#include "store/query/recency.h"
#include "store/search/search_state.h"
#include "store/search/search_text.h"

/* Rows that are looked at: before whole words are looked for alone, and at most for what is among the latest. */
#define FIRST_MAX  64
#define LATEST_MAX 512
#define ENOUGH     64 /* where it is not known how many will be taken */

/* Matches of one sort, the newest first. */
struct found {
    struct dated list[LATEST_MAX];
    size_t count;
    size_t enough;
    int64_t until; /* all that were created after this were met when the row is below `least` */
    int64_t least; /* 0: it is not known */
};

struct latest {
    struct search *s;
    struct filter filter;
    struct found whole, part;
    struct strays strays; /* which were looked at, whatever comes */
    int64_t before;       /* the row that was looked at last, on the way through all that match */
    int64_t rows;
};

/* How a walk ended. */
enum end {
    GIVEN_UP = 0,
    BOUNDED, /* those that are wanted are known */
    ENDED    /* there are no more */
};

static void insert(struct found *f, struct dated one)
{
    size_t at = f->count++;
    for (; at > 0 && dated_newest_first(&one, &f->list[at - 1]) < 0; at--)
        f->list[at] = f->list[at - 1];
    f->list[at] = one;
}

/* 1 and its time where the row is one of those that are searched, and matches. */
static int check_row(struct latest *l, int64_t row, int64_t *created_at, enum match *match,
                     struct error *e)
{
    struct search *s = l->s;
    sqlite3_stmt *stmt = db_prepare(s->db,
                                    "SELECT created_at, " FILTER_COLUMNS ", " SEARCH_TEXT_COLUMNS
                                    " FROM memory WHERE id = ?",
                                    e);
    int found = stmt ? db_bind(s->db, stmt, e, "i", row) : -1;
    if (found <= 0)
        return found;
    *created_at = sqlite3_column_int64(stmt, 0);
    *match = MATCH_NONE;
    int result = filter_passes(&l->filter, stmt, 1)
                     ? search_match_text(s, row, stmt, 1 + FILTER_COLUMN_COUNT, match, e)
                     : 0;
    sqlite3_reset(stmt);
    return result ? -1 : *match != MATCH_NONE;
}

/* One that matches, where there is room for it: 1. */
static int keep(struct latest *l, struct dated one, enum match match)
{
    struct found *f = match == MATCH_EXACT ? &l->whole : &l->part;
    if (f->count == LATEST_MAX)
        return 0;
    insert(f, one);
    return 1;
}

/* What a walk takes: those that match so, into `f`. */
struct taking {
    enum match wanted; /* MATCH_NONE: both sorts, until there are enough whole */
    struct found *f;
    size_t most; /* rows that are looked at */
};

static bool is_wanted(const struct taking *t, enum match match)
{
    return t->wanted == MATCH_NONE || t->wanted == match;
}

/* Those that no walk came upon so far, which goes down to `row`: they are not waited for. */
static int check_strays(struct latest *l, const struct taking *t, const struct strays *strays,
                        int64_t row, struct error *e)
{
    int matches = 1;
    for (size_t i = 0; i < strays->count && matches > 0; i++) {
        enum match match;
        struct dated one = {.node = strays->row[i]};
        if (one.node >= row || strays_have(&l->strays, one.node))
            continue;
        matches = check_row(l, one.node, &one.created_at, &match, e);
        if (matches >= 0)
            matches = matches && is_wanted(t, match) ? keep(l, one, match) : 1;
    }
    if (matches > 0)
        l->strays = *strays;
    return matches;
}

/*
 * Where enough were found it is asked how far to go on for them to be the newest. 1; 0 where that is further than
 * it is worth: by what was looked at on the way so far.
 */
static int bound(struct latest *l, const struct taking *t, int64_t row, size_t looked,
                 struct error *e)
{
    struct strays strays;
    struct found *f = t->f;
    if (f->count < f->enough || f->least)
        return 1;
    f->least = INT64_MAX; /* nothing is wanted */
    f->until = INT64_MAX;
    if (f->enough == 0)
        return 1;
    f->until = f->list[f->enough - 1].created_at;
    if (recency_least(l->s->r, f->until, row, &f->least, &strays, e))
        return -1;
    int64_t passed = l->rows - row + 1, left = row > f->least ? row - f->least : 0;
    if (left / LATEST_MAX >= passed / (int64_t)(looked + 1) + 1)
        return 0;
    return check_strays(l, t, &strays, row, e);
}

static int take(struct latest *l, const struct taking *t, int64_t row, size_t looked,
                struct error *e)
{
    enum match match;
    struct dated one = {.node = row};
    if (strays_have(&l->strays, row))
        return 1;
    int matches = check_row(l, row, &one.created_at, &match, e);
    if (matches < 0)
        return -1;
    if (matches && is_wanted(t, match) && !keep(l, one, match))
        return 0;
    return bound(l, t, row, looked, e);
}

/* Along the rows of `match` before *before. */
static int walk(struct latest *l, const struct taking *t, const char *match, int64_t *before,
                struct error *e)
{
    struct search *s = l->s;
    sqlite3_stmt *stmt =
        db_prepare(s->db,
                   "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? AND rowid < ?"
                   " ORDER BY rowid DESC",
                   e);
    int more = stmt ? db_bind(s->db, stmt, e, "si", match, *before) : -1;
    int end = more == 0 ? ENDED : more;
    for (size_t looked = 0; more > 0; looked++) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        end = t->f->least && row < t->f->least ? BOUNDED : GIVEN_UP;
        if (end == BOUNDED || looked == t->most)
            break;
        *before = row;
        int goes_on = reader_check(s->r, e) ? -1 : take(l, t, row, looked, e);
        end = goes_on < 0 ? -1 : GIVEN_UP;
        if (goes_on <= 0)
            break;
        more = db_step(s->db, stmt, e);
        end = more == 0 ? ENDED : more;
    }
    sqlite3_reset(stmt);
    return more < 0 ? -1 : end;
}

/* ---- the ways ---- */

static int give(struct latest *l, struct found *f, bool all, size_t *given, struct error *e)
{
    struct search *s = l->s;
    for (size_t i = 0; i < f->count && !s->stopped; i++) {
        if (!all && f->list[i].created_at < f->until)
            break;
        search_give(s, f->list[i].node, f == &l->whole);
        ++*given;
        if (reader_check(s->r, e))
            return -1;
    }
    return 0;
}

/* Those that have the words whole, which then are all there are of them (`all`), and what matches in part where that
 * is known too. */
static int give_both(struct latest *l, bool all, enum end parts, struct error *e)
{
    size_t whole = 0, part = 0;
    if (give(l, &l->whole, all, &whole, e) ||
        (all && parts != GIVEN_UP && give(l, &l->part, parts == ENDED, &part, e)))
        return -1;
    l->s->given = whole;
    l->s->given_parts = part;
    return 0;
}

/* Whole words are all known: until enough match in part. */
static int go_on_in_part(struct latest *l, const char *match, bool *all, struct error *e)
{
    const struct taking t = {MATCH_PART, &l->part, LATEST_MAX};
    l->part.enough = l->whole.enough > l->whole.count ? l->whole.enough - l->whole.count : 0;
    int goes_on = bound(l, &t, l->before, FIRST_MAX, e);
    int end = goes_on > 0 ? walk(l, &t, match, &l->before, e) : goes_on;
    if (end < 0)
        return -1;
    *all = end == ENDED;
    return give_both(l, true, (enum end)end, e);
}

/* Few of the latest have them: those that may are walked alone. */
static int look_for_whole(struct latest *l, struct strbuf *match, bool *all, struct error *e)
{
    const struct taking t = {MATCH_EXACT, &l->whole, SIZE_MAX};
    int64_t before = l->before;
    size_t len = match->len;
    int narrowed = candidates_match_whole(match, l->s->db, &l->s->words, e);
    int end = narrowed > 0 && match->failed ? search_out_of_memory(e) : narrowed;
    if (end > 0)
        end = walk(l, &t, match->buf, &before, e);
    if (end == BOUNDED)
        return give_both(l, false, GIVEN_UP, e);
    if (end != ENDED)
        return end < 0 ? -1 : 0;
    strbuf_cut(match, len);
    return go_on_in_part(l, match->buf, all, e);
}

static int look_back(struct latest *l, struct strbuf *match, bool *all, struct error *e)
{
    struct taking t = {MATCH_NONE, &l->whole, FIRST_MAX};
    int end = walk(l, &t, match->buf, &l->before, e);
    if (end == GIVEN_UP && l->whole.count * (LATEST_MAX / FIRST_MAX) >= l->whole.enough) {
        t.most = LATEST_MAX - FIRST_MAX;
        end = walk(l, &t, match->buf, &l->before, e);
    } else if (end == GIVEN_UP) {
        return look_for_whole(l, match, all, e);
    }
    *all = end == ENDED;
    return end > 0 ? give_both(l, *all, (enum end)end, e) : end;
}

int search_latest(struct search *s, bool *all, struct error *e)
{
    struct strbuf match = STRBUF_INIT;
    struct list_query query = search_list(s->query);
    struct latest *l = xcalloc(1, sizeof(*l));
    *all = false;
    candidates_match(&match, &s->words);
    int result = !l || match.failed ? search_out_of_memory(e) : 0;
    if (result == 0 && match.len) {
        l->s = s;
        l->whole.enough = s->query->enough ? s->query->enough : ENOUGH;
        l->part.enough = SIZE_MAX;
        l->before = INT64_MAX;
        result = filter_make(&l->filter, s->r, &query, e) ||
                         db_int(s->db, &l->rows, 0, e, "SELECT max(id) FROM memory", "") ||
                         look_back(l, &match, all, e)
                     ? -1
                     : 0;
    }
    free(l);
    strbuf_release(&match);
    return result;
}
