#include "tui/view/memory/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/guard/guard_mask.h"
#include "store/history/history.h"
#include "tui/explorer/news.h"
#include "tui/render/permission_table.h"
#include "tui/text/member.h"
#include "tui/text/text.h"
#include "tui/view/memory/facts_sheet.h"

#define FACTS_ROWS 512 /* rows of one list that are read; how many there are is always said */

static int facts_past_read(struct reader *r, struct arena *arena, const struct memory *m,
                           struct facts_past *out, struct error *e);

/* Does a memory with that label stand? */
static bool facts_stands(enum label label)
{
    return label == LABEL_GROUNDED || label == LABEL_WEAKENED || label == LABEL_UNSOURCED;
}

void facts_free(struct facts *f)
{
    if (!f)
        return;
    arena_release(&f->arena);
    free(f);
}

void facts_ref(const struct memory_row *row, size_t short_length, struct strbuf *out)
{
    size_t len = strlen(row->ref.id);
    if (!ref_is_uuid_prefix(row->ref.id, REF_SHORT) && len <= 24)
        short_length = len;
    strbuf_addf(out, "%s:%.*s", kind_name(row->ref.kind),
                (int)(short_length < len ? short_length : len), row->ref.id);
}

struct fact_row *facts_rows_read(struct reader *r, struct arena *arena, const int64_t *nodes,
                                 size_t count, struct error *e)
{
    struct fact_row *rows = arena_array(arena, count ? count : 1, sizeof(*rows));
    struct row_label *labels = arena_array(arena, count ? count : 1, sizeof(*labels));
    if (!rows || !labels) {
        error_set(e, ERROR_MEMORY, "", "there is no memory left for so many rows");
        return NULL;
    }
    if (count > 0 && labels_of_rows(r, nodes, count, labels, e))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (memory_row_read(r, arena, nodes[i], &rows[i].row, e))
            return NULL;
        rows[i].label = labels[i];
        rows[i].short_length = ref_short_length(r, rows[i].row.ref);
    }
    return rows;
}

static bool group_holds(const struct fact_group *g)
{
    bool all = g->justification->reading == READING_ALL || g->justification->count == 0;
    for (size_t i = 0; i < g->shown; i++) {
        bool stands = facts_stands(g->row[i].label.label);
        if (stands != all)
            return stands;
    }
    return all;
}

static int read_groups(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    int64_t nodes[FACTS_ROWS] = {0};
    f->group = arena_array(&f->arena, m->justification_count + 1, sizeof(*f->group));
    if (!f->group)
        return error_set(e, ERROR_MEMORY, "", "there is no memory left for justifications");
    for (size_t i = 0; i < m->justification_count; i++) {
        struct fact_group *g = &f->group[i];
        g->justification = &m->justifications[i];
        g->shown = g->justification->count < FACTS_ROWS ? g->justification->count : FACTS_ROWS;
        for (size_t k = 0; k < g->shown; k++)
            nodes[k] = g->justification->antecedents[k].node;
        g->row = facts_rows_read(r, &f->arena, nodes, g->shown, e);
        if (!g->row)
            return -1;
        g->holds = group_holds(g);
    }
    return 0;
}

static int read_relations(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    int64_t nodes[FACTS_ROWS] = {0};
    f->relation_shown = m->relation_count < FACTS_ROWS ? m->relation_count : FACTS_ROWS;
    for (size_t i = 0; i < f->relation_shown; i++)
        nodes[i] = m->relations[i].to_node;
    f->relation = facts_rows_read(r, &f->arena, nodes, f->relation_shown, e);
    return f->relation ? 0 : -1;
}

static int read_related(struct reader *r, struct facts *f, struct error *e)
{
    int64_t nodes[FACTS_ROWS] = {0};
    if (related_to(r, &f->arena, f->node, FACTS_ROWS, &f->related, &f->related_count,
                   &f->related_more, e))
        return -1;
    for (size_t i = 0; i < f->related_count; i++)
        nodes[i] = f->related[i].node;
    f->related_row = facts_rows_read(r, &f->arena, nodes, f->related_count, e);
    return f->related_row ? 0 : -1;
}

