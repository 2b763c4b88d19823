/* memory_list: memories by what they are, in pages. */
#include <stdlib.h>
#include <string.h>
#include "store/query/list.h"
#include "store/lineage/kept_labels.h"
#include "store/db/reader.h"
#include "store/mcp/tools/tools.h"

#define LIMIT_MAX 200

static const struct field arguments[] = {
    {.name = "kind", .type = FIELD_STRING, .choice = one_kind, .about = "Only of that kind."},
    {.name = "agent_id",
     .type = FIELD_STRING,
     .flags = FIELD_NOT_EMPTY,
     .longest = SHORT_MAX,
     .about = "Only that agent's."},
    {.name = "status",
     .type = FIELD_STRING,
     .choice = one_status,
     .about = "Only of that status. Without it all but forgotten, deleted and purged ones."},
    {.name = "label",
     .type = FIELD_STRING,
     .choice = one_label,
     .about = "Only those whose support came to that. Slow in a large store."},
    {.name = "order",
     .type = FIELD_STRING,
     .choice = one_order,
     .fallback = "\"created\"",
     .about = "Latest or greatest first; text from its beginning."},
    {.name = "limit",
     .type = FIELD_INTEGER,
     .min = 1,
     .max = LIMIT_MAX,
     .fallback = "50",
     .about = "At most so many."},
    {.name = "cursor",
     .type = FIELD_STRING,
     .about = "`next` of the page before, with the same other arguments."},
    FIELD_END,
};

static const struct field answer[] = {
    {.name = "memories",
     .type = FIELD_ARRAY,
     .of = FIELD_OBJECT,
     .flags = FIELD_REQUIRED,
     .fields = memory_fields},
    {.name = "next",
     .type = FIELD_STRING,
     .flags = FIELD_CURSOR,
     .about = "There are more: give it as cursor. A page may end before its limit."},
    {.name = "more", .type = FIELD_BOOLEAN, .about = "true with `next`."},
    FIELD_END,
};

/* A page in the making. */
struct page {
    struct list_query query;
    const char *cursor;
    int label; /* -1: any */
    size_t limit;
    int64_t row[LIMIT_MAX];
    enum label labels[LIMIT_MAX];
    size_t count;
    bool more;          /* there is another row behind the limit */
    struct strbuf next; /* the cursor behind the limit */
    /* Where a label is asked for: the whole store, labelled. */
    struct graph graph;
    struct labels all;
};

static int no_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, "Ask without a label.", "there is no memory for the labels");
}

static int take_query(struct mcp_call *call, struct page *p, struct error *e)
{
    struct taking t = take_from(call);
    int kind = take_choice(&t, "kind", one_kind, -1);
    int status = take_choice(&t, "status", one_status, -1);
    p->label = take_choice(&t, "label", one_label, -1);
    p->query.kinds = kind < 0 ? 0 : KIND_BIT(kind);
    p->query.agent = take_text(&t, "agent_id", NULL);
    p->query.order = (enum list_order)take_choice(&t, "order", one_order, ORDER_CREATED);
    if (status >= 0)
        p->query.statuses = status == STATUS_MISSING ? STATUSES_ALL : STATUS_BIT(status);
    else if (p->label == LABEL_GONE)
        p->query.statuses = STATUSES_ALL; /* most of what is gone is left out otherwise */
    p->limit = (size_t)arg_integer(call->arguments, "limit", 50);
    p->cursor = take_text(&t, "cursor", NULL);
    if (p->cursor && !*p->cursor)
        p->cursor = NULL;
    return take_end(&t, e);
}

static bool is_wanted(const struct page *p, int64_t row)
{
    return p->label < 0 || p->all.label[row - 1] == p->label;
}

