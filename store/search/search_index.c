/*
 * Words of three characters and more are looked up by their trigrams: those of all words in one
 * MATCH. The index keeps no positions, so a trigram is a term of its own in it.
 *
 * A shorter word begins a trigram wherever it stands, since a search text ends with an empty line: it
 * is found by the range of terms that begin with it, which fts5vocab gives row by row. One that is in
 * most of the store has more of them than there are texts, and is looked for in every text.
 */
#include "store/search/search_index.h"

#include "model/base/alloc.h"
#include "model/base/utf8.h"

/* More trigrams than this narrow nothing further, and the query stays short whatever is typed. */
#define TRIGRAMS_MAX 64

static int out_of_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Search for fewer words.", "memory ran out while searching");
}

static void clear(struct candidates *c)
{
    memset(c->bit, 0, (c->rows / 64 + 1) * sizeof(*c->bit));
    c->count = 0;
}

static void fill(struct candidates *c)
{
    memset(c->bit, 0xff, (c->rows / 64 + 1) * sizeof(*c->bit));
}

static void add(struct candidates *c, int64_t row)
{
    if (row < 1 || (size_t)row > c->rows)
        return;
    uint64_t bit = UINT64_C(1) << (row % 64);
    c->count += !(c->bit[row / 64] & bit);
    c->bit[row / 64] |= bit;
}

/* ---- three characters and more ---- */

/* Where a word's trigrams are in more rows than this, so many of the newest are read first: a page of
 * what is common is among them, and the index need not be walked. */
static size_t most_of(const struct candidates *c)
{
    return c->rows / 50 + 2000;
}

static void add_quoted(struct strbuf *match, const char *at, const char *end)
{
    strbuf_addch(match, '"');
    for (; at < end; at++) {
        if (*at == '"')
            strbuf_addch(match, '"');
        strbuf_addch(match, *at);
    }
    strbuf_addch(match, '"');
}

static void add_trigram(struct strbuf *match, const char *at, const char *end)
{
    strbuf_addstr(match, match->len ? " AND " : "");
    add_quoted(match, at, end);
}

/* At most `most` of the word's trigrams, from its beginning on. Returns how many. */
static size_t add_trigrams(struct strbuf *match, const struct word *w, size_t most)
{
    size_t count = 0;
    const char *at = w->text;
    for (; count < most && count + 3 <= w->count; count++) {
        add_trigram(match, at, at + utf8_prefix(at, 3));
        at += utf8_prefix(at, 1);
    }
    return count;
}

/* Every word has a share of what the query may hold. */
static void make_match(struct strbuf *match, const struct words *w)
{
    size_t left = TRIGRAMS_MAX, share = w->count ? TRIGRAMS_MAX / w->count : 0;
    for (size_t i = 0; i < w->count && left; i++) {
        size_t most = share ? share : 1;
        left -= add_trigrams(match, &w->word[i], most < left ? most : left);
    }
}

void candidates_match(struct strbuf *match, const struct words *w)
{
    size_t left = TRIGRAMS_MAX;
    for (size_t i = 0; i < w->count; i++) {
        const struct word *word = &w->word[i];
        const char *at = word->text;
        for (size_t done = 0; done + 3 <= word->count && left > 0; left--) {
            add_trigram(match, at, at + utf8_prefix(at, 3));
            /* The last one ends where the word does. */
            size_t step = word->count - done - 3 < 3 ? word->count - done - 3 : 3;
            at += utf8_prefix(at, step);
            done += step ? step : word->count;
        }
    }
}

static int match_trigrams(struct candidates *c, struct db *db, const char *match, size_t most,
                          bool *many, struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?", e);
    int more = stmt ? db_bind(db, stmt, e, "s", match) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        add(c, sqlite3_column_int64(stmt, 0));
        *many = most && c->count > most;
        if (*many) {
            sqlite3_reset(stmt);
            return 0;
        }
    }
    return more;
}

/* ---- one and two characters ---- */

/* A temporary view of the index's terms; it touches no file of the store. */
static int make_terms(struct db *db, struct error *e)
{
    int64_t there;
    if (db_int(db, &there, 0, e,
               "SELECT count(*) FROM sqlite_temp_schema WHERE name = 'memory_terms'", ""))
        return -1;
    if (there)
        return 0;
    if (db_exec(db, "PRAGMA query_only = OFF", e))
        return -1;
    int result = db_exec(db,
                         "CREATE VIRTUAL TABLE temp.memory_terms"
                         " USING fts5vocab(main, memory_fts, instance)",
                         e);
    /* An interrupt may meet this statement, too. */
    struct error ignored;
    for (int tries = 0; tries < 100 && db_exec(db, "PRAGMA query_only = ON", &ignored); tries++)
        ;
    return result;
}

