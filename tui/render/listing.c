#include "tui/render/listing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/json/answer.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/render/oneline.h"
#include "tui/render/kind_preview.h"
#include "tui/render/kind_fields.h"
#include "tui/text/match.h"
#include "tui/text/output.h"
#include "tui/text/text.h"

#define GAP          2
#define PRIORITY_MAX 20

struct table_row {
    struct {
        const char *text;
        enum style style;
    } cell[TABLE_COLUMNS], rest;
    const char *lead;
};

struct table table_open(struct output *out, const struct table_column *columns, size_t count,
                        const char *rest_name, size_t rest_min)
{
    return (struct table){.out = out,
                          .column = columns,
                          .count = count,
                          .rest_name = rest_name,
                          .rest_min = rest_min,
                          .arena = ARENA_INIT};
}

void table_close(struct table *t)
{
    arena_release(&t->arena);
    free(t->row);
}

void table_put(struct table *t, enum style style, const char *text)
{
    if (t->next == 0)
        *ARRAY_ADD(t->row, t->rows, t->alloc) = (struct table_row){.lead = NULL};
    struct table_row *row = &t->row[t->rows - 1];
    row->cell[t->next].text = arena_strdup(&t->arena, text ? text : "");
    row->cell[t->next++].style = style;
}

void table_format(struct table *t, enum style style, const char *format, ...)
{
    AUTO_STRBUF text = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    table_put(t, style, text.buf);
}

void table_end(struct table *t, const char *lead, enum style style, const char *rest)
{
    struct table_row *row = &t->row[t->rows - 1];
    row->lead = arena_strdup(&t->arena, lead ? lead : "");
    row->rest.text = arena_strdup(&t->arena, rest ? rest : "");
    row->rest.style = style;
    t->rest |= !t->fitted && *row->rest.text;
    t->next = 0;
}

/* ---- widths ---- */

static void measure(struct table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct table_column *c = &t->column[i];
        size_t max = c->max ? c->max : SIZE_MAX - 1;
        t->width[i] = c->name ? strlen(c->name) : 0;
        for (size_t n = 0; n < t->rows; n++) {
            const char *text = t->row[n].cell[i].text;
            size_t own = text_width(text, strlen(text), max, c->flags | t->out->flags);
            own = own < max ? own : max;
            t->width[i] = own > t->width[i] ? own : t->width[i];
        }
    }
}

/* The width of all columns, with a gap after each but the last. */
static size_t line_width(const struct table *t)
{
    size_t taken = t->rest ? t->rest_min + GAP : 0;
    for (size_t i = 0; i < t->count; i++)
        taken += t->width[i] ? t->width[i] + GAP : 0;
    return taken > GAP ? taken - GAP : 0;
}

/* Drops columns of lower priority than `priority` until the line has room. */
static void drop_columns(struct table *t, int priority)
{
    for (int min = 1; min < priority; min++)
        for (size_t i = 0; i < t->count && line_width(t) > t->out->columns; i++)
            if (t->column[i].priority == min)
                t->width[i] = 0;
}

/* Cuts all columns that may be cut, then gives the remaining width back, first to columns that are never dropped. */
static void cut(struct table *t)
{
    size_t whole[TABLE_COLUMNS];
    memcpy(whole, t->width, sizeof(whole));
    for (size_t i = 0; i < t->count; i++)
        if (t->column[i].min && t->column[i].min < t->width[i])
            t->width[i] = t->column[i].min;
    t->rest = t->rest && line_width(t) <= t->out->columns;
    drop_columns(t, PRIORITY_MAX);
    for (int priority = PRIORITY_MAX; priority > 0; priority--)
        for (size_t i = 0; i < t->count; i++) {
            size_t taken = line_width(t), lacks = whole[i] - t->width[i];
            size_t left = t->out->columns > taken ? t->out->columns - taken : 0;
            if (t->column[i].priority == priority % PRIORITY_MAX && t->width[i])
                t->width[i] += lacks < left ? lacks : left;
        }
}

