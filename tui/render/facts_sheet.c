/* The facts of a memory laid out: the full page, and the preview. */
#include "tui/render/facts.h"

#include <stdio.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "model/json/json.h"
#include "tui/render/brief.h"
#include "tui/render/difference_sheet.h"
#include "tui/render/permission_table.h"
#include "tui/render/kind_fields.h"
#include "tui/text/text.h"

#define PROSE 120 /* columns of a memory's own text at most: longer lines are hard to follow */
#define FIELD 14  /* where values begin, behind the names of facts */

static void ages_note(struct ages *ages, int64_t at, int64_t now)
{
    int64_t unit, next = now + clock_age_stands(at, now, &unit);
    if (!ages->next || next < ages->next)
        ages->next = next;
    if (!ages->unit || unit < ages->unit)
        ages->unit = unit;
}

void facts_exact(char *out, size_t size, int64_t at)
{
    char iso[40];
    clock_format_iso(iso, sizeof(iso), at);
    snprintf(out, size, "%.10s %.8s", iso, strlen(iso) > 19 ? iso + 11 : "");
}

void facts_when(char *out, size_t size, int64_t at, const struct facts_look *look)
{
    if (look->exact_times) {
        facts_exact(out, size, at);
        return;
    }
    if (look->ages)
        ages_note(look->ages, at, look->now);
    clock_format_age(out, size, at, look->now);
}

bool facts_when_retrieved(char *out, size_t size, int64_t at, const struct facts_look *look)
{
    char iso[40];
    if (!clock_retrieval_is_suspect(at, look->now)) {
        facts_when(out, size, at, look);
        return false;
    }
    clock_format_iso(iso, sizeof(iso), at);
    snprintf(out, size, "suspect%s%.10s", look->exact_times ? " " : "",
             look->exact_times ? iso : "");
    return true;
}

/* In full, for a command as its other pages have it: "2026-11-20 10:42:16Z (3d)". */
static void add_when(struct strbuf *out, int64_t at, const struct facts_look *look)
{
    char when[32];
    if (look->command) {
        add_time(out, at, look->now);
        return;
    }
    facts_exact(when, sizeof(when), at);
    strbuf_addstr(out, when);
}

/* In a column of its own, without an age. */
static void put_when(struct sheet *s, int64_t at, const struct facts_look *look)
{
    char when[32];
    facts_exact(when, sizeof(when), at);
    sheet_format(s, 18, 20, STYLE_AGE, "%s%s", when, look->command ? "Z" : "");
}

/* "poisoned", "quarantined", and what else it is marked as: each name once. */
static void add_marks(const struct memory *m, const char *dot, struct strbuf *out)
{
    for (size_t i = 0; i < m->mark_count; i++) {
        size_t before = 0;
        while (before < i && strcmp(m->marks[before].mark, m->marks[i].mark) != 0)
            before++;
        if (before == i)
            strbuf_addf(out, " %s %s", dot, m->marks[i].mark);
    }
}

void facts_state(const struct facts *f, bool ascii, struct strbuf *out)
{
    const struct memory *m = &f->memory;
    const char *dot = glyph_of(GLYPH_DOT, ascii);
    enum label label = f->label.label;
    strbuf_addf(out, "%s %s", mark_of_label(label, ascii),
                label == LABEL_GONE ? status_name(m->status) : label_name(label));
    if (label != LABEL_GONE && m->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", dot, status_name(m->status));
    if (m->is_protected)
        strbuf_addf(out, " %s protected", dot);
    if (f->past.verified_by.seq)
        strbuf_addf(out, " %s verified", dot);
    add_marks(m, dot, out);
    if (m->version > 1)
        strbuf_addf(out, " %s version %lld", dot, (long long)m->version);
}

/* "3 of 4 hold". */
static void facts_hold(const struct facts *f, struct strbuf *out)
{
    if (f->label.justs > 0)
        strbuf_addf(out, "%u of %u hold%s", f->label.holds, f->label.justs,
                    f->label.justs == 1 && f->label.holds == 1 ? "s" : "");
}

void facts_carry(const struct facts *f, bool ascii, struct strbuf *out)
{
    if (f->descends == 0 && f->carried_count == 0)
        return;
    if (f->carried_count != f->descends)
        strbuf_addf(out, "%zu directly, %s%zu in all", f->carried_count,
                    f->bounded ? "more than " : "", f->descends);
    else
        strbuf_addf(out, "%s%zu memor%s", f->bounded ? "more than " : "", f->descends,
                    f->descends == 1 ? "y" : "ies");
    if (f->falls > 0)
        strbuf_addf(out, " %s %zu rest%s on nothing else", glyph_of(GLYPH_DOT, ascii), f->falls,
                    f->falls == 1 ? "s" : "");
}

/* ---- a row of another memory ---- */

static void widen(int *width, const struct fact_row *rows, size_t count)
{
    struct strbuf ref = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].row.node == 0)
            continue; /* the place of one that is not there */
        strbuf_clear(&ref);
        facts_ref(&rows[i].row, rows[i].short_length, &ref);
        if ((int)ref.len > *width)
            *width = ref.len < 26 ? (int)ref.len : 26;
    }
    strbuf_release(&ref);
}