/* What each change of confidence came from, the latest first. */
static int read_evidence(struct reader *r, struct facts *f, struct error *e)
{
    const struct memory *m = &f->memory;
    size_t count = m->history_count < FACTS_ROWS ? m->history_count : FACTS_ROWS;
    f->evidence = arena_array(&f->arena, count + 1, sizeof(*f->evidence));
    if (!f->evidence)
        return error_set(e, ERROR_MEMORY, "", "there is no memory left for the history");
    for (size_t i = 0; i < count; i++) {
        const char *source = m->history[m->history_count - 1 - i].evidence_source;
        struct error unknown;
        struct ref ref;
        if (!source || ref_parse(source, &ref) != REF_MEMORY)
            continue;
        int64_t node = ref_find(reader_db(r), ref, &unknown); /* it is kept whole */
        if (node <= 0)
            continue;
        if (memory_row_read(r, &f->arena, node, &f->evidence[i].row, e))
            return -1;
        f->evidence[i].short_length = ref_short_length(r, ref);
    }
    return 0;
}

/* The rows of what rests on it directly, as many as are shown. */
static int keep_carried(struct reader *r, struct facts *f, const int64_t *nodes, struct error *e)
{
    f->carried_shown = f->carried_count < FACTS_ROWS ? f->carried_count : FACTS_ROWS;
    f->carried = facts_rows_read(r, &f->arena, nodes, f->carried_shown, e);
    return f->carried ? 0 : -1;
}

/* What rests on node 0 directly, each once, in the order of the graph; itself it does not carry. */
static int read_carried(struct reader *r, struct facts *f, const struct graph *g, struct error *e)
{
    int64_t nodes[FACTS_ROWS] = {0};
    uint32_t before = 0;
    for (uint32_t i = g->use_first[0]; i < g->use_first[1]; i++) {
        uint32_t user = g->just_node[g->use_just[i]];
        if (user == before || user == 0)
            continue;
        before = user;
        if (f->carried_count < FACTS_ROWS)
            nodes[f->carried_count] = graph_row(g, user);
        f->carried_count++;
    }
    return keep_carried(r, f, nodes, e);
}

/* Too much is around it to be weighed: what rests on it is only counted. */
static int count_carried(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    struct dependants below;
    int failed = dependants_find(r, f->node, bound, &below, e);
    if (!failed) {
        f->bounded = below.more;
        f->carried_count = below.direct;
        f->descends = below.count;
        failed = keep_carried(r, f, below.row, e);
    }
    free(below.row);
    return failed;
}

static int weigh(struct facts *f, const struct graph *g, struct error *e)
{
    struct labels labels;
    struct whatif what;
    const uint32_t root = 0;
    if (labels_compute(&labels, g))
        return error_set(e, ERROR_MEMORY, "", "there is no memory left for what this carries");
    int failed = whatif_retract(&what, g, &labels, &root, 1);
    if (!failed) {
        f->falls = what.fall_count;
        f->descends = what.fall_count + what.weakened_count + what.descends;
        whatif_release(&what);
    }
    labels_release(&labels);
    return failed ? error_set(e, ERROR_MEMORY, "", "there is no memory left for a what-if") : 0;
}

static int read_around(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    struct graph g;
    if (graph_load_around(r, &g, &f->node, 1, DESCENDANTS, bound, &f->bounded, e))
        return -1;
    int failed = 0;
    if (f->bounded)
        failed = count_carried(r, f, bound, e);
    else if (g.nodes > 0)
        failed = read_carried(r, f, &g, e) || weigh(f, &g, e) ? -1 : 0;
    graph_release(&g);
    return failed;
}

/* Masked, a value has another length than what counts. */
static int measure_value(struct reader *r, struct facts *f, struct error *e)
{
    struct memory whole = f->memory;
    if (f->memory.ref.kind != KIND_ENTRY)
        return 0;
    int result = reader_masked(r) ? guard_read_bare(r, &f->arena, f->node, &whole, e) : 0;
    f->value_bytes = result ? 0 : (int64_t)member_of(&whole, "value").len;
    return result;
}

