/* Layout of a memory's facts: the full page and the preview. */
#include "tui/render/facts.h"

#include <stdio.h>
#include <math.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/ops/operation.h"
#include "store/record/index_tables.h"
#include "tui/render/oneline.h"
#include "tui/render/difference_page.h"
#include "tui/render/permission_table.h"
#include "tui/render/kind_fields.h"
#include "tui/text/text.h"

void facts_exact(char *out, size_t size, int64_t at)
{
    char iso[40];
    clock_format_iso(iso, sizeof(iso), at);
    iso[strcspn(iso, "T")] = ' ';
    snprintf(out, size, "%.*s", (int)strcspn(iso, "."), iso); /* without milliseconds */
}

void facts_when(char *out, size_t size, int64_t at, const struct page_options *options)
{
    if (options->exact_times) {
        facts_exact(out, size, at);
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
    char iso[40];
    if (!clock_retrieval_is_suspect(at, options->now)) {
        facts_when(out, size, at, options);
        return false;
    }
    clock_format_iso(iso, sizeof(iso), at);
    snprintf(out, size, "suspect%s%.10s", options->exact_times ? " " : "",
             options->exact_times ? iso : "");
    return true;
}

const char *facts_age(struct page *s, int64_t at)
{
    char when[40];
    facts_when(when, sizeof(when), at, &s->options);
    return page_printf(s, "%s", when);
}

/* Appends a time with its age in the form of commands: "2026-11-20 10:42:16Z (3d)". */
static void add_when(struct strbuf *out, int64_t at, const struct page_options *options)
{
    char when[32];
    if (options->command) {
        add_time(out, at, options->now);
        return;
    }
    facts_exact(when, sizeof(when), at);
    strbuf_addstr(out, when);
}

/* Adds a time column without an age. */
static void put_when(struct page *s, int64_t at)
{
    char when[32];
    facts_exact(when, sizeof(when), at);
    page_format(s, 18, 20, STYLE_AGE, "%s%s", when, s->options.command ? "Z" : "");
}

void facts_state(const struct facts *f, bool ascii, struct strbuf *out)
{
    const struct memory *m = &f->memory;
    const char *dot = glyph_of(GLYPH_DOT, ascii);
    enum label label = f->label.label;
    strbuf_addf(out, "%s %s", mark_of_label(label, ascii),
                label == LABEL_ENDED ? status_word(m->status) : label_name(label));
    if (label != LABEL_ENDED && m->status != STATUS_ACTIVE)
        strbuf_addf(out, " %s %s", dot, status_word(m->status));
    if (m->is_protected)
        strbuf_addf(out, " %s locked", dot);
    /* Add flags such as "poisoned" and "quarantined", each name once. */
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

const char *facts_support(struct page *s, const struct row_label *label)
{
    return page_printf(s, "%u of %u valid", label->valid, label->justs);
}

void facts_describe_users(const struct facts *f, bool ascii, struct strbuf *out)
{
    if (f->used_by_count != f->descendant_count)
        strbuf_addf(out, "%zu directly, %s%zu in all", f->used_by_count,
                    f->bounded ? "more than " : "", f->descendant_count);
    else if (f->used_by_count > 0)
        strbuf_addf(out, "%s%zu memor%s", f->bounded ? "more than " : "", f->descendant_count,
                    f->descendant_count == 1 ? "y" : "ies");
    if (f->would_lose_support > 0)
        strbuf_addf(out, " %s %zu with no other support", glyph_of(GLYPH_DOT, ascii),
                    f->would_lose_support);
}

static const char *describe_users(struct page *s, const struct facts *f)
{
    struct strbuf *out = page_buffer(s);
    facts_describe_users(f, s->options.ascii, out);
    return out->buf;
}

void facts_put_users(struct page *s, const struct facts *f)
{
    const char *text = describe_users(s, f);
    page_field(s, "used by", STYLE_TEXT, *text ? text : "nothing", 1);
}

/* ---- the row of another memory ---- */

int facts_ref_width(const struct fact_row *rows, size_t count, int width)
{
    struct strbuf ref = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].row.node == 0)
            continue; /* a row that could not be read */
        strbuf_clear(&ref);
        facts_ref(&rows[i].row, rows[i].short_length, &ref);
        if ((int)ref.len > width)
            width = ref.len < 26 ? (int)ref.len : 26;
    }
    strbuf_release(&ref);
    return width;
}

/* The common width of all refs, so that texts align. */
static int widest_ref(const struct facts *f)
{
    int width = 12;
    for (size_t i = 0; i < f->memory.justification_count; i++)
        width = facts_ref_width(f->group[i].row, f->group[i].shown, width);
    width = facts_ref_width(f->used_by, f->used_by_shown, width);
    return facts_ref_width(f->relation, f->relation_shown, width);
}