int facts_ref_width(const struct fact_row *rows, size_t count, int least)
{
    widen(&least, rows, count);
    return least;
}

/* One width of refs for all rows, so that texts stand below each other. */
static int widest_ref(const struct facts *f)
{
    int width = 12;
    for (size_t i = 0; i < f->memory.justification_count; i++)
        widen(&width, f->group[i].row, f->group[i].shown);
    widen(&width, f->carried, f->carried_shown);
    widen(&width, f->relation, f->relation_shown);
    return width;
}

struct row_columns {
    int glyph, ref, text;     /* where they begin */
    int how, confidence, age; /* from the right edge, negative; 0: not shown */
    int end;                  /* the text ends before this, from the right edge */
};

static struct row_columns columns_for(const struct facts_look *look, int glyph)
{
    int width = look->width;
    struct row_columns c = {.glyph = glyph, .ref = glyph + 2};
    c.text = c.ref + look->ref_width + 2;
    if (width >= 60) {
        c.age = -6;
        c.end = -7;
    }
    if (width >= 66) {
        c.confidence = -12;
        c.end = -13;
    }
    if (width >= 96) {
        c.how = -26;
        c.end = -27;
    }
    return c;
}

static void put_row(struct sheet *s, const struct fact_row *r, const char *how, bool guessed,
                    struct row_columns c, const struct facts_look *look)
{
    char number[16] = "", age[32] = "";
    struct strbuf ref = STRBUF_INIT;
    bool missing = r->row.status == STATUS_MISSING;
    facts_ref(&r->row, r->short_length, &ref);
    if (r->label.label < LABEL_COUNT)
        sheet_put(s, c.glyph, 1, STYLE_OF_LABEL(r->label.label),
                  mark_of_label(r->label.label, look->ascii));
    sheet_put(s, c.ref, c.text - c.ref - 1, STYLE_REF, ref.buf);
    strbuf_release(&ref);
    int width = s->width + c.end - c.text;
    if (missing)
        sheet_put(s, c.text, width, STYLE_DIM, "not in this store");
    else
        sheet_put(s, c.text, width, guessed ? STYLE_GUESSED : STYLE_TEXT, r->row.text);
    if (c.how)
        sheet_put(s, c.how, 12, guessed ? STYLE_GUESSED : STYLE_DIM, how);
    if (!missing)
        facts_when(age, sizeof(age), r->row.created_at, look);
    snprintf(number, sizeof(number), "%.2f", r->row.confidence);
    if (c.confidence && !missing)
        sheet_put_right(s, c.confidence, 5, STYLE_NUMBER, number);
    if (c.age)
        sheet_put_right(s, look->exact_times ? -20 : c.age, look->exact_times ? 19 : 5, STYLE_AGE,
                        !missing && r->label.label == LABEL_GONE ? status_name(r->row.status)
                                                                 : age);
}

/* The status of a gone memory is longer than an age: it takes the confidence's place too. */
void facts_put_row(struct sheet *s, const struct fact_row *r, const char *how, bool guessed,
                   int glyph, const struct facts_look *look)
{
    struct row_columns c = columns_for(look, glyph);
    bool gone = r->label.label == LABEL_GONE;
    if ((gone || look->exact_times) && c.age) {
        int room = look->exact_times ? 21 : 13;
        c.how = c.how ? -room - 13 : 0;
        c.end = c.how ? c.how - 1 : -room;
        c.confidence = 0;
    }
    if (!gone || !c.age || look->exact_times) {
        put_row(s, r, how, guessed, c, look);
        return;
    }
    c.age = 0;
    put_row(s, r, how, guessed, c, look);
    sheet_put_right(s, -12, 11, STYLE_GONE, status_name(r->row.status));
}

