#include "tui/render/difference_page.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/format/difference.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "tui/render/kind_fields.h"
#include "tui/text/output.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

#define FIELD_WIDTH 16
#define NARROW      56
#define KEEP        80 /* bytes of unchanged text that stay next to a change */
#define BRIEF       48 /* columns of a value in "old → new" */

/* "supersedes belief:x" becomes "replaces belief:x". */
static void add_relation(struct strbuf *out, const char *value)
{
    char name[32];
    size_t len = strcspn(value, " ");
    snprintf(name, sizeof(name), "%.*s", (int)len, value);
    int type = role_from_name(name);
    strbuf_addf(out, "%s%s", type < 0 ? name : facts_relation((enum role)type), value + len);
}

/* "derived_from raw:x" becomes "derived from raw:x". */
static void add_role(struct strbuf *out, const char *value)
{
    size_t before = out->len, len = strcspn(value, " ");
    strbuf_addstr(out, value);
    for (char *at = out->buf + before; at < out->buf + before + len; at++)
        *at = *at == '_' ? ' ' : *at;
}

/* Formats numbers, a status and a relation for people; any other value is added unchanged. */
static void add_value(struct strbuf *out, const char *field, const char *value)
{
    struct json_slice slice = {value, strlen(value)};
    char when[40];
    double number;
    int64_t ms;
    int status = strcmp(field, "status") ? -1 : status_from_name(value);
    if (status >= 0) {
        strbuf_addstr(out, display_name(status_word((enum status)status)));
    } else if (!strcmp(field, "protected")) {
        strbuf_addstr(out, value_yes_no[strcmp(value, "true") != 0]);
    } else if (!strcmp(field, "source_type")) {
        strbuf_addstr(out, source_type_label(value));
    } else if (!strcmp(field, "justifications")) {
        add_role(out, value);
    } else if (!strcmp(field, "confidence") && json_double(slice, &number) == 0) {
        strbuf_addf(out, "%.3f", number);
    } else if (field_is_time(field, strlen(field)) && json_integer(slice, &ms) == 0) {
        times_format(when, sizeof(when), ms);
        strbuf_addstr(out, when);
    } else if (field_is_name(field)) {
        text_add(out, value, TEXT_EXACT);
    } else if (!strcmp(field, "relations")) {
        add_relation(out, value);
    } else {
        strbuf_addstr(out, value);
    }
}

/* Returns NULL for NULL. */
static const char *readable(struct arena *arena, const char *field, const char *value)
{
    AUTO_STRBUF out = STRBUF_INIT;
    if (!value)
        return NULL;
    add_value(&out, field, value);
    return arena_strdup(arena, out.buf);
}

void difference_readable(struct difference *d, struct arena *arena)
{
    const char *before = readable(arena, d->field, d->before);
    const char *after = readable(arena, d->field, d->after);
    AUTO_STRBUF title = STRBUF_INIT;
    field_add_title(&title, d->field);
    d->field = arena_strdup(arena, title.buf);
    if (before && after && strcmp(before, after) == 0)
        return; /* they differ only in a later digit */
    d->before = before;
    d->after = after;
}

/* ---- layout ---- */

struct layout {
    struct page *page;
    bool ascii;
    int sign, text, width; /* their columns; `width` is that of the text */
};

/* Puts the field's name at the start of a line. If it leaves no room, the value begins in the next line. */
static void put_field(struct layout *l, const char *field)
{
    page_line(l->page);
    page_put(l->page, 1, l->text > FIELD_WIDTH ? FIELD_WIDTH : 0, STYLE_FIELD, field);
}

static void put_sign(struct layout *l, char sign)
{
    char text[2] = {sign, '\0'};
    page_put(l->page, l->sign, 1, sign == '-' ? STYLE_UNSUPPORTED : STYLE_SUPPORTED, text);
}

struct place {
    size_t from, to;
};

/* A text with highlighted parts. */
struct marked_text {
    struct strbuf text;
    struct place *place;
    size_t count, alloc;
};

static void marked_text_release(struct marked_text *t)
{
    strbuf_release(&t->text);
    free(t->place);
}

/* Adds the parts of one line. */
static void put_pieces(struct layout *l, const struct marked_text *t, size_t from, size_t to)
{
    int column = l->text;
    for (size_t at = from, i = 0; at < to;) {
        while (i < t->count && t->place[i].to <= at)
            i++;
        bool within = i < t->count && t->place[i].from <= at;
        size_t end = i == t->count ? to : within ? t->place[i].to : t->place[i].from;
        end = end < to ? end : to;
        AUTO_STRBUF piece = STRBUF_INIT;
        text_clean(&piece, t->text.buf + at, end - at, 0);
        if (piece.len > 0)
            page_put(l->page, column, 0, within ? STYLE_MATCH : STYLE_TEXT, piece.buf);
        column += (int)text_width(t->text.buf + at, end - at, SIZE_MAX - 1, 0);
        at = end;
    }
}