static int read_all(struct reader *r, struct facts *f, size_t bound, struct error *e)
{
    if (memory_read(r, &f->arena, f->node, &f->memory, e) || measure_value(r, f, e) ||
        labels_of_rows(r, &f->node, 1, &f->label, e))
        return -1;
    f->short_length = ref_short_length(r, f->memory.ref);
    if (read_groups(r, f, e) || read_relations(r, f, e) || read_related(r, f, e) ||
        read_evidence(r, f, e))
        return -1;
    /* A preview needs no events. */
    if (bound == 0 && facts_past_read(r, &f->arena, &f->memory, &f->past, e))
        return -1;
    return read_around(r, f, bound, e);
}

struct facts *facts_read(struct reader *r, int64_t node, size_t bound, struct error *e)
{
    struct facts *f = xcalloc(1, sizeof(*f));
    if (!f) {
        error_set(e, ERROR_MEMORY, "", "there is no memory left to show this");
        return NULL;
    }
    f->arena = (struct arena)ARENA_INIT;
    f->node = node;
    int failed = reader_begin(r, e);
    if (!failed) {
        failed = read_all(r, f, bound, e);
        reader_end(r);
    }
    if (!failed)
        return f;
    facts_free(f);
    return NULL;
}

/* How a confidence came about, line by line: each change with who made it and the sum that it follows from. */

#define WIDE      112 /* from here on a sum stands beside its change, else below it */
#define SUM_WIDTH 33
#define WHO       39
#define DID       50
#define WHY       62

static void add_spark(struct strbuf *out, const struct memory *m, const struct screen *screen)
{
    size_t shown = 0;
    for (size_t i = 0; i < m->history_count && shown < 24; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_)
            continue;
        if (shown++ == 0 && h->old == h->old)
            strbuf_addstr(out, level_glyph(screen, h->old));
        strbuf_addstr(out, level_glyph(screen, h->new_));
    }
    strbuf_addf(out, "%s%.3f", shown ? "  " : "", m->confidence);
}

/* Digits are those of the values before they were rounded, where an event tells them. */
static void put_numbers(struct sheet *s, const struct history_entry *h,
                        const struct fact_step *step)
{
    double old = step ? step->before : h->old, new = step ? step->after : h->new_;
    if (new == new)
        sheet_format(s, 3, 6, STYLE_NUMBER, "%.3f", new);
    if (new == new &&old == old)
        sheet_format(s, 10, 7, STYLE_NUMBER, "%+.3f", new - old);
}

static void put_when(struct sheet *s, int64_t at)
{
    struct facts_look look = {.exact_times = true};
    char when[32];
    facts_when(when, sizeof(when), at, &look);
    sheet_put(s, 18, 19, STYLE_AGE, when);
}

static void put_name(struct sheet *s, int column, int width, const char *name)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, name, TEXT_EXACT);
    sheet_put(s, column, width, STYLE_SOURCE, clean.buf ? clean.buf : "");
    strbuf_release(&clean);
}

/* The words of an entry, without what its columns say. */
static void add_why(struct strbuf *out, const struct history_entry *h, const char *evidence,
                    bool told)
{
    const char *parts[] = {told ? NULL : h->operation, h->reason,
                           evidence ? evidence : h->evidence_source, h->origin};
    text_add(out, told ? NULL : h->actor, TEXT_EXACT);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (parts[i] && *parts[i])
            strbuf_addf(out, "%s%s", out->len ? "  " : "", parts[i]);
}

/* Beside the change where there is room, else below it. */
static void put_sum(struct sheet *s, const char *sum, const struct facts_look *look)
{
    if (look->width >= WIDE)
        sheet_put(s, -SUM_WIDTH - 1, SUM_WIDTH, STYLE_DIM, sum);
    else if (sheet_line(s))
        sheet_put(s, 10, 0, STYLE_DIM, sum);
}

