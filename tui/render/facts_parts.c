/* The parts that pages of facts are made of: times, states, refs, rows, authors. */
#include "tui/render/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "store/lineage/effective.h"
#include "store/record/index_tables.h"
#include "tui/render/oneline.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

void facts_when(char *out, size_t size, int64_t at, const struct page_options *options)
{
    if (options->exact_times || at == 0) {
        times_format(out, size, at);
        return;
    }
    if (options->ages) {
        int64_t unit, next = options->now + clock_age_valid_for(at, options->now, &unit);
        if (!options->ages->next || next < options->ages->next)
            options->ages->next = next;
        if (!options->ages->unit || unit < options->ages->unit)
            options->ages->unit = unit;
    }
    clock_format_age_brief(out, size, at, options->now);
}

bool facts_when_retrieved(char *out, size_t size, int64_t at, const struct page_options *options)
{
    if (!clock_retrieval_is_suspect(at, options->now)) {
        facts_when(out, size, at, options);
        return false;
    }
    snprintf(out, size, "%s", at ? "suspect" : "unknown");
    return true;
}

const char *facts_age(struct page *s, int64_t at)
{
    char when[40];
    facts_when(when, sizeof(when), at, &s->options);
    return page_printf(s, "%s", when);
}

void facts_add_time(struct strbuf *out, int64_t at, const struct page_options *options)
{
    char when[32];
    if (options->command) {
        add_time(out, at, options->now);
        return;
    }
    times_format(when, sizeof(when), at);
    strbuf_addstr(out, when);
}

void facts_put_when(struct page *s, int64_t at)
{
    char when[32];
    times_format(when, sizeof(when), at);
    page_format(s, 18, 20, STYLE_AGE, "%s%s", when, s->options.command && at ? times_zone() : "");
}

const char *facts_ended(enum status status)
{
    return STATUS_LIVES(status) && status != STATUS_EXPIRED ? "disbelieved" : status_word(status);
}

void facts_state(const struct facts *f, bool ascii, struct strbuf *out)
{
    const struct memory *m = &f->memory;
    const char *dot = glyph_of(GLYPH_DOT, ascii);
    enum label label = m->status == STATUS_EXPIRED ? LABEL_ENDED : f->label.label;
    if (!style_speaks())
        strbuf_addf(out, "%s ", mark_of_label(sign_of_memory(m->status, label), ascii));
    strbuf_addf(out, "%s",
                f->not_yet             ? "not yet written then"
                : label == LABEL_ENDED ? facts_ended(m->status)
                                       : label_name(label));
    if (label != LABEL_ENDED && m->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", dot, status_word(m->status));
    if (m->is_protected)
        strbuf_addf(out, " %s locked", dot);
    /* Add flags such as "poisoned" and "for_review", each name once. */
    for (size_t i = 0; i < m->flag_count; i++) {
        size_t before = 0;
        while (before < i && strcmp(m->flags[before].name, m->flags[i].name) != 0)
            before++;
        if (before == i)
            strbuf_addf(out, " %s %s", dot, m->flags[i].name);
    }
    if (m->version > 1)
        strbuf_addf(out, " %s version %lld", dot, (long long)m->version);
}

void facts_add_support(struct strbuf *out, const struct row_label *label,
                       const struct independent *independent, bool ascii)
{
    bool fewer = independent->known && independent->count < label->valid;
    strbuf_addf(out, style_speaks() ? "%u of %u" : "%u/%u", (unsigned)label->valid,
                (unsigned)label->justs);
    if (fewer && style_speaks())
        strbuf_addf(out, " but %s%u independent", independent->proven ? "" : "at least ",
                    (unsigned)independent->count);
    else if (fewer)
        strbuf_addf(out, "%s%s%u", ascii ? ">" : "→",
                    independent->proven ? ""
                    : ascii             ? "="
                                        : "≥",
                    (unsigned)independent->count);
}

bool facts_is_echo(const struct row_label *label, const struct independent *independent)
{
    return independent->known && independent->proven && independent->count == 1 && label->valid > 1;
}

const char *facts_support(struct page *s, const struct row_label *label)
{
    return page_printf(s, "%s of %s valid", GROUPED(label->valid), GROUPED(label->justs));
}

void facts_describe_users(const struct facts *f, bool ascii, struct strbuf *out)
{
    if (f->used_by_count != f->descendant_count)
        strbuf_addf(out, "%s directly, %s%s in all", GROUPED(f->used_by_count),
                    f->bounded ? "more than " : "", GROUPED(f->descendant_count));
    else if (f->used_by_count > 0)
        strbuf_addf(out, "%s%s memor%s", f->bounded ? "more than " : "",
                    GROUPED(f->descendant_count), f->descendant_count == 1 ? "y" : "ies");
    if (f->would_lose_support > 0)
        strbuf_addf(out, " %s %s with no other support", glyph_of(GLYPH_DOT, ascii),
                    GROUPED(f->would_lose_support));
}

void facts_put_users(struct page *s, const struct facts *f)
{
    struct strbuf *text = page_buffer(s);
    facts_describe_users(f, s->options.ascii, text);
    page_field(s, "used by", STYLE_TEXT, text->len ? text->buf : "nothing", 1);
}

int facts_ref_width(const struct fact_row *rows, size_t count, int width)
{
    AUTO_STRBUF ref = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].row.node == 0)
            continue; /* a row that could not be read */
        strbuf_clear(&ref);
        facts_ref(&rows[i].row, rows[i].short_length, &ref);
        if ((int)ref.len > width)
            width = ref.len < 26 ? (int)ref.len : 26;
    }
    return width;
}

