/*
 * The confidence of a memory: where it comes from, each change of it, and what lowers it. Its section has a line for
 * each change: who made it, and the formula that it follows.
 */
#include "tui/render/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "tui/render/difference_page.h"
#include "tui/render/kind_fields.h"
#include "tui/text/times.h"
#include "tui/text/text.h"

#define WIDE      112 /* from this width on the formula is in the same line */
#define SUM_WIDTH 33
#define WHO       39
#define DID       50
#define WHY       62

bool facts_is_lower(const struct facts *f)
{
    return f->memory.status != STATUS_MISSING && f->effective.stored - f->effective.value >= 0.0005;
}

const char *facts_lowered(const struct facts *f)
{
    const struct effective *e = &f->effective;
    bool by_age = e->stands && !e->capped && e->decay.base - e->decay.now >= 0.0005;
    return by_age && fabs(e->value - e->decay.now) < 0.0005 ? "with age" : "effective";
}

/* Changes that the line of levels shows: the last ones, since they lead to the value next to it. */
#define SPARK 24

static void add_spark(struct strbuf *out, const struct facts *f, bool ascii)
{
    const struct memory *m = &f->memory;
    size_t first = m->history_count, shown = 0;
    for (size_t left = SPARK; first > 0 && left > 0; first--)
        left -= m->history[first - 1].new_ == m->history[first - 1].new_;
    for (size_t i = first; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_)
            continue;
        if ((shown++ == 0 || confidence_unrecorded(m, i) != 0) && h->old == h->old)
            strbuf_addstr(out, level_mark(h->old, ascii));
        strbuf_addstr(out, level_mark(h->new_, ascii));
    }
    if (confidence_unrecorded(m, m->history_count) != 0)
        strbuf_addstr(out, level_mark(m->confidence, ascii));
    strbuf_addf(out, "%s%.3f stored %s %.3f %s", shown ? "  " : "", m->confidence,
                glyph_of(GLYPH_DOT, ascii), f->effective.value, facts_lowered(f));
}

/* The columns of numbers in a line of the section; NAN leaves one empty. */
static void put_numbers(struct page *s, double value, double change)
{
    if (!isnan(value))
        page_format(s, 3, 6, STYLE_NUMBER, "%.3f", value);
    if (!isnan(change))
        page_format(s, 10, 7, STYLE_NUMBER, "%+.3f", change);
}

/* The memory that is the source of the change; NULL if it is none that is known here. */
static const struct fact_row *evidence_of(const struct facts *f, size_t entry)
{
    size_t from_end = f->memory.history_count - 1 - entry;
    return from_end < FACTS_ROWS && f->evidence[from_end].row.node ? &f->evidence[from_end] : NULL;
}

/* Who made the change and the action. Returns false if there is no room. */
static bool put_who(struct page *s, const char *who, const char *did)
{
    if (s->width < WHY + 14)
        return false;
    page_put(s, WHO, DID - WHO - 1, STYLE_SOURCE, page_name(s, who));
    page_put(s, DID, WHY - DID - 1, STYLE_TEXT, did);
    return true;
}

/* Is it a change of another thing than the confidence, as an import recorded it? */
static bool is_imported(const struct history_entry *h)
{
    return h->origin && h->new_ != h->new_;
}

static size_t count_imported(const struct memory *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->history_count; i++)
        count += is_imported(&m->history[i]);
    return count;
}

/* The words of a history entry, without the parts that its columns show. */
static void put_why(struct page *s, const struct history_entry *h, const struct fact_row *evidence,
                    bool in_columns, int column, int width)
{
    struct strbuf *out = page_buffer(s), ref = STRBUF_INIT;
    if (evidence)
        facts_ref(&evidence->row, evidence->short_length, &ref);
    const char *parts[] = {in_columns ? NULL : h->operation, h->reason,
                           evidence ? ref.buf : h->evidence_source, h->origin};
    text_add(out, in_columns ? NULL : h->actor, TEXT_EXACT);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (parts[i] && *parts[i])
            strbuf_addf(out, "%s%s", out->len ? "  " : "", parts[i]);
    page_put(s, column, width, STYLE_TEXT, out->buf);
    strbuf_release(&ref);
}