/* `evidence`: what it came from; NULL where that is no memory here. */
static void put_change(struct sheet *s, const struct history_entry *h, const struct fact_step *step,
                       const struct fact_row *evidence, const struct facts_look *look)
{
    struct strbuf why = STRBUF_INIT, ref = STRBUF_INIT, sum = STRBUF_INIT;
    bool sums = step && fact_step_sum(step, !look->screen->utf8, &sum);
    bool columns = step && look->width >= WHY + 14;
    if (evidence)
        facts_ref(&evidence->row, evidence->short_length, &ref);
    put_numbers(s, h, step);
    put_when(s, h->at);
    add_why(&why, h, evidence ? ref.buf : NULL, columns);
    if (columns) {
        put_name(s, WHO, DID - WHO - 1, step->who);
        sheet_put(s, DID, WHY - DID - 1, STYLE_TEXT, news_said(step->operation));
    }
    int column = columns ? WHY : WHO;
    int width = look->width - column - (sums && look->width >= WIDE ? SUM_WIDTH + 3 : 1);
    sheet_put(s, column, width, STYLE_TEXT, why.buf ? why.buf : "");
    if (sums)
        put_sum(s, sum.buf, look);
    strbuf_release(&sum);
    strbuf_release(&why);
    strbuf_release(&ref);
}

/* What it was added with, where its whole history was made here. */
static void put_first(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct facts_past *past = &f->past;
    if (!past->known || past->first != past->first || !sheet_line(s))
        return;
    sheet_format(s, 3, 6, STYLE_NUMBER, "%.3f", past->first);
    put_when(s, past->created.at);
    if (look->width < WHY + 14)
        return;
    put_name(s, WHO, DID - WHO - 1, past->created.who);
    sheet_put(s, DID, WHY - DID - 1, STYLE_TEXT, "added");
    sheet_put(s, WHY, 0, STYLE_TEXT, f->memory.source ? f->memory.source : "");
}

/* What time has left of it: a view, which nothing is stored of. */
static void put_decay(struct sheet *s, const struct decay *d)
{
    struct strbuf sum = STRBUF_INIT;
    if (!sheet_line(s))
        return;
    sheet_format(s, 3, 6, STYLE_NUMBER, "%.3f", d->now);
    decay_write(&sum, d);
    sheet_format(s, 10, 0, STYLE_DIM, "decayed, as a view: %s", sum.buf);
    strbuf_release(&sum);
}

void facts_put_confidence(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    struct strbuf right = STRBUF_INIT;
    struct decay decay;
    /* What is not seen of it in three digits is not worth a line. */
    bool decays = STATUS_LIVES(m->status) && decay_at(&decay, m, look->now) &&
                  decay.base - decay.now >= 0.0005;
    if (m->history_count == 0 && !decays)
        return;
    add_spark(&right, m, look->screen);
    sheet_line(s);
    sheet_rule(s, "confidence", right.buf);
    strbuf_release(&right);
    if (decays)
        put_decay(s, &decay);
    for (size_t i = m->history_count; i-- > 0;) {
        struct sheet_line *line = sheet_line(s);
        if (!line)
            return;
        size_t from_end = m->history_count - 1 - i;
        const struct fact_row *evidence = from_end < FACTS_ROWS ? &f->evidence[from_end] : NULL;
        bool known = evidence && evidence->row.node > 0;
        line->opens = known;
        line->node = known ? evidence->row.node : 0;
        put_change(s, &m->history[i],
                   f->past.known && f->past.step[i].seq ? &f->past.step[i] : NULL,
                   known ? evidence : NULL, look);
    }
    if (m->history_count > 0)
        put_first(s, f, look);
}

#define FIELD 14

static void new_line(struct strbuf *out, int depth)
{
    strbuf_addch(out, '\n');
    strbuf_addchars(out, ' ', (size_t)(depth < 20 ? depth : 20) * 2);
}

/* The string that begins there, quotes and all. */
static size_t string_length(const char *at, size_t len)
{
    size_t i = 1;
    while (i < len && at[i] != '"')
        i += at[i] == '\\' ? 2 : 1;
    return i + 1 < len ? i + 1 : len;
}

void json_indent(struct strbuf *out, const char *json, size_t len)
{
    int depth = 0;
    for (size_t i = 0; i < len; i++) {
        char c = json[i];
        bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
        if (c == '"') {
            size_t string = string_length(json + i, len - i);
            strbuf_add(out, json + i, string);
            i += string - 1;
            continue;
        }
        if (opens && i + 1 < len && (json[i + 1] == '}' || json[i + 1] == ']')) {
            strbuf_add(out, json + i++, 2);
            continue;
        }
        if (closes)
            new_line(out, --depth);
        strbuf_addch(out, c);
        if (opens)
            depth++;
        if (opens || c == ',')
            new_line(out, depth);
        if (c == ':')
            strbuf_addch(out, ' ');
    }
}