/* Rows of terms that are looked at, for each row of the store, before the index is given up. */
#define TERMS_EACH 2

/*
 * Adds the rows of the terms that begin so, as `keep` (may be NULL) says of what follows there. 1: they
 * are too many, and nothing is known.
 */
static int scan_terms(struct candidates *c, struct db *db, const char *begin_at, size_t len,
                      bool (*keep)(const char *term, uint32_t before), uint32_t before,
                      struct error *e)
{
    /* The range of terms ends at its beginning with the last byte raised: no byte of UTF-8 is 0xff. */
    char begin[2 * 4 + 1], end[sizeof(begin)];
    snprintf(begin, sizeof(begin), "%.*s", (int)len, begin_at);
    memcpy(end, begin, sizeof(end));
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT doc, term FROM temp.memory_terms WHERE term >= ? AND term < ?", e);
    int more = stmt ? db_bind(db, stmt, e, "ss", begin, end) : -1;
    size_t left = TERMS_EACH * c->rows + 4096;
    for (; more > 0 && left > 0; left--) {
        if (!keep || keep((const char *)sqlite3_column_text(stmt, 1) + len, before))
            add(c, sqlite3_column_int64(stmt, 0));
        more = db_step(db, stmt, e);
    }
    sqlite3_reset(stmt);
    return more;
}

/* ---- both ---- */

/* Keeps of `c` what `found` has too; the first one is taken as it is. */
static void narrow(struct candidates *c, const struct candidates *found)
{
    c->count = 0;
    for (size_t i = 0; i <= c->rows / 64; i++) {
        c->bit[i] = c->all ? found->bit[i] : c->bit[i] & found->bit[i];
        c->count += (size_t)__builtin_popcountll(c->bit[i]);
    }
    c->all = false;
}

static int narrow_by_short(struct candidates *c, struct candidates *found, struct db *db,
                           const struct words *w, struct error *e)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct word *word = &w->word[i];
        if (word->count > 2)
            continue;
        clear(found);
        int many =
            make_terms(db, e) ? -1 : scan_terms(found, db, word->text, word->len, NULL, 0, e);
        if (many < 0)
            return -1;
        if (!many)
            narrow(c, found);
    }
    return 0;
}

static int narrow_by_trigrams(struct candidates *c, struct candidates *found, struct db *db,
                              const struct words *w, bool unless_many, bool *many, struct error *e)
{
    struct strbuf match = STRBUF_INIT;
    make_match(&match, w);
    int result = match.failed ? out_of_memory(e) : 0;
    if (result == 0 && match.len) {
        clear(found);
        result = match_trigrams(found, db, match.buf, unless_many ? most_of(c) : 0, many, e);
        if (result == 0)
            narrow(c, found);
    }
    strbuf_release(&match);
    return result;
}

static int init(struct candidates *c, size_t rows, struct error *e)
{
    *c = (struct candidates){.rows = rows, .count = rows, .all = true};
    c->bit = xcalloc(rows / 64 + 1, sizeof(*c->bit));
    return c->bit ? 0 : out_of_memory(e);
}

int candidates_find(struct candidates *c, struct reader *r, const struct words *w, bool unless_many,
                    bool *many, struct error *e)
{
    struct db *db = reader_db(r);
    struct candidates found = {0};
    int64_t rows;
    *c = (struct candidates){0};
    *many = false;
    if (db_int(db, &rows, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    int result = init(c, (size_t)rows, e) || init(&found, (size_t)rows, e) ||
                         narrow_by_trigrams(c, &found, db, w, unless_many, many, e) ||
                         (!*many && narrow_by_short(c, &found, db, w, e))
                     ? -1
                     : 0;
    candidates_release(&found);
    if (result)
        candidates_release(c);
    return result;
}

/* ---- words that stand whole ---- */

/* May a word that ends with `before` end where `rest` goes on? */
static bool may_end(const char *rest, uint32_t before)
{
    uint32_t after;
    if (utf8_decode(rest, strlen(rest), &after) == 0)
        return true;
    enum fold_class class = fold_class(after), last = fold_class(before);
    return class == FOLD_OTHER || (class != FOLD_EXTENDS && (class != last || last == FOLD_OTHER));
}

/* Where the word's last two characters begin, or its only one, and the last of them. */
static const char *tail_of(const struct word *w, uint32_t *last)
{
    size_t skip = utf8_prefix(w->text, w->count > 2 ? w->count - 2 : 0);
    size_t end = utf8_prefix(w->text, w->count - 1);
    utf8_decode(w->text + end, w->len - end, last);
    return w->text + skip;
}

static int narrow_by_tails(struct candidates *c, struct candidates *found, struct db *db,
                           const struct words *w, struct error *e)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct word *word = &w->word[i];
        uint32_t last = 0;
        const char *tail = tail_of(word, &last);
        if (fold_class(last) == FOLD_EXTENDS)
            continue; /* what it extends decides, and may be further back */
        clear(found);
        size_t len = word->len - (size_t)(tail - word->text);
        int many = make_terms(db, e) ? -1 : scan_terms(found, db, tail, len, may_end, last, e);
        if (many < 0)
            return -1;
        if (!many)
            narrow(c, found);
    }
    return 0;
}