/* `evidence` is the source of the change; NULL if it is no memory here. Shows the exact values if an event has them.
 * The formula is in the same line if there is room, else below. */
static void put_change(struct page *s, const struct history_entry *h, const struct fact_step *step,
                       const struct fact_row *evidence)
{
    AUTO_STRBUF sum = STRBUF_INIT;
    double old = step ? step->before : h->old, new = step ? step->after : h->new_;
    bool sums = step && fact_step_sum(step, s->options.ascii, &sum), one_line = s->width >= WIDE;
    page_opens(s, evidence ? evidence->row.node : 0);
    put_numbers(s, new, new - old);
    facts_put_when(s, h->at);
    bool in_columns = step && put_who(s, step->who, event_verb(step->operation));
    int column = in_columns ? WHY : WHO;
    put_why(s, h, evidence, in_columns, column,
            s->width - column - (sums && one_line ? SUM_WIDTH + 3 : 1));
    if (sums && one_line)
        page_put(s, -SUM_WIDTH - 1, SUM_WIDTH, STYLE_DIM, sum.buf);
    else if (sums)
        page_note(s, 10, "%s", sum.buf);
}

/* A line for what the history does not explain before its entry `i`: decay, or an update of its source. */
static void put_unrecorded(struct page *s, const struct memory *m, size_t i)
{
    double change = confidence_unrecorded(m, i);
    if (change == 0)
        return;
    page_line(s);
    put_numbers(s, i < m->history_count ? m->history[i].old : m->confidence, change);
    page_format(s, 18, 0, STYLE_GUESSED, "changed by %.3f without a record", fabs(change));
}

/* The initial confidence, if the whole history was made in this store. */
static void put_first(struct page *s, const struct facts *f)
{
    const struct facts_past *past = &f->past;
    if (!past->known || past->first != past->first)
        return;
    page_line(s);
    put_numbers(s, past->first, NAN);
    facts_put_when(s, past->created.at);
    if (put_who(s, past->created.who, "added"))
        page_put(s, WHY, 0, STYLE_TEXT, f->memory.source ? f->memory.source : "");
}

static void put_line(struct page *s, double value, const char *why)
{
    page_line(s);
    put_numbers(s, value, NAN);
    page_format(s, 10, 0, STYLE_DIM, "%s", why);
}

static const char *why_none(const struct facts *f)
{
    const struct memory *m = &f->memory;
    return f->label.label == LABEL_ENDED ? facts_ended(m->status) : label_name(f->label.label);
}

/* "0.808  -0.013  2026-11-20 10:44:19  episode:52a8b0c0 is retracted": what fallen evidence had added. */
static void put_losses(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    for (size_t i = m->history_count; i-- > 0;) {
        const struct history_entry *h = &m->history[i];
        const struct fact_row *by = evidence_of(f, i);
        struct strbuf *why = page_buffer(s);
        if (!f->fallen[i])
            continue;
        if (by)
            facts_ref(&by->row, by->short_length, why);
        else
            text_add(why, h->evidence_source, TEXT_EXACT);
        if (ref_parse(h->evidence_source, &(struct ref){0}) != REF_MEMORY)
            strbuf_addstr(why, " has no evidence that stands");
        else if (!by || by->row.status == STATUS_MISSING)
            strbuf_addstr(why, " is not in this store");
        else
            strbuf_addf(why, " %s",
                        STATUS_LIVES(by->row.status) ? "does not stand"
                                                     : status_word(by->row.status));
        page_opens(s, by ? by->row.node : 0);
        put_numbers(s, confidence_kept(m, f->fallen, i + 1), h->old - h->new_);
        if (by && by->ended_by.who) {
            facts_put_when(s, by->ended_by.at);
            strbuf_addstr(why, " by "), text_add(why, by->ended_by.who, TEXT_EXACT);
        }
        page_put(s, WHO, 0, STYLE_DIM, why->buf);
    }
}