static void put_use(struct sheet *s, const struct use *use, int column,
                    const struct facts_look *look)
{
    struct strbuf sb = STRBUF_INIT;
    if (!use)
        return;
    if (use->relevance == use->relevance)
        strbuf_addf(&sb, "relevance %.2f %s", use->relevance, score_name(use->score));
    if (use->rank >= 0)
        strbuf_addf(&sb, "  rank %lld", (long long)use->rank);
    if (use->chunk >= 0)
        strbuf_addf(&sb, "  chunk %lld", (long long)use->chunk);
    if (use->page > 0)
        strbuf_addf(&sb, "  page %lld", (long long)use->page);
    if (use->section)
        strbuf_addf(&sb, "  %s", use->section);
    if (use->label)
        strbuf_addf(&sb, "  as %s", use->label);
    if (sb.len > 0) {
        sheet_line(s);
        sheet_put(s, column, 0, STYLE_DIM, sb.buf + strspn(sb.buf, " "));
    }
    strbuf_release(&sb);
    if (use->excerpt)
        sheet_wrap(s, column, look->width - column - 1, STYLE_DIM, use->excerpt, 4, false);
}

const char *facts_how(enum role role, enum recorded recorded)
{
    static const char *const names[ROLE_SUPPORT_COUNT] = {
        [ROLE_DERIVED_FROM] = "derived",
        [ROLE_EVIDENCE] = "evidence",
        [ROLE_REINFORCEMENT] = "reinforced",
        [ROLE_SOURCE] = "source",
        [ROLE_STEP] = "step",
        [ROLE_CITATION] = "citation",
    };
    if (recorded != RECORDED)
        return recorded_name(recorded);
    return ROLE_IS_SUPPORT(role) ? names[role] : role_name(role);
}

static void put_group(struct sheet *s, const struct fact_group *g, size_t number,
                      const struct facts_look *look, bool full, bool plain)
{
    const struct justification *j = g->justification;
    bool narrow = look->width < 66 || plain;
    int glyph = (full ? 8 : 16) + (narrow ? 0 : 8);
    int mark = full ? 3 : 12;
    enum label holds = g->holds ? LABEL_GROUNDED : LABEL_GONE;
    for (size_t i = 0; i == 0 || i < g->shown; i++) {
        if (i > 0 || full)
            sheet_line(s);
        if (i == 0) {
            if (full)
                sheet_put(s, mark, 1, STYLE_OF_LABEL(holds), mark_of_label(holds, look->ascii));
            sheet_format(s, mark + 2, 3, STYLE_DIM, "%zu", number);
            if (j->count > 1 && !narrow)
                sheet_put(s, mark + 4, 6, STYLE_DIM,
                          j->reading == READING_ALL ? "all of" : "any of");
        }
        if (j->count == 0) {
            sheet_put(s, glyph, 0, STYLE_DIM, "nothing, and so it always holds");
            return;
        }
        s->line[s->count - 1].opens = true;
        s->line[s->count - 1].node = j->antecedents[i].node;
        facts_put_row(s, &g->row[i], facts_how(j->role, j->recorded), j->recorded != RECORDED,
                      glyph, look);
        if (full)
            put_use(s, j->antecedents[i].use, glyph + 2, look);
    }
    if (j->count > g->shown) {
        sheet_line(s);
        sheet_format(s, glyph, 0, STYLE_DIM, "and %zu more; %s shows all", j->count - g->shown,
                     look->command ? "--trace" : "f");
    }
    if (full && j->reason) {
        sheet_line(s);
        sheet_put(s, glyph + 2, 0, STYLE_DIM, j->reason);
    }
}

/* Is every group a single antecedent, so that none says how it is read? */
static bool all_single(const struct memory *m)
{
    for (size_t i = 0; i < m->justification_count; i++)
        if (m->justifications[i].count > 1)
            return false;
    return true;
}

static const char *no_source(const struct memory *m)
{
    if (m->status == STATUS_MISSING)
        return m->event ? "taken back: only its ref is left"
                        : "named by others, and never written here";
    return kind_spec(m->ref.kind)->is_source ? "nothing: it is a source itself"
                                             : "nothing that was recorded";
}