void facts_put_ref(struct page *s, int column, int width, const struct fact_row *r)
{
    struct strbuf *ref = page_buffer(s);
    facts_ref(&r->row, r->short_length, ref);
    page_put(s, column, width, STYLE_REF, ref->buf);
}

void facts_put_label(struct page *s, int column, enum label label)
{
    if (label < LABEL_COUNT)
        page_put(s, column, 1, STYLE_OF_LABEL(label), mark_of_label(label, s->options.ascii));
}

/* Right-aligned columns are counted from the edge; 0 hides one. The status of an inactive memory is longer than an
 * age, so it also uses the confidence's column. */
void facts_put_row(struct page *s, const struct fact_row *r, const char *how, bool guessed,
                   int glyph)
{
    bool missing = r->row.status == STATUS_MISSING, gone = r->label.label == LABEL_ENDED;
    bool fell = r->label.label < LABEL_COUNT && !label_stands(r->label.label);
    int text = glyph + 2 + s->options.ref_width + 2;
    int when = s->width < 60 ? 0 : s->options.exact_times ? 20 : gone ? 12 : 6;
    int number = s->width >= 66 && when == 6 ? 12 : 0;
    int end = number ? number + 1 : when ? when + 1 : 0;
    int says = s->width >= 96 ? end + 13 : 0;
    end = says ? says + 1 : end;
    facts_put_label(s, glyph, r->label.label);
    facts_put_ref(s, glyph + 2, s->options.ref_width + 1, r);
    page_put(s, text, s->width - end - text,
             missing || fell ? STYLE_DIM
             : guessed       ? STYLE_GUESSED
                             : STYLE_TEXT,
             missing ? "not in this store" : r->row.text);
    if (says)
        page_put(s, -says, 12, guessed ? STYLE_GUESSED : STYLE_DIM, how);
    if (number && !missing && !isnan(r->label.effective))
        page_put_right(s, -number, 5, STYLE_NUMBER, page_printf(s, "%.2f", r->label.effective));
    if (when && gone)
        page_put_right(s, -when, when - 1, STYLE_ENDED, status_word(r->row.status));
    else if (when && !missing)
        page_put_right(s, -when, when - 1, STYLE_AGE, facts_age(s, r->row.created_at));
}

static void put_use(struct page *s, const struct use *use, int column)
{
    struct strbuf *out = page_buffer(s);
    if (!use)
        return;
    if (use->relevance == use->relevance)
        strbuf_addf(out, "relevance %.2f %s", use->relevance, score_name(use->score));
    if (use->rank >= 0)
        strbuf_addf(out, "  rank %lld", (long long)use->rank);
    if (use->chunk != CHUNK_NONE)
        strbuf_addf(out, "  chunk %lld", (long long)use->chunk);
    if (use->page > 0)
        strbuf_addf(out, "  page %lld", (long long)use->page);
    if (use->section)
        strbuf_addf(out, "  %s", use->section);
    if (use->label)
        strbuf_addf(out, "  as %s", use->label);
    if (out->len > 0)
        page_note(s, column, "%s", out->buf + strspn(out->buf, " "));
    if (use->excerpt)
        page_wrap(s, column, s->width - column - 1, STYLE_DIM, use->excerpt, 4, false);
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

/* `number` 0: it is the only one. `is_preview`: in the preview, where the first line has the field's name. */
void facts_add_author(struct strbuf *out, const struct author *author,
                      const struct page_options *options)
{
    add_when(out, author->at, options);
    strbuf_addstr(out, " by ");
    text_add(out, author->who, TEXT_EXACT);
    if (author->origin)
        strbuf_addstr(out, " in "), text_add(out, author->origin, TEXT_EXACT);
    else if (!author->person)
        strbuf_addstr(out, ", an agent");
    if (author->reason && *author->reason)
        strbuf_addstr(out, ": "), text_add(out, author->reason, 0);
}

/* "retracted 2026-11-20 10:42:16 by sean: the log says otherwise" */
static void put_end(struct page *s, const struct fact_row *row, int column)
{
    struct strbuf *text = page_buffer(s);
    if (!row->ended_by.who)
        return;
    strbuf_addf(text, "%s ", status_word(row->row.status));
    facts_add_author(text, &row->ended_by, &s->options);
    page_note(s, column, "%s", text->buf);
}

static void put_group(struct page *s, const struct fact_group *g, size_t number, bool is_preview,
                      bool plain)
{
    const struct justification *j = g->justification;
    bool narrow = s->width < 66 || plain;
    int glyph = (is_preview ? 16 : 8) + (narrow ? 0 : 8), sign = is_preview ? 10 : 3;
    for (size_t i = 0; i == 0 || i < g->shown; i++) {
        page_opens(s, j->count > 0 ? j->antecedents[i].node : 0);
        if (i == 0) {
            if (is_preview && number <= 1)
                page_put(s, 1, 9, STYLE_FIELD, "based on");
            if (!is_preview)
                facts_put_label(s, sign, g->valid ? LABEL_SUPPORTED : LABEL_ENDED);
            if (number > 0)
                page_format(s, sign + 2, 3, STYLE_DIM, "%zu.", number);
            if (j->count > 1 && !narrow)
                page_put(s, sign + (number > 0 ? 5 : 2), 6, STYLE_DIM,
                         j->reading == READING_ALL ? "all of" : "any of");
        }
        if (j->count == 0) {
            page_put(s, glyph, 0, STYLE_DIM, "no sources, so it is always valid");
            return;
        }
        facts_put_row(s, &g->row[i], facts_how(j->role, j->recorded), j->recorded != RECORDED,
                      glyph);
        if (!is_preview) {
            put_end(s, &g->row[i], glyph + 2);
            put_use(s, j->antecedents[i].use, glyph + 2);
        }
    }
    if (j->count > g->shown)
        page_note(s, glyph, "and %zu more; %s shows all", j->count - g->shown,
                  s->options.command ? "--trace" : "f");
    if (!is_preview && j->reason)
        page_note(s, glyph + 2, "%s", j->reason);
}

/* Whether every group has one source, so that `any` and `all` need not be shown. */
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
        return m->event ? "undone: only its ref is left"
                        : "named by others, but not written here yet";
    if (m->ref.kind == KIND_RAW && memory_is_annotated(m, SYNTHETIC_RAW))
        return "nothing: Kernle made it up from the memory that is based on it";
    return kind_spec(m->ref.kind)->is_source ? "nothing: it is a source itself"
                                             : "nothing was recorded";
}