/* ---- printing ---- */

static void print_head(struct table *t)
{
    size_t used = 0;
    for (size_t i = 0; i < t->count; i++)
        used +=
            output_column(t->out, STYLE_STRONG, t->column[i].name, t->width[i], t->column[i].flags);
    output_rest(t->out, STYLE_STRONG, t->rest ? t->rest_name : "", used);
}

static void print_row(struct table *t, const struct table_row *row)
{
    size_t used = 0;
    for (size_t i = 0; i < t->count; i++)
        used += output_column(t->out, row->cell[i].style, row->cell[i].text, t->width[i],
                              t->column[i].flags);
    if (*row->lead)
        output_printf(t->out, STYLE_DIM, "%s", row->lead);
    output_rest(t->out, row->rest.style, t->rest || !t->rest_min ? row->rest.text : "",
                used + strlen(row->lead));
}

int table_print(struct table *t, struct error *e)
{
    int result = 0;
    if (!t->fitted && t->rows) {
        measure(t);
        drop_columns(t, TABLE_CUTS);
        if (line_width(t) > t->out->columns)
            cut(t);
        t->fitted = true;
        if (t->column[0].name)
            print_head(t);
    }
    for (size_t i = 0; i < t->rows && !t->out->closed && !result; i++) {
        print_row(t, &t->row[i]);
        if (t->below)
            t->below(t->arg, i);
        result = e ? output_row(t->out, e) : 0;
    }
    arena_clear(&t->arena);
    t->rows = 0;
    return result;
}

/* For more rows than this, loading the whole graph costs less than reading the neighbourhood of each row. */
#define FEW 500

static int labelling_open(struct labelling *l, struct reader *r, size_t expected, struct error *e)
{
    *l = (struct labelling){.reader = r};
    if (expected <= FEW)
        return 0;
    if (reader_begin(r, e))
        return -1;
    l->all = loaded_labels_get(r, e);
    reader_end(r);
    return l->all ? 0 : -1;
}

static int read_trust(struct labelling *l, struct error *e)
{
    if (l->trust || !l->trusts)
        return 0;
    l->trust = xmalloc((l->all->rows + 1) * sizeof(*l->trust));
    return reader_begin(l->reader, e)
               ? -1
               : reader_done(l->reader, trust_of_all(l->reader, l->all->rows, l->trust, e));
}

/* A row that was added since the graph was loaded is read by itself. */
static int label_row(struct labelling *l, int64_t row, struct row_label *out, struct error *e)
{
    if (!loaded_label(l->all, row, out))
        return labels_of_rows(l->reader, &row, 1, out, e) ||
                       (l->trusts && trust_fill(l->reader, &row, 1, out, e))
                   ? -1
                   : 0;
    out->has_trust = l->trusts;
    out->trust = l->trusts ? l->trust[row - 1] : 0;
    return 0;
}