static void put_rests_on(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    struct strbuf right = STRBUF_INIT;
    facts_hold(f, &right);
    sheet_line(s);
    sheet_rule(s, "rests on", right.buf);
    strbuf_release(&right);
    if (m->justification_count == 0) {
        sheet_line(s);
        sheet_put(s, 3, 0, STYLE_DIM, no_source(m));
    }
    for (size_t i = 0; i < m->justification_count; i++)
        put_group(s, &f->group[i], i + 1, look, true, all_single(m));
    for (size_t i = 0; i < m->annotation_count; i++) {
        sheet_line(s);
        sheet_put(s, look->width < 66 || all_single(m) ? 8 : 16, look->width - 46, STYLE_TEXT,
                  m->annotations[i]);
        if (look->width >= 66)
            sheet_put(s, -26, 12, STYLE_DIM, "annotation");
    }
}

static void put_carries(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    struct strbuf right = STRBUF_INIT;
    char how[48];
    facts_carry(f, look->ascii, &right);
    sheet_line(s);
    sheet_rule(s, "carries", right.buf);
    strbuf_release(&right);
    if (f->carried_count == 0) {
        sheet_line(s);
        sheet_put(s, 3, 0, STYLE_DIM, "nothing");
    }
    for (size_t i = 0; i < f->carried_shown; i++) {
        struct sheet_line *line = sheet_line(s);
        line->opens = true;
        line->node = f->carried[i].row.node;
        if (f->carried[i].label.justs == 1)
            snprintf(how, sizeof(how), "only this");
        else
            snprintf(how, sizeof(how), "%u of %u hold", f->carried[i].label.holds,
                     f->carried[i].label.justs);
        facts_put_row(s, &f->carried[i], how, false, 3, look);
    }
    if (f->carried_count > f->carried_shown) {
        sheet_line(s);
        sheet_format(s, 3, 0, STYLE_DIM, "%zu more; %s shows all",
                     f->carried_count - f->carried_shown, look->command ? "--reverse" : "r");
    }
}

static void put_relation(struct sheet *s, const char *type, int64_t node,
                         const struct fact_row *row, const struct facts_look *look)
{
    struct sheet_line *line = sheet_line(s);
    line->opens = true;
    line->node = node;
    sheet_put(s, 3, 16, STYLE_FIELD, type);
    facts_put_row(s, row, "", false, 20, look);
}

/* How it is called from the other end. */
static const char *reversed(enum role type)
{
    static const char *const names[] = {
        [RELATION_SUPERSEDES - RELATION_SUPERSEDES] = "superseded by",
        [RELATION_PROCESSED_INTO - RELATION_SUPERSEDES] = "processed from",
        [RELATION_CONTRADICTS - RELATION_SUPERSEDES] = "contradicted by",
        [RELATION_COPY_OF - RELATION_SUPERSEDES] = "copied as",
        [RELATION_RETIRED_BY - RELATION_SUPERSEDES] = "retires",
        [RELATION_PART_OF - RELATION_SUPERSEDES] = "has part",
    };
    size_t at = (size_t)type - RELATION_SUPERSEDES;
    return at < sizeof(names) / sizeof(names[0]) && names[at] ? names[at] : "related to";
}

static void put_relations(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    if (m->relation_count == 0 && f->related_count == 0)
        return;
    sheet_line(s);
    sheet_rule(s, "related", "");
    for (size_t i = 0; i < f->related_count; i++)
        put_relation(s, reversed(f->related[i].type), f->related[i].node, &f->related_row[i], look);
    for (size_t i = 0; i < f->relation_shown; i++)
        put_relation(s, role_name(m->relations[i].type), m->relations[i].to_node, &f->relation[i],
                     look);
    if (m->relation_count > f->relation_shown) {
        sheet_line(s);
        sheet_format(s, 3, 0, STYLE_DIM, "and %zu more", m->relation_count - f->relation_shown);
    }
    if (f->related_more) {
        sheet_line(s);
        sheet_format(s, 3, 0, STYLE_DIM, "and more that name it");
    }
}

/* ---- marks ---- */

