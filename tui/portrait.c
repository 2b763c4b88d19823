#include "portrait.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "../model/alloc.h"
#include "../model/clock.h"
#include "../model/json.h"
#include "../store/subgraph.h"
#include "brief.h"
#include "text.h"

#define FIELD_WIDTH 13
#define WIDEST_NAME 24 /* of a member of the detail; a longer one is cut */
/* What carries more than this is counted in the whole graph. */
#define AROUND_MAX 20000
/* Dependants that are named; the rest are counted, and --reverse shows them. */
#define DEPENDANTS_SHOWN 20

/* What is known around a memory while it is printed. */
struct portrait {
    struct output *out;
    struct reader *reader;
    const struct memory *m;
    struct arena arena;
    struct row_label label;
    int64_t *dependants; /* rows of those that rest on it directly */
    size_t dependant_count, dependant_alloc;
    size_t descendants; /* all of them */
};

/* ---- fields ---- */

void portrait_field(struct output *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    strbuf_addf(&out->text, "%-*s", FIELD_WIDTH, name);
    output_hanging(out, value, FIELD_WIDTH, out->columns);
}

void portrait_fieldf(struct output *out, const char *name, const char *format, ...)
{
    struct strbuf value = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&value, format, args);
    va_end(args);
    portrait_field(out, name, value.buf);
    strbuf_release(&value);
}

void add_time(struct strbuf *out, int64_t ms, int64_t now)
{
    char iso[32], age[32];
    clock_format_iso(iso, sizeof(iso), ms);
    clock_format_age(age, sizeof(age), ms, now);
    char *t = strchr(iso, 'T'), *fraction = strchr(iso, '.');
    if (t && fraction) { /* for people: a space, and no thousandths */
        *t = ' ';
        memcpy(fraction, "Z", 2);
    }
    strbuf_addf(out, "%s (%s)", iso, age);
}

void add_confidence(struct strbuf *out, double confidence)
{
    size_t start = out->len;
    strbuf_addf(out, "%.3f", confidence);
    if (out->len > start && out->buf[out->len - 1] == '0')
        strbuf_cut(out, out->len - 1);
}

static void time_field(struct output *out, const char *name, int64_t ms)
{
    struct strbuf text = STRBUF_INIT;
    add_time(&text, ms, out->now);
    portrait_field(out, name, text.buf);
    strbuf_release(&text);
}

static void list_field(struct output *out, const char *name, const char **items, size_t count,
                       const char *between)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i ? between : "", items[i]);
    portrait_field(out, name, text.buf);
    strbuf_release(&text);
}

static void state_field(struct portrait *p)
{
    const struct memory *m = p->m;
    struct output *out = p->out;
    strbuf_addf(&out->text, "%-*s", FIELD_WIDTH, "state");
    if (p->label.label != LABEL_GONE)
        output_printf(out, tone_of_label(p->label.label), "%s %s", output_mark(out, p->label.label),
                      label_name(p->label.label));
    else
        output_printf(out, TONE_DIM, "%s", output_mark(out, LABEL_GONE));
    if (p->label.justs)
        strbuf_addf(&out->text, ", %u of %u hold", (unsigned)p->label.holds,
                    (unsigned)p->label.justs);
    strbuf_addf(&out->text, ", %s%s\n", status_name(m->status),
                m->is_protected ? ", protected" : "");
}

static void source_field(struct portrait *p)
{
    const struct memory *m = p->m;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, m->source_type ? source_type_label(m->source_type) : "");
    if (m->source)
        strbuf_addf(&text, ": %s", m->source);
    if (m->source_entity)
        strbuf_addf(&text, " (%s)", m->source_entity);
    portrait_field(p->out, "source", text.buf);
    strbuf_release(&text);
}

/* What of its text is not shown as it is. */
static void removed_field(struct portrait *p)
{
    struct text_removed removed;
    struct strbuf text = STRBUF_INIT;
    if (!p->m->text)
        return;
    text_examine(&removed, p->m->text, strlen(p->m->text));
    text_removed_describe(&text, &removed);
    if (text.len > 0)
        strbuf_addstr(&text, " in the text (--json has them)");
    portrait_field(p->out, "not shown", text.buf);
    strbuf_release(&text);
}