static void put_groups(struct page *s, const struct facts *f, bool is_preview)
{
    size_t count = f->memory.justification_count;
    for (size_t i = 0; i < count; i++)
        put_group(s, &f->group[i], count > 1 ? i + 1 : 0, is_preview, all_single(&f->memory));
}

static void put_rests_on(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    page_section(s, "based on", f->label.justs > 0 ? facts_support(s, &f->label) : "");
    if (m->justification_count == 0)
        page_note(s, 3, "%s", no_source(m));
    put_groups(s, f, false);
    for (size_t i = 0; i < m->annotation_count; i++) {
        page_line(s);
        page_put(s, s->width < 66 || all_single(m) ? 8 : 16, s->width - 46, STYLE_TEXT,
                 m->annotations[i]);
        if (s->width >= 66)
            page_put(s, -26, 12, STYLE_DIM, "annotation");
    }
}

static void put_used_by(struct page *s, const struct facts *f)
{
    page_section(s, "used by", describe_users(s, f));
    if (f->used_by_count == 0)
        page_note(s, 3, "nothing");
    for (size_t i = 0; i < f->used_by_shown; i++) {
        const struct fact_row *row = &f->used_by[i];
        page_opens(s, row->row.node);
        facts_put_row(s, row, row->label.justs == 1 ? "only this" : facts_support(s, &row->label),
                      false, 3);
    }
    if (f->used_by_count > f->used_by_shown)
        page_note(s, 3, "%zu more; %s shows all", f->used_by_count - f->used_by_shown,
                  s->options.command ? "--reverse" : "r");
}

static void put_relation(struct page *s, const char *type, int64_t node, const struct fact_row *row)
{
    page_opens(s, node);
    page_put(s, 3, 16, STYLE_FIELD, type);
    facts_put_row(s, row, "", false, 20);
}

const char *facts_relation(enum role type)
{
    return type == RELATION_SUPERSEDES       ? "replaces"
           : type == RELATION_PROCESSED_INTO ? "promoted to"
                                             : role_name(type);
}

/* The name of a relation as seen from its target. */
static const char *reversed(enum role type)
{
    static const char *const names[] = {
        [RELATION_SUPERSEDES - RELATION_SUPERSEDES] = "replaced by",
        [RELATION_PROCESSED_INTO - RELATION_SUPERSEDES] = "promoted from",
        [RELATION_CONTRADICTS - RELATION_SUPERSEDES] = "contradicted by",
        [RELATION_COPY_OF - RELATION_SUPERSEDES] = "copied as",
        [RELATION_RETIRED_BY - RELATION_SUPERSEDES] = "retires",
        [RELATION_PART_OF - RELATION_SUPERSEDES] = "has part",
    };
    size_t at = (size_t)type - RELATION_SUPERSEDES;
    return at < sizeof(names) / sizeof(names[0]) && names[at] ? names[at] : "related to";
}