static void put(struct sheet *s, const struct facts_look *look, const char *name, const char *value)
{
    int room = look->width - FIELD - 1;
    if (!value || !*value || !sheet_line(s))
        return;
    sheet_put(s, 1, FIELD - 2, STYLE_FIELD, name);
    sheet_put(s, FIELD, room > 1 ? room : 1, STYLE_TEXT, value);
}

static void put_expiry(struct sheet *s, const struct memory *m, const struct facts_look *look)
{
    struct facts_look exact = {.exact_times = true};
    int64_t at = member_int(m, "expires_at", 0);
    char when[48];
    if (at <= 0) {
        put(s, look, "expires", "never");
        return;
    }
    facts_when(when, 32, at, &exact);
    size_t len = strlen(when);
    snprintf(when + len, sizeof(when) - len, "%s", at <= look->now ? ", expired" : "");
    put(s, look, "expires", when);
}

void facts_put_entry(struct sheet *s, const struct facts *f, const struct facts_look *look,
                     size_t most)
{
    const struct memory *m = &f->memory;
    struct arena arena = ARENA_INIT;
    struct strbuf text = STRBUF_INIT, tidy = STRBUF_INIT;
    struct json_slice value = member_of(m, "value");
    int64_t expires = member_int(m, "expires_at", 0);
    bool over = m->status == STATUS_EXPIRED || (expires > 0 && expires <= look->now);
    char size[24] = "";
    put(s, look, "namespace", member_text(m, "namespace", &arena));
    put(s, look, "key", member_text(m, "key", &arena));
    put_expiry(s, m, look);
    if (over)
        snprintf(size, sizeof(size), "gone");
    if (value.ptr) {
        bytes_say(size, sizeof(size), f->value_bytes);
        json_tidy(&tidy, value.ptr, value.len); /* what was imported may be all escapes */
        json_indent(&text, tidy.buf, tidy.len);
    } else {
        strbuf_addstr(&text, over ? "it expired: nothing of its value is kept"
                                  : "there is none: it was never given, or has expired since");
    }
    sheet_rule(s, "value", size);
    sheet_line(s);
    sheet_wrap(s, 3, look->width > 8 ? look->width - 4 : 4, value.ptr ? STYLE_TEXT : STYLE_DIM,
               text.buf, most, true);
    strbuf_release(&tidy);
    strbuf_release(&text);
    arena_release(&arena);
}

/* A step with the entry of the history that came with it. */
struct told {
    struct fact_step step;
    int64_t at;
    double new_;
};

struct walk {
    struct arena *arena;
    const struct memory *m;
    struct facts_past *out;
    struct told *told; /* newest first */
    size_t count, alloc;
    bool failed;
};

static const char *who_of(struct walk *w, const struct event *e, bool *person)
{
    *person = e->class_name && !strcmp(e->class_name, "person");
    const char *who = *person || !e->agent ? e->actor : e->agent;
    const char *kept = arena_strdup(w->arena, who ? who : "someone");
    w->failed |= !kept;
    return kept;
}

/* The newest that does so and stands. */
static void take_deed(struct walk *w, struct fact_deed *deed, const struct revision *revision)
{
    const struct event *e = &revision->event;
    if (deed->seq == 0 && revision->undone_by == 0)
        *deed = (struct fact_deed){e->seq, e->at, who_of(w, e, &deed->person), deed->person};
}

static void take_deeds(struct walk *w, const struct revision *revision)
{
    const struct memory *b = revision->before, *a = revision->after;
    const char *operation = revision->event.operation;
    /* What it was added with was nobody's deed here. */
    if (a && b && a->is_protected && !b->is_protected && w->m->is_protected)
        take_deed(w, &w->out->protected_by, revision);
    if (operation && !strcmp(operation, "verify"))
        take_deed(w, &w->out->verified_by, revision);
    if (a && b && a->status == w->m->status && b->status != a->status &&
        w->m->status != STATUS_ACTIVE)
        take_deed(w, &w->out->ended_by, revision);
}

