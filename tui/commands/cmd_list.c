/*
 * stemma list: the store pages by key, so a cursor is where a list ended and not a number of rows
 * to skip.
 */
#include "tui/cli/cmd.h"

#include "store/lineage/loaded.h"
#include "tui/render/listing.h"
#include "tui/text/suggest.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"

static const struct option_spec options[] = {
    OPT_AGENT,
    OPT_CHOICE("status", "S", choice_status,
               "only those of that status; without it all but deleted, forgotten and purged ones:"),
    OPT_CHOICE("label", "L", choice_label,
               "only those whose support came to that (gone: of any status):"),
    OPT_TEXT("source-type", "T",
             "only those that came about so: direct_experience, inference, told_by_agent, …"),
    OPT_CHOICE("order", "O", choice_order, "greatest first, text from its beginning:"),
    OPT_FLAG("reverse", "the other way round"),
    OPT_LIMIT("no more than so many"),
    OPT_TEXT("cursor", "C", "go on where a list with --limit ended"),
    OPT_AS_OF,
    OPTION_END,
};

/* A page in the making: rows gather in a batch, and are printed together. */
struct page {
    struct listing listing;
    struct list *list;
    size_t limit;         /* SIZE_MAX: none */
    size_t taken;         /* rows of the page so far */
    bool more;            /* there is another behind the limit */
    struct strbuf cursor; /* where it is */
    int64_t rows[LISTING_BATCH];
    size_t count; /* of them, not printed yet */
};

/* What was asked for; said to be wrong before any store is opened. */
static int read_query(const struct invocation *i, struct list_query *q, struct error *e)
{
    int status = option_choice(i, "status", -1);
    *q = (struct list_query){.agent = option_text(i, "agent"),
                             .source_type = option_text(i, "source-type"),
                             .reverse = option_given(i, "reverse")};
    q->order = (enum list_order)option_choice(i, "order", i->config.order);
    if (status >= 0)
        q->statuses = status == STATUS_MISSING ? STATUSES_ALL : STATUS_BIT(status);
    else if (option_choice(i, "label", -1) == LABEL_GONE)
        q->statuses = STATUSES_ALL; /* most of what is gone is left out otherwise */
    int kind = choice_kind_typed(i->words[0], "all", e);
    q->kinds = kind < 0 || kind == KIND_COUNT ? 0 : KIND_BIT(kind);
    return kind < 0 ? -1 : 0;
}

/* Labels of a batch are asked for together. */
static int print_batch(struct page *p, struct error *e)
{
    struct row_label labels[LISTING_BATCH];
    if (labelling_get(&p->listing.labelling, p->rows, p->count, labels, e) ||
        listing_print(&p->listing, p->rows, labels, p->count, e))
        return -1;
    p->count = 0;
    return 0;
}

/* One row more than the page is looked for: only then is it known whether there is another page. */
static int print_page(struct page *p, struct error *e)
{
    int64_t row;
    int found;
    while ((found = list_next(p->list, &row, e)) > 0 && !p->listing.out->closed) {
        p->more = p->taken == p->limit;
        if (p->more)
            break;
        p->rows[p->count++] = row;
        if (++p->taken == p->limit)
            list_cursor(p->list, &p->cursor);
        if (p->count == LISTING_BATCH && print_batch(p, e))
            return -1;
        if (stop_check("list", e))
            return -1;
    }
    return found < 0 ? -1 : print_batch(p, e);
}

/* 1, the exit status. */
static int nothing_matched(struct reader *r, const struct list_query *query, struct error *e)
{
    struct wanted wanted = {query->agent, query->source_type};
    int known = nothing_known(r, &wanted, e);
    if (known > 0)
        output_note("nothing matched");
    return known < 0 ? -1 : 1;
}

static int run_page(struct invocation *i, struct reader *r, const struct list_query *query,
                    struct error *e)
{
    struct page p = {.cursor = STRBUF_INIT};
    double limit = option_number(i, "limit", -1);
    p.limit = limit < 0 ? SIZE_MAX : (size_t)limit;
    int result = listing_open(&p.listing, &i->out, r, p.limit, query->agent, e);
    p.listing.by_update = query->order == ORDER_UPDATED;
    p.listing.aspects = kinds_have_aspects(query->kinds);
    if (!result)
        p.list = list_open(r, query, option_text(i, "cursor"), e);
    /* What is invalid there is a cursor that was typed, not an input. */
    if (!result && !p.list && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    if (p.list && !result)
        result = print_page(&p, e);
    if (p.list && !result && p.more)
        listing_more(&i->out, "more", p.cursor.buf);
    if (p.list)
        list_close(p.list);
    listing_close(&p.listing);
    strbuf_release(&p.cursor);
    if (!p.list || result)
        return -1;
    return p.taken || option_given(i, "cursor") ? 0 : nothing_matched(r, query, e);
}

/* The labels of all rows are at hand then, so that only those of that label are looked at. */
static int run_labelled(struct invocation *i, struct reader *r, struct list_query *query, int label,
                        struct error *e)
{
    if (reader_begin(r, e))
        return -1;
    const struct known_labels *all = known_labels_get(r, e);
    if (all) {
        query->bytes = all->label;
        query->byte_count = all->rows;
        query->byte = (uint8_t)label;
    }
    int result = all ? run_page(i, r, query, e) : -1;
    known_labels_release(all);
    return reader_done(r, result);
}

static int run_list(struct invocation *i, struct error *e)
{
    struct opened o;
    struct list_query query;
    if (read_query(i, &query, e) || opening_open(i, NULL, false, &o, e))
        return -1;
    int label = option_choice(i, "label", -1);
    int result =
        label < 0 ? run_page(i, o.reader, &query, e) : run_labelled(i, o.reader, &query, label, e);
    opening_close(&o);
    return result;
}

const struct command cmd_list = {
    .name = "list",
    .words = "KIND|all",
    .about = "list memories, last recorded first",
    .details = "Each line: what became of the memory's support, its ref as short as it is unique, "
               "its confidence, how many of its justifications hold, how it came about, whose it "
               "is, its age and its text. How it came about says little of what reasons: there a "
               "chain says how far it is, a step its number, a document its uses, a citation its "
               "place and an attribution its type. On a terminal lines are cut to its width; into "
               "a pipe nothing is cut. The exit status is 1 where nothing matches.",
    .marks = true,
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_list,
};