/* `sign` 0 for none. The first line continues after the field's name if `here`. */
static void put_marked_text(struct layout *l, const struct marked_text *t, char sign, bool here)
{
    struct text_line *lines;
    if (t->text.len == 0)
        return;
    size_t count = text_wrap(&l->page->arena, t->text.buf, t->text.len,
                             (size_t)(l->width > 1 ? l->width : 1), DIFFERENCE_LINES, 0, &lines);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 || !here)
            page_line(l->page);
        if (sign)
            put_sign(l, sign);
        size_t to = lines[i].to; /* without the line break and trailing blanks */
        while (to > lines[i].from && strchr("\r\n \t", t->text.buf[to - 1]))
            to--;
        put_pieces(l, t, lines[i].from, to);
    }
    if (count > 0 && lines[count - 1].to < t->text.len) {
        page_line(l->page);
        page_format(l->page, l->text, 0, STYLE_DIM, "and %zu bytes more",
                    t->text.len - lines[count - 1].to);
    }
}

/* A value that only one side has. `sign` 0 for a value of a single state. */
static void put_side(struct layout *l, const char *name, const char *value, char sign)
{
    struct marked_text t = {.text = STRBUF_INIT};
    strbuf_addstr(&t.text, value);
    if (sign || t.text.len > 0)
        put_field(l, name);
    if (sign && t.text.len == 0) {
        put_sign(l, sign);
        page_put(l->page, l->text, 0, STYLE_DIM, "empty");
    }
    put_marked_text(l, &t, sign, l->text > FIELD_WIDTH);
    marked_text_release(&t);
}

/* ---- comparing two texts ---- */

/* The first character boundary at or after `at`; after a blank if one is near. */
static size_t word_after(const char *text, size_t len, size_t at)
{
    for (size_t i = at; i < len && i < at + 24; i++)
        if (text[i] == ' ' || text[i] == '\n')
            return i + 1;
    while (at < len && ((unsigned char)text[at] & 0xc0) == 0x80)
        at++;
    return at;
}

static void add_same(struct layout *l, struct marked_text *t, const struct text_run *run,
                     bool first, bool last)
{
    const char *gap = glyph_of(GLYPH_ELLIPSIS, l->ascii);
    size_t head = first ? 0 : word_after(run->text, run->len, KEEP);
    size_t tail = run->len > KEEP ? word_after(run->text, run->len, run->len - KEEP) : 0;
    tail = last ? run->len : tail;
    if (tail < head + KEEP / 2 || run->len <= KEEP + KEEP / 2) {
        strbuf_add(&t->text, run->text, run->len);
        return;
    }
    strbuf_add(&t->text, run->text, head);
    strbuf_addf(&t->text, "%s%s", gap, last ? "" : " ");
    strbuf_add(&t->text, run->text + tail, run->len - tail);
}

static void add_changed(struct marked_text *t, const struct text_run *run)
{
    *ARRAY_ADD(t->place, t->count, t->alloc) = (struct place){t->text.len, t->text.len + run->len};
    strbuf_add(&t->text, run->text, run->len);
}

void difference_put_after(struct page *s, int column, const struct text_run *run, size_t count)
{
    struct layout l = {.page = s, .text = column, .width = s->width - column - 2};
    struct marked_text t = {.text = STRBUF_INIT};
    for (size_t i = 0; i < count; i++)
        if (run[i].kind == RUN_ADDED)
            add_changed(&t, &run[i]);
        else if (run[i].kind == RUN_SAME)
            strbuf_add(&t.text, run[i].text, run[i].len);
    put_marked_text(&l, &t, 0, true);
    marked_text_release(&t);
}

/* Adds one of the two texts, also where it has no words of its own. */
static void put_text(struct layout *l, const struct text_run *run, size_t count,
                     enum text_run_kind side, bool *here)
{
    struct marked_text t = {.text = STRBUF_INIT};
    for (size_t i = 0; i < count; i++) {
        if (run[i].kind == RUN_SAME)
            add_same(l, &t, &run[i], i == 0, i + 1 == count);
        else if (run[i].kind == side)
            add_changed(&t, &run[i]);
    }
    put_marked_text(l, &t, side == RUN_REMOVED ? '-' : '+', *here);
    *here = false;
    marked_text_release(&t);
}

static bool is_short(const char *text)
{
    return !strchr(text, '\n') && text_width(text, strlen(text), BRIEF + 1, 0) <= BRIEF;
}