static void put_relations(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    if (m->relation_count == 0 && f->related_count == 0)
        return;
    page_section(s, "related", "");
    for (size_t i = 0; i < f->related_count; i++)
        put_relation(s, reversed(f->related[i].type), f->related[i].node, &f->related_row[i]);
    for (size_t i = 0; i < f->relation_shown; i++)
        put_relation(s, facts_relation(m->relations[i].type), m->relations[i].to_node,
                     &f->relation[i]);
    if (m->relation_count > f->relation_shown)
        page_note(s, 3, "and %zu more", m->relation_count - f->relation_shown);
    if (f->related_more)
        page_note(s, 3, "and more that name it");
}

/* ---- flags ---- */

static const char *exact_name(struct page *s, const char *name)
{
    struct strbuf *clean = page_buffer(s);
    text_add(clean, name, TEXT_EXACT);
    return clean->buf;
}

static void put_flags(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    if (m->flag_count == 0)
        return;
    page_section(s, "flags", "");
    for (size_t i = 0; i < m->flag_count; i++) {
        const struct flag *flag = &m->flags[i];
        page_line(s);
        page_put(s, 3, 14, STYLE_FIELD, flag->name);
        put_when(s, flag->at);
        page_format(s, 39, 0, STYLE_TEXT, "%s%s%s%s%s%s", flag->by_agent ? "agent " : "",
                    exact_name(s, flag->actor), flag->value ? "  " : "",
                    flag->value ? flag->value : "", flag->reason ? "  " : "",
                    flag->reason ? flag->reason : "");
    }
}

/* "for_review by claire: does it hold for renamed columns?" Flags without a word of
 * their own are in the rule above. */
static void put_flag_fields(struct page *s, const struct memory *m)
{
    bool explained = false;
    for (size_t i = 0; i < m->flag_count; i++)
        explained |= m->flags[i].reason || m->flags[i].value;
    for (size_t i = 0; explained && i < m->flag_count; i++) {
        const struct flag *flag = &m->flags[i];
        const char *why = flag->reason ? flag->reason : flag->value;
        struct strbuf *text = page_buffer(s);
        strbuf_addf(text, "%s by ", flag->name);
        text_add(text, flag->actor ? flag->actor : "nobody", TEXT_EXACT);
        strbuf_addf(text, "%s%s", why ? ": " : "", why ? why : "");
        page_field(s, i ? "" : "flags", STYLE_TEXT, text->buf, 2);
    }
}

/* ---- facts of the kind ---- */

const char *facts_suspicion(int64_t retrieved_at, int64_t now)
{
    if (!clock_retrieval_is_suspect(retrieved_at, now))
        return NULL;
    return retrieved_at >= 0 && retrieved_at < CLOCK_RETRIEVED_EARLIEST
               ? "probably seconds, read as milliseconds"
               : "suspect";
}

/* Appends stored milliseconds, the time that they mean, and what is wrong with it. */
static void add_stored_time(struct strbuf *value, const char *name,
                            const struct page_options *options)
{
    int64_t ms;
    if ((strcmp(name, "retrieval_timestamp") != 0 && strcmp(name, "retrieved_at") != 0) ||
        json_integer((struct json_slice){value->buf, value->len}, &ms))
        return;
    strbuf_addstr(value, "  ");
    add_when(value, ms, options);
    const char *suspicion = facts_suspicion(ms, options->now);
    if (suspicion)
        strbuf_addf(value, "  %s", suspicion);
}

static void put_member(struct page *s, const struct memory *m, const struct json_each *member)
{
    struct json_slice quoted = {member->key.ptr - 1, member->key.len + 2}, value = member->value;
    struct strbuf name = STRBUF_INIT, *text = page_buffer(s);
    bool is_string = value.ptr[0] == '"', narrow = s->width < 66;
    json_add_plain(&name, quoted);
    if (is_string)
        json_add_plain(text, value);
    else if (value.ptr[0] != 'n')
        json_tidy(text, value.ptr, value.len); /* keeps the digits of numbers */
    if (!is_string && text->len)
        add_stored_time(text, name.buf, &s->options);
    if (text->len && !(is_string && m->text && !strcmp(text->buf, m->text))) {
        int column = narrow ? 4 : 23;
        page_line(s);
        page_put(s, 3, narrow ? 0 : 19, STYLE_FIELD, name.buf);
        page_wrap(s, column, s->width - column - 1, STYLE_TEXT, text->buf, 400, !narrow);
    }
    strbuf_release(&name);
}

static void put_detail(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    struct error e;
    size_t len = m->detail ? strlen(m->detail) : 0, before = s->count;
    if (len <= 2 || json_check(m->detail, len, JSON_DEPTH_MAX, &e))
        return;
    page_section(s, kind_words(m->ref.kind, true), "");
    size_t begun = s->count;
    for (struct json_each it = json_each((struct json_slice){m->detail, len}); json_next(&it);)
        if (!json_key_is(it.key, CLAIMED_MEMBER)) /* stands with the agent */
            put_member(s, m, &it);
    if (s->count == begun)
        s->count = before;
}

