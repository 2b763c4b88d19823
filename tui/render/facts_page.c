/* A memory as a page, and as the preview of it. */
#include "tui/render/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "model/json/json.h"
#include "store/reasoning/cite.h"
#include "store/reasoning/reasoning_given.h"
#include "store/record/index_tables.h"
#include "tui/render/difference_page.h"
#include "tui/render/permission_table.h"
#include "tui/render/kind_fields.h"
#include "tui/text/text.h"

/* The common width of all refs, so that texts align. */
static int widest_ref(const struct facts *f)
{
    int width = 12;
    for (size_t i = 0; i < f->memory.justification_count; i++)
        width = facts_ref_width(f->group[i].row, f->group[i].shown, width);
    width = facts_ref_width(f->used_by, f->used_by_shown, width);
    width = facts_ref_width(f->related_row, f->related_count, width);
    return facts_ref_width(f->relation, f->relation_shown, width);
}

static void put_use(struct page *s, const struct use *use, int column)
{
    struct strbuf *out = page_buffer(s);
    if (!use)
        return;
    if (use->relevance == use->relevance)
        strbuf_addf(out, "relevance %.2f %s", use->relevance, score_name(use->score));
    if (use->rank >= 0)
        strbuf_addf(out, "  rank %s", GROUPED(use->rank));
    if (use->chunk != CHUNK_NONE)
        strbuf_addf(out, "  chunk %s", GROUPED(use->chunk));
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

/* `number` 0: it is the only one. `is_preview`: in the preview, where the first line has the field's name. */
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
        page_note(s, glyph, "and %s more; %s shows all", GROUPED(j->count - g->shown),
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

static const char *no_source(const struct facts *f)
{
    const struct memory *m = &f->memory;
    if (f->not_yet)
        return "nothing of it was written yet at that time";
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

void facts_put_based_on_heading(struct page *s, const struct facts *f)
{
    struct strbuf *support = page_buffer(s);
    if (f->label.justs > 0)
        strbuf_addstr(support, facts_support(s, &f->label));
    if (f->independent.known)
        strbuf_addf(support, " %s %s%u independent", glyph_of(GLYPH_DOT, s->options.ascii),
                    f->independent.proven ? ""
                    : s->options.ascii    ? ">="
                                          : "≥",
                    f->independent.count);
    page_section(s, "based on", support->buf);
}

static void put_based_on(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    facts_put_based_on_heading(s, f);
    if (m->justification_count == 0)
        page_note(s, 3, "%s", no_source(f));
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
    struct strbuf *users = page_buffer(s);
    facts_describe_users(f, s->options.ascii, users);
    page_section(s, "used by", users->buf);
    if (f->used_by_count == 0)
        page_note(s, 3, "nothing");
    for (size_t i = 0; i < f->used_by_shown; i++) {
        const struct fact_row *row = &f->used_by[i];
        page_opens(s, row->row.node);
        facts_put_row(s, row, row->label.justs == 1 ? "only this" : facts_support(s, &row->label),
                      false, 3);
    }
    if (f->used_by_count > f->used_by_shown)
        page_note(s, 3, "%s more; %s shows all", GROUPED(f->used_by_count - f->used_by_shown),
                  s->options.command ? "--reverse" : "r");
}

static void put_relation(struct page *s, const char *type, int64_t node, const struct fact_row *row)
{
    page_opens(s, node);
    page_put(s, 3, 16, STYLE_FIELD, type);
    facts_put_row(s, row, "", false, 20);
}

/* The name of a relation as seen from its target: "replaced by", "works_at from". */
static const char *reversed(struct page *s, const struct related *r)
{
    static const char *const names[] = {
        [RELATION_SUPERSEDES - RELATION_SUPERSEDES] = "replaced by",
        [RELATION_PROCESSED_INTO - RELATION_SUPERSEDES] = "promoted from",
        [RELATION_CONTRADICTS - RELATION_SUPERSEDES] = "contradicts", /* each the other */
        [RELATION_COPY_OF - RELATION_SUPERSEDES] = "copied as",
        [RELATION_RETIRED_BY - RELATION_SUPERSEDES] = "retires",
        [RELATION_PART_OF - RELATION_SUPERSEDES] = "has part",
    };
    size_t at = (size_t)r->type - RELATION_SUPERSEDES;
    if (r->type == RELATION_RELATED && r->reason)
        return page_printf(s, "%.200s from", r->reason);
    return at < sizeof(names) / sizeof(names[0]) && names[at] ? names[at] : "related to";
}

static void put_relations(struct page *s, const struct facts *f)
{
    const struct memory *m = &f->memory;
    if (m->relation_count == 0 && f->related_count == 0)
        return;
    page_section(s, "related", "");
    for (size_t i = 0; i < f->related_count; i++)
        put_relation(s, reversed(s, &f->related[i]), f->related[i].node, &f->related_row[i]);
    for (size_t i = 0; i < f->relation_shown; i++)
        put_relation(s, facts_relation_title(&m->relations[i]), m->relations[i].to_node,
                     &f->relation[i]);
    if (m->relation_count > f->relation_shown)
        page_note(s, 3, "and %s more", GROUPED(m->relation_count - f->relation_shown));
    if (f->related_more)
        page_note(s, 3, "and more that name it");
}

/* ---- flags ---- */

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
        facts_put_when(s, flag->at);
        page_format(s, 39, 0, STYLE_TEXT, "%s%s%s%s%s%s", judge_title(flag->judge),
                    page_name(s, flag->actor), flag->value ? "  " : "",
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
        struct strbuf *text = page_buffer(s);
        strbuf_addf(text, "%s by %s", flag->name, judge_title(flag->judge));
        text_add(text, flag->actor ? flag->actor : "nobody", TEXT_EXACT);
        if (flag->value)
            strbuf_addf(text, ": %s", flag->value);
        if (flag->reason)
            strbuf_addf(text, ": %s", flag->reason);
        page_field(s, i ? "" : "flags", STYLE_TEXT, text->buf, 2);
    }
}

/* ---- facts of the kind ---- */

/* Appends stored milliseconds, the time that they mean, and what is wrong with it. */
static void add_stored_time(struct strbuf *value, const char *name,
                            const struct page_options *options)
{
    int64_t ms;
    if ((strcmp(name, "retrieval_timestamp") != 0 && strcmp(name, "retrieved_at") != 0) ||
        json_integer((struct json_slice){value->buf, value->len}, &ms))
        return;
    strbuf_addstr(value, "  ");
    facts_add_retrieved(value, ms, options);
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
        AUTO_STRBUF title = STRBUF_INIT;
        field_add_title(&title, name.buf);
        page_line(s);
        page_put(s, 3, narrow ? 0 : 19, STYLE_FIELD, title.buf);
        page_wrap(s, column, s->width - column - 1, STYLE_TEXT, text->buf, 400, !narrow);
    }
    strbuf_release(&name);
}

/* What a file says above its text is shown as members of the memory. */
static void put_members(struct page *s, const struct memory *m, struct json_slice object)
{
    for (struct json_each it = json_each(object); json_next(&it);)
        if (json_key_is(it.key, "frontmatter") && it.value.ptr[0] == '{' && object.ptr == m->detail)
            put_members(s, m, it.value);
        else if (!json_key_is(it.key, CLAIMED_MEMBER)) /* stands with the agent */
            put_member(s, m, &it);
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
    put_members(s, m, (struct json_slice){m->detail, len});
    if (s->count == begun)
        s->count = before;
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

static void put_access(struct page *s, const char *name)
{
    struct strbuf *text = page_buffer(s);
    if (!s->options.permissions || !name)
        return;
    permission_agents_describe(s->options.permissions, MEMORY_TOOL_GET, name, text);
    strbuf_addstr(text, " may read it; ");
    permission_agents_describe(s->options.permissions, MEMORY_TOOL_PUT, name, text);
    strbuf_addstr(text, " may write it");
    page_field(s, "access", STYLE_TEXT, text->buf, 1);
}

/* Adds an entry with at most `most` lines of its value. */
static void put_entry(struct page *s, const struct facts *f, size_t most)
{
    const struct memory *m = &f->memory;
    AUTO_STRBUF tidy = STRBUF_INIT;
    struct json_slice value = member_of(m, "value");
    int64_t expires = member_int(m, "expires_at", 0);
    bool over = m->status == STATUS_EXPIRED || (expires > 0 && expires <= s->options.now);
    char size[24] = "";
    page_field(s, "namespace", STYLE_TEXT, member_text(m, "namespace", &s->arena), 1);
    page_field(s, "key", STYLE_TEXT, member_text(m, "key", &s->arena), 1);
    struct strbuf *text = page_buffer(s);
    if (expires > 0)
        facts_add_time(text, expires, &s->options);
    if (expires > 0 && expires <= s->options.now)
        strbuf_addstr(text, ", expired");
    page_field(s, "expires", STYLE_TEXT, expires > 0 ? text->buf : "never", 1);
    if (!over)
        put_access(s, member_text(m, "namespace", &s->arena));
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

/* A default is no statement: `stemma chain` has the mean of the steps so far. */
static bool is_unstated(struct page *s, const struct memory *m)
{
    struct reasoning_detail detail;
    if (m->ref.kind != KIND_CHAIN && m->ref.kind != KIND_STEP)
        return cites_nothing(m);
    reasoning_detail_read(m->detail, m->ref.kind == KIND_STEP, &s->arena, &detail);
    bool unfinished = m->ref.kind == KIND_CHAIN && !detail.answer;
    return isnan(reasoning_stated(m->ref.kind, detail.unstated || unfinished, m->confidence));
}

/* Where the whole text is: "/home/u/.claude/…/1f2e.jsonl, bytes 120 to 980". */
static void put_transcript(struct page *s, const struct transcript_text *t)
{
    struct strbuf *where = page_buffer(s);
    if (!t->path)
        return;
    strbuf_addf(where, "%s, bytes %s to %s", t->path, GROUPED(t->offset),
                GROUPED((long long)t->offset + (long long)t->length));
    if (t->why)
        strbuf_addf(where, "; the text is its beginning: %s", t->why);
    page_fact(s, "transcript", where->buf);
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
    if (is_unstated(s, m))
        strbuf_addstr(confidence, "not stated");
    else if (facts_is_lower(f))
        strbuf_addf(confidence, "%.3f %s, %.3f stored", f->effective.value, facts_lowered(f),
                    m->confidence);
    else
        strbuf_addf(confidence, "%s%.3f", memory_has_default_confidence(m) ? "=" : "",
                    m->confidence);
    if (s->options.traced)
        facts_add_way(s, f, confidence);
    page_fact(s, "confidence", confidence->buf);
    if (label_stands(f->label.label) && f->trust.value < 1)
        page_fact(s, "trust", facts_trust(s, f));
    if (f->label.class != CLASS_NONE && f->label.class < CLASS_OWN)
        page_fact(s, "class",
                  page_printf(s, "%s%s", trust_class_name(f->label.class),
                              f->label.class == CLASS_WEB ? ": information, no authority" : ""));
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
    put_transcript(s, &f->transcript);
    struct text_removed removed;
    struct strbuf *unseen = page_buffer(s);
    text_examine(&removed, m->text ? m->text : "", m->text ? strlen(m->text) : 0);
    text_removed_describe(unseen, &removed);
    if (unseen->len > 0)
        strbuf_addstr(unseen, " in the text (--json has them)");
    page_fact(s, "not shown", unseen->buf);
}

static void put_three_ways(struct page *s, const struct disputed_field *field)
{
    const char *const names[] = {field->name, "yours", "now"};
    const char *const values[] = {field->was, field->mine, field->now};
    for (size_t i = 0; i < 3; i++) {
        struct strbuf *text = page_buffer(s);
        if (values[i])
            json_add_plain(text, (struct json_slice){values[i], strlen(values[i])});
        page_field(s, names[i], i == 1 ? STYLE_WEAKENED : STYLE_TEXT,
                   text->len ? text->buf : "(nothing)", 2);
    }
}

/* Changes that did not hold because others of the team had been faster: was, yours, and now. */
static void put_disputed(struct page *s, const struct facts *f)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error ignored;
    struct disputed_field *fields;
    size_t count;
    for (size_t i = 0; i < f->disputed_count; i++) {
        const struct disputed *d = &f->disputed[i];
        page_field(s, "refused", STYLE_WEAKENED,
                   page_printf(s, "%s by %s: %s", d->operation ? d->operation : "a change",
                               d->actor ? d->actor : "somebody", d->reason),
                   2);
        if (team_disputed_fields(d, &arena, &fields, &count, &ignored))
            continue;
        for (size_t n = 0; n < count; n++)
            put_three_ways(s, &fields[n]);
    }
}

static void put_no_text(struct page *s, const struct facts *f)
{
    bool missing = f->memory.status == STATUS_MISSING;
    page_note(s, 1, "%s", missing ? no_source(f) : "no text");
}

void facts_page(struct page *s, const struct facts *f, const struct page_options *options)
{
    const struct memory *m = &f->memory;
    page_begin(s, options);
    s->options.ref_width = widest_ref(f);
    page_line(s);
    if (f->transcript.text || (m->text && *m->text))
        facts_put_text(s, f->transcript.text ? f->transcript.text : m->text, SIZE_MAX);
    else
        put_no_text(s, f);
    if (m->status != STATUS_MISSING)
        put_facts(s, f);
    if (m->ref.kind == KIND_ENTRY)
        put_entry(s, f, SIZE_MAX);
    if (f->disputed_count)
        page_section(s, "did not hold", "");
    put_disputed(s, f);
    if (!options->traced) {
        put_based_on(s, f);
        put_used_by(s, f);
    }
    put_relations(s, f);
    facts_put_confidence(s, f);
    facts_put_imported(s, f);
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
    if (options->traced)
        return;
    if (!m->text || !*m->text)
        put_no_text(s, f);
    /* The last column is reserved for the sign. */
    else if (page_wrap(s, 1, s->width - 2, STYLE_TEXT, m->text, most, false) < strlen(m->text))
        page_format(s, -MORE_WIDTH - 1, MORE_WIDTH, STYLE_DIM, " %s Enter shows all",
                    glyph_of(GLYPH_ELLIPSIS, s->options.ascii));
    page_line(s);
}

/* A list may have no room for its column. */
static void put_claim_field(struct page *s, const struct memory *m)
{
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF text = STRBUF_INIT;
    const char *claimed = NULL;
    detail_text(m, CLAIMED_MEMBER, &arena, &claimed);
    if (claimed)
        text_add(&text, claimed, TEXT_EXACT);
    if (claimed)
        page_field(s, "claims", STYLE_TEXT, page_printf(s, "to be %s", text.buf), 1);
}

void facts_put_contradictions(struct page *s, const struct facts *f)
{
    const char *title = "contradicts";
    size_t own =
        f->relation_shown < f->memory.relation_count ? f->relation_shown : f->memory.relation_count;
    for (size_t i = 0; i < f->related_count + own; i++) {
        bool other = i < f->related_count;
        size_t at = other ? i : i - f->related_count;
        const struct fact_row *row = other ? &f->related_row[at] : &f->relation[at];
        int type = other ? (int)f->related[at].type : (int)f->memory.relations[at].type;
        if (type != RELATION_CONTRADICTS)
            continue;
        page_opens(s, row->row.node);
        page_put(s, 1, 12, STYLE_FIELD, title);
        facts_put_row(s, row, "", false, 14);
        title = "";
    }
}

void facts_preview(struct page *s, const struct facts *f, const struct page_options *options)
{
    const struct memory *m = &f->memory;
    facts_preview_begin(s, f, options);
    if (m->ref.kind == KIND_ENTRY)
        put_entry(s, f, 8);
    put_disputed(s, f);
    put_flag_fields(s, m);
    if (m->justification_count == 0 && m->status != STATUS_MISSING && !options->traced)
        page_field(s, "based on", STYLE_TEXT, no_source(f), 1);
    facts_put_contradictions(s, f);
    if (!options->traced)
        put_groups(s, f, true);
    facts_put_users(s, f);
    facts_put_changes(s, f);
    page_field(s, "source", STYLE_TEXT, source_of(s, m), 1);
    put_claim_field(s, m);
    page_field(s, "context", STYLE_TEXT, m->context, 1);
    for (size_t i = 0; i < m->annotation_count; i++)
        page_field(s, i ? " " : "annotation", STYLE_TEXT, m->annotations[i], 1);
    for (size_t i = 0; i < m->relation_count && i < f->relation_shown; i++) {
        struct strbuf *text = page_buffer(s);
        if (m->relations[i].type == RELATION_CONTRADICTS)
            continue;
        facts_ref(&f->relation[i].row, f->relation[i].short_length, text);
        strbuf_addf(text, "  %s", f->relation[i].row.text ? f->relation[i].row.text : "");
        page_field(s, facts_relation_title(&m->relations[i]), STYLE_TEXT, text->buf, 1);
    }
}
