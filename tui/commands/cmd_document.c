/* stemma document and retrievals: the uses of a document, and the log of retrievals in groups. */
#include <string.h>
#include "model/json/json.h"
#include "store/query/list.h"
#include "store/reasoning/retrievals.h"
#include "store/record/get.h"
#include "tui/commands/commands.h"
#include "tui/cli/opening.h"
#include "tui/render/document.h"
#include "tui/render/listing.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

/* stemma document: the uses of a document, its versions, its retrievals, and what is based on it. */

/* Resolves a document, which may be known only from its uses. */
static int64_t resolve(struct reader *r, struct arena *arena, const char *word, struct error *e)
{
    struct memory_row row;
    int64_t node = opening_resolve(r, word, e);
    if (node < 0 || memory_row_read(r, arena, node, &row, e))
        return -1;
    if (row.ref.kind == KIND_DOCUMENT)
        return node;
    return error_set(e, ERROR_USAGE,
                     "`stemma list document` lists the documents; `stemma show` shows any memory.",
                     "%.80s is a memory of kind %s, not a document", word, kind_name(row.ref.kind));
}

int document_show(struct invocation *i, struct reader *r, int64_t node, bool excerpts, size_t rows,
                  struct error *e)
{
    size_t limit[DOCUMENT_SECTIONS];
    for (size_t k = 0; k < DOCUMENT_SECTIONS; k++)
        limit[k] = rows;
    struct document_facts *facts = document_facts_read(r, node, limit, DOCUMENT_COUNTED, e);
    if (!facts)
        return -1;
    if (i->out.json) {
        document_write(&i->out.text, facts, excerpts);
        strbuf_addch(&i->out.text, '\n');
    } else {
        struct page page;
        page_for_output(&page, &i->out);
        page.options.text_lines = excerpts ? INT_MAX : 0;
        document_page(&page, facts, &page.options);
        output_memory_page(&i->out, &page, facts->memory.ref);
    }
    document_facts_free(facts);
    return 0;
}

static int read_document(struct invocation *i, struct reader *r, struct error *e)
{
    int64_t node = resolve(r, &i->arena, i->words[0], e);
    return node < 0 ? -1
                    : document_show(i, r, node, option_given(i, "excerpts"),
                                    (size_t)option_number(i, "limit", DOCUMENT_ROWS), e);
}