/* The section about confidence has a line for each change: who made it, and the formula that it follows. */

#define WIDE      112 /* from this width on the formula is in the same line */
#define SUM_WIDTH 33
#define WHO       39
#define DID       50
#define WHY       62

/* Whether the effective confidence differs in the third decimal. */
static bool is_lower(const struct facts *f)
{
    return f->memory.status != STATUS_MISSING && f->effective.stored - f->effective.value >= 0.0005;
}

static void add_spark(struct strbuf *out, const struct facts *f, bool ascii)
{
    const struct memory *m = &f->memory;
    size_t shown = 0;
    for (size_t i = 0; i < m->history_count && shown < 24; i++) {
        const struct history_entry *h = &m->history[i];
        if (h->new_ != h->new_)
            continue;
        if (shown++ == 0 && h->old == h->old)
            strbuf_addstr(out, level_mark(h->old, ascii));
        strbuf_addstr(out, level_mark(h->new_, ascii));
    }
    if (confidence_unrecorded(m, m->history_count) != 0)
        strbuf_addstr(out, level_mark(m->confidence, ascii));
    strbuf_addf(out, "%s%.3f stored %s %.3f effective", shown ? "  " : "", m->confidence,
                glyph_of(GLYPH_DOT, ascii), f->effective.value);
}

/* Who made the change and the action. Returns false if there is no room. */
static bool put_who(struct page *s, const char *who, const char *did)
{
    if (s->width < WHY + 14)
        return false;
    page_put(s, WHO, DID - WHO - 1, STYLE_SOURCE, exact_name(s, who));
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
    struct strbuf sum = STRBUF_INIT;
    double old = step ? step->before : h->old, new = step ? step->after : h->new_;
    bool sums = step && fact_step_sum(step, s->options.ascii, &sum), one_line = s->width >= WIDE;
    page_opens(s, evidence ? evidence->row.node : 0);
    if (new == new)
        page_format(s, 3, 6, STYLE_NUMBER, "%.3f", new);
    if (new == new &&old == old)
        page_format(s, 10, 7, STYLE_NUMBER, "%+.3f", new - old);
    put_when(s, h->at);
    bool in_columns = step && put_who(s, step->who, event_verb(step->operation));
    int column = in_columns ? WHY : WHO;
    put_why(s, h, evidence, in_columns, column,
            s->width - column - (sums && one_line ? SUM_WIDTH + 3 : 1));
    if (sums && one_line)
        page_put(s, -SUM_WIDTH - 1, SUM_WIDTH, STYLE_DIM, sum.buf);
    else if (sums)
        page_note(s, 10, "%s", sum.buf);
    strbuf_release(&sum);
}

/* A line for what the history does not explain before its entry `i`: decay, or an update of its source. */
static void put_unrecorded(struct page *s, const struct memory *m, size_t i)
{
    double change = confidence_unrecorded(m, i);
    if (change == 0)
        return;
    page_line(s);
    page_format(s, 3, 6, STYLE_NUMBER, "%.3f",
                i < m->history_count ? m->history[i].old : m->confidence);
    page_format(s, 10, 7, STYLE_NUMBER, "%+.3f", change);
    page_format(s, 18, 0, STYLE_GUESSED, "changed by %.3f without a record", fabs(change));
}

/* The initial confidence, if the whole history was made in this store. */
static void put_first(struct page *s, const struct facts *f)
{
    const struct facts_past *past = &f->past;
    if (!past->known || past->first != past->first)
        return;
    page_line(s);
    page_format(s, 3, 6, STYLE_NUMBER, "%.3f", past->first);
    put_when(s, past->created.at);
    if (put_who(s, past->created.who, "added"))
        page_put(s, WHY, 0, STYLE_TEXT, f->memory.source ? f->memory.source : "");
}

static void put_line(struct page *s, double value, const char *why)
{
    page_line(s);
    page_format(s, 3, 6, STYLE_NUMBER, "%.3f", value);
    page_format(s, 10, 0, STYLE_DIM, "%s", why);
}

static const char *why_none(const struct facts *f)
{
    const struct memory *m = &f->memory;
    return f->label.label == LABEL_ENDED ? status_word(m->status) : label_name(f->label.label);
}