static void put_both(struct layout *l, const struct difference *d)
{
    const char *before = d->before, *after = d->after;
    int width = (int)(text_width(before, strlen(before), 200, 0) +
                      text_width(after, strlen(after), 200, 0));
    bool here = l->text > FIELD_WIDTH;
    put_field(l, d->field);
    if (!is_short(before) || !is_short(after) || width + 4 > l->width) {
        struct text_run *run;
        size_t count;
        text_difference(before, after, &l->page->arena, &run, &count);
        put_text(l, run, count, RUN_REMOVED, &here);
        put_text(l, run, count, RUN_ADDED, &here);
        return;
    }
    if (!here)
        page_line(l->page);
    page_format(l->page, l->text, 0, STYLE_TEXT, "%s %s %s", *before ? before : "none",
                glyph_of(GLYPH_ARROW, l->ascii), *after ? after : "none");
}

/* `sign`: columns for the sign. */
static struct layout layout_of(struct page *s, bool ascii, int sign)
{
    struct layout l = {.page = s, .ascii = ascii};
    l.sign = s->width < NARROW ? 1 : FIELD_WIDTH + 2;
    l.text = s->width < NARROW ? 3 : FIELD_WIDTH + 2 + sign;
    l.width = s->width - l.text - 1;
    return l;
}

void difference_page(struct page *s, const struct difference *list, size_t count, bool ascii)
{
    struct layout l = layout_of(s, ascii, 2);
    for (size_t i = 0; i < count; i++) {
        struct difference d = list[i];
        difference_readable(&d, &s->arena);
        if (d.before && d.after)
            put_both(&l, &d);
        else if (d.before || d.after)
            put_side(&l, d.field, d.before ? d.before : d.after, d.before ? '-' : '+');
    }
}

void state_page(struct page *s, const struct difference *list, size_t count)
{
    struct layout l = layout_of(s, false, 0);
    const char *last = "";
    for (size_t i = 0; i < count; i++) {
        struct difference d = list[i];
        difference_readable(&d, &s->arena);
        /* Show the name of a list only once. */
        if (d.after)
            put_side(&l, strcmp(last, d.field) ? d.field : "", d.after, 0);
        last = d.field;
    }
}

size_t difference_print(struct output *out, const struct memory *before, const struct memory *after,
                        size_t indent)
{
    struct page page;
    struct difference *all;
    size_t count = 0;
    page_for_output(&page, out);
    if (page.width != PAGE_UNLIMITED)
        page.width -= (int)indent;
    page.indent = (int)indent - 1; /* the layout begins in column 1 */
    memory_difference(before, after, &page.arena, &all, &count);
    difference_page(&page, all, count, out->ascii);
    output_page(out, &page, 0);
    return count;
}

#define NAMED 3 /* elements of a list that are named; more are only counted */

/* The name of a list element: a tag itself, the name of a flag, the target of a link, the key of a member of the
 * detail. */
static void add_element(struct strbuf *out, const char *list, struct json_slice value)
{
    static const char *const naming[][2] = {
        {"marks", "mark"}, {"relations", "type"}, {"justifications", "role"}};
    for (size_t i = 0; i < sizeof(naming) / sizeof(naming[0]); i++) {
        struct json_slice name = json_get(value, naming[i][1]);
        if (!strcmp(list, naming[i][0]) && name.ptr) {
            AUTO_STRBUF word = STRBUF_INIT;
            json_add_plain(&word, name);
            add_relation(out, word.buf);
            return;
        }
    }
    if (value.len == 0 || value.ptr[0] != '{') {
        json_add_plain(out, value);
        return;
    }
    struct json_each it = json_each(value);
    if (json_next(&it))
        strbuf_add(out, it.key.ptr, it.key.len);
}

static void separate(struct strbuf *out, size_t start)
{
    if (out->len > start)
        strbuf_addstr(out, ", ");
}

/* Whether `name` is among the elements. */
static bool names(struct json_slice elements, const struct strbuf *name)
{
    for (struct json_each it = json_each(elements); elements.ptr && json_next(&it);)
        if (it.value.len == name->len + 2 && !memcmp(it.value.ptr + 1, name->buf, name->len))
            return true;
    return false;
}

/* Adds the elements of one side of a list. A changed member of the detail is on both sides; it is named once.
 * `has_history`: the change of confidence is shown, which includes how often it was reinforced. */
static void add_elements(struct strbuf *out, size_t start, const char *list, char sign,
                         struct json_slice change, bool has_history)
{
    bool detail = !strcmp(list, "detail");
    struct json_slice added = json_get(change, "added");
    struct json_slice elements = sign == '+' ? added : json_get(change, "removed");
    AUTO_STRBUF name = STRBUF_INIT;
    size_t count = 0;
    for (struct json_each it = json_each(elements); elements.ptr && json_next(&it);) {
        struct json_slice value = json_get(it.value, "value");
        strbuf_clear(&name);
        add_element(&name, list, sign == '-' && value.ptr ? value : it.value);
        if (detail && sign == '-' ? names(added, &name)
                                  : detail && has_history && !strcmp(name.buf, "times_reinforced"))
            continue;
        if (count++ >= NAMED)
            continue;
        separate(out, start);
        strbuf_addf(out, "%s%s", sign == '-' ? "-" : detail ? "" : "+", name.buf);
    }
    if (count > NAMED)
        strbuf_addf(out, ", %c%zu more", sign, count - NAMED);
}