static int labelling_get(struct labelling *l, const int64_t *rows, size_t count,
                         struct row_label *out, struct error *e)
{
    if (!l->all)
        return l->trusts ? support_of_rows(l->reader, rows, count, out, e)
                         : effective_of_rows(l->reader, rows, count, out, e);
    if (read_trust(l, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (label_row(l, rows[i], &out[i], e))
            return -1;
    return effective_fill(l->reader, rows, count, out, e);
}

/* Whether all of these kinds (KIND_BIT()s) show a column of their own instead of the origin: the progress of a chain,
 * the place of a passage. */
static bool kinds_have_own_column(unsigned kinds)
{
    const unsigned have = KIND_BIT(KIND_CHAIN) | KIND_BIT(KIND_STEP) | KIND_BIT(KIND_DOCUMENT) |
                          KIND_BIT(KIND_CITATION) | KIND_BIT(KIND_ATTRIBUTION);
    return kinds && (kinds & ~have) == 0;
}

static void add_own_column(struct strbuf *out, const struct memory *m, const struct kind_detail *d,
                           struct arena *arena)
{
    const char *type;
    switch (m->ref.kind) {
    case KIND_CHAIN:
        strbuf_addf(out, "%s, %zu step%s", chain_state_name(d->chain.state), d->chain.steps,
                    d->chain.steps == 1 ? "" : "s");
        break;
    case KIND_STEP:
        if (d->step.number > 0)
            strbuf_addf(out, "step %lld", (long long)d->step.number);
        break;
    case KIND_DOCUMENT:
        strbuf_addf(out, "%zu%s use%s%s", d->document.uses, d->document.bounded ? "+" : "",
                    d->document.uses == 1 ? "" : "s", d->document.changed ? ", changed" : "");
        break;
    case KIND_CITATION:
        strbuf_addstr(out, d->place);
        break;
    default:
        type = member_text(m, "source_type", arena);
        strbuf_addstr(out, type ? type : "");
    }
}

/*
 * "abandoned, 3 steps", "step 2", "5 uses, changed", "page 12, Delivery", "web_scrape"; "" for nothing. Returns NULL
 * and sets *e on failure. The result is in the arena, into which the memory is read, too. Sets *confidence, unless
 * NULL, to what a list shows of it, and *at to the time of a retrieval.
 */
static const char *read_own_column(struct reader *r, struct arena *arena, int64_t node,
                                   const struct row_label *label, double *confidence, int64_t *at,
                                   struct error *e)
{
    struct memory m;
    struct kind_detail d;
    AUTO_STRBUF text = STRBUF_INIT;
    if (memory_read(r, arena, node, &m, e) || kind_detail_read(r, arena, &m, &d, e))
        return NULL;
    if (d.known)
        add_own_column(&text, &m, &d, arena);
    if (d.known && m.ref.kind == KIND_ATTRIBUTION)
        *at = d.attribution.at;
    if (confidence)
        *confidence = kind_confidence(&d, m.ref.kind, label);
    return arena_strdup(arena, text.buf);
}

#define NAMES_LISTED 12 /* names that are listed; the rest are counted */

/* Prints "there is no agent 'nobdy'; did you mean nobody?", or all names. */
static void print_unknown(const char *what, const char *word, const char *const *names,
                          size_t count)
{
    struct suggestion near = SUGGESTION_INIT(word);
    AUTO_STRBUF all = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        suggest_consider(&near, names[i]);
        if (i < NAMES_LISTED)
            strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    if (count > NAMES_LISTED)
        strbuf_addf(&all, " and %zu more", count - NAMES_LISTED);
    if (near.name)
        output_note("nothing matched: there is no %s '%.80s'. Did you mean %s?", what, word,
                    near.name);
    else if (count)
        output_note("nothing matched: there is no %s '%.80s'. There %s %s.", what, word,
                    count == 1 ? "is" : "are", all.buf);
    else
        output_note("nothing matched: this store has no %s '%.80s'.", what, word);
}

static int agent_known(struct reader *r, struct arena *arena, const char *agent, struct error *e)
{
    struct agent_count *agents;
    size_t count;
    bool known;
    if (list_has_agent(r, agent, &known, e))
        return -1;
    if (known)
        return 1;
    if (list_agents(r, arena, &agents, &count, e))
        return -1;
    const char **names = arena_array(arena, count + 1, sizeof(*names));
    for (size_t i = 0; i < count; i++)
        names[i] = agents[i].name;
    print_unknown("agent", agent, names, count);
    return 0;
}

static int source_type_known(struct reader *r, struct arena *arena, const char *type,
                             struct error *e)
{
    const char **names;
    size_t count;
    if (list_source_types(r, arena, &names, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], type) == 0)
            return 1;
    print_unknown("source type", type, names, count);
    return 0;
}

int explain_empty_list(struct reader *r, const char *agent, const char *source_type,
                       struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    int known = agent ? agent_known(r, &arena, agent, e) : 1;
    if (known > 0 && source_type)
        known = source_type_known(r, &arena, source_type, e);
    return known;
}

/*
 * Rows are processed in batches: each is read in one transaction, measured, printed and dropped. So the memory in use
 * does not depend on the length of the list.
 */

/* On a narrow terminal the min important columns are dropped first. */
#define COLUMNS(widest_, source_, holds_, agent_, confidence_, age_)                               \
    {                                                                                              \
        {NULL, 0, 1, 0, 0}, {NULL, 0, 32, TEXT_EXACT, 0}, {NULL, 0, 5, TEXT_RIGHT, confidence_},   \
            {NULL, 0, 12, TEXT_RIGHT, holds_}, {NULL, 0, ROW_FLAGS, 0, age_},                      \
            {NULL, 0, widest_, TEXT_EXACT, source_}, {NULL, 0, 16, TEXT_EXACT, agent_},            \
            {NULL, 0, 4, TEXT_RIGHT, age_},                                                        \
    }
static const struct table_column by_origin[] = COLUMNS(16, 1, 2, 3, 4, 5);
static const struct table_column by_own_column[] = COLUMNS(20, 4, 1, 3, 2, 5);
#define LIST_COLUMNS (sizeof(by_origin) / sizeof(by_origin[0]))
_Static_assert(LIST_COLUMNS == sizeof(((struct listing *)0)->column) / sizeof(struct table_column),
               "struct listing has room for them");
static const char *const headings[] = {"sign",  "ref",    "conf",  "support",
                                       "flags", "source", "agent", "age"};
/* What stands in place of the confidence, if anything does. Such a list has headings in a pipe, too. */
static const char *const in_place[ORDER_COUNT] = {
    [ORDER_TRUST] = "trust", [ORDER_KEYSTONES] = "loses"};
static const char *const own_headings[KIND_COUNT] = {
    [KIND_CHAIN] = "state",    [KIND_STEP] = "step",        [KIND_DOCUMENT] = "uses",
    [KIND_CITATION] = "cites", [KIND_ATTRIBUTION] = "type",
};
#define CONFIDENCE     2 /* columns */
#define FLAGS          4
#define SOURCE         5
#define AGENT          6
#define LEAST_TEXT     30  /* columns that the text keeps */
#define LEAST_TITLE    24  /* with a column of the kind's own, which says more than a title's end */
#define SOURCES_LOOKED 500 /* memories that are looked at for each row */

void listing_more(struct output *out, const char *more, const char *cursor)
{
    if (!out->json) {
        output_note("there are %s beyond --limit", more);
        return;
    }
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "next", cursor);
    json_end_line(&o);
}