/* "0.808  -0.013  2026-11-20 10:44:19  episode:52a8b0c0 is retracted": what fallen evidence had added. */
static void put_losses(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    bool first = true;
    for (size_t i = m->history_count; i-- > 0;) {
        const struct history_entry *h = &m->history[i];
        size_t from_end = m->history_count - 1 - i;
        const struct fact_row *by = from_end < FACTS_ROWS ? &f->evidence[from_end] : NULL;
        const struct author *ended_by = by ? &by->ended_by : NULL;
        struct strbuf *why = page_buffer(s);
        if (!f->fallen[i])
            continue;
        if (by && by->row.node)
            facts_ref(&by->row, by->short_length, why);
        else
            text_add(why, h->evidence_source, TEXT_EXACT);
        if (ref_parse(h->evidence_source, &(struct ref){0}) != REF_MEMORY)
            strbuf_addstr(why, " has no evidence that stands");
        else if (!by || !by->row.node || by->row.status == STATUS_MISSING)
            strbuf_addstr(why, " is not in this store");
        else
            strbuf_addf(why, " %s",
                        STATUS_LIVES(by->row.status) ? "does not stand"
                                                     : status_word(by->row.status));
        page_opens(s, by ? by->row.node : 0);
        if (first)
            page_format(s, 3, 6, STYLE_NUMBER, "%.3f", f->effective.kept);
        page_format(s, 10, 7, STYLE_NUMBER, "%+.3f", h->old - h->new_);
        if (ended_by && ended_by->who) {
            put_when(s, ended_by->at);
            strbuf_addstr(why, " by "), text_add(why, ended_by->who, TEXT_EXACT);
        }
        page_put(s, WHO, 0, STYLE_DIM, why->buf);
        first = false;
    }
}

/* "0.70, told by agent: claire", or "0.60 by note:1eb9a34f, external": whose source limits it. */
static const char *trust_of(struct page *s, const struct facts *f)
{
    bool other = f->weakest.node != 0;
    const struct memory *m = other ? &f->weakest : &f->memory;
    struct strbuf *out = page_buffer(s);
    strbuf_addf(out, "%.2f", f->trust.value);
    if (other) {
        const struct memory_row row = {.ref = m->ref};
        strbuf_addstr(out, " by ");
        facts_ref(&row, f->weakest_length, out);
    }
    strbuf_addf(out, ", %s", source_type_label(m->source_type ? m->source_type : "unknown"));
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
        put_line(s, f->trust.value, page_printf(s, "at most the trust: %s", trust_of(s, f)));
    if (e->decay.base - e->decay.now >= 0.0005) {
        struct strbuf *sum = page_buffer(s);
        strbuf_addstr(sum, "after decay: ");
        decay_write(sum, &e->decay);
        put_line(s, e->decay.now, sum->buf);
    }
    put_losses(s, f);
}

static void put_history_entry(struct page *s, const struct facts *f, size_t i)
{
    size_t from_end = f->memory.history_count - 1 - i;
    const struct fact_row *evidence = from_end < FACTS_ROWS ? &f->evidence[from_end] : NULL;
    put_change(s, &f->memory.history[i],
               f->past.known && f->past.step[i].seq ? &f->past.step[i] : NULL,
               evidence && evidence->row.node > 0 ? evidence : NULL);
}

/* Adds the section about confidence, or nothing if there is nothing to show. */
static void put_confidence(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    struct strbuf *right = page_buffer(s);
    size_t changes = m->history_count - count_imported(m);
    if (changes == 0 && !is_lower(f))
        return;
    add_spark(right, f, s->options.ascii);
    page_section(s, "confidence", right->buf);
    put_effective(s, f);
    put_unrecorded(s, m, m->history_count);
    for (size_t i = m->history_count; i-- > 0;) {
        if (is_imported(&m->history[i]))
            continue;
        put_history_entry(s, f, i);
        put_unrecorded(s, m, i);
    }
    if (changes > 0)
        put_first(s, f);
}

/* Adds what an imported history says besides the confidence. */
static void put_imported(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    if (count_imported(m) == 0)
        return;
    page_section(s, "imported history", "");
    for (size_t i = m->history_count; i-- > 0;)
        if (is_imported(&m->history[i]))
            put_history_entry(s, f, i);
}

/* ---- an entry ---- */

static void new_line(struct strbuf *out, int depth)
{
    strbuf_addch(out, '\n');
    strbuf_addchars(out, ' ', (size_t)(depth < 20 ? depth : 20) * 2);
}