/* "conf 0.930 to 0.710", with more digits where three do not tell them apart. */
static void add_two(struct strbuf *out, double old, double new)
{
    char before[32], after[32];
    int digits = 3;
    do {
        snprintf(before, sizeof(before), "%.*f", digits, old);
        snprintf(after, sizeof(after), "%.*f", digits, new);
    } while (old != new && !strcmp(before, after) && ++digits < 15);
    strbuf_addf(out, "conf %s to %s", before, after);
}

/* Describes the change from the last history entry. Returns false if the entry has no old and new value. */
static bool add_history(struct strbuf *out, size_t start, struct json_slice change)
{
    struct json_slice added = json_get(change, "added"), last = {NULL, 0};
    double old, new;
    for (struct json_each it = json_each(added); added.ptr && json_next(&it);)
        last = it.value;
    struct json_slice from = json_get(last, "old"), to = json_get(last, "new");
    if (!from.ptr || !to.ptr || json_double(from, &old) || json_double(to, &new))
        return false;
    separate(out, start);
    add_two(out, old, new);
    return true;
}

/* `has_history`: the change of confidence is shown already. */
static void add_field(struct strbuf *out, size_t start, const char *name, struct json_slice before,
                      bool has_history)
{
    double confidence;
    if (!strcmp(name, "updated_at") || !strcmp(name, "version") || !strcmp(name, "history"))
        return;
    if (before.ptr[0] == '{') {
        add_elements(out, start, name, '+', before, has_history);
        add_elements(out, start, name, '-', before, has_history);
        return;
    }
    separate(out, start);
    if (!strcmp(name, "confidence") && json_double(before, &confidence) == 0)
        strbuf_addf(out, "conf was %.3f", confidence);
    else if (!strcmp(name, "status"))
        strbuf_addstr(out, "was "), json_add_plain(out, before);
    else if (!strcmp(name, "protected"))
        strbuf_addstr(out, before.ptr[0] == 't' ? "unlocked" : "locked");
    else
        field_add_title(out, name);
}

void change_words(const struct event *event, struct strbuf *out)
{
    struct error e;
    char name[64];
    size_t start = out->len, len = event->patch ? strlen(event->patch) : 0;
    if (!event->before || len == 0 || event->patch[0] != '{' ||
        json_check(event->patch, len, JSON_DEPTH_LIMIT, &e))
        return;
    if (!event->after) {
        strbuf_addstr(out, "the addition");
        return;
    }
    struct json_slice fields = {event->patch, len}, history = json_get(fields, "history");
    bool has_history = history.ptr && add_history(out, start, history);
    int operation = event->operation ? operation_from_name(event->operation) : -1;
    bool locks = operation == OPERATION_LOCK || operation == OPERATION_UNLOCK;
    for (struct json_each it = json_each(fields); json_next(&it);) {
        if (it.key.len >= sizeof(name) || (has_history && json_key_is(it.key, "confidence")) ||
            (locks && json_key_is(it.key, "protected"))) /* the operation says it */
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)it.key.len, it.key.ptr);
        add_field(out, start, name, it.value, has_history);
    }
}

const char *event_verb(const char *operation)
{
    static const char *const words[][2] = {
        {"add", "added"},
        {"import", "imported"},
        {"conflict", "also changed"},
        {"apply", "wrote back"},
        {"forget", "forgot"},
        {"delete", "deleted"},
        {"end-session", "ended"},
        {"read-only-session", "made read-only"},
        {"read-write-session", "may write again"},
        {"expire", "expired"},
        {"sweep", "swept"},
        {"contradict", "contradicts"},
        {"evidence", "given evidence"},
        {"finish", "finished"},
        {"source_added", "cited"},
        {"done", "answered"},
        {"undo", "undid"},
        {"redo", "redid"},
    };
    int known = operation ? operation_from_name(operation) : -1;
    for (size_t i = 0; operation && i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], operation) == 0)
            return words[i][1];
    return known >= 0 ? op_spec((enum operation)known)->done : operation ? operation : "changed";
}

bool event_is_response(const struct event *event)
{
    return event->subject <= 0 && event->operation && strcmp(event->operation, "done") == 0;
}

void event_add_sources(int64_t sources, struct strbuf *out)
{
    strbuf_addstr(out, out->len ? ": " : "");
    if (sources > 0)
        strbuf_addf(out, "%lld source%s", (long long)sources, sources == 1 ? "" : "s");
    else
        strbuf_addstr(out, "no sources");
}