const char *facts_trust(struct page *s, const struct facts *f)
{
    bool other = f->weakest.node != 0;
    const struct memory *m = other ? &f->weakest : &f->memory;
    struct strbuf *out = page_buffer(s);
    strbuf_addf(out, "%.2f", f->trust.value);
    if (other) {
        const struct memory_row row = {.ref = m->ref};
        strbuf_addstr(out, ", limited by ");
        facts_ref(&row, f->weakest_length, out);
    }
    const char *retrieved =
        m->ref.kind == KIND_ATTRIBUTION ? member_text(m, "source_type", &s->arena) : NULL;
    strbuf_addstr(out, ", ");
    if (retrieved)
        text_add(out, retrieved, TEXT_EXACT);
    else
        strbuf_addstr(out, source_type_label(m->source_type ? m->source_type : "unknown"));
    if (m->source_entity)
        strbuf_addstr(out, ": "), text_add(out, m->source_entity, TEXT_EXACT);
    return out->buf;
}

/* How the effective confidence comes from the stored one, the last step first. */
static void put_effective(struct page *s, const struct facts *f)
{
    const struct effective *e = &f->effective;
    if (!e->stands)
        put_line(s, 0, why_none(f));
    if (e->capped)
        put_line(s, f->trust.value, page_printf(s, "at most the trust: %s", facts_trust(s, f)));
    if (e->decay.base - e->decay.now >= 0.0005) {
        struct strbuf *sum = page_buffer(s);
        strbuf_addstr(sum, "with age: ");
        decay_write(sum, &e->decay);
        put_line(s, e->decay.now, sum->buf);
    }
    put_losses(s, f);
}

/* ---- the chart ---- */

#define CHART_ROWS 5
#define CHART_MOST 72   /* columns */
#define CHART_SAME 0.02 /* a smaller change is a flat line, which says nothing */

static void write_confidence(char *out, size_t size, double value)
{
    snprintf(out, size, "%.2f", value);
}

/* The stored confidence at a time; NAN if it is not known. */
static double confidence_at(const struct facts *f, int64_t at)
{
    const struct memory *m = &f->memory;
    double value = f->past.known ? f->past.first : NAN;
    for (size_t i = 0; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_)
            continue;
        if (h->at <= at)
            value = h->new_;
        else if (value != value)
            value = h->old;
    }
    return value;
}

/* From when the confidence is known: since it was added, else since its first change. */
static int64_t known_since(const struct facts *f)
{
    const struct memory *m = &f->memory;
    size_t i = 0;
    while (i < m->history_count && m->history[i].new_ != m->history[i].new_)
        i++;
    int64_t first = i < m->history_count ? m->history[i].at : INT64_MAX;
    int64_t added =
        f->past.known && f->past.first == f->past.first ? f->past.created.at : m->created_at;
    return added > 0 && added < first ? added : first;
}

/* The confidence over time, with the values at the left and both dates below. The last column is the confidence of now,
 * whether or not a change led there. */
static void put_chart(struct page *s, const struct facts *f)
{
    double value[CHART_MOST], least = 1, most = 0;
    int64_t from = known_since(f), to = s->options.now;
    int columns = s->width - PLOT_VALUE - 6 < CHART_MOST ? s->width - PLOT_VALUE - 6 : CHART_MOST;
    char first[40], last[40];
    if (s->options.command || columns < 24 || from >= to)
        return;
    for (int i = 0; i < columns; i++) {
        bool now = i == columns - 1;
        int64_t at = from + (int64_t)((double)(to - from) / (columns - 1) * i);
        value[i] = now ? f->memory.confidence : confidence_at(f, at);
        least = value[i] < least ? value[i] : least;
        most = value[i] > most ? value[i] : most;
    }
    /* The axis ends at tenths around the values. */
    double low = floor(least * 10 + 1e-9) / 10, high = ceil(most * 10 - 1e-9) / 10;
    if (most - least < CHART_SAME)
        return;
    times_format(first, sizeof(first), from);
    times_format(last, sizeof(last), to);
    first[to - from < 2 * CLOCK_DAY ? 16 : 10] =
        '\0'; /* the dates alone, unless that is too coarse */
    last[to - from < 2 * CLOCK_DAY ? 16 : 10] = '\0';
    page_plot(s, 1,
              &(struct plot){.value = value,
                             .count = (size_t)columns,
                             .low = low,
                             .high = high,
                             .rows = CHART_ROWS,
                             .line = true,
                             .ascii = s->options.ascii,
                             .write = write_confidence,
                             .left = first,
                             .right = last});
}