static const struct option_spec options[] = {
    OPT_FLAG("excerpts", "with the passage of each use"),
    OPT_INT("limit", "N", 1, 1e6, "show at most N rows of each list (100)"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_document = {
    .name = "document",
    .is_alias = true,
    .words = "REF",
    .about = "show who used a document, its versions and its retrievals",
    .examples = "stemma document document:worker-supervisor",
    .details =
        "The steps that used it by their chains, the responses that cited it, the versions of each "
        "passage by its hash, the logged retrievals, and the beliefs that are based on it now. "
        "\"changed since\": the same passage was recorded later with different content. Links "
        "marked as guessed, by URI or by hash were not recorded; they were found that way.",
    .options = options,
    .read = read_document,
};

/* stemma retrievals: the log of retrievals in groups, with a timeline. */

#define BUCKETS              24 /* columns of the timeline */
#define CMD_RETRIEVALS_SHOWN 50 /* groups, unless --limit says otherwise */

static const char *const groups[RETRIEVALS_GROUPS + 1] = {
    [RETRIEVALS_BY_TYPE] = "type", [RETRIEVALS_BY_URI] = "uri", [RETRIEVALS_BY_AGENT] = "agent"};

/* The state of printing groups. */
struct grouping {
    struct output *out;
    struct reader *r;
    enum retrieval_group by;
    const char *agent;
    struct retrievals *group;
    size_t count, shown;
};

/* True if the group has a plausible time. */
static bool is_dated(const struct retrievals *group)
{
    return group->count > group->suspect;
}

/* The timeline goes from the group's first to its last retrieval. */
static int read_timeline(struct grouping *g, const struct retrievals *group,
                         int64_t counts[BUCKETS], struct error *e)
{
    memset(counts, 0, BUCKETS * sizeof(*counts));
    if (!is_dated(group))
        return 0;
    return retrievals_timeline(g->r, g->by, group->name, g->agent, group->first, group->last,
                               BUCKETS, counts, e);
}

/* ---- for people ---- */

static const struct table_column columns[] = {{NULL, 12, 40, TEXT_EXACT, 0},
                                              {NULL, 0, 0, TEXT_RIGHT, 0},
                                              {NULL, 0, 0, 0, 0},
                                              {NULL, 0, 0, 0, 1},
                                              {NULL, 0, 0, 0, 2}};

/* Prints a dot for an empty column, else a bar relative to the largest. */
static void put_timeline(struct table *t, const int64_t counts[BUCKETS])
{
    AUTO_STRBUF line = STRBUF_INIT;
    bool ascii = t->out->ascii;
    int64_t most = 1;
    for (int i = 0; i < BUCKETS; i++)
        most = counts[i] > most ? counts[i] : most;
    for (int i = 0; i < BUCKETS; i++)
        strbuf_addstr(&line, counts[i] ? level_mark((double)counts[i] / (double)most, ascii)
                             : ascii   ? "."
                                       : "·");
    table_put(t, STYLE_TEXT, line.buf);
}

static void put_day(struct table *t, const struct retrievals *group, int64_t at)
{
    char iso[32];
    times_format(iso, sizeof(iso), at);
    iso[10] = '\0';
    table_put(t, STYLE_TEXT, is_dated(group) ? iso : "suspect");
}

/* "tavily_search      7  2026-10-11  ··▁·▂…  2026-11-14" */
static int put_group(struct grouping *g, struct table *t, const struct retrievals *group,
                     struct error *e)
{
    int64_t counts[BUCKETS];
    if (read_timeline(g, group, counts, e))
        return -1;
    table_put(t, group->name ? STYLE_TEXT : STYLE_DIM, group->name ? group->name : "(none)");
    table_format(t, STYLE_TEXT, "%lld", (long long)group->count);
    put_day(t, group, group->first);
    if (is_dated(group)) {
        put_timeline(t, counts);
        put_day(t, group, group->last);
    } else {
        table_put(t, STYLE_TEXT, "");
        table_put(t, STYLE_TEXT, "");
    }
    char retracted[40] = "";
    if (group->retracted)
        snprintf(retracted, sizeof(retracted), "%lld retracted", (long long)group->retracted);
    table_end(t, NULL, STYLE_UNSUPPORTED, retracted);
    return 0;
}

static int print_all(struct grouping *g, struct error *e)
{
    struct table t = table_open(g->out, columns, sizeof(columns) / sizeof(columns[0]), NULL, 0);
    int result = 0;
    for (size_t i = 0; i < g->shown && !result; i++)
        result = put_group(g, &t, &g->group[i], e);
    if (!result)
        result = table_print(&t, e);
    table_close(&t);
    if (g->shown < g->count)
        output_note("%zu more groups: --limit sets how many are shown", g->count - g->shown);
    return result;
}

/* ---- for programs ---- */

/* Writes {"by","group","count","suspect","retracted","first","last","timeline":[…]}. The timeline has equal parts. */
static int write_group(struct grouping *g, const struct retrievals *group, struct error *e)
{
    struct strbuf *out = &g->out->text;
    int64_t counts[BUCKETS];
    if (read_timeline(g, group, counts, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "by", groups[g->by]);
    json_pair(&o, "group", group->name);
    json_pair_int(&o, "count", group->count);
    json_pair_int(&o, "suspect", group->suspect);
    json_pair_int(&o, "retracted", group->retracted);
    json_pair_int(&o, "first", group->first);
    json_pair_int(&o, "last", group->last);
    struct json_object list = json_open(&o, "timeline", '[');
    for (int i = 0; i < BUCKETS; i++) {
        json_item(&list);
        json_add_int(out, counts[i]);
    }
    json_end(&list);
    json_end_line(&o);
    return 0;
}

static int write_all(struct grouping *g, struct error *e)
{
    for (size_t i = 0; i < g->shown; i++)
        if (write_group(g, &g->group[i], e))
            return -1;
    if (g->shown < g->count)
        strbuf_addf(&g->out->text, "{\"more\":%zu}\n", g->count - g->shown);
    return 0;
}

/* ---- the command ---- */

/* Reads groups and timelines in one transaction. */
static int print_retrievals(struct invocation *i, struct grouping *g, struct error *e)
{
    size_t limit = (size_t)option_number(i, "limit", CMD_RETRIEVALS_SHOWN);
    if (reader_begin(g->r, e))
        return -1;
    int result = retrievals_grouped(g->r, &i->arena, g->by, g->agent, &g->group, &g->count, e);
    g->shown = !result && g->count < limit ? g->count : limit;
    return reader_done(g->r, result ? -1 : i->out.json ? write_all(g, e) : print_all(g, e));
}

static int read_retrievals(struct invocation *i, struct reader *r, struct error *e)
{
    struct grouping g = {.out = &i->out,
                         .r = r,
                         .by = (enum retrieval_group)option_choice(i, "by", RETRIEVALS_BY_TYPE),
                         .agent = option_text(i, "agent")};
    int result = print_retrievals(i, &g, e);
    if (!result && g.count == 0) {
        int known = explain_empty_list(r, g.agent, NULL, e);
        if (known > 0)
            output_note("no retrieval was logged");
        result = known < 0 ? -1 : 1;
    }
    return result;
}

static const char *choose_group(int i)
{
    return groups[i];
}

static const struct option_spec retrievals_options[] = {
    OPT_CHOICE("by", "WHAT", choose_group, "what to group them by (type, if left out):"),
    OPT_TEXT("agent", "A", "only this agent's"),
    OPT_INT("limit", "N", 1, 1e6, "show at most N groups (50)"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_retrievals = {
    .name = "retrievals",
    .words = "",
    .about = "list what was retrieved, by type, URI or agent",
    .examples = "stemma retrievals --by uri",
    .details = "Each group of logged retrievals shows their number, the first and the last day, "
               "and a timeline: a dot if nothing was retrieved, else a level relative to the "
               "busiest part. Retrievals with a suspect time are not in it. Retracted ones "
               "count, and are counted at the end of the line. The group used last comes first. "
               "`stemma list attribution` lists them one by one.",
    .options = retrievals_options,
    .read = read_retrievals,
};
