/*
 * What a memory says and has been through. Everything that is absent is left out: a portrait has
 * no empty fields.
 */
#include "tui/render/portrait.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/memory/memory.h"
#include "model/json/json.h"
#include "store/lineage/subgraph.h"
#include "tui/render/brief.h"
#include "tui/render/kind_fields.h"
#include "tui/render/surroundings.h"
#include "tui/text/text.h"

#define FIELD_WIDTH   13
#define WIDEST_NAME   24 /* of a member of the detail; a longer one is cut */
#define DETAIL_INDENT 2

/* A memory while it is printed. */
struct portrait {
    struct output *out;
    struct reader *reader;
    struct arena arena;
    const struct memory *m;
    struct surroundings around;
};

/* ---- fields ---- */

void portrait_field(struct output *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    strbuf_addf(&out->text, "%-*s", FIELD_WIDTH, name);
    output_flow(out, value, FIELD_WIDTH);
}

void portrait_name(struct output *out, const char *name, const char *value)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, value, TEXT_EXACT | out->flags);
    portrait_field(out, name, clean.buf);
    out->text.failed |= clean.failed;
    strbuf_release(&clean);
}

void portrait_heading(struct output *out, const char *title, const char *rest)
{
    strbuf_addch(&out->text, '\n');
    output_printf(out, STYLE_STRONG, "%s", title);
    strbuf_addf(&out->text, "%s%s\n", *rest ? "  " : "", rest);
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

/* "◐ weakened, 3 of 4 hold, active, protected"; of a dead one "× forgotten, 1 of 1 hold". */
static void state_field(struct portrait *p)
{
    const struct memory *m = p->m;
    struct output *out = p->out;
    const struct row_label *own = &p->around.own;
    struct strbuf lead = STRBUF_INIT, rest = STRBUF_INIT;
    bool dead = own->label == LABEL_GONE;
    strbuf_addf(&lead, "%s %s", mark_of_label(own->label, out->ascii),
                dead ? status_name(m->status) : label_name(own->label));
    if (own->justs)
        strbuf_addf(&rest, ", %u of %u hold%s", (unsigned)own->holds, (unsigned)own->justs,
                    own->justs == 1 ? "s" : "");
    strbuf_addf(&rest, "%s%s%s", dead ? "" : ", ", dead ? "" : status_name(m->status),
                m->is_protected ? ", protected" : "");
    strbuf_addf(&out->text, "%-*s", FIELD_WIDTH, "state");
    output_led(out, STYLE_OF_LABEL(own->label), lead.buf, rest.buf, FIELD_WIDTH);
    strbuf_release(&lead);
    strbuf_release(&rest);
}

/* "told by agent: Claire told me (agent:claire)" */
static void source_field(struct portrait *p)
{
    const struct memory *m = p->m;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, m->source_type ? source_type_label(m->source_type) : "");
    if (m->source)
        strbuf_addf(&text, ": %s", m->source);
    if (m->source_entity) {
        strbuf_addstr(&text, " (");
        text_add(&text, m->source_entity, TEXT_EXACT);
        strbuf_addch(&text, ')');
    }
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

/* A string as text, anything else as JSON that can be read. */
static void add_member(struct strbuf *out, struct json_slice value)
{
    if (value.len < 2 || *value.ptr != '"') {
        struct strbuf tidy = STRBUF_INIT;
        json_tidy(&tidy, value.ptr, value.len);
        json_add_value(out, tidy.buf, tidy.len);
        out->failed |= tidy.failed;
        strbuf_release(&tidy);
    } else if (strbuf_grow(out, value.len)) {
        out->len += json_unescape(out->buf + out->len, value.ptr + 1, value.len - 2);
        out->buf[out->len] = '\0';
    }
}

static void detail_field(struct portrait *p, const struct json_each *it, size_t width)
{
    struct strbuf value = STRBUF_INIT;
    int64_t ms;
    if (field_is_time(it->key.ptr, it->key.len) && json_integer(it->value, &ms) == 0)
        add_time(&value, ms, p->out->now);
    else
        add_member(&value, it->value);
    strbuf_addchars(&p->out->text, ' ', DETAIL_INDENT);
    text_fit(&p->out->text, it->key.ptr, it->key.len, width, p->out->flags | TEXT_PAD);
    strbuf_addstr(&p->out->text, "  ");
    output_hanging(p->out, value.buf, DETAIL_INDENT + width + 2, p->out->columns);
    p->out->text.failed |= value.failed;
    strbuf_release(&value);
}

/* In the order in which they stand, their names as wide as the widest; apart from the fields above,
 * for they may be called the same: a raw entry has a source in both. */
static void print_detail(struct portrait *p)
{
    size_t width = 0;
    struct json_slice whole = {p->m->detail, p->m->detail ? strlen(p->m->detail) : 0};
    for (struct json_each it = json_each(whole); p->m->detail && json_next(&it);) {
        size_t own = text_width(it.key.ptr, it.key.len, WIDEST_NAME, p->out->flags);
        width = own > width ? own : width;
    }
    if (width == 0)
        return;
    width = width < WIDEST_NAME ? width : WIDEST_NAME;
    portrait_heading(p->out, "detail", "");
    for (struct json_each it = json_each(whole); json_next(&it);)
        detail_field(p, &it, width);
}

/* What is left of a confidence that nothing has borne out for a while; nothing where that is all of it. */
static void decay_field(struct portrait *p)
{
    struct decay d;
    struct strbuf sum = STRBUF_INIT;
    if (!STATUS_LIVES(p->m->status) || !decay_at(&d, p->m, store_now(reader_store(p->reader))) ||
        d.now == d.base)
        return;
    decay_write(&sum, &d);
    portrait_fieldf(p->out, "decayed", "%s after %.0f days", sum.buf, d.days);
    strbuf_release(&sum);
}

static void print_fields(struct portrait *p)
{
    const struct memory *m = p->m;
    portrait_field(p->out, "kind", kind_spec(m->ref.kind)->name);
    state_field(p);
    portrait_name(p->out, "agent", m->agent_id);
    portrait_fieldf(p->out, "confidence", "%.3g", m->confidence);
    decay_field(p);
    source_field(p);
    time_field(p->out, "created", m->created_at);
    if (m->updated_at != m->created_at)
        time_field(p->out, "changed", m->updated_at);
    portrait_fieldf(p->out, "version", "%lld", (long long)m->version);
    list_field(p->out, "tags", m->tags, m->tag_count, ", ");
    portrait_field(p->out, "context", m->context);
    for (size_t i = 0; i < m->annotation_count; i++)
        portrait_field(p->out, i ? "" : "annotation", m->annotations[i]);
    removed_field(p);
}

/* ---- what happened to it ---- */

/* Those that are there, with a gap before each. */
static void add_words(struct strbuf *line, const char *const *words, size_t count)
{
    for (size_t w = 0; w < count; w++)
        if (words[w])
            strbuf_addf(line, "  %s", words[w]);
}

static void add_name(struct strbuf *line, const char *name)
{
    strbuf_addstr(line, name ? "  " : "");
    text_add(line, name, TEXT_EXACT);
}

/* An entry of a list, its further lines further in; releases it. */
static void print_entry(struct output *out, struct strbuf *line)
{
    strbuf_addstr(&out->text, "     ");
    output_flow(out, line->buf, 7);
    out->text.failed |= line->failed;
    strbuf_release(line);
}

/* Its own changes of confidence, and what another system's audit kept of it. */
static void print_history(struct portrait *p)
{
    struct output *out = p->out;
    if (p->m->history_count)
        portrait_heading(out, "history", "");
    for (size_t i = 0; i < p->m->history_count; i++) {
        const struct history_entry *h = &p->m->history[i];
        struct strbuf line = STRBUF_INIT;
        add_time(&line, h->at, out->now);
        strbuf_addstr(&line, "  ");
        if (!isnan(h->old)) {
            add_confidence(&line, h->old);
            strbuf_addstr(&line, out->ascii ? " -> " : " → ");
        }
        if (!isnan(h->new_))
            add_confidence(&line, h->new_);
        const char *evidence =
            h->evidence_source ? short_source(p->reader, &p->arena, h->evidence_source) : NULL;
        const char *words[] = {h->reason, evidence, h->origin};
        add_words(&line, &h->operation, 1);
        add_name(&line, h->actor);
        add_words(&line, words, sizeof(words) / sizeof(words[0]));
        print_entry(out, &line);
    }
}

static void print_marks(struct portrait *p)
{
    struct output *out = p->out;
    if (p->m->mark_count)
        portrait_heading(out, "marks", "");
    for (size_t i = 0; i < p->m->mark_count; i++) {
        const struct mark *mark = &p->m->marks[i];
        const char *words[] = {mark->mark, mark->value};
        struct strbuf line = STRBUF_INIT;
        add_time(&line, mark->at, out->now);
        add_words(&line, words, sizeof(words) / sizeof(words[0]));
        add_name(&line, mark->actor);
        add_words(&line, &mark->reason, 1);
        print_entry(out, &line);
    }
}

static void print_head(struct portrait *p)
{
    struct output *out = p->out;
    output_ref(out, STYLE_STRONG, p->m->ref);
    strbuf_addch(&out->text, '\n');
    if (p->m->status == STATUS_MISSING) {
        strbuf_addstr(&out->text, p->m->event
                                      ? "Taken back: only its ref is left, and its history.\n"
                                      : "Named by others, and never written here.\n");
        return;
    }
    output_quote(out, p->m->text ? p->m->text : "", 0);
    strbuf_addch(&out->text, '\n');
    print_fields(p);
}

static int print_all(struct portrait *p, const struct memory *m, struct error *e)
{
    if (surroundings_read(&p->around, p->out, p->reader, m, e))
        return -1;
    print_head(p);
    print_detail(p);
    if (surroundings_print(&p->around, e))
        return -1;
    print_history(p);
    print_marks(p);
    return 0;
}

/* One transaction: nothing is written until all is gathered. */
int portrait_print(struct output *out, struct reader *r, const struct memory *m, struct error *e)
{
    struct portrait p = {.out = out, .reader = r, .m = m, .arena = ARENA_INIT};
    int result = reader_begin(r, e);
    if (!result) {
        result = print_all(&p, m, e);
        reader_end(r);
    }
    surroundings_release(&p.around);
    arena_release(&p.arena);
    return result;
}
