/*
 * A table for spreadsheets: RFC 4180 with a heading, a memory on each row.
 *
 * A spreadsheet runs a cell that begins with = + - @ or a tab or return as a formula, and memories are
 * hostile. Such a text gets an apostrophe before it, which spreadsheets take as "this is a text".
 */
#include <string.h>
#include "model/base/clock.h"
#include "model/format/memory_json.h"
#include "store/export/export_internal.h"

#define LINE_END "\r\n"

/* Quotes a field if it needs it. */
static void add_field(struct export *x, const char *field)
{
    struct strbuf *out = &x->out;
    AUTO_STRBUF clean = STRBUF_INIT;
    export_add_text(x, &clean, field);
    const char *text = clean.buf;
    bool formula = *text && strchr("=+-@\t\n", *text);
    if (x->any)
        strbuf_addch(out, ',');
    x->any = true;
    if (!formula && !text[strcspn(text, ",\"\r\n'")]) {
        strbuf_addstr(out, text);
        return;
    }
    strbuf_addstr(out, formula ? "\"'" : "\"");
    for (; *text; text++) {
        if (*text == '"')
            strbuf_addch(out, '"');
        strbuf_addch(out, *text);
    }
    strbuf_addch(out, '"');
}

static void end_row(struct export *x)
{
    strbuf_addstr(&x->out, LINE_END);
    x->any = false;
}

static int write_heading(struct export *x, struct error *e)
{
    static const char *const names[] = {
        "ref",     "kind",        "agent",       "text",     "status",        "confidence",
        "created", "updated",     "source_type", "source",   "source_entity", "context",
        "tags",    "annotations", "locked",      "based_on", "replaces"};
    (void)e;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        add_field(x, names[i]);
    if (x->labels)
        add_field(x, "label");
    end_row(x);
    return 0;
}

static void add_ref(struct export *x, struct ref ref)
{
    AUTO_STRBUF text = STRBUF_INIT;
    ref_add(&text, ref);
    add_field(x, text.buf);
}

static void add_time(struct export *x, int64_t ms)
{
    char text[32];
    clock_format_iso(text, sizeof(text), ms);
    add_field(x, text);
}

static void add_number(struct export *x, double value)
{
    AUTO_STRBUF text = STRBUF_INIT;
    json_add_double(&text, value);
    add_field(x, text.buf);
}

/* Several texts in a field: a JSON list, since each may contain anything. */
static void add_list(struct export *x, const char **texts, size_t count)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        strbuf_addch(&text, i ? ',' : '[');
        json_add_string(&text, texts[i]);
    }
    strbuf_addstr(&text, count ? "]" : "");
    add_field(x, text.buf);
}

static void add_links(struct export *x, const struct memory *m)
{
    AUTO_STRBUF from = STRBUF_INIT, replaces = STRBUF_INIT;
    int64_t others = 0;
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++) {
            strbuf_addch(&from, from.len ? ',' : '[');
            memory_json_add_ref(&from, m->justifications[i].antecedents[k].ref);
        }
    for (size_t i = 0; i < m->relation_count; i++) {
        if (m->relations[i].type != RELATION_SUPERSEDES) {
            others++;
            continue;
        }
        strbuf_addch(&replaces, replaces.len ? ',' : '[');
        memory_json_add_ref(&replaces, m->relations[i].to);
    }
    strbuf_addstr(&from, from.len ? "]" : "");
    strbuf_addstr(&replaces, replaces.len ? "]" : "");
    add_field(x, from.buf);
    add_field(x, replaces.buf);
    export_leave_out(x, PART_RELATION, others);
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static int write_row(struct export *x, const struct memory *m, struct error *e)
{
    (void)e;
    add_ref(x, m->ref);
    add_field(x, kind_name(m->ref.kind));
    add_field(x, m->agent_id);
    add_field(x, m->text);
    add_field(x, status_name(m->status));
    add_number(x, m->confidence);
    add_time(x, m->created_at);
    add_time(x, m->updated_at);
    add_field(x, m->source_type);
    add_field(x, or_empty(m->source));
    add_field(x, or_empty(m->source_entity));
    add_field(x, or_empty(m->context));
    add_list(x, m->tags, m->tag_count);
    add_list(x, m->annotations, m->annotation_count);
    add_field(x, m->is_protected ? "1" : "0");
    add_links(x, m);
    if (x->label)
        add_field(x, x->label);
    end_row(x);
    return 0;
}

const struct export_format export_as_csv = {
    .name = "csv",
    .about = "a table for spreadsheets (RFC 4180); a text that would run as a formula gets an "
             "apostrophe",
    .parts = 1u << PART_AGENT | 1u << PART_CONFIDENCE | 1u << PART_TIME | 1u << PART_STATUS |
             1u << PART_SOURCE | 1u << PART_CONTEXT | 1u << PART_TAGS | 1u << PART_ANNOTATION |
             1u << PART_LOCK | 1u << PART_LINK | 1u << PART_RELATION,
    .kinds = KINDS_ALL,
    .statuses = STATUSES_ALL,
    .begin = write_heading,
    .memory = write_row,
};
