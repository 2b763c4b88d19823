/* How a confidence came about, line by line: each change with who made it and the sum that it follows from. */
#include "tui/view/memory/facts_sheet.h"

#include "model/memory/decay.h"
#include "model/base/strbuf.h"
#include "tui/explorer/news.h"
#include "tui/text/text.h"

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