static void put_marks(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    if (m->mark_count == 0)
        return;
    sheet_line(s);
    sheet_rule(s, "marks", "");
    for (size_t i = 0; i < m->mark_count; i++) {
        const struct mark *mark = &m->marks[i];
        sheet_line(s);
        sheet_put(s, 3, 14, STYLE_FIELD, mark->mark);
        put_when(s, mark->at, look);
        struct strbuf who = STRBUF_INIT;
        text_add(&who, mark->actor, TEXT_EXACT);
        sheet_format(s, 39, 0, STYLE_TEXT, "%s%s%s%s%s", who.buf, mark->value ? "  " : "",
                     mark->value ? mark->value : "", mark->reason ? "  " : "",
                     mark->reason ? mark->reason : "");
        strbuf_release(&who);
    }
}

/* ---- the kind's own facts ---- */

/* Milliseconds as they are stored, and behind them the time that they are. */
static void add_told_time(struct strbuf *value, const char *name, const struct facts_look *look)
{
    int64_t ms;
    if ((strcmp(name, "retrieval_timestamp") != 0 && strcmp(name, "retrieved_at") != 0) ||
        json_integer((struct json_slice){value->buf, value->len}, &ms))
        return;
    strbuf_addstr(value, "  ");
    add_when(value, ms, look);
}

static void put_member(struct sheet *s, const struct memory *m, const struct json_each *member,
                       const struct facts_look *look)
{
    struct json_slice quoted = {member->key.ptr - 1, member->key.len + 2}, value = member->value;
    struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
    bool is_string = value.ptr[0] == '"', narrow = look->width < 66;
    json_add_plain(&name, quoted);
    if (is_string)
        json_add_plain(&text, value);
    else if (value.ptr[0] != 'n')
        json_tidy(&text, value.ptr, value.len); /* numbers keep their digits */
    if (!is_string && text.len)
        add_told_time(&text, name.buf, look);
    if (text.len && !(is_string && m->text && !strcmp(text.buf, m->text))) {
        int column = narrow ? 4 : 23;
        sheet_line(s);
        sheet_put(s, 3, narrow ? 0 : 19, STYLE_FIELD, name.buf);
        sheet_wrap(s, column, look->width - column - 1, STYLE_TEXT, text.buf, 400, !narrow);
    }
    strbuf_release(&name);
    strbuf_release(&text);
}

static void put_detail(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    struct error e;
    size_t len = m->detail ? strlen(m->detail) : 0, before = s->count;
    if (len <= 2 || json_check(m->detail, len, JSON_DEPTH_MAX, &e))
        return;
    sheet_line(s);
    sheet_rule(s, kind_name(m->ref.kind), "");
    size_t begun = s->count;
    for (struct json_each it = json_each((struct json_slice){m->detail, len}); json_next(&it);)
        put_member(s, m, &it, look);
    if (s->count == begun)
        s->count = before;
}

/* How a confidence came about, line by line: each change with who made it and the sum that it follows from. */

#define WIDE      112 /* from here on a sum stands beside its change, else below it */
#define SUM_WIDTH 33
#define WHO       39
#define DID       50
#define WHY       62

static void add_spark(struct strbuf *out, const struct memory *m, bool ascii)
{
    size_t shown = 0;
    for (size_t i = 0; i < m->history_count && shown < 24; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_)
            continue;
        if (shown++ == 0 && h->old == h->old)
            strbuf_addstr(out, level_mark(h->old, ascii));
        strbuf_addstr(out, level_mark(h->new_, ascii));
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

static void put_name(struct sheet *s, int column, int width, const char *name)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, name, TEXT_EXACT);
    sheet_put(s, column, width, STYLE_SOURCE, clean.buf);
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
    bool sums = step && fact_step_sum(step, look->ascii, &sum);
    bool columns = step && look->width >= WHY + 14;
    if (evidence)
        facts_ref(&evidence->row, evidence->short_length, &ref);
    put_numbers(s, h, step);
    put_when(s, h->at, look);
    add_why(&why, h, evidence ? ref.buf : NULL, columns);
    if (columns) {
        put_name(s, WHO, DID - WHO - 1, step->who);
        sheet_put(s, DID, WHY - DID - 1, STYLE_TEXT, news_said(step->operation));
    }
    int column = columns ? WHY : WHO;
    int width = look->width - column - (sums && look->width >= WIDE ? SUM_WIDTH + 3 : 1);
    sheet_put(s, column, width, STYLE_TEXT, why.buf);
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
    if (!past->known || past->first != past->first)
        return;
    sheet_line(s);
    sheet_format(s, 3, 6, STYLE_NUMBER, "%.3f", past->first);
    put_when(s, past->created.at, look);
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
    sheet_line(s);
    sheet_format(s, 3, 6, STYLE_NUMBER, "%.3f", d->now);
    decay_write(&sum, d);
    sheet_format(s, 10, 0, STYLE_DIM, "decayed, as a view: %s", sum.buf);
    strbuf_release(&sum);
}

