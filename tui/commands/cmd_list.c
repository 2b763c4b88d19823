/* stemma list and search: memories in pages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/lineage/loaded.h"
#include "store/search/search.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/cli/words.h"
#include "tui/cli/stop.h"
#include "tui/render/listing.h"
#include "tui/text/match.h"

/* stemma list: the store pages by key, so a cursor is the position after a row, not a number of rows to skip. */

static const char *choice_roots(int i)
{
    static const char *const names[] = {"0", "1", "2+", NULL};
    return names[i];
}

static const struct option_spec options[] = {
    OPT_AGENT,
    OPT_CLAIMS,
    OPT_CHOICE(
        "status", "S", choice_status,
        "only memories with this status; default: all except deleted, forgotten and purged ones:"),
    OPT_CHOICE("label", "L", choice_label,
               "only memories with this label (ended: with any status):"),
    OPT_CHOICE("roots", "N", choice_roots, "only memories with so many independent derivations:"),
    OPT_TEXT("flag", "F",
             "only memories with this flag: for_review (what waits for a review), poisoned, "
             "…"),
    OPT_TEXT("source-type", "T",
             "only memories with this origin: direct_experience, inference, told_by_agent, …"),
    OPT_TEXT("told", "NAME", "only what this agent, person or source told (see stemma trust)"),
    OPT_CHOICE("order", "O", choice_order, "newest or highest first, text alphabetically:"),
    OPT_FLAG("reverse", "reverse the order"),
    OPT_LIMIT("show at most N"),
    OPT_TEXT("cursor", "C", "continue where a list with --limit ended"),
    OPT_AS_OF,
    OPTION_END,
};

/* Options that are terms of a query, too. */
static void add_terms(const struct invocation *i, struct strbuf *query)
{
    static const struct {
        const char *name;
        const char *(*choice)(int i);
    } terms[] = {{"label", choice_label}, {"roots", choice_roots}, {"flag", NULL}};
    for (size_t n = 0; n < sizeof(terms) / sizeof(terms[0]); n++) {
        AUTO_STRBUF with = STRBUF_INIT;
        if (!option_given(i, terms[n].name))
            continue;
        query_put(&with, query->buf, terms[n].name,
                  terms[n].choice ? terms[n].choice(option_choice(i, terms[n].name, 0))
                                  : option_text(i, terms[n].name));
        strbuf_clear(query);
        strbuf_addstr(query, with.buf);
    }
}

/* The first word may be a kind; a word that is nearly one is a mistake. Returns the kind, KIND_COUNT for "all" and for
 * a query, -1 on error. *words: how many words it took. */
static int read_kind(const struct invocation *i, size_t *words, struct error *e)
{
    const char *word = i->word_count ? i->words[0] : "all";
    struct suggestion near = SUGGESTION_INIT(word);
    for (int k = 0; k < KIND_COUNT; k++) {
        suggest_consider(&near, kind_name((enum kind)k));
        suggest_consider(&near, kind_spec((enum kind)k)->plural);
    }
    bool kind = kind_from_word(word) >= 0 || !strcmp(word, "all");
    *words = kind && i->word_count;
    return kind || near.name ? choice_kind_typed(word, "all", e) : KIND_COUNT;
}

/* Reads the query from the words and options. Errors are reported before a store is opened. */
static int read_query(struct invocation *i, struct list_query *q, struct query_terms *terms,
                      struct error *e)
{
    AUTO_STRBUF query = STRBUF_INIT;
    int status = option_choice(i, "status", -1);
    size_t words;
    int kind = read_kind(i, &words, e);
    if (kind < 0)
        return -1;
    *q = (struct list_query){.agent = option_text(i, "agent"),
                             .source_type = option_text(i, "source-type"),
                             .claimed = option_text(i, "claims"),
                             .told = option_text(i, "told"),
                             .reverse = option_given(i, "reverse"),
                             .kinds = kind == KIND_COUNT ? 0 : KIND_BIT(kind)};
    q->order = (enum list_order)option_choice(i, "order", i->config.order);
    if (status >= 0)
        q->statuses = status == STATUS_MISSING ? STATUSES_ALL : STATUS_BIT(status);
    strbuf_addstr(&query, joined_words(i, words));
    add_terms(i, &query);
    if (query_words_read(i, query.buf, QUERY_MEMORIES, terms, e))
        return -1;
    q->terms = terms->count ? terms : NULL;
    return 0;
}