/* Terms that are looked for behind a word's end, before it is given up. */
#define ENDS_MAX 48

/* The first term from `from` on and before `end`; "" where there is none. */
static int next_term(struct db *db, const char *from, const char *end, char *out, size_t size,
                     struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT term FROM temp.memory_terms WHERE term >= ? AND term < ? LIMIT 1", e);
    int found = stmt ? db_bind(db, stmt, e, "ss", from, end) : -1;
    if (found < 0)
        return -1;
    snprintf(out, size, "%s", found ? (const char *)sqlite3_column_text(stmt, 0) : "");
    sqlite3_reset(stmt);
    return 0;
}

/* From which term on the next is looked for: past all letters or all digits of ASCII, or past this one. */
static void pass_term(char *term, size_t size, size_t tail)
{
    char after = term[tail];
    if (after >= '0' && after <= '9')
        snprintf(term + tail, size - tail, ":");
    else if (after >= 'a' && after <= 'z')
        snprintf(term + tail, size - tail, "{");
    else
        snprintf(term + strlen(term), size - strlen(term), "\x01");
}

/* Adds the terms that begin with a word's last two characters and end it. 0: they are too many. */
static int add_ends(struct strbuf *match, struct db *db, const char *tail, size_t len,
                    uint32_t last, struct error *e)
{
    char end[2 * 4 + 1], term[4 * 4 + 2];
    size_t added = 0, asked = 0;
    snprintf(term, sizeof(term), "%.*s", (int)len, tail);
    memcpy(end, term, sizeof(end));
    end[len - 1] = (char)((unsigned char)end[len - 1] + 1);
    for (; asked < ENDS_MAX; asked++, pass_term(term, sizeof(term), len)) {
        if (next_term(db, term, end, term, sizeof(term), e))
            return -1;
        if (!*term)
            break;
        if (strlen(term) <= len || !may_end(term + len, last))
            continue;
        strbuf_addstr(match, added++ ? " OR " : " AND (");
        add_quoted(match, term, term + strlen(term));
    }
    if (added)
        strbuf_addch(match, ')');
    else /* nowhere: no row is one */
        strbuf_addstr(match, " AND \"\x01\x01\x01\"");
    return asked < ENDS_MAX;
}

int candidates_match_whole(struct strbuf *match, struct db *db, const struct words *w,
                           struct error *e)
{
    int told = make_terms(db, e) ? -1 : 1;
    for (size_t i = 0; i < w->count && told > 0; i++) {
        const struct word *word = &w->word[i];
        uint32_t last = 0;
        if (word->count < 2)
            continue;
        const char *tail = tail_of(word, &last);
        if (fold_class(last) != FOLD_EXTENDS)
            told = add_ends(match, db, tail, word->len - (size_t)(tail - word->text), last, e);
    }
    return told;
}

int candidates_whole(struct candidates *c, const struct candidates *from, struct reader *r,
                     const struct words *w, struct error *e)
{
    struct candidates found = {0};
    *c = (struct candidates){0};
    int result = init(c, from->rows, e) || init(&found, from->rows, e) ? -1 : 0;
    if (result == 0 && from->all)
        fill(&found);
    if (result == 0) {
        narrow(c, from->all ? &found : from);
        result = narrow_by_tails(c, &found, reader_db(r), w, e);
    }
    candidates_release(&found);
    if (result)
        candidates_release(c);
    return result;
}

void candidates_drop(struct candidates *c, int64_t row)
{
    uint64_t bit = UINT64_C(1) << (row % 64);
    c->count -= (c->bit[row / 64] & bit) != 0;
    c->bit[row / 64] &= ~bit;
}

void candidates_release(struct candidates *c)
{
    free(c->bit);
    c->bit = NULL;
}