/* The page's rows, and whether another follows. */
static int gather(struct reader *r, struct page *p, struct error *e)
{
    int64_t row;
    int more = 0;
    struct list *l = list_open(r, &p->query, p->cursor, e);
    if (!l)
        return -1;
    while (!p->more && (more = list_next(l, &row, e)) > 0) {
        if (!is_wanted(p, row))
            continue;
        p->more = p->count == p->limit;
        if (p->more)
            break;
        p->row[p->count++] = row;
        if (p->count == p->limit)
            list_cursor(l, &p->next);
    }
    list_close(l);
    return more < 0 ? -1 : 0;
}

/* The cursor behind the first `count` rows of a page that ends before its limit. */
static int find_next(struct reader *r, struct page *p, size_t count, struct error *e)
{
    int64_t row;
    int more = 1;
    struct list *l = list_open(r, &p->query, p->cursor, e);
    if (!l)
        return -1;
    for (size_t i = 0; i < count && more > 0;) {
        more = list_next(l, &row, e);
        i += more > 0 && is_wanted(p, row);
    }
    strbuf_clear(&p->next);
    list_cursor(l, &p->next);
    list_close(l);
    return more < 0 ? -1 : 0;
}

/* All labels are needed where one is asked for. */
static int find_labelled(struct reader *r, struct page *p, struct error *e)
{
    reader_part(r, 0, 2);
    if (graph_load(r, &p->graph, e) || guard_graph(r, &p->graph, e))
        return -1;
    reader_part(r, 1, 2);
    if (labels_compute(&p->all, &p->graph))
        return no_memory(e);
    if (gather(r, p, e))
        return -1;
    reader_progress(r, p->graph.nodes, p->graph.nodes);
    for (size_t i = 0; i < p->count; i++)
        p->labels[i] = (enum label)p->label;
    return 0;
}

static int find(struct reader *r, struct page *p, struct error *e)
{
    if (p->label >= 0)
        return find_labelled(r, p, e);
    return gather(r, p, e) || (p->count && kept_labels_of_rows(r, p->row, p->count, p->labels, e))
               ? -1
               : 0;
}

static int add_page(struct mcp_call *call, struct reader *r, struct page *p, struct error *e)
{
    struct strbuf *out = &call->result;
    size_t i;
    struct json_object o = json_begin(out, '{');
    json_key(&o, "memories");
    struct json_object list = json_begin(out, '[');
    for (i = 0; i < p->count && out->len <= PAGE_MAX; i++) {
        json_item(&list);
        if (add_form(call, r, p->row[i], p->labels[i], out, e))
            return -1;
    }
    json_end(&list);
    if (i < p->count && find_next(r, p, i, e))
        return -1;
    if (p->more || i < p->count) {
        json_key(&o, "next");
        json_add_string(out, p->next.buf);
        json_pair_bool(&o, "more", true);
    }
    json_end(&o);
    out->failed |= p->next.failed;
    return 0;
}

static int read_list(struct mcp_call *call, struct reader *r, struct error *e)
{
    struct page p = {.label = -1, .next = STRBUF_INIT};
    graph_init(&p.graph);
    if (take_query(call, &p, e) || reader_begin(r, e))
        return -1;
    int result = find(r, &p, e) || add_page(call, r, &p, e) ? -1 : 0;
    reader_end(r);
    labels_release(&p.all);
    graph_release(&p.graph);
    strbuf_release(&p.next);
    return result;
}

const struct mcp_tool tool_memory_list = {
    .name = "memory_list",
    .title = "List memories",
    .description = "Lists memories, newest first: of a kind, an agent, a status, a label, in "
                   "pages. Use it to see "
                   "what is there, to go through what an agent wrote, or to find what needs care: "
                   "{\"kind\": \"belief\", \"label\": \"ungrounded\"} gives beliefs that lost all "
                   "their support. "
                   "To look for a subject, use memory_search.\n"
                   "Where there are more, `next` is the cursor of the next page, to be given with "
                   "the same other "
                   "arguments; what is added meanwhile is neither repeated nor makes others be "
                   "skipped.",
    .arguments = arguments,
    .answer = answer,
    .hints = HINT_READ_ONLY | HINT_IDEMPOTENT,
    .work = WORK_READ,
    .read = read_list,
};