/* The section of its confidence, appended; nothing where there is nothing to tell. */
static void facts_put_confidence(struct sheet *s, const struct facts *f,
                                 const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    struct strbuf right = STRBUF_INIT;
    struct decay decay;
    /* What is not seen of it in three digits is not worth a line. */
    bool decays = STATUS_LIVES(m->status) && decay_at(&decay, m, look->now) &&
                  decay.base - decay.now >= 0.0005;
    if (m->history_count == 0 && !decays)
        return;
    add_spark(&right, m, look->ascii);
    sheet_line(s);
    sheet_rule(s, "confidence", right.buf);
    strbuf_release(&right);
    if (decays)
        put_decay(s, &decay);
    for (size_t i = m->history_count; i-- > 0;) {
        struct sheet_line *line = sheet_line(s);
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

#define FACTS_ENTRY_FIELD 14

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
    int room = look->width - FACTS_ENTRY_FIELD - 1;
    if (!value || !*value)
        return;
    sheet_line(s);
    sheet_put(s, 1, FACTS_ENTRY_FIELD - 2, STYLE_FIELD, name);
    sheet_put(s, FACTS_ENTRY_FIELD, room > 1 ? room : 1, STYLE_TEXT, value);
}

static void put_expiry(struct sheet *s, const struct memory *m, const struct facts_look *look)
{
    struct strbuf when = STRBUF_INIT;
    int64_t at = member_int(m, "expires_at", 0);
    if (at > 0)
        add_when(&when, at, look);
    if (at > 0 && at <= look->now)
        strbuf_addstr(&when, ", expired");
    put(s, look, "expires", when.len ? when.buf : "never");
    strbuf_release(&when);
}

/* Appended to the sheet; at most so many lines of the value. */
static void facts_put_entry(struct sheet *s, const struct facts *f, const struct facts_look *look,
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

/* ---- the facts of every kind ---- */

/* Two facts on a line where there is room, one below the other where there is not. */
void facts_put_fact(struct sheet *s, int *place, const struct facts_look *look, const char *name,
                    const char *value)
{
    int half = look->width >= 92 && !look->command ? look->width / 2 : 0;
    if (!value || !*value)
        return;
    int column = half && *place % 2 ? half : 1;
    if (column == 1)
        sheet_line(s);
    sheet_put(s, column, FIELD - 2, STYLE_FIELD, name);
    if (look->command)
        sheet_wrap(s, FIELD, look->width - FIELD, STYLE_TEXT, value, SIZE_MAX, true);
    else
        sheet_put(s, column + FIELD - 1, half ? half - FIELD - 1 : 0, STYLE_TEXT, value);
    *place += half ? 1 : 2;
}

void facts_put_name(struct sheet *s, int *place, const struct facts_look *look, const char *field,
                    const char *name)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, name, TEXT_EXACT);
    facts_put_fact(s, place, look, field, clean.buf);
    strbuf_release(&clean);
}

/* 0: none. */
void facts_put_time(struct sheet *s, int *place, const struct facts_look *look, const char *name,
                    int64_t at)
{
    struct strbuf when = STRBUF_INIT;
    if (at)
        add_when(&when, at, look);
    facts_put_fact(s, place, look, name, when.buf);
    strbuf_release(&when);
}

static void put_joined(struct sheet *s, int *place, const struct facts_look *look, const char *name,
                       const char *const *values, size_t count)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&sb, "%s%s", i ? ", " : "", values[i]);
    facts_put_fact(s, place, look, name, sb.buf);
    strbuf_release(&sb);
}

static void add_source(const struct memory *m, struct strbuf *out)
{
    const char *type = m->source_type ? source_type_label(m->source_type) : "";
    strbuf_addstr(out, type);
    if (m->source_entity)
        strbuf_addstr(out, ": "), text_add(out, m->source_entity, TEXT_EXACT);
    if (m->source && strcmp(m->source, type))
        strbuf_addf(out, "%s%s", out->len ? " (" : "(", m->source), strbuf_addch(out, ')');
}