void facts_put_ref(struct page *s, int column, int width, const struct fact_row *r)
{
    struct strbuf *ref = page_buffer(s);
    facts_ref(&r->row, r->short_length, ref);
    page_put(s, column, width, STYLE_REF, ref->buf);
}

void facts_put_label(struct page *s, int column, int sign)
{
    if (sign != LABEL_COUNT)
        page_put(s, column, 1, style_of_sign(sign), mark_of_label(sign, s->options.ascii));
}

/* Right-aligned columns are counted from the edge; 0 hides one. The status of an inactive memory is longer than an
 * age, so it also uses the confidence's column. */
void facts_put_row(struct page *s, const struct fact_row *r, const char *how, bool guessed,
                   int glyph)
{
    bool missing = r->row.status == STATUS_MISSING, ended = r->label.label == LABEL_ENDED;
    bool unsupported = r->label.label < LABEL_COUNT && !label_stands(r->label.label);
    int text = glyph + 2 + s->options.ref_width + 2;
    int when = s->width < 60 ? 0 : s->options.exact_times ? 20 : ended ? 12 : 6;
    int number = s->width >= 66 && when == 6 ? 12 : 0;
    int end = number ? number + 1 : when ? when + 1 : 0;
    int says = s->width >= 96 ? end + 13 : 0;
    end = says ? says + 1 : end;
    facts_put_label(s, glyph, r->row.status == STATUS_PENDING ? SIGN_PENDING : (int)r->label.label);
    facts_put_ref(s, glyph + 2, s->options.ref_width + 1, r);
    page_put(s, text, s->width - end - text,
             missing || unsupported ? STYLE_DIM
             : guessed              ? STYLE_GUESSED
                                    : STYLE_TEXT,
             missing ? "not in this store" : r->row.text);
    if (says)
        page_put(s, -says, 12, guessed ? STYLE_GUESSED : STYLE_DIM, how);
    double confidence = effective_shown(&r->label);
    if (number && !missing && !isnan(confidence))
        page_put_right(s, -number, 5, STYLE_NUMBER,
                       page_printf(s, "%s%.2f", r->row.has_default ? "=" : "", confidence));
    if (when && ended)
        page_put_right(s, -when, when - 1, STYLE_ENDED, facts_ended(r->row.status));
    else if (when && !missing)
        page_put_right(s, -when, when - 1, STYLE_AGE, facts_age(s, r->row.created_at));
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
        return recorded_words(recorded);
    return ROLE_IS_SUPPORT(role) ? names[role] : role_name(role);
}

void facts_add_author(struct strbuf *out, const struct author *author,
                      const struct page_options *options)
{
    facts_add_time(out, author->at, options);
    strbuf_addstr(out, " by ");
    text_add(out, author->who, TEXT_EXACT);
    if (author->origin)
        strbuf_addstr(out, " in "), text_add(out, author->origin, TEXT_EXACT);
    else if (!author->person)
        strbuf_addstr(out, ", an agent");
    if (author->reason && *author->reason)
        strbuf_addstr(out, ": "), text_add(out, author->reason, 0);
}

const char *facts_relation(enum role type)
{
    return type == RELATION_SUPERSEDES       ? "replaces"
           : type == RELATION_PROCESSED_INTO ? "promoted to"
           : type == RELATION_COPY_OF        ? "copy of"
           : type == RELATION_RETIRED_BY     ? "retired by"
           : type == RELATION_PART_OF        ? "part of"
           : type == RELATION_RELATED        ? "related to"
                                             : role_name(type);
}

const char *facts_relation_title(const struct relation *r)
{
    return r->type == RELATION_RELATED && r->reason ? r->reason : facts_relation(r->type);
}

void facts_add_retrieved(struct strbuf *out, int64_t at, const struct page_options *options)
{
    bool suspect = at && clock_retrieval_is_suspect(at, options->now);
    bool seconds = suspect && at > 0 && at < CLOCK_RETRIEVED_EARLIEST;
    facts_add_time(out, seconds ? at * 1000 : at, options);
    if (suspect)
        strbuf_addstr(out, seconds ? ", read as seconds" : ", suspect");
}

void facts_put_time(struct page *s, const char *name, int64_t at)
{
    struct strbuf *when = page_buffer(s);
    if (at)
        facts_add_time(when, at, &s->options);
    page_fact(s, name, when->buf);
}

void facts_put_agent(struct page *s, const struct memory *m)
{
    AUTO_ARENA arena = ARENA_INIT;
    const char *claimed = NULL;
    detail_text(m, CLAIMED_MEMBER, &arena, &claimed);
    page_fact_agent(s, m->agent_id, claimed);
}

void facts_put_state(struct page *s, const struct facts *f)
{
    struct strbuf *state = page_buffer(s);
    facts_state(f, s->options.ascii, state);
    page_fact(s, "state", state->buf);
}

void facts_put_text(struct page *s, const char *text, size_t most)
{
    int column = s->options.command ? 2 : 1;
    size_t first = s->count;
    page_wrap(s, column, page_prose(s, column), STYLE_TEXT, text, most, false);
    for (; s->options.command && first < s->count; first++) {
        struct span bar = {
            .text = glyph_of(GLYPH_BAR, s->options.ascii), .width = 1, .style = STYLE_DIM};
        page_put_at(s, first, &bar);
    }
}