/* A member of the detail: a string as text, anything else as JSON. */
static void detail_field(struct portrait *p, const struct json_each *it, size_t width)
{
    struct strbuf value = STRBUF_INIT;
    bool is_string = it->value.len >= 2 && *it->value.ptr == '"';
    size_t len = is_string ? it->value.len - 2 : it->value.len;
    char *text = malloc(len + 1);
    if (!text) {
        p->out->text.failed = true;
        return;
    }
    if (is_string)
        strbuf_add(&value, text, json_unescape(text, it->value.ptr + 1, len));
    else
        json_add_value(&value, it->value.ptr, it->value.len);
    text_fit(&p->out->text, it->key.ptr, it->key.len, width - 1, p->out->flags | TEXT_PAD);
    strbuf_addch(&p->out->text, ' ');
    output_hanging(p->out, value.buf, width, p->out->columns);
    p->out->text.failed |= value.failed;
    free(text);
    strbuf_release(&value);
}

static void detail_fields(struct portrait *p)
{
    if (!p->m->detail)
        return;
    struct json_slice whole = {p->m->detail, strlen(p->m->detail)};
    size_t width = FIELD_WIDTH;
    for (struct json_each it = json_each(whole); json_next(&it);) {
        size_t own = text_width(it.key.ptr, it.key.len, WIDEST_NAME, p->out->flags) + 1;
        width = own > width ? own : width;
    }
    for (struct json_each it = json_each(whole); json_next(&it);)
        detail_field(p, &it, width);
}

static void print_fields(struct portrait *p)
{
    const struct memory *m = p->m;
    portrait_field(p->out, "kind", kind_spec(m->ref.kind)->name);
    state_field(p);
    portrait_field(p->out, "agent", m->agent_id);
    portrait_fieldf(p->out, "confidence", "%.3g", m->confidence);
    source_field(p);
    time_field(p->out, "created", m->created_at);
    if (m->updated_at != m->created_at)
        time_field(p->out, "changed", m->updated_at);
    portrait_fieldf(p->out, "version", "%lld", (long long)m->version);
    list_field(p->out, "tags", m->tags, m->tag_count, ", ");
    portrait_field(p->out, "context", m->context);
    for (size_t i = 0; i < m->annotation_count; i++)
        portrait_field(p->out, i ? "" : "annotation", m->annotations[i]);
    detail_fields(p);
    removed_field(p);
}

/* ---- what it rests on ---- */

static void heading(struct output *out, const char *title, const char *rest)
{
    strbuf_addch(&out->text, '\n');
    output_printf(out, TONE_STRONG, "%s", title);
    strbuf_addf(&out->text, "%s%s\n", *rest ? "  " : "", rest);
}

static void group_line(struct output *out, const struct justification *j, size_t number)
{
    strbuf_addf(&out->text, "  %zu  %s", number, role_name(j->role));
    if (j->count > 1)
        strbuf_addf(&out->text, ", %s of", reading_name(j->reading));
    if (j->count == 0)
        strbuf_addstr(&out->text, ", resting on nothing");
    if (j->recorded != RECORDED)
        output_printf(out, TONE_WARN, ", %s", recorded_name(j->recorded));
    if (j->reason) {
        strbuf_addstr(&out->text, ": ");
        output_text(out, TONE_PLAIN, j->reason);
    }
    strbuf_addch(&out->text, '\n');
}

/* "0.83 measured, page 12, Section, rank 2": what a use says besides its excerpt. */
static void describe_use(struct strbuf *out, const struct use *use)
{
    if (!isnan(use->relevance))
        strbuf_addf(out, "%.2f %s", use->relevance, score_name(use->score));
    if (use->rank >= 0)
        strbuf_addf(out, "%srank %lld", out->len ? ", " : "", (long long)use->rank);
    if (use->page >= 0)
        strbuf_addf(out, "%spage %lld", out->len ? ", " : "", (long long)use->page);
    if (use->section)
        strbuf_addf(out, "%s%s", out->len ? ", " : "", use->section);
    if (use->chunk >= 0)
        strbuf_addf(out, "%schunk %lld", out->len ? ", " : "", (long long)use->chunk);
    if (use->label)
        strbuf_addf(out, "%sas %s", out->len ? ", " : "", use->label);
}

