#include "tui/render/difference_print.h"

#include <string.h>
#include "model/base/clock.h"
#include "model/format/difference.h"
#include "model/json/json.h"
#include "tui/render/kind_fields.h"
#include "tui/render/portrait.h"
#include "tui/text/text.h"

#define FIELD_WIDTH 16
#define SHORT_WIDTH 60 /* columns of what stands beside what it was */

static bool is_short(const char *s)
{
    size_t len = strlen(s);
    return len <= 4 * SHORT_WIDTH && !strchr(s, '\n') &&
           text_width(s, len, SHORT_WIDTH + 1, 0) <= SHORT_WIDTH;
}

/* A name is never cut. */
static void print_name(struct output *out, const char *sign, const char *field, size_t indent)
{
    struct strbuf name = STRBUF_INIT;
    strbuf_addf(&name, "%s%s", sign, field);
    size_t width = text_width(name.buf, name.len, SIZE_MAX - 1, TEXT_EXACT | out->flags);
    strbuf_addchars(&out->text, ' ', indent);
    output_cell(out, STYLE_DIM, name.buf, width > FIELD_WIDTH ? width : FIELD_WIDTH, TEXT_EXACT);
    out->text.failed |= name.failed;
    strbuf_release(&name);
}

/* "+ tags        new": a side alone, wrapped beside its name. */
static void print_side(struct output *out, const char *sign, const char *field, const char *value,
                       enum style style, size_t indent)
{
    print_name(out, sign, field, indent);
    output_style(out, style);
    output_hanging(out, value, indent + FIELD_WIDTH + 2, out->columns);
    output_style(out, STYLE_TEXT);
}

static void print_both(struct output *out, const struct difference *d, size_t indent)
{
    struct strbuf line = STRBUF_INIT;
    print_name(out, "", d->field, indent);
    strbuf_addf(&line, "%s%s%s", d->before, out->ascii ? " -> " : " → ", d->after);
    output_hanging(out, line.buf, indent + FIELD_WIDTH + 2, out->columns);
    out->text.failed |= line.failed;
    strbuf_release(&line);
}

static void print_sides(struct output *out, const struct difference *d, size_t indent)
{
    if (d->before && d->after && is_short(d->before) && is_short(d->after)) {
        print_both(out, d, indent);
        return;
    }
    if (d->before)
        print_side(out, "- ", d->field, d->before, STYLE_DIM, indent);
    if (d->after)
        print_side(out, "+ ", d->field, d->after, STYLE_TEXT, indent);
}

/* A number as a person reads it: a time, or so many digits of a confidence. In `room`. */
static const char *readable(struct strbuf *room, const char *field, const char *value)
{
    struct json_slice slice = {value, value ? strlen(value) : 0};
    char iso[32];
    double confidence;
    int64_t ms;
    if (!value)
        return NULL;
    strbuf_clear(room);
    if (strcmp(field, "confidence") == 0 && json_double(slice, &confidence) == 0) {
        add_confidence(room, confidence);
    } else if (field_is_time(field, strlen(field)) && json_integer(slice, &ms) == 0) {
        clock_format_iso(iso, sizeof(iso), ms);
        strbuf_addstr(room, iso);
    } else if (field_is_name(field)) {
        text_add(room, value, TEXT_EXACT);
    } else {
        return value;
    }
    return room->buf;
}

static void print_one(struct output *out, const struct difference *given, size_t indent)
{
    struct strbuf was = STRBUF_INIT, is = STRBUF_INIT;
    struct difference one = *given;
    one.before = readable(&was, one.field, one.before);
    one.after = readable(&is, one.field, one.after);
    if (one.before && one.after && strcmp(one.before, one.after) == 0)
        one = *given; /* they differ in a later digit */
    print_sides(out, &one, indent);
    out->text.failed |= was.failed | is.failed;
    strbuf_release(&was);
    strbuf_release(&is);
}

int difference_print(struct output *out, const struct memory *before, const struct memory *after,
                     size_t indent, size_t *count, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct difference *all;
    size_t n = 0;
    int result = memory_difference(before, after, &arena, &all, &n);
    if (result)
        error_set(e, ERROR_MEMORY, "Ask for less at once.", "memory ran out");
    for (size_t i = 0; !result && i < n; i++)
        print_one(out, &all[i], indent);
    if (count)
        *count = n;
    arena_release(&arena);
    return result ? -1 : 0;
}