/* "2026-11-20 10:42:16 by sean" */
static void put_deed(struct sheet *s, int *place, const struct facts_look *look, const char *field,
                     const struct fact_deed *deed)
{
    struct strbuf text = STRBUF_INIT;
    if (deed->seq == 0)
        return;
    add_when(&text, deed->at, look);
    strbuf_addstr(&text, " by ");
    text_add(&text, deed->who, TEXT_EXACT);
    if (!deed->person)
        strbuf_addstr(&text, ", an agent");
    facts_put_fact(s, place, look, field, text.buf);
    strbuf_release(&text);
}

static void put_deeds(struct sheet *s, int *place, const struct facts *f,
                      const struct facts_look *look)
{
    const struct facts_past *past = &f->past;
    put_deed(s, place, look, "protected", &past->protected_by);
    put_deed(s, place, look, "verified", &past->verified_by);
    if (f->memory.status != STATUS_ACTIVE)
        put_deed(s, place, look, status_name(f->memory.status), &past->ended_by);
}

/* What of its text is not shown as it is. */
static void put_removed(struct sheet *s, int *place, const struct memory *m,
                        const struct facts_look *look)
{
    struct text_removed removed;
    struct strbuf text = STRBUF_INIT;
    if (!m->text)
        return;
    text_examine(&removed, m->text, strlen(m->text));
    text_removed_describe(&text, &removed);
    if (text.len > 0)
        strbuf_addstr(&text, " in the text (--json has them)");
    facts_put_fact(s, place, look, "not shown", text.buf);
    strbuf_release(&text);
}

static void put_facts(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    struct strbuf sb = STRBUF_INIT;
    char number[32];
    int place = 0;
    sheet_line(s);
    if (!look->command) { /* it stands above then */
        ref_add(&sb, m->ref);
        facts_put_name(s, &place, look, "ref", sb.buf);
    }
    facts_put_time(s, &place, look, "created", m->created_at);
    strbuf_clear(&sb);
    facts_state(f, look->ascii, &sb);
    facts_put_fact(s, &place, look, "state", sb.buf);
    if (m->updated_at != m->created_at)
        facts_put_time(s, &place, look, "changed", m->updated_at);
    else
        facts_put_fact(s, &place, look, "changed", "never");
    facts_put_name(s, &place, look, "agent", m->agent_id);
    snprintf(number, sizeof(number), "%.3f", m->confidence);
    facts_put_fact(s, &place, look, "confidence", number);
    strbuf_clear(&sb);
    add_source(m, &sb);
    facts_put_fact(s, &place, look, "source", sb.buf);
    facts_put_fact(s, &place, look, "context", m->context);
    put_joined(s, &place, look, "tags", m->tags, m->tag_count);
    put_deeds(s, &place, f, look);
    put_removed(s, &place, m, look);
    strbuf_release(&sb);
}

void facts_put_text(struct sheet *s, const char *text, size_t most, const struct facts_look *look)
{
    int column = look->command ? 2 : 1;
    bool narrow = look->width < PROSE + 2 || look->width == SHEET_UNLIMITED;
    size_t first = s->count;
    sheet_wrap(s, column, narrow ? look->width - column - 1 : PROSE, STYLE_TEXT, text, most, false);
    for (; look->command && first < s->count; first++) {
        struct span bar = {glyph_of(GLYPH_BAR, look->ascii), 0, 1, STYLE_DIM, false};
        sheet_put_at(s, first, &bar);
    }
}

void facts_sheet_full(struct sheet *s, const struct facts *f, const struct facts_look *asked)
{
    const struct memory *m = &f->memory;
    struct facts_look fitted = *asked, *look = &fitted;
    look->ref_width = widest_ref(f);
    sheet_clear(s, look->width);
    sheet_line(s);
    if (m->text && *m->text)
        facts_put_text(s, m->text, SIZE_MAX, look);
    else if (sheet_line(s))
        sheet_put(s, 1, 0, STYLE_DIM, m->status == STATUS_MISSING ? no_source(m) : "no text");
    if (m->status != STATUS_MISSING)
        put_facts(s, f, look);
    if (m->ref.kind == KIND_ENTRY)
        facts_put_entry(s, f, look, SIZE_MAX);
    if (!look->traced) {
        put_rests_on(s, f, look);
        put_carries(s, f, look);
    }
    put_relations(s, f, look);
    facts_put_confidence(s, f, look);
    if (look->traced)
        return;
    put_marks(s, f, look);
    if (m->ref.kind != KIND_ENTRY)
        put_detail(s, f, look);
}