/* Prints at most `limit` rows, and reads one more. Returns 1 if there is one: *cursor is the position before it. */
static int print_page(struct listing *l, struct list *list, size_t limit, struct strbuf *cursor,
                      size_t *taken, struct error *e)
{
    int64_t row;
    int found;
    bool more = false;
    for (*taken = 0; (found = list_next(list, &row, e)) > 0 && !l->out->closed; ++*taken) {
        if ((more = *taken == limit))
            break;
        if (*taken + 1 == limit)
            list_cursor(list, cursor);
        if (listing_add(l, row, e) || stop_check("list", e))
            return -1;
    }
    return found < 0 || listing_print(l, e) ? -1 : more;
}

/* The agent of --agent, else of the query; NULL if neither names one. */
static const char *named_agent(const char *option, const struct query_terms *terms)
{
    for (size_t i = 0; !option && terms && i < terms->count; i++)
        if (terms->term[i].field == QUERY_AGENT && !terms->term[i].negated)
            option = terms->term[i].text;
    return option;
}

/* Returns the exit status, or -1 and sets `e`. */
static int run_page(struct invocation *i, struct reader *r, const struct list_query *query,
                    struct error *e)
{
    AUTO_STRBUF cursor = STRBUF_INIT;
    struct listing listing;
    size_t limit = (size_t)option_number(i, "limit", 0), taken = 0;
    limit = limit ? limit : SIZE_MAX;
    int more = listing_open(&listing, &i->out, r, limit, query, e);
    struct list *list = more ? NULL : list_open(r, query, option_text(i, "cursor"), e);
    /* Invalid here is only the cursor, which is a mistake on the command line. */
    if (!more && !list && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    more = list ? print_page(&listing, list, limit, &cursor, &taken, e) : -1;
    if (more > 0)
        listing_more(&i->out, "more", cursor.buf);
    if (list)
        list_close(list);
    listing_close(&listing);
    if (more < 0)
        return -1;
    if (taken || option_given(i, "cursor"))
        return 0;
    int known =
        explain_empty_list(r, named_agent(query->agent, query->terms), query->source_type, e);
    if (known > 0)
        output_note("nothing matched");
    if (known >= 0)
        query_words_unmatched(joined_words(i, 0), QUERY_MEMORIES);
    return known < 0 ? -1 : 1;
}

static int run_list(struct invocation *i, struct error *e)
{
    struct opened o;
    struct list_query query;
    struct query_terms terms;
    if (read_query(i, &query, &terms, e) || opening_open(i, NULL, false, &o, e))
        return -1;
    int result = run_page(i, o.reader, &query, e);
    opening_close(&o);
    return result;
}

const struct command cmd_list = {
    .name = "list",
    .words = "[KIND|all] [QUERY]",
    .about = "list memories, last recorded first",
    .examples = "stemma list belief --label unsupported\n"
                "stemma list all --flag for_review\n"
                "stemma list 'agent:ash confidence:<0.7 -kind:raw after:2026-01-01'\n"
                "stemma list all --agent ash --limit 20 --json",
    .details = "`stemma help query` explains queries. Each line: the label of the memory's "
               "support, its ref as short as it is unique, its confidence, how many of its "
               "justifications are valid, its origin, its agent, its age and its text. Instead of "
               "the origin a chain shows its state, a step its number, a document its uses, a "
               "citation its place and an attribution its type. On a terminal, lines are cut to "
               "its width; in a pipe nothing is cut. The exit status is 1 if nothing matches.",
    .signs = true,
    .options = options,
    .pages = true,
    .run = run_list,
};

/* stemma search: words may be given as one argument or several. */

static const struct option_spec search_options[] = {
    OPT_CHOICE("kind", "K", choice_kind, "only memories of this kind:"),
    OPT_AGENT,
    OPT_CLAIMS,
    OPT_LIMIT("show at most N"),
    OPT_TEXT("cursor", "C", "continue where a search with --limit ended"),
    OPT_AS_OF,
    OPTION_END,
};

/*
 * A page of matches in order, and one more if there is one. They are collected before printing, because output may
 * block and no query must stay open meanwhile.
 */
struct matches {
    int64_t after; /* the page begins after this row; 0 for the first match */
    size_t limit;  /* SIZE_MAX for no limit */
    int64_t *rows;
    size_t count, alloc;
    bool found; /* there was any match; the match before the page was seen */
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
        return error_set(e, ERROR_USAGE, "Use the cursor that the last page printed.",
                         "'%.80s' is not the cursor of a search", cursor);
    *row = n;
    return 0;
}

/* Collects the page; the store defines matches and their order. */
static int find(const struct invocation *i, struct reader *r, const struct query_terms *terms,
                struct matches *m, struct error *e)
{
    AUTO_STRBUF words = STRBUF_INIT;
    query_words(terms, &words);
    int kind = option_choice(i, "kind", -1);
    struct search_query query = {.words = words.buf,
                                 .terms = terms,
                                 .kinds = kind < 0 ? 0 : KIND_BIT(kind),
                                 .agent = option_text(i, "agent"),
                                 .claimed = option_text(i, "claims")};
    double limit = option_number(i, "limit", 0);
    m->limit = limit > 0 ? (size_t)limit : SIZE_MAX;
    if (read_cursor(option_text(i, "cursor"), &m->after, e) || search_run(r, &query, gather, m, e))
        return -1;
    if (stop_check("search", e))
        return -1;
    if (m->after && !m->found)
        return error_set(e, ERROR_USAGE, "Search again without --cursor.",
                         "the match that the cursor refers to no longer exists");
    return 0;
}

static int print_matches(struct invocation *i, struct reader *r, const struct matches *m,
                         struct error *e)
{
    struct listing listing;
    char cursor[24];
    bool more = m->count > m->limit;
    size_t count = more ? m->limit : m->count;
    const struct list_query query = {.agent = option_text(i, "agent")};
    int result = listing_open(&listing, &i->out, r, count, &query, e);
    for (size_t n = 0; n < count && !result && !i->out.closed; n++)
        result = listing_add(&listing, m->rows[n], e) || stop_check("search", e) ? -1 : 0;
    if (!result)
        result = listing_print(&listing, e);
    snprintf(cursor, sizeof(cursor), "s%lld", more ? (long long)m->rows[count - 1] : 0);
    if (!result && more)
        listing_more(&i->out, "more", cursor);
    listing_close(&listing);
    return result;
}

static int run_search(struct invocation *i, struct error *e)
{
    struct opened o;
    struct matches m = {0};
    struct query_terms terms;
    const char *words = joined_words(i, 0);
    if (query_words_read(i, words, QUERY_MEMORIES, &terms, e))
        return -1;
    if (!terms.count)
        return error_set(e, ERROR_USAGE, "Give at least one word.",
                         "there is nothing to search for");
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = find(i, o.reader, &terms, &m, e);
    if (!result && !m.found) {
        int known =
            explain_empty_list(o.reader, named_agent(option_text(i, "agent"), &terms), NULL, e);
        if (known > 0)
            output_note("no memory has all of these words: %s", words);
        if (known >= 0)
            query_words_unmatched(words, QUERY_MEMORIES);
        result = known < 0 ? -1 : 0;
    }
    if (!result)
        result = m.found ? print_matches(i, o.reader, &m, e) : 1;
    free(m.rows);
    opening_close(&o);
    return result;
}

const struct command cmd_search = {
    .name = "search",
    .words = "QUERY",
    .about = "find memories that contain all the words",
    .examples = "stemma search never skip staging\n"
                "stemma search retry kind:belief 'confidence:>0.6'\n"
                "stemma search retry --limit 5 --json",
    .details = "The words may stand with other terms of a query: see `stemma help query`. A word "
               "matches anywhere in a text, in any script and in upper or lower case. Memories "
               "with all of them as whole words come first, then the newest. The columns are those "
               "of `stemma list`. The exit status is 1 if nothing matches.",
    .options = search_options,
    .pages = true,
    .run = run_search,
};