int listing_open(struct listing *l, struct output *out, struct reader *r, size_t expected,
                 const struct list_query *query, struct error *e)
{
    bool many = false;
    const char *agent = query->agent;
    *l = (struct listing){.out = out, .reader = r, .arena = ARENA_INIT};
    if (labelling_open(&l->labelling, r, expected, e))
        return -1;
    /* A single batch shows by itself whether agents differ. A longer list needs a query. */
    if (!agent && !out->json && expected > LISTING_BATCH && list_several_agents(r, &many, e))
        return -1;
    const struct trust_rules *trust = confidence_rules_of(r)->trust;
    l->order = query->order;
    l->own_column = kinds_have_own_column(query->kinds);
    l->labelling.trusts = out->json || (trust && trust->cap) || query->order == ORDER_TRUST;
    l->agents = agent ? AGENTS_HIDE : many ? AGENTS_SHOW : AGENTS_IF_MANY;
    return 0;
}

void listing_close(struct listing *l)
{
    loaded_release(l->labelling.all);
    free(l->labelling.trust);
    table_close(&l->table);
    arena_release(&l->arena);
}

/* The first batch decides for the whole list which columns are shown. */
static void begin_table(struct listing *l, const struct memory_row *rows, size_t count)
{
    if (l->begun)
        return;
    l->begun = true;
    for (size_t i = 1; l->agents == AGENTS_IF_MANY && i < count; i++) {
        /* NULL counts as an agent of its own: the memory belongs to no agent. */
        const char *x = rows[0].agent, *y = rows[i].agent;
        if (x && y ? strcmp(x, y) != 0 : x != y)
            l->agents = AGENTS_SHOW;
    }
    memcpy(l->column, l->own_column ? by_own_column : by_origin, sizeof(l->column));
    const char *other = in_place[l->order];
    if (l->order == ORDER_KEYSTONES)
        l->column[CONFIDENCE].max = 8;
    bool headed = other || l->out->tty;
    /* Of a longer list more rows follow, which may have flags. */
    l->flagged = count == LISTING_BATCH;
    for (size_t i = 0; i < count; i++)
        l->flagged |= rows[i].flags != 0;
    for (size_t i = 0; headed && i < LIST_COLUMNS; i++) {
        bool hidden = (i == AGENT && l->agents != AGENTS_SHOW) || (i == FLAGS && !l->flagged);
        bool own = i == SOURCE && l->own_column;
        const char *name = hidden                     ? ""
                           : own                      ? own_headings[rows[0].ref.kind]
                           : i == CONFIDENCE && other ? other
                                                      : headings[i];
        size_t width = strlen(name);
        l->column[i].name = name;
        l->column[i].max = l->column[i].max < width ? width : l->column[i].max;
    }
    l->table = table_open(l->out, l->column, LIST_COLUMNS, headed ? "text" : NULL,
                          l->own_column ? LEAST_TITLE : LEAST_TEXT);
}