static int64_t times_reinforced(const struct memory *m)
{
    int64_t n = 0;
    struct json_slice value = {NULL, 0};
    if (m->detail)
        value = json_member(m->detail, strlen(m->detail), "times_reinforced");
    return value.ptr && json_integer(value, &n) == 0 && n > 0 ? n : 0;
}

static void take_step(struct walk *w, const struct revision *revision)
{
    const struct memory *b = revision->before, *a = revision->after;
    if (!b || !a || a->history_count == 0 || a->history_count <= b->history_count)
        return;
    if (!array_grow((void **)&w->told, &w->alloc, w->count, sizeof(*w->told))) {
        w->failed = true;
        return;
    }
    struct told *t = &w->told[w->count++];
    *t = (struct told){.at = a->history[a->history_count - 1].at,
                       .new_ = a->history[a->history_count - 1].new_};
    t->step = (struct fact_step){.seq = revision->event.seq,
                                 .before = b->confidence,
                                 .after = a->confidence,
                                 .n = times_reinforced(a)};
    t->step.operation = arena_strdup(w->arena, revision->event.operation);
    t->step.who = who_of(w, &revision->event, &t->step.person);
}

static int take(void *arg, const struct revision *revision)
{
    struct walk *w = arg;
    take_deeds(w, revision);
    take_step(w, revision);
    if (!revision->before && revision->after) { /* the oldest so far */
        struct fact_deed *created = &w->out->created;
        *created = (struct fact_deed){.seq = revision->event.seq, .at = revision->event.at};
        created->who = who_of(w, &revision->event, &created->person);
        w->out->first =
            revision->after->history_count == 0 ? revision->after->confidence : (double)NAN;
    }
    return w->failed;
}

/* Each entry goes with the newest event before it that made such a one: undone ones have left the history. */
static void match(struct walk *w)
{
    size_t next = 0;
    for (size_t i = w->m->history_count; i-- > 0;) {
        const struct history_entry *h = &w->m->history[i];
        size_t at = next;
        while (at < w->count && (w->told[at].at != h->at || w->told[at].new_ != h->new_))
            at++;
        if (at == w->count || h->origin)
            continue;
        w->out->step[i] = w->told[at].step;
        next = at + 1;
    }
}

/* Reads the events of that memory. O(events). */
static int facts_past_read(struct reader *r, struct arena *arena, const struct memory *m,
                           struct facts_past *out, struct error *e)
{
    struct walk w = {.arena = arena, .m = m, .out = out};
    *out = (struct facts_past){.first = (double)NAN};
    out->step = arena_array(arena, m->history_count + 1, sizeof(*out->step));
    int failed = out->step ? history_walk(r, m->node, take, &w, e) : 0;
    if (!failed && out->step && !w.failed)
        match(&w);
    free(w.told);
    if (!failed && (!out->step || w.failed))
        failed = error_set(e, ERROR_MEMORY, "", "there is no memory left for the history");
    out->known = !failed;
    return failed;
}

/* ---- sums ---- */

#define STEP    0.05
#define SLOWER  0.1
#define CEILING 0.99

bool fact_step_sum(const struct fact_step *s, bool ascii, struct strbuf *out)
{
    const char *times = ascii ? "*" : "\xc2\xb7", *minus = ascii ? "-" : "\xe2\x88\x92";
    double more = STEP / (1 + SLOWER * (double)s->n) * (CEILING - s->before);
    more = more > 0 ? more : 0;
    if (s->operation && !strcmp(s->operation, "verify")) {
        strbuf_addstr(out, s->before + 0.1 > 1 ? "+0.1, at most 1" : "+0.1");
        return true;
    }
    if (s->n == 0 || fabs(s->before + more - s->after) > 1e-12)
        return false;
    if (more > 0)
        strbuf_addf(out, "0.05/(1+0.1%s%lld)%s(0.99%s%.3f)", times, (long long)s->n, times, minus,
                    s->before);
    else
        strbuf_addstr(out, "nothing above 0.99");
    return true;
}
