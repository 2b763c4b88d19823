/* Memories in few bytes. */
#include "store/json/compact.h"

#include <math.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/json/answer.h"
#include "store/json/why.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/query/ref.h"

#define NAME_MOST   120 /* bytes of an agent's name */
#define WHY_MOST    160
#define SOURCE_MOST 200
#define LINE_LEAST  110 /* bytes of a line of what a memory is based on, unless its ref is longer */
#define LINE_MOST   260
#define MORE_MOST   32 /* bytes of "based_on_more" and of the end */
/* An antecedent is not shown twice, if it is so near to itself. */
#define REPEATED_AMONG 64

/* Averages of the demo store, see test_compact.c. */
#define FULL_MEMORY 620
#define FULL_LINK   90

size_t compact_full_bytes(const struct compact *c, size_t memories)
{
    return 2 * (memories * FULL_MEMORY + c->links * FULL_LINK + c->texts);
}

/* ---- texts within a number of bytes ---- */

/* An upper bound of what a code point takes in a JSON string. */
static size_t width(uint32_t c, size_t bytes)
{
    if (c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r')
        return 2;
    bool escaped = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0xfeff ||
                   (c >= 0x2000 && c < 0x2070);
    return escaped && bytes < 6 ? 6 : bytes;
}

size_t compact_fit(const char *s, size_t len, size_t most)
{
    size_t at = 0, taken = 0;
    while (at < len) {
        uint32_t c;
        int n = utf8_decode(s + at, len - at, &c);
        size_t bytes = n > 0 ? (size_t)n : 1;
        taken += n > 0 ? width(c, bytes) : 6;
        if (taken > most)
            break;
        at += bytes;
    }
    return at;
}

void compact_add_text(struct strbuf *out, const char *text, size_t characters, size_t most)
{
    static const char more[] = "…";
    size_t began = out->len;
    clean_add(out, text, characters);
    size_t fits = compact_fit(out->buf + began, out->len - began, most);
    if (fits == out->len - began)
        return;
    fits = most < sizeof(more) ? 0 : compact_fit(out->buf + began, fits, most - (sizeof(more) - 1));
    strbuf_cut(out, began + fits);
    strbuf_addstr(out, more);
}

/* Adds a text as a member of at most `most` bytes between the quotes. */
static void pair_text(struct json_object *o, const char *key, const char *text, size_t characters,
                      size_t most)
{
    struct strbuf line = STRBUF_INIT;
    compact_add_text(&line, text ? text : "", characters, most);
    json_key(o, key);
    json_add_string_len(o->out, line.buf, line.len);
    strbuf_release(&line);
}

/* The same for a text that was not masked yet. */
static void pair_masked(struct compact *c, struct json_object *o, const char *key, const char *text,
                        size_t most)
{
    pair_text(o, key, guard_text(c->reader, c->arena, text, strlen(text)), SIZE_MAX, most);
}

/* ---- a row ---- */

static bool is_own(const struct compact *c, const struct memory_row *m)
{
    const struct guard *g = reader_guarded(c->reader);
    return !m->agent_id || (g && strcmp(g->agent, m->agent_id) == 0);
}

/* Adds what a row and a memory have besides their text. */
static int add_state(struct compact *c, struct json_object *o, const struct memory_row *m,
                     const struct row_label *label, struct error *e)
{
    char age[40];
    struct strbuf why = STRBUF_INIT;
    clock_format_age(age, sizeof(age), m->created_at, c->now);
    json_pair_double(o, "effective", round(label->effective * 1000) / 1000);
    json_pair(o, "label", label_name(label->label));
    json_pair(o, "age", age);
    if (!is_own(c, m))
        pair_masked(c, o, "agent_id", m->agent_id, NAME_MOST);
    int result = why_add(c->reader, c->arena, m->node, m->status, label->label, &why, e);
    if (why.len)
        pair_masked(c, o, "why", why.buf, WHY_MOST);
    strbuf_release(&why);
    return result;
}

/* Reads the row, for its caller: *withheld if it may see only its ref and owner. */
static int read_row(struct compact *c, int64_t node, struct memory_row *m, bool *withheld,
                    struct error *e)
{
    enum visibility visibility = VISIBLE_WHOLE;
    if (memory_row_read(c->reader, c->arena, node, m, e) ||
        guard_visibility_of(c->reader, node, m->ref.kind, m->agent_id, &visibility, e))
        return -1;
    *withheld = visibility == VISIBLE_OWNER;
    return visibility == VISIBLE_NONE ? error_set(e, ERROR_NOT_FOUND, "", "there is no such memory")
                                      : 0;
}

static struct json_object begin(struct compact *c, struct strbuf *out, const struct memory_row *m)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "ref", ref_short(c->reader, c->arena, m->ref));
    return o;
}

