/* Memories in few bytes. */
#include "store/json/compact.h"

#include <math.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "model/json/json_scan.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/json/answer.h"
#include "store/lineage/neighbours.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/record/index_tables.h"
#include "store/search/search.h"

#define NAME_MOST   120 /* bytes of an agent's name */
#define WHY_MOST    160
#define SOURCE_MOST 200
#define LINE_LEAST  110 /* bytes of a line of what a memory is based on, unless its ref is longer */
#define LINE_MOST   260
#define MORE_MOST   220 /* bytes of "based_on_more", "more", "todo" and of the end */
/* An antecedent is not shown twice, if it is so near to itself. */
#define REPEATED_AMONG 64

/* Bytes in full form: of a memory without its texts; of a group of links; of a link without the id that it
 * names; of a change of confidence or a flag. Averages of stores, see test_answer_bytes.py. */
#define FULL_MEMORY 400
#define FULL_GROUP  100
#define FULL_LINK   20
#define FULL_CHANGE 150
#define FULL_MOST   40000 /* of an answer, and so of one memory */
#define FULL_BEGUN                                                                                 \
    2000 /* characters of the text of a larger one in a list; alone it has what there is room for */
#define AGAIN 1.14 /* how much longer the copy as text is, whose quotes are escaped */

size_t compact_full_bytes(const struct compact *c)
{
    return (size_t)(c->full + c->again);
}

/* ---- texts within a number of bytes ---- */