static int antecedent_line(struct portrait *p, const struct antecedent *a,
                           const struct row_label *label, struct error *e)
{
    struct brief brief;
    struct strbuf note = STRBUF_INIT;
    int result = brief_read(p->reader, &p->arena, a->node, label->label, &brief, e);
    if (!result) {
        if (a->use)
            describe_use(&note, a->use);
        strbuf_addstr(&p->out->text, "     ");
        brief_print(p->out, &brief, p->m->agent_id, 5, note.buf);
        if (a->use && a->use->excerpt)
            output_paragraph(p->out, a->use->excerpt, 9, p->out->columns);
    }
    strbuf_release(&note);
    return result;
}

static int print_group(struct portrait *p, const struct justification *j, size_t number,
                       const struct row_label *labels, struct error *e)
{
    group_line(p->out, j, number);
    for (size_t i = 0; i < j->count; i++)
        if (antecedent_line(p, &j->antecedents[i], &labels[i], e))
            return -1;
    return 0;
}

/* The labels of all antecedents of all groups, in their order; NULL with an error. */
static struct row_label *antecedent_labels(struct portrait *p, struct error *e)
{
    const struct memory *m = p->m;
    size_t count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        count += m->justifications[i].count;
    int64_t *rows = arena_array(&p->arena, count + 1, sizeof(*rows));
    struct row_label *labels = arena_array(&p->arena, count + 1, sizeof(*labels));
    if (!rows || !labels) {
        error_set(e, ERROR_MEMORY, "", "there is no memory for what it rests on");
        return NULL;
    }
    count = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t n = 0; n < m->justifications[i].count; n++)
            rows[count++] = m->justifications[i].antecedents[n].node;
    return labels_of_rows(p->reader, rows, count, labels, e) ? NULL : labels;
}

static int print_rests_on(struct portrait *p, struct error *e)
{
    if (p->m->justification_count == 0)
        return 0;
    const struct row_label *labels = antecedent_labels(p, e);
    if (!labels)
        return -1;
    heading(p->out, "rests on", "");
    for (size_t i = 0; i < p->m->justification_count; i++) {
        if (print_group(p, &p->m->justifications[i], i + 1, labels, e))
            return -1;
        labels += p->m->justifications[i].count;
    }
    return 0;
}

/* ---- what it carries ---- */

/* The rows that name node 0 or `root` in a justification, each once. */
static int collect_dependants(struct portrait *p, const struct graph *g, uint32_t root)
{
    for (uint32_t u = g->use_first[root]; u < g->use_first[root + 1]; u++) {
        int64_t row = graph_row(g, g->just_node[g->use_just[u]]);
        /* A node's justifications are neighbours, so one that names it twice stands twice in a row. */
        if (p->dependant_count && p->dependants[p->dependant_count - 1] == row)
            continue;
        if (!array_grow((void **)&p->dependants, &p->dependant_alloc, p->dependant_count,
                        sizeof(*p->dependants)))
            return -1;
        p->dependants[p->dependant_count++] = row;
    }
    return 0;
}

static int find_dependants(struct portrait *p, struct error *e)
{
    struct graph g;
    struct lineage down;
    bool bounded = false;
    uint32_t root = 0;
    graph_init(&g);
    int result =
        graph_load_around(p->reader, &g, &p->m->node, 1, DESCENDANTS, AROUND_MAX, &bounded, e);
    if (!result && bounded) {
        graph_release(&g);
        graph_init(&g);
        root = (uint32_t)(p->m->node - 1);
        result = graph_load(p->reader, &g, e);
    }
    if (!result && lineage_walk(&down, &g, root, DESCENDANTS, DEPTH_UNLIMITED))
        result = error_set(e, ERROR_MEMORY, "", "there is no memory for what rests on it");
    else if (!result) {
        p->descendants = down.count - 1;
        lineage_release(&down);
        if (collect_dependants(p, &g, root))
            result = error_set(e, ERROR_MEMORY, "", "there is no memory for what rests on it");
    }
    graph_release(&g);
    return result;
}

static int print_carries(struct portrait *p, struct error *e)
{
    struct strbuf rest = STRBUF_INIT;
    struct row_label labels[DEPENDANTS_SHOWN];
    size_t shown = p->dependant_count < DEPENDANTS_SHOWN ? p->dependant_count : DEPENDANTS_SHOWN;
    if (p->dependant_count == 0)
        return 0;
    strbuf_addf(&rest, "%zu %s, %zu directly", p->descendants,
                p->descendants == 1 ? "memory" : "memories", p->dependant_count);
    heading(p->out, "carries", rest.buf);
    strbuf_release(&rest);
    if (labels_of_rows(p->reader, p->dependants, shown, labels, e))
        return -1;
    for (size_t i = 0; i < shown; i++) {
        struct brief brief;
        if (brief_read(p->reader, &p->arena, p->dependants[i], labels[i].label, &brief, e))
            return -1;
        strbuf_addstr(&p->out->text, "     ");
        brief_print(p->out, &brief, p->m->agent_id, 5, NULL);
    }
    if (shown < p->dependant_count)
        strbuf_addf(&p->out->text, "     +%zu more: stemma show --reverse\n",
                    p->dependant_count - shown);
    return 0;
}

