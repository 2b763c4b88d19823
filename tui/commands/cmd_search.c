/* stemma search: the words may come as one argument or as several. */
#include "tui/cli/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "store/search/search.h"
#include "tui/text/suggest.h"
#include "tui/render/listing.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"

static const struct option_spec options[] = {
    OPT_CHOICE("kind", "K", choice_kind, "only memories of that kind:"),
    OPT_AGENT,
    OPT_LIMIT("no more than so many"),
    OPT_TEXT("cursor", "C", "go on where a search with --limit ended"),
    OPT_AS_OF,
    OPTION_END,
};

/*
 * A page of the matches in their order, and one more where there is one. They are gathered first: what
 * is printed may have to wait for its reader, and no query is held open meanwhile.
 */
struct matches {
    int64_t after; /* the page begins behind this row; 0: at the first match */
    size_t limit;  /* SIZE_MAX: none */
    int64_t *rows;
    size_t count, alloc;
    bool found; /* any match at all, and the one that the page begins behind */
    bool failed;
};

static int gather(void *arg, int64_t node, bool exact)
{
    struct matches *m = arg;
    (void)exact;
    if (m->after && !m->found) {
        m->found = node == m->after;
        return stop_wanted();
    }
    m->found = true;
    *ARRAY_ADD(m->rows, m->count, m->alloc) = node;
    return m->count > m->limit || stop_wanted();
}

/* A cursor names the last match that was printed: "s1234". */
static int read_cursor(const char *cursor, int64_t *row, struct error *e)
{
    char *end = NULL;
    *row = 0;
    if (!cursor)
        return 0;
    errno = 0;
    long long n = cursor[0] == 's' ? strtoll(cursor + 1, &end, 10) : 0;
    if (!end || *end || errno || n <= 0)
        return error_set(e, ERROR_USAGE, "Take the one that the last page ended with.",
                         "'%.80s' is no cursor of a search", cursor);
    *row = n;
    return 0;
}

/* The page that was asked for; the order and what a match is are the store's. */
static int find(const struct invocation *i, struct reader *r, const char *words, struct matches *m,
                struct error *e)
{
    int kind = option_choice(i, "kind", -1);
    struct search_query query = {
        .words = words, .kinds = kind < 0 ? 0 : KIND_BIT(kind), .agent = option_text(i, "agent")};
    double limit = option_number(i, "limit", 0);
    m->limit = limit > 0 ? (size_t)limit : SIZE_MAX;
    if (read_cursor(option_text(i, "cursor"), &m->after, e) || search_run(r, &query, gather, m, e))
        return -1;
    if (stop_check("search", e))
        return -1;
    if (m->after && !m->found)
        return error_set(e, ERROR_USAGE, "Search again without --cursor.",
                         "the match that the cursor stands for is no longer among them");
    return 0;
}

static int print_matches(struct listing *l, const int64_t *rows, size_t count, struct error *e)
{
    struct row_label labels[LISTING_BATCH];
    for (size_t at = 0; at < count && !l->out->closed; at += LISTING_BATCH) {
        size_t batch = count - at < LISTING_BATCH ? count - at : LISTING_BATCH;
        if (labelling_get(&l->labelling, rows + at, batch, labels, e) ||
            listing_print(l, rows + at, labels, batch, e))
            return -1;
        if (stop_check("search", e))
            return -1;
    }
    return 0;
}

static int print_page(struct invocation *i, struct reader *r, const struct matches *m,
                      struct error *e)
{
    struct listing listing;
    char cursor[24];
    bool more = m->count > m->limit;
    size_t count = more ? m->limit : m->count;
    int result = listing_open(&listing, &i->out, r, count, option_text(i, "agent"), e);
    if (!result)
        result = print_matches(&listing, m->rows, count, e);
    snprintf(cursor, sizeof(cursor), "s%lld", more ? (long long)m->rows[count - 1] : 0);
    if (!result && more)
        listing_more(&i->out, "more", cursor);
    listing_close(&listing);
    return result;
}

/* All words of the command line, with a space between. */
static const char *joined_words(struct invocation *i)
{
    struct strbuf all = STRBUF_INIT;
    for (size_t w = 0; w < i->word_count; w++)
        strbuf_addf(&all, "%s%s", w ? " " : "", i->words[w]);
    const char *words = arena_strdup(&i->arena, all.buf);
    strbuf_release(&all);
    return words;
}

static int run_search(struct invocation *i, struct error *e)
{
    struct opened o;
    struct matches m = {0};
    const char *words = joined_words(i);
    if (!search_has_words(words))
        return error_set(e, ERROR_USAGE, "Give at least one word.",
                         "there is nothing to search for");
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = find(i, o.reader, words, &m, e);
    if (!result && !m.found) {
        struct wanted wanted = {.agent = option_text(i, "agent")};
        int known = nothing_known(o.reader, &wanted, e);
        if (known > 0)
            output_note("nothing matched all of: %s", words);
        result = known < 0 ? -1 : 0;
    }
    if (!result)
        result = m.found ? print_page(i, o.reader, &m, e) : 1;
    free(m.rows);
    opening_close(&o);
    return result;
}

const struct command cmd_search = {
    .name = "search",
    .words = "WORDS",
    .about = "find memories that have all the words",
    .details = "A word matches anywhere, in any script, whatever its case. Memories that have all "
               "of them as whole words come first, then the newest. The columns are those of "
               "`stemma list`. The exit status is 1 where nothing matches.",
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_search,
};