/* What a code point takes in a JSON string. */
static size_t width(uint32_t c, size_t bytes)
{
    if (c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r')
        return 2;
    if (c > 0xffff && utf8_is_bidi(c))
        return 12;
    return utf8_is_control(c) || utf8_is_bidi(c) ? 6 : bytes;
}

/* How many of the bytes fit in `most` bytes of a JSON string, to the end of a character. *taken is what they take
 * there. */
static size_t fit(const char *s, size_t len, size_t most, size_t *taken)
{
    size_t at = 0;
    *taken = 0;
    while (at < len) {
        size_t room = most - *taken, left = len - at;
        size_t plain = json_plain_run(s + at, left < room ? left : room);
        at += plain;
        *taken += plain;
        if (at == len)
            break;
        uint32_t c;
        int n = utf8_decode(s + at, len - at, &c);
        size_t bytes = n > 0 ? (size_t)n : 1, more = n > 0 ? width(c, bytes) : 6;
        if (more > most - *taken)
            break;
        *taken += more;
        at += bytes;
    }
    return at;
}

size_t compact_fit(const char *s, size_t len, size_t most)
{
    size_t taken;
    return fit(s, len, most, &taken);
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

/* How many bytes of the text, before `at`, a JSON string of `most` bytes holds. */
static size_t fit_before(const char *text, size_t at, size_t most)
{
    size_t begin = at;
    while (begin > 0) {
        size_t from = begin - 1;
        while (from > 0 && ((unsigned char)text[from] & 0xc0) == 0x80)
            from--;
        if (compact_fit(text + from, at - from, most) < at - from)
            break;
        begin = from;
    }
    return at - begin;
}

/* The bytes that a text takes inside a JSON string. */
static size_t escaped(const char *text, size_t len)
{
    size_t taken;
    fit(text, len, SIZE_MAX, &taken);
    return taken;
}

/* Appends what fits of a text in `most` bytes of a JSON string: a third of the room is for what is before the match. */
static void add_around(struct strbuf *out, const char *text, size_t at, size_t match, size_t most)
{
    static const char more[] = "…";
    size_t len = strlen(text), dots = sizeof(more) - 1;
    if (compact_fit(text, len, most) == len) {
        strbuf_addstr(out, text);
        return;
    }
    size_t room = most > 2 * dots ? most - 2 * dots : 0, needs = escaped(text + at, match);
    size_t lead = fit_before(text, at, needs < room ? (room - needs) / 3 : 0);
    size_t begin = at - lead;
    room += begin ? 0 : dots;
    size_t end = begin + compact_fit(text + begin, len - begin, room);
    if (end == len) { /* what is left after it is for what is before */
        begin = len - fit_before(text, len, room + dots);
    }
    if (most < dots)
        return;
    strbuf_addstr(out, begin ? more : "");
    strbuf_add(out, text + begin, end - begin);
    strbuf_addstr(out, end < len ? more : "");
}

/* Adds a text as a member of at most `most` bytes between the quotes. */
static void pair_text(struct json_object *o, const char *key, const char *text, size_t characters,
                      size_t most)
{
    AUTO_STRBUF line = STRBUF_INIT;
    compact_add_text(&line, text ? text : "", characters, most);
    json_key(o, key);
    json_add_string_len(o->out, line.buf, line.len);
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

void compact_pair_effective(struct json_object *o, const struct row_label *label)
{
    double effective = round(label->effective * 1000) / 1000;
    double stored = round(label->stored * 1000) / 1000;
    if (label->unstated)
        return;
    json_pair_double(o, "effective", effective);
    if (stored != effective)
        json_pair_double(o, "confidence", stored);
}

/* Adds what a row and a memory have besides their text. */
static int add_state(struct compact *c, struct json_object *o, const struct memory_row *m,
                     const struct row_label *label, struct error *e)
{
    char age[40];
    AUTO_STRBUF why = STRBUF_INIT;
    clock_format_age(age, sizeof(age), m->created_at, c->now);
    compact_pair_effective(o, label);
    if (label->has_trust)
        json_pair_double(o, "trust", round(label->trust * 1000) / 1000);
    if (label->class == CLASS_WEB)
        json_pair(o, "class", trust_class_name(label->class));
    json_pair(o, "label", label_name(label->label));
    json_pair(o, "age", age);
    if (!is_own(c, m))
        pair_masked(c, o, "agent_id", m->agent_id, NAME_MOST);
    int result = why_add(c->reader, c->arena, m->node, m->status, label->label, &why, e);
    if (why.len)
        pair_masked(c, o, "why", why.buf, WHY_MOST);
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

/* The bytes in full form of what a memory has outside of its row. Ids that it names are assumed to be as long as its
 * own, `name` bytes: reading them would cost a page of the store for each. */
static int count_parts(struct compact *c, int64_t node, double name, double *bytes, struct error *e)
{
    struct memory_parts parts;
    if (memory_parts_count(reader_db(c->reader), node, &parts, e))
        return -1;
    *bytes = (double)parts.links * (FULL_LINK + name) + (double)parts.groups * FULL_GROUP +
             (double)parts.changes * FULL_CHANGE;
    return 0;
}

/* How many times as long a text is inside a JSON string. *again: of the copy as text inside that of a string. */
static double growth(const char *text, double *again)
{
    size_t len = strlen(text), once = escaped(text, len), quotes = 0;
    *again = 1;
    if (once == len)
        return 1;
    for (const char *at = text; *at; at++)
        quotes += *at == '"' || *at == '\\';
    size_t lines = once > len + quotes ? (once - len - quotes) / 5 : 0;
    *again = (double)(once + 2 * quotes + lines) / (double)len;
    return (double)once / (double)len;
}

/* Estimates what the memory takes in full form. One that is too large for an answer is cut there. `alone`: not in a
 * list. */
static int count_full(struct compact *c, const struct memory_row *m, bool alone, struct error *e)
{
    double parts = 0, again;
    const char *text = m->text ? m->text : "";
    double once = growth(text, &again);
    double each = *text ? (double)strlen(text) / (double)utf8_count(text) : 1;
    double texts = (double)m->bytes, name = (double)escaped(m->ref.id, strlen(m->ref.id));
    if (count_parts(c, m->node, name, &parts, e))
        return -1;
    if (FULL_MEMORY + parts + texts * once > FULL_MOST) {
        texts = fmin((double)m->text_bytes,
                     alone ? (FULL_MOST - FULL_MEMORY) / once : FULL_BEGUN * each);
        parts = 0;
    }
    double full = FULL_MEMORY + parts + texts * once;
    c->full_ended |= c->full > 0 && c->full + full > FULL_MOST;
    if (c->full_ended)
        return 0;
    c->full += full;
    c->again += (FULL_MEMORY + parts) * AGAIN + texts * again;
    return 0;
}

/* Flags that warn of a memory. */
static bool warns(const char *flag)
{
    return strcmp(flag, "poisoned") == 0 || strcmp(flag, "for_review") == 0;
}

static int add_warnings(struct compact *c, struct json_object *o, int64_t node, struct error *e)
{
    const char **name;
    size_t count, told = 0;
    struct json_object list;
    if (memory_flag_names(reader_db(c->reader), c->arena, node, &name, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!warns(name[i]))
            continue;
        if (told++ == 0)
            list = json_open(o, "flags", '[');
        json_item_string(&list, name[i]);
    }
    if (told)
        json_end(&list);
    return 0;
}

/* Sets the text and where its match lies, cleaned as the rest of it. */
static void take_text(struct compact *c, struct compact_row *row, const char *text,
                      const struct snippet_match *match, bool cut)
{
    AUTO_STRBUF line = STRBUF_INIT;
    if (match) {
        const char *const parts[] = {arena_strndup(c->arena, text, match->at),
                                     arena_strndup(c->arena, text + match->at, match->len),
                                     text + match->at + match->len};
        clean_add(&line, parts[0], SIZE_MAX);
        row->at = line.len;
        clean_add(&line, parts[1], SIZE_MAX);
        row->match = line.len - row->at;
        clean_add(&line, parts[2], SIZE_MAX);
    } else {
        clean_add(&line, text, COMPACT_TEXT);
        if (cut && (line.len < 3 || memcmp(line.buf + line.len - 3, "…", 3) != 0))
            strbuf_addstr(&line, "…");
    }
    row->text = arena_strndup(c->arena, line.buf ? line.buf : "", line.len);
}

static void measure(struct compact_row *row)
{
    size_t text = row->text ? escaped(row->text, strlen(row->text)) : 0;
    size_t around = strlen(row->head) + strlen(row->tail);
    row->bytes = around + text;
    row->least = around + (text < COMPACT_LEAST ? text : COMPACT_LEAST);
}

int compact_row_read(struct compact *c, int64_t node, const struct row_label *label,
                     const char *snippet, const struct snippet_match *match,
                     struct compact_row *out, struct error *e)
{
    struct memory_row m;
    AUTO_STRBUF head = STRBUF_INIT, tail = STRBUF_INIT;
    bool withheld;
    if (read_row(c, node, &m, &withheld, e))
        return -1;
    *out = (struct compact_row){.holds = memory_holds(m.status, label->label)};
    struct json_object o = begin(c, &head, &m), state = {&tail, '}', true};
    int result = 0;
    if (withheld) {
        add_withheld(c, &o, &m);
    } else {
        strbuf_addstr(&head, snippet ? ",\"snippet\":\"" : ",\"text\":\"");
        strbuf_addch(&tail, '"');
        result = failed_if(add_state(c, &state, &m, label, e) || add_warnings(c, &state, node, e) ||
                           count_full(c, &m, false, e));
        json_end(&state);
        take_text(c, out,
                  snippet  ? snippet
                  : m.text ? m.text
                           : "",
                  snippet ? match : NULL, m.text_cut);
    }
    out->head = arena_strndup(c->arena, head.buf, head.len);
    out->tail = arena_strndup(c->arena, tail.buf ? tail.buf : "", tail.len);
    measure(out);
    return result;
}

void compact_row_add(const struct compact_row *row, size_t most, struct strbuf *out)
{
    size_t around = strlen(row->head) + strlen(row->tail);
    strbuf_addstr(out, row->head);
    if (row->text) {
        AUTO_STRBUF line = STRBUF_INIT;
        add_around(&line, row->text, row->at, row->match, most > around ? most - around : 0);
        json_add_inside(out, line.buf ? line.buf : "");
    }
    strbuf_addstr(out, row->tail);
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
    json_pair_true_if(o, "all", g->all);
}

/* Adds one antecedent in `most` bytes, if its names leave room. */
static int add_ground(struct compact *c, struct json_object *list, const struct ground *g,
                      size_t most, struct error *e)
{
    struct memory_row m;
    AUTO_STRBUF rest = STRBUF_INIT;
    struct strbuf *out = list->out;
    size_t began = out->len;
    bool withheld;
    if (read_row(c, g->row, &m, &withheld, e))
        return -1;
    json_item(list);
    struct json_object o = begin(c, out, &m), state = {&rest, '}', true};
    add_role(&state, g);
    if (m.status != STATUS_ACTIVE && !withheld)
        json_pair(&state, "status", status_name(m.status));
    if (!withheld && m.status != STATUS_MISSING && !is_own(c, &m))
        pair_masked(c, &state, "agent_id", m.agent_id, NAME_MOST);
    if (withheld)
        add_withheld(c, &state, &m);
    else
        json_end(&state);
    size_t taken = out->len - began + rest.len + sizeof(",\"text\":\"\"") - 1;
    if (!withheld && m.status != STATUS_MISSING)
        pair_text(&o, "text", m.text, COMPACT_TEXT, taken < most ? most - taken : 0);
    strbuf_add(out, rest.buf, rest.len);
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

#define NAMES_MOST 200 /* bytes of the names of flags, and of tags; more are counted */

/* Adds a list of names, as many as have room, and counts the others. Returns false if not all are there, and whole. */
static bool add_names(struct json_object *o, const char *key, const char *more,
                      const char *const *name, size_t count, size_t most)
{
    AUTO_STRBUF line = STRBUF_INIT;
    size_t shown = 0, began = o->out->len;
    bool whole = true;
    if (count == 0)
        return true;
    struct json_object list = json_open(o, key, '[');
    for (; shown < count && o->out->len - began < most; shown++) {
        strbuf_clear(&line);
        compact_add_text(&line, name[shown], SIZE_MAX, most / 2);
        whole &= compact_fit(name[shown], strlen(name[shown]), most / 2) == strlen(name[shown]);
        json_item(&list);
        json_add_string_len(list.out, line.buf, line.len);
    }
    json_end(&list);
    if (shown < count)
        json_pair_int(o, more, (int64_t)(count - shown));
    return whole && shown == count;
}

/* What the full form has and was not shown: bits of its members in more_names. */
enum {
    MORE_DETAIL = 1,
    MORE_TAGS = 2,
    MORE_SOURCE = 4,
    MORE_ENTITY = 8,
    MORE_CONTEXT = 16,
    MORE_ANNOTATIONS = 32,
    MORE_JUSTIFICATIONS = 64,
    MORE_FLAGS = 128
};
static const char *const more_names[] = {"detail",         "tags",    "source",
                                         "source_entity",  "context", "annotations",
                                         "justifications", "marks"};

static int add_flags(struct compact *c, struct json_object *o, int64_t node, unsigned *more,
                     struct error *e)
{
    const char **name;
    size_t count;
    if (memory_flag_names(reader_db(c->reader), c->arena, node, &name, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        name[i] = guard_text(c->reader, c->arena, name[i], strlen(name[i]));
    if (!add_names(o, "flags", "flags_more", name, count, NAMES_MOST))
        *more |= MORE_FLAGS;
    return 0;
}

/* ---- what its kind is about ---- */

#define ABOUT_MOST 700 /* bytes of the detail */

/* The members of the detail that say it. */
static const char *const about[KIND_COUNT][4] = {
    [KIND_RAW] = {"source", "captured_by"},
    [KIND_EPISODE] = {"outcome_type", "outcome", "lessons"},
    [KIND_NOTE] = {"note_type", "speaker", "reason"},
    [KIND_BELIEF] = {"belief_type"},
    [KIND_GOAL] = {"goal_type", "status", "priority"},
    [KIND_VALUE] = {"name", "priority"},
    [KIND_RELATIONSHIP] = {"entity_type", "sentiment"},
    [KIND_DRIVE] = {"drive_type", "intensity", "focus_areas"},
    [KIND_ATTRIBUTION] = {"source_uri", "retrieval_timestamp"},
    [KIND_DOCUMENT] = {"uri", "author", "year"},
    [KIND_CHAIN] = {"final_answer", "strategy"},
    [KIND_STEP] = {"step_number", "intermediate_answer"},
    [KIND_CITATION] = {"page", "section", "document_name"},
    [KIND_ENTRY] = {"namespace", "expires_at", "value"},
};

/* Adds a member of the detail in about `most` bytes. Returns false if it was cut. */
static bool add_about(struct compact *c, struct json_object *o, const char *name,
                      struct json_slice value, size_t most)
{
    bool text = value.ptr[0] == '"';
    if (!text && value.len <= most) {
        json_key(o, name);
        json_add_value(o->out, value.ptr, value.len);
        return true;
    }
    const char *whole =
        text ? json_text(c->arena, value, NULL) : arena_strndup(c->arena, value.ptr, value.len);
    pair_text(o, name, whole, SIZE_MAX, most);
    return compact_fit(whole, strlen(whole), most) == strlen(whole);
}

/* Adds the detail in about `most` bytes. *whole: nothing of it was left out. */
static void add_detail(struct compact *c, struct json_object *o, enum kind kind, const char *json,
                       size_t most, bool *whole)
{
    struct json_slice detail = detail_json(json);
    size_t members = 0, shown = 0;
    struct json_object list;
    *whole = detail.ptr || !json; /* the whole form says that it is damaged */
    if (!detail.ptr)
        return;
    for (struct json_each it = json_each(detail); json_next(&it);)
        members +=
            !json_key_is(it.key, CLAIMED_MEMBER) && !json_key_is(it.key, "key"); /* the text */
    for (size_t i = 0; i < sizeof(about[kind]) / sizeof(about[kind][0]) && about[kind][i]; i++) {
        struct json_slice value = json_member(detail.ptr, detail.len, about[kind][i]);
        if (!value.ptr || value.ptr[0] == 'n' || most < ABOUT_MOST / 10)
            continue;
        if (shown++ == 0)
            list = json_open(o, "detail", '{');
        size_t began = o->out->len;
        *whole &= add_about(c, &list, about[kind][i], value, most - most / 8);
        most -= o->out->len - began < most ? o->out->len - began : most;
    }
    if (shown)
        json_end(&list);
    *whole &= shown == members;
}

/* Adds detail and tags. The detail may take half of the room up to the length `end`, the tags a quarter of the rest. */
static int add_kind(struct compact *c, struct json_object *o, const struct memory_row *m,
                    size_t end, unsigned *more, struct error *e)
{
    struct memory has;
    bool whole;
    if (search_fields_of_row(c->reader, c->arena, m->node, &has, e))
        return -1;
    size_t room = end > o->out->len ? (end - o->out->len) / 2 : 0;
    add_detail(c, o, m->ref.kind, has.detail, room < ABOUT_MOST ? room : ABOUT_MOST, &whole);
    room = end > o->out->len ? (end - o->out->len) / 4 : 0;
    bool all = add_names(o, "tags", "tags_more", has.tags, has.tag_count,
                         room < NAMES_MOST ? room : NAMES_MOST);
    *more |=
        (whole ? 0 : MORE_DETAIL) | (all ? 0 : MORE_TAGS) |
        (has.source_entity && *has.source_entity ? MORE_ENTITY : 0) |
        (has.context && *has.context ? MORE_CONTEXT : 0) |
        (m->annotations && m->annotations[0] && m->annotations[1] != ']' ? MORE_ANNOTATIONS : 0);
    return 0;
}

/* Adds "based_on" up to the length `end` of the object's text. */
static int add_basis(struct compact *c, struct json_object *o, int64_t node, size_t end,
                     unsigned *more, struct error *e)
{
    struct basis b = {.c = c};
    size_t shown = 0;
    struct json_object list = json_open(o, "based_on", '[');
    int result = collect(&b, node, e) || add_grounds(&b, &list, end - MORE_MOST, &shown, e);
    json_end(&list);
    if (shown < b.count) {
        json_pair_int(o, "based_on_more", (int64_t)(b.count - shown));
        *more |= MORE_JUSTIFICATIONS;
    }
    links_release(&b.links);
    return result;
}

static void add_more(struct json_object *o, unsigned more)
{
    if (!more)
        return;
    struct json_object list = json_open(o, "more", '[');
    for (size_t i = 0; i < sizeof(more_names) / sizeof(more_names[0]); i++)
        if (more >> i & 1)
            json_item_string(&list, more_names[i]);
    json_end(&list);
}

/* Adds what a memory has besides the state of a row. */
static int add_record(struct compact *c, struct json_object *o, const struct memory_row *m,
                      unsigned *more, struct error *e)
{
    if (m->status != STATUS_ACTIVE)
        json_pair(o, "status", status_name(m->status));
    json_pair_int(o, "version", m->version);
    json_pair_true_if(o, "protected", m->is_protected);
    return add_flags(c, o, m->node, more, e) || add_source(c, o, m->source, e) ? -1 : 0;
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
    unsigned more = m.source && strlen(m.source) > SOURCE_MOST / 6 &&
                            escaped(m.source, strlen(m.source)) > SOURCE_MOST
                        ? MORE_SOURCE
                        : 0;
    if (add_state(c, &o, &m, label, e) || add_record(c, &o, &m, &more, e) ||
        add_kind(c, &o, &m, end, &more, e) || add_basis(c, &o, node, end, &more, e) ||
        count_full(c, &m, true, e))
        return -1;
    add_more(&o, more);
    if (more & MORE_JUSTIFICATIONS)
        json_pair(&o, "todo", "memory_get with part justifications gives all that it is based on.");
    json_end(&o);
    return 0;
}