static void add_withheld(struct compact *c, struct json_object *o, const struct memory_row *m)
{
    pair_masked(c, o, "agent_id", m->agent_id ? m->agent_id : "", NAME_MOST);
    json_pair_bool(o, "withheld", true);
    json_end(o);
}

int compact_row(struct compact *c, int64_t node, const struct row_label *label, const char *snippet,
                size_t most, struct strbuf *out, struct error *e)
{
    static const char quotes[] = ",\"snippet\":\"\"";
    struct memory_row m;
    struct strbuf rest = STRBUF_INIT;
    bool withheld;
    size_t began = out->len;
    if (read_row(c, node, &m, &withheld, e))
        return -1;
    struct json_object o = begin(c, out, &m), state = {&rest, '}', true};
    if (withheld) {
        add_withheld(c, &o, &m);
        return 0;
    }
    int result = add_state(c, &state, &m, label, e);
    json_end(&state);
    size_t taken = out->len - began + rest.len + sizeof(quotes) - 1;
    pair_text(&o, snippet ? "snippet" : "text", snippet ? snippet : m.text, COMPACT_TEXT,
              taken < most ? most - taken : 0);
    strbuf_add(out, rest.buf, rest.len);
    strbuf_release(&rest);
    c->texts += m.text ? strlen(m.text) : 0;
    return result;
}

/* ---- what a memory is based on ---- */

/* An antecedent that the caller may know of. */
struct ground {
    int64_t row;
    enum role role;
    bool all; /* of several that are needed together */
};

/* The antecedents as the caller sees them; what is hidden leaves no trace, not even in the length of a line. */
struct basis {
    struct compact *c;
    struct links links;
    struct ground *ground; /* [count] in the arena */
    size_t count;
};

static bool is_repeated(const struct basis *b, int64_t row)
{
    size_t from = b->count > REPEATED_AMONG ? b->count - REPEATED_AMONG : 0;
    for (size_t i = from; i < b->count; i++)
        if (b->ground[i].row == row)
            return true;
    return false;
}

static int collect_group(struct basis *b, const struct link_group *g, struct error *e)
{
    size_t first = b->count, seen = 0;
    for (size_t i = g->first; i < g->first + g->count; i++) {
        int64_t row = b->links.row[i];
        enum visibility visibility = VISIBLE_WHOLE;
        if (guard_hides_linked(b->c->reader) && guard_visibility(b->c->reader, row, &visibility, e))
            return -1;
        seen += visibility != VISIBLE_NONE;
        if (visibility != VISIBLE_NONE && !is_repeated(b, row))
            b->ground[b->count++] = (struct ground){.row = row, .role = SHAPE_ROLE(g->shape)};
    }
    for (size_t i = first; i < b->count; i++)
        b->ground[i].all = SHAPE_READING(g->shape) == READING_ALL && seen > 1;
    return 0;
}

static int collect(struct basis *b, int64_t node, struct error *e)
{
    if (links_of(&b->links, b->c->reader, node, e))
        return -1;
    b->ground = arena_array(b->c->arena, b->links.rows + 1, sizeof(*b->ground));
    for (size_t i = 0; i < b->links.groups; i++)
        if (collect_group(b, &b->links.group[i], e))
            return -1;
    return 0;
}

static void add_role(struct json_object *o, const struct ground *g)
{
    if (g->role != ROLE_DERIVED_FROM)
        json_pair(o, "role", role_name(g->role));
    if (g->all)
        json_pair_bool(o, "all", true);
}

/* Adds one antecedent in `most` bytes, if its names leave room. */
static int add_ground(struct compact *c, struct json_object *list, const struct ground *g,
                      size_t most, struct error *e)
{
    struct memory_row m;
    struct strbuf rest = STRBUF_INIT, *out = list->out;
    size_t began = out->len;
    bool withheld;
    if (read_row(c, g->row, &m, &withheld, e))
        return -1;
    json_item(list);
    struct json_object o = begin(c, out, &m), state = {&rest, '}', true};
    add_role(&state, g);
    if (m.status != STATUS_ACTIVE && !withheld)
        json_pair(&state, "status", status_name(m.status));
    if (withheld)
        add_withheld(c, &state, &m);
    else
        json_end(&state);
    size_t taken = out->len - began + rest.len + sizeof(",\"text\":\"\"") - 1;
    if (!withheld && m.status != STATUS_MISSING)
        pair_text(&o, "text", m.text, COMPACT_TEXT, taken < most ? most - taken : 0);
    strbuf_add(out, rest.buf, rest.len);
    strbuf_release(&rest);
    return 0;
}