void json_indent(struct strbuf *out, const char *json, size_t len)
{
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < len; i++) {
        char c = json[i];
        bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
        if (quoted || c == '"') {
            strbuf_addch(out, c);
            quoted = c != '"' || !quoted;
            if (c == '\\' && i + 1 < len)
                strbuf_addch(out, json[++i]);
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

void facts_put_time(struct page *s, const char *name, int64_t at)
{
    struct strbuf *when = page_buffer(s);
    if (at)
        add_when(when, at, &s->options);
    page_fact(s, name, when->buf);
}

void facts_put_agent(struct page *s, const struct memory *m)
{
    struct arena arena = ARENA_INIT;
    const char *claimed = NULL;
    detail_text(m, CLAIMED_MEMBER, &arena, &claimed);
    page_fact_agent(s, m->agent_id, claimed);
    arena_release(&arena);
}

/* Adds an entry with at most `most` lines of its value. */
static void put_entry(struct page *s, const struct facts *f, size_t most)
{
    const struct memory *m = &f->memory;
    struct strbuf tidy = STRBUF_INIT;
    struct json_slice value = member_of(m, "value");
    int64_t expires = member_int(m, "expires_at", 0);
    bool over = m->status == STATUS_EXPIRED || (expires > 0 && expires <= s->options.now);
    char size[24] = "";
    page_field(s, "namespace", STYLE_TEXT, member_text(m, "namespace", &s->arena), 1);
    page_field(s, "key", STYLE_TEXT, member_text(m, "key", &s->arena), 1);
    struct strbuf *text = page_buffer(s);
    if (expires > 0)
        add_when(text, expires, &s->options);
    if (expires > 0 && expires <= s->options.now)
        strbuf_addstr(text, ", expired");
    page_field(s, "expires", STYLE_TEXT, expires > 0 ? text->buf : "never", 1);
    text = page_buffer(s);
    if (over)
        snprintf(size, sizeof(size), "expired");
    if (value.ptr) {
        format_bytes(size, sizeof(size), f->value_bytes);
        json_tidy(&tidy, value.ptr, value.len); /* imported text may consist of escapes */
        json_indent(text, tidy.buf, tidy.len);
    } else {
        strbuf_addstr(text, over ? "it expired; its value was removed"
                                 : "it has no value: none was given, or it has expired");
    }
    page_rule(s, "value", size);
    page_wrap(s, 3, s->width > 8 ? s->width - 4 : 4, value.ptr ? STYLE_TEXT : STYLE_DIM, text->buf,
              most, false);
    strbuf_release(&tidy);
}

/* ---- facts of every kind ---- */

static const char *source_of(struct page *s, const struct memory *m)
{
    struct strbuf *out = page_buffer(s);
    const char *type = m->source_type ? source_type_label(m->source_type) : "";
    strbuf_addstr(out, type);
    if (m->source_entity)
        strbuf_addstr(out, ": "), text_add(out, m->source_entity, TEXT_EXACT);
    if (m->source && strcmp(m->source, type))
        strbuf_addf(out, "%s%s", out->len ? " (" : "(", m->source), strbuf_addch(out, ')');
    return out->buf;
}

static void put_author(struct page *s, const char *field, const struct author *author)
{
    struct strbuf *text = page_buffer(s);
    if (!author->who)
        return;
    facts_add_author(text, author, &s->options);
    page_fact(s, field, text->buf);
}

void facts_put_state(struct page *s, const struct facts *f)
{
    struct strbuf *state = page_buffer(s);
    facts_state(f, s->options.ascii, state);
    page_fact(s, "state", state->buf);
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

/* Appends where the confidence comes from, for a trace: " · seed → 0.65", " · 0.85 → 0.87 (reinforced)". */
static void add_way(const struct page *s, const struct facts *f, struct strbuf *out)
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

static void put_facts(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    page_line(s);
    if (!s->options.command) { /* a command has the ref above */
        struct strbuf *ref = page_buffer(s);
        ref_add(ref, m->ref);
        page_fact_name(s, "ref", ref->buf);
    }
    facts_put_time(s, "created", m->created_at);
    facts_put_state(s, f);
    if (m->updated_at != m->created_at)
        facts_put_time(s, "changed", m->updated_at);
    else
        page_fact(s, "changed", "never");
    facts_put_agent(s, m);
    struct strbuf *confidence = page_buffer(s);
    if (is_lower(f))
        strbuf_addf(confidence, "%.3f stored, %.3f effective", m->confidence, f->effective.value);
    else
        strbuf_addf(confidence, "%.3f", m->confidence);
    if (s->options.traced)
        add_way(s, f, confidence);
    page_fact(s, "confidence", confidence->buf);
    if (label_stands(f->label.label) && f->trust.value < 1)
        page_fact(s, "trust", trust_of(s, f));
    page_fact(s, "source", source_of(s, m));
    page_fact(s, "context", m->context);
    struct strbuf *tags = page_buffer(s);
    for (size_t i = 0; i < m->tag_count; i++)
        strbuf_addf(tags, "%s%s", i ? ", " : "", m->tags[i]);
    page_fact(s, "tags", tags->buf);
    put_author(s, "locked", &f->past.protected_by);
    put_author(s, "approved", &f->past.verified_by);
    if (m->status != STATUS_ACTIVE)
        put_author(s, status_word(m->status), &f->past.ended_by);
    struct text_removed removed;
    struct strbuf *unseen = page_buffer(s);
    text_examine(&removed, m->text ? m->text : "", m->text ? strlen(m->text) : 0);
    text_removed_describe(unseen, &removed);
    if (unseen->len > 0)
        strbuf_addstr(unseen, " in the text (--json has them)");
    page_fact(s, "not shown", unseen->buf);
}

void facts_put_text(struct page *s, const char *text, size_t most)
{
    int column = s->options.command ? 2 : 1;
    size_t first = s->count;
    page_wrap(s, column, page_prose(s, column), STYLE_TEXT, text, most, false);
    for (; s->options.command && first < s->count; first++) {
        struct span bar = {glyph_of(GLYPH_BAR, s->options.ascii), 0, 1, STYLE_DIM, false};
        page_put_at(s, first, &bar);
    }
}

static void put_no_text(struct page *s, const struct memory *m)
{
    page_note(s, 1, "%s", m->status == STATUS_MISSING ? no_source(m) : "no text");
}

void facts_page(struct page *s, const struct facts *f, const struct page_options *options)
{
    const struct memory *m = &f->memory;
    page_begin(s, options);
    s->options.ref_width = widest_ref(f);
    page_line(s);
    if (m->text && *m->text)
        facts_put_text(s, m->text, SIZE_MAX);
    else
        put_no_text(s, m);
    if (m->status != STATUS_MISSING)
        put_facts(s, f);
    if (m->ref.kind == KIND_ENTRY)
        put_entry(s, f, SIZE_MAX);
    if (!options->traced) {
        put_rests_on(s, f);
        put_used_by(s, f);
    }
    put_relations(s, f);
    put_confidence(s, f);
    put_imported(s, f);
    if (options->traced)
        return;
    put_flags(s, f);
    if (m->ref.kind != KIND_ENTRY)
        put_detail(s, f);
}

/* ---- preview ---- */

#define MORE_WIDTH 18 /* width of " … Enter shows all" */

void facts_preview_begin(struct page *s, const struct facts *f, const struct page_options *options)
{
    const struct memory *m = &f->memory;
    size_t most = options->text_lines > 0 ? (size_t)options->text_lines : SIZE_MAX;
    page_begin(s, options);
    s->options.ref_width = widest_ref(f);
    if (!m->text || !*m->text)
        put_no_text(s, m);
    /* The last column is reserved for the sign. */
    else if (page_wrap(s, 1, s->width - 2, STYLE_TEXT, m->text, most, false) < strlen(m->text))
        page_format(s, -MORE_WIDTH - 1, MORE_WIDTH, STYLE_DIM, " %s Enter shows all",
                    glyph_of(GLYPH_ELLIPSIS, s->options.ascii));
    page_line(s);
}

#define CHANGES_PREVIEWED 3 /* changes of confidence that a preview shows */

/* "0.713 → 0.821 postmortem": a line for each of the latest changes, the newest first. */
static void put_confidence_lines(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    size_t shown = 0;
    if (is_lower(f)) {
        page_field(s, "confidence", STYLE_TEXT,
                   page_printf(s, "%.3f effective, %.3f stored", f->effective.value, m->confidence),
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

/* A list may have no room for its column. */
static void put_claim_field(struct page *s, const struct memory *m)
{
    struct arena arena = ARENA_INIT;
    struct strbuf text = STRBUF_INIT;
    const char *claimed = NULL;
    detail_text(m, CLAIMED_MEMBER, &arena, &claimed);
    if (claimed)
        text_add(&text, claimed, TEXT_EXACT);
    if (claimed)
        page_field(s, "claims", STYLE_TEXT, page_printf(s, "to be %s", text.buf), 1);
    strbuf_release(&text);
    arena_release(&arena);
}

void facts_preview(struct page *s, const struct facts *f, const struct page_options *options)
{
    const struct memory *m = &f->memory;
    facts_preview_begin(s, f, options);
    if (m->ref.kind == KIND_ENTRY)
        put_entry(s, f, 8);
    put_flag_fields(s, m);
    if (m->justification_count == 0 && m->status != STATUS_MISSING)
        page_field(s, "based on", STYLE_TEXT, no_source(m), 1);
    put_groups(s, f, true);
    facts_put_users(s, f);
    put_confidence_lines(s, f);
    page_field(s, "source", STYLE_TEXT, source_of(s, m), 1);
    put_claim_field(s, m);
    page_field(s, "context", STYLE_TEXT, m->context, 1);
    for (size_t i = 0; i < m->annotation_count; i++)
        page_field(s, i ? " " : "annotation", STYLE_TEXT, m->annotations[i], 1);
    for (size_t i = 0; i < m->relation_count && i < f->relation_shown; i++) {
        struct strbuf *text = page_buffer(s);
        facts_ref(&f->relation[i].row, f->relation[i].short_length, text);
        strbuf_addf(text, "  %s", f->relation[i].row.text ? f->relation[i].row.text : "");
        page_field(s, facts_relation(m->relations[i].type), STYLE_TEXT, text->buf, 1);
    }
}