/* How many derivations are independent is looked up only for a person to read. */
static int put_support(struct listing *l, int64_t row, const struct row_label *label,
                       struct error *e)
{
    struct independent independent = {.known = false};
    AUTO_STRBUF support = STRBUF_INIT;
    if (label->valid > 1 && l->out->columns != SIZE_MAX &&
        independent_of_row(l->reader, row, SOURCES_LOOKED, &independent, e))
        return -1;
    facts_add_support(&support, label, &independent, l->out->ascii);
    if (label->justs)
        table_put(&l->table, facts_is_echo(label, &independent) ? STYLE_WEAKENED : STYLE_TEXT,
                  support.buf);
    else
        table_put(&l->table, STYLE_TEXT, l->out->ascii ? "-" : "–");
    return 0;
}

static void put_flags(struct listing *l, unsigned flags)
{
    AUTO_STRBUF signs = STRBUF_INIT;
    for (int i = 0; i < ROW_FLAGS; i++)
        if (flags >> i & 1)
            strbuf_addstr(&signs, mark_of_label(SIGN_APPROVED + i, l->out->ascii));
    if (l->flagged && !signs.len)
        strbuf_addchars(&signs, ' ', ROW_FLAGS); /* a column's width does not grow */
    table_put(&l->table, STYLE_TEXT, signs.len ? signs.buf : "");
}