/* ---- in brief ---- */

#define MORE_WIDTH 18 /* of " … Enter shows all" */

void facts_brief_text(struct sheet *s, const struct memory *m, const struct facts_look *look)
{
    size_t most = look->text_lines > 0 ? (size_t)look->text_lines : SIZE_MAX;
    if (!m->text || !*m->text) {
        sheet_line(s);
        sheet_put(s, 1, 0, STYLE_DIM, m->status == STATUS_MISSING ? no_source(m) : "no text");
        return;
    }
    size_t shown = sheet_wrap(s, 1, look->width - 2, STYLE_TEXT, m->text, most, false);
    /* The line's last column, which is before the sheet's, is the mark's. */
    if (shown < strlen(m->text))
        sheet_format(s, -MORE_WIDTH - 1, MORE_WIDTH, STYLE_DIM, " %s Enter shows all",
                     glyph_of(GLYPH_ELLIPSIS, look->ascii));
}

static void brief_field(struct sheet *s, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    sheet_line(s);
    sheet_put(s, 1, 11, STYLE_FIELD, name);
    sheet_put(s, FIELD, 0, STYLE_TEXT, value);
}

static void brief_rests_on(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    if (m->justification_count == 0 && m->status != STATUS_MISSING) {
        brief_field(s, "rests on", no_source(m));
        return;
    }
    for (size_t i = 0; i < m->justification_count; i++) {
        sheet_line(s);
        if (i == 0)
            sheet_put(s, 1, 11, STYLE_FIELD, "rests on");
        put_group(s, &f->group[i], i + 1, look, false, all_single(m));
    }
}

/* "0.700 → 0.713 reinforced → 0.821 postmortem", the latest changes that fit. */
static void brief_confidence(struct sheet *s, const struct facts *f, const struct facts_look *look)
{
    const struct memory *m = &f->memory;
    struct strbuf sb = STRBUF_INIT;
    size_t first = m->history_count > 5 ? m->history_count - 5 : 0;
    for (size_t i = first; i < m->history_count; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_)
            continue;
        if (sb.len == 0 && h->old == h->old)
            strbuf_addf(&sb, "%.3f", h->old);
        strbuf_addf(&sb, "%s%s%s%.3f", sb.len ? " " : "",
                    sb.len ? glyph_of(GLYPH_ARROW, look->ascii) : "", sb.len ? " " : "", h->new_);
        if (h->reason)
            strbuf_addf(&sb, " %s", h->reason);
    }
    brief_field(s, "confidence", sb.buf);
    strbuf_release(&sb);
}

void facts_sheet_brief(struct sheet *s, const struct facts *f, const struct facts_look *asked)
{
    const struct memory *m = &f->memory;
    struct facts_look fitted = *asked, *look = &fitted;
    look->ref_width = widest_ref(f);
    struct strbuf sb = STRBUF_INIT;
    sheet_clear(s, look->width);
    facts_brief_text(s, m, look);
    sheet_line(s);
    if (m->ref.kind == KIND_ENTRY)
        facts_put_entry(s, f, look, 8);
    brief_rests_on(s, f, look);
    facts_carry(f, look->ascii, &sb);
    brief_field(s, "carries", sb.len ? sb.buf : "nothing");
    brief_confidence(s, f, look);
    strbuf_clear(&sb);
    add_source(m, &sb);
    brief_field(s, "source", sb.buf);
    brief_field(s, "context", m->context);
    for (size_t i = 0; i < m->annotation_count; i++)
        brief_field(s, i ? " " : "annotation", m->annotations[i]);
    for (size_t i = 0; i < m->relation_count && i < f->relation_shown; i++) {
        strbuf_clear(&sb);
        facts_ref(&f->relation[i].row, f->relation[i].short_length, &sb);
        strbuf_addf(&sb, "  %s", f->relation[i].row.text ? f->relation[i].row.text : "");
        brief_field(s, role_name(m->relations[i].type), sb.buf);
    }
    strbuf_release(&sb);
}