/* ---- the rest ---- */

static void print_history(struct portrait *p)
{
    struct output *out = p->out;
    if (p->m->history_count)
        heading(out, "history", "");
    for (size_t i = 0; i < p->m->history_count; i++) {
        const struct history_entry *h = &p->m->history[i];
        strbuf_addstr(&out->text, "     ");
        add_time(&out->text, h->at, out->now);
        strbuf_addstr(&out->text, "  ");
        if (!isnan(h->old)) {
            add_confidence(&out->text, h->old);
            strbuf_addstr(&out->text, out->ascii ? " -> " : " → ");
        }
        if (!isnan(h->new_))
            add_confidence(&out->text, h->new_);
        const char *words[] = {h->operation, h->actor, h->reason, h->evidence_source, h->origin};
        for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
            if (words[w]) {
                strbuf_addstr(&out->text, "  ");
                output_text(out, TONE_PLAIN, words[w]);
            }
        strbuf_addch(&out->text, '\n');
    }
}

static int print_relations(struct portrait *p, struct error *e)
{
    if (p->m->relation_count)
        heading(p->out, "relations", "");
    for (size_t i = 0; i < p->m->relation_count; i++) {
        const struct relation *relation = &p->m->relations[i];
        struct brief brief;
        struct row_label label;
        if (labels_of_rows(p->reader, &relation->to_node, 1, &label, e) ||
            brief_read(p->reader, &p->arena, relation->to_node, label.label, &brief, e))
            return -1;
        strbuf_addf(&p->out->text, "     %-15s  ", role_name(relation->type));
        brief_print(p->out, &brief, p->m->agent_id, 22, relation->reason);
    }
    return 0;
}

static void print_marks(struct portrait *p)
{
    struct output *out = p->out;
    if (p->m->mark_count)
        heading(out, "marks", "");
    for (size_t i = 0; i < p->m->mark_count; i++) {
        const struct mark *mark = &p->m->marks[i];
        const char *words[] = {mark->mark, mark->value, mark->actor, mark->reason};
        strbuf_addstr(&out->text, "     ");
        add_time(&out->text, mark->at, out->now);
        for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
            if (words[w]) {
                strbuf_addstr(&out->text, "  ");
                output_text(out, TONE_PLAIN, words[w]);
            }
        strbuf_addch(&out->text, '\n');
    }
}

static void print_head(struct portrait *p)
{
    struct output *out = p->out;
    struct strbuf ref = STRBUF_INIT;
    ref_add(&ref, p->m->ref);
    output_tone(out, TONE_STRONG);
    text_clean(&out->text, ref.buf, ref.len, out->flags | TEXT_EXACT);
    output_tone(out, TONE_PLAIN);
    strbuf_addch(&out->text, '\n');
    strbuf_release(&ref);
    if (p->m->status == STATUS_MISSING) {
        strbuf_addstr(&out->text, "Named by others, and never written here.\n");
        return;
    }
    output_paragraph(out, p->m->text ? p->m->text : "", 0, out->columns);
    strbuf_addch(&out->text, '\n');
    print_fields(p);
}

static int print_all(struct portrait *p, struct error *e)
{
    if (labels_of_rows(p->reader, &p->m->node, 1, &p->label, e) || find_dependants(p, e))
        return -1;
    print_head(p);
    if (print_rests_on(p, e) || print_carries(p, e))
        return -1;
    print_history(p);
    if (print_relations(p, e))
        return -1;
    print_marks(p);
    return 0;
}

int portrait_print(struct output *out, struct reader *r, const struct memory *m, struct error *e)
{
    struct portrait p = {.out = out, .reader = r, .m = m, .arena = ARENA_INIT};
    int result = print_all(&p, e);
    free(p.dependants);
    arena_release(&p.arena);
    return result;
}