static int put_row(struct listing *l, const struct memory_row *row, const struct row_label *label,
                   const char *text, struct error *e)
{
    struct table *t = &l->table;
    char age[32], status[64] = "";
    bool retrieved = row->ref.kind == KIND_ATTRIBUTION;
    double confidence = l->order == ORDER_TRUST ? label->trust : effective_shown(label);
    double *own_confidence = l->order == ORDER_TRUST ? NULL : &confidence;
    int64_t at = l->order == ORDER_UPDATED ? row->updated_at : row->created_at, retrieved_at = at;
    const char *source = row->source_type ? source_type_label(row->source_type) : "", *own = source;
    if ((l->own_column || retrieved || row->ref.kind == KIND_CHAIN) &&
        !(own = read_own_column(l->reader, &l->arena, row->node, label, own_confidence,
                                &retrieved_at, e)))
        return -1;
    bool suspect = retrieved && clock_retrieval_is_suspect(retrieved_at, l->out->now);
    source = l->own_column ? own : source;
    at = l->own_column && l->order != ORDER_UPDATED ? retrieved_at : at;
    int sign = sign_of_memory(row->status, label->label);
    table_put(t, style_of_sign(sign), mark_of_label(sign, l->out->ascii));
    table_put(t, STYLE_DIM, short_ref(l->reader, &l->arena, row->ref));
    if (l->order == ORDER_KEYSTONES)
        table_format(t, STYLE_TEXT, "%u", label->loses);
    else if (isnan(confidence))
        table_put(t, STYLE_TEXT, l->out->ascii ? "-" : "–");
    else
        table_format(t, STYLE_TEXT, "%s%.2f",
                     row->has_default && l->order != ORDER_TRUST ? "=" : "", confidence);
    if (put_support(l, row->node, label, e))
        return -1;
    put_flags(l, row->flags);
    table_put(t, STYLE_TEXT, source);
    table_put(t, STYLE_TEXT, l->agents == AGENTS_SHOW ? row->agent : "");
    clock_format_age_brief(age, sizeof(age), at, l->out->now);
    table_format(t, STYLE_DIM, "%4s", age); /* ages in a later batch may be wider */
    if (row->status != STATUS_ACTIVE)       /* in a style that text never has */
        snprintf(status, sizeof(status), "[%s] ", status_word(row->status));
    if (suspect)
        snprintf(status + strlen(status), sizeof(status) - strlen(status), "[suspect time] ");
    table_end(t, status,
              sign < LABEL_COUNT && label_stands((enum label)sign) ? STYLE_TEXT : STYLE_DIM, text);
    return 0;
}

/* A row has only the start of a long text. Reads the whole text if nothing is cut. */
static int read_text(struct listing *l, const struct memory_row *row, const char **text,
                     struct error *e)
{
    struct memory m;
    *text = row->text;
    if (!row->text_cut || l->out->columns != SIZE_MAX)
        return 0;
    if (memory_read(l->reader, &l->arena, row->node, &m, e))
        return -1;
    *text = m.text;
    return 0;
}

static int put_rows(struct listing *l, const struct row_label *labels, struct error *e)
{
    struct memory_row *row = arena_array(&l->arena, l->count + 1, sizeof(*row));
    for (size_t i = 0; i < l->count; i++)
        if (memory_row_read(l->reader, &l->arena, l->row[i], &row[i], e))
            return -1;
    if (l->count)
        begin_table(l, row, l->count);
    for (size_t i = 0; i < l->count; i++) {
        const char *text;
        if (read_text(l, &row[i], &text, e) || put_row(l, &row[i], &labels[i], text, e))
            return -1;
    }
    return 0;
}

/* A memory as JSON may be large, so flush each before the next is read. */
static int write_rows(struct listing *l, struct row_label *labels, struct error *e)
{
    for (size_t i = 0; i < l->count; i++) {
        arena_clear(&l->arena);
        if (independent_fill(l->reader, l->row[i], 0, &labels[i], e) ||
            answer_form(l->reader, &l->arena, l->row[i], &labels[i], &l->out->text, e))
            return -1;
        strbuf_addch(&l->out->text, '\n');
        if (output_row(l->out, e))
            return -1;
    }
    return 0;
}

int listing_print(struct listing *l, struct error *e)
{
    struct row_label labels[LISTING_BATCH];
    if (labelling_get(&l->labelling, l->row, l->count, labels, e) ||
        (l->order == ORDER_KEYSTONES && loses_fill(l->reader, l->row, l->count, labels, e)))
        return -1;
    arena_clear(&l->arena);
    int result = l->out->json ? write_rows(l, labels, e)
                 : reader_begin(l->reader, e) || reader_done(l->reader, put_rows(l, labels, e)) ||
                         table_print(&l->table, e)
                     ? -1
                     : 0;
    l->count = 0;
    return result;
}

int listing_add(struct listing *l, int64_t row, struct error *e)
{
    l->row[l->count++] = row;
    return l->count == LISTING_BATCH ? listing_print(l, e) : 0;
}