static void put_entry(struct page *s, const struct facts *f, size_t i)
{
    put_change(s, &f->memory.history[i],
               f->past.known && f->past.step[i].seq ? &f->past.step[i] : NULL, evidence_of(f, i));
}

void facts_put_confidence(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    struct strbuf *right = page_buffer(s);
    size_t changes = m->history_count - count_imported(m);
    if (changes == 0 && !facts_is_lower(f))
        return;
    add_spark(right, f, s->options.ascii);
    page_section(s, "confidence", right->buf);
    if (changes > 0)
        put_chart(s, f);
    put_effective(s, f);
    put_unrecorded(s, m, m->history_count);
    for (size_t i = m->history_count; i-- > 0;) {
        if (is_imported(&m->history[i]))
            continue;
        put_entry(s, f, i);
        put_unrecorded(s, m, i);
    }
    if (changes > 0)
        put_first(s, f);
}

/* What it replaced by what, if that is known. */
static void put_written(struct page *s, const struct history_entry *h)
{
    struct difference d = {.field = "", .before = h->before, .after = h->after};
    if (h->before || h->after)
        difference_page(s, &d, 1, s->options.ascii);
}

void facts_put_imported(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    if (count_imported(m) == 0)
        return;
    page_section(s, "imported history", "");
    for (size_t i = m->history_count; i-- > 0;)
        if (is_imported(&m->history[i])) {
            put_entry(s, f, i);
            put_written(s, &m->history[i]);
        }
}

/* What a change of confidence was. A belief that replaces another begins with the value of that; an edit names no
 * evidence. */
static const char *change_word(const struct memory *m, const struct history_entry *h)
{
    bool replaces = false;
    for (size_t i = 0; i < m->relation_count && h == m->history; i++)
        replaces |= m->relations[i].type == RELATION_SUPERSEDES;
    if (h->operation)
        return event_verb(h->operation);
    if (replaces && h->reason && strncmp(h->reason, "replaces ", 9) == 0)
        return "replaced";
    return h->new_ < h->old ? "lowered" : h->origin || h->evidence_source ? "reinforced" : "raised";
}

void facts_add_way(const struct page *s, const struct facts *f, struct strbuf *out)
{
    const struct memory *m = &f->memory;
    const struct history_entry *h = m->history_count ? &m->history[m->history_count - 1] : NULL;
    const char *arrow = glyph_of(GLYPH_ARROW, s->options.ascii);
    bool is_seed = m->source_type && strcmp(m->source_type, source_type_name(SOURCE_SEED)) == 0;
    /* A change that does not lead to the value of now would mislead: the section below has the gap. */
    bool leads =
        h && h->old == h->old && fabs(h->new_ - m->confidence) < 0.0006 && h->old != h->new_;
    if (h ? !leads : !is_seed)
        return;
    strbuf_addf(out, " %s ", glyph_of(GLYPH_DOT, s->options.ascii));
    if (!h)
        strbuf_addf(out, "seed %s %.2f", arrow, m->confidence);
    else
        strbuf_addf(out, "%.2f %s %.2f (%s)", h->old, arrow, h->new_, change_word(m, h));
}

#define CHANGES_PREVIEWED 3 /* changes of confidence that a preview shows */

void facts_put_changes(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    size_t shown = 0;
    if (facts_is_lower(f)) {
        page_field(s, "confidence", STYLE_TEXT,
                   page_printf(s, "%.3f %s, %.3f stored", f->effective.value, facts_lowered(f),
                               m->confidence),
                   1);
        shown++;
    }
    if (confidence_unrecorded(m, m->history_count) != 0)
        page_field(s, shown++ ? " " : "confidence", STYLE_TEXT,
                   page_printf(s, "%.3f without a record", m->confidence), 1);
    for (size_t i = m->history_count; i-- > 0 && shown < CHANGES_PREVIEWED;) {
        const struct history_entry *h = &m->history[i];
        struct strbuf *out = page_buffer(s);
        if (h->new_ != h->new_)
            continue;
        if (h->old == h->old)
            strbuf_addf(out, "%.3f %s ", h->old, glyph_of(GLYPH_ARROW, s->options.ascii));
        strbuf_addf(out, "%.3f %s", h->new_, h->reason ? h->reason : "");
        page_field(s, shown++ ? " " : "confidence", STYLE_TEXT, out->buf, 1);
    }
}