/* Adds as many as fit before the length `end` of the text. Each may take an equal part of what is left. */
static int add_grounds(struct basis *b, struct json_object *list, size_t end, size_t *shown,
                       struct error *e)
{
    struct strbuf *out = list->out;
    for (*shown = 0; *shown < b->count && out->len + LINE_LEAST / 2 < end; ++*shown) {
        size_t began = out->len, line = (end - began) / (b->count - *shown);
        struct json_object before = *list;
        line = line < LINE_LEAST ? LINE_LEAST : line > LINE_MOST ? LINE_MOST : line;
        if (add_ground(b->c, list, &b->ground[*shown], line, e))
            return -1;
        if (out->len > end) {
            strbuf_cut(out, began);
            *list = before;
            break;
        }
    }
    return 0;
}

/* Adds "based_on" up to the length `end` of the object's text. */
static int add_basis(struct compact *c, struct json_object *o, int64_t node, size_t end,
                     struct error *e)
{
    struct basis b = {.c = c};
    size_t shown = 0;
    struct json_object list = json_open(o, "based_on", '[');
    int result = collect(&b, node, e) || add_grounds(&b, &list, end - MORE_MOST, &shown, e);
    json_end(&list);
    if (shown < b.count)
        json_pair_int(o, "based_on_more", (int64_t)(b.count - shown));
    c->links = b.count;
    links_release(&b.links);
    return result;
}

/* ---- a memory ---- */

/* The text as the caller may see it; a row has only its beginning. */
static int whole_text(struct compact *c, const struct memory_row *row, const char **text,
                      struct error *e)
{
    struct memory m;
    *text = row->text ? row->text : "";
    if (!row->text_cut)
        return 0;
    if (memory_read_text(reader_db(c->reader), c->arena, row->node, &m, e))
        return -1;
    const char *seen = guard_text(c->reader, c->arena, m.text, strlen(m.text));
    *text = guard_memory_text(c->reader, c->arena, row->node, row->ref.kind, seen);
    return 0;
}

static void add_whole_text(struct json_object *o, const char *text, size_t most)
{
    size_t len = strlen(text), fits = compact_fit(text, len, most);
    json_key(o, "text");
    json_add_string_len(o->out, text, fits);
    if (fits == len)
        return;
    json_pair_int(o, "characters", (int64_t)utf8_count(text));
    json_pair_int(o, "next", (int64_t)utf8_count_in(text, fits));
}

/* Adds where it came from in words, unless they name an entry that is hidden from the caller. */
static int add_source(struct compact *c, struct json_object *o, const char *source, struct error *e)
{
    bool hidden = false;
    if (!source || !*source)
        return 0;
    if (guard_names_hidden(c->reader, source, &hidden, e))
        return -1;
    if (!hidden)
        pair_masked(c, o, "source", source, SOURCE_MOST);
    return 0;
}

#define FLAGS_MOST 200 /* bytes of the names of flags; more are left out */

static int add_flags(struct compact *c, struct json_object *o, int64_t node, struct error *e)
{
    const char **name;
    size_t count, began = o->out->len;
    if (memory_flag_names(reader_db(c->reader), c->arena, node, &name, &count, e))
        return -1;
    if (count == 0)
        return 0;
    struct json_object list = json_open(o, "flags", '[');
    for (size_t i = 0; i < count && o->out->len - began < FLAGS_MOST; i++) {
        json_item(&list);
        json_add_string(list.out, guard_text(c->reader, c->arena, name[i], strlen(name[i])));
    }
    json_end(&list);
    return 0;
}

/* Adds what a memory has besides the state of a row. */
static int add_record(struct compact *c, struct json_object *o, const struct memory_row *m,
                      struct error *e)
{
    if (m->status != STATUS_ACTIVE)
        json_pair(o, "status", status_name(m->status));
    json_pair_int(o, "version", m->version);
    if (m->is_protected)
        json_pair_bool(o, "protected", true);
    return add_flags(c, o, m->node, e) || add_source(c, o, m->source, e) ? -1 : 0;
}

int compact_memory(struct compact *c, int64_t node, const struct row_label *label, size_t most,
                   struct strbuf *out, struct error *e)
{
    struct memory_row m;
    struct memory stub;
    const char *text;
    bool withheld;
    size_t began = out->len;
    if (read_row(c, node, &m, &withheld, e) ||
        (m.status == STATUS_MISSING && answer_read(c->reader, c->arena, node, &stub, e)) ||
        (!withheld && whole_text(c, &m, &text, e)))
        return -1;
    struct json_object o = begin(c, out, &m);
    if (withheld) {
        add_withheld(c, &o, &m);
        return 0;
    }
    size_t text_began = out->len;
    add_whole_text(&o, text, most - COMPACT_MEMORY);
    size_t end = began + COMPACT_MEMORY + (out->len - text_began);
    c->texts += strlen(text);
    if (add_state(c, &o, &m, label, e) || add_record(c, &o, &m, e) ||
        add_basis(c, &o, node, end, e))
        return -1;
    json_end(&o);
    return 0;
}
