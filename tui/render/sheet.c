#include "tui/render/sheet.h"

#include <limits.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/render/brief.h"
#include "tui/text/output.h"
#include "tui/text/text.h"

void sheet_init(struct sheet *s)
{
    *s = (struct sheet){.arena = ARENA_INIT, .words = STRBUF_INIT};
}

void sheet_clear(struct sheet *s, int width)
{
    arena_clear(&s->arena);
    s->count = 0;
    s->width = s->look.width = width;
    s->section = 0;
    s->half = 0;
}

void sheet_begin(struct sheet *s, const struct facts_look *look)
{
    s->look = *look;
    sheet_clear(s, look->width);
}

void sheet_release(struct sheet *s)
{
    arena_release(&s->arena);
    strbuf_release(&s->words);
    free(s->line);
    sheet_init(s);
}

struct strbuf *sheet_buffer(struct sheet *s)
{
    strbuf_clear(&s->words);
    return &s->words;
}

/* The arguments may include the buffer of sheet_buffer. */
static char *format_text(struct sheet *s, const char *format, va_list args)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_vaddf(&text, format, args);
    char *copy = arena_strndup(&s->arena, text.buf, text.len);
    strbuf_release(&text);
    return copy;
}

const char *sheet_printf(struct sheet *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_text(s, format, args);
    va_end(args);
    return text;
}

struct sheet_line *sheet_line(struct sheet *s)
{
    struct sheet_line *line = ARRAY_ADD(s->line, s->count, s->alloc);
    *line = (struct sheet_line){.section = s->section};
    return line;
}

struct sheet_line *sheet_opens(struct sheet *s, int64_t node)
{
    struct sheet_line *line = sheet_line(s);
    line->opens = node > 0;
    line->node = node;
    return line;
}

/* Reallocates for each span; a line has only a few. */
static void append_span(struct sheet *s, struct sheet_line *line, struct span span)
{
    struct span *grown = arena_array(&s->arena, line->span_count + 1, sizeof(*grown));
    if (line->span_count > 0)
        memcpy(grown, line->span, line->span_count * sizeof(*grown));
    grown[line->span_count++] = span;
    line->span = grown;
}

static void add_span(struct sheet *s, struct span span)
{
    append_span(s, s->count ? &s->line[s->count - 1] : sheet_line(s), span);
}

void sheet_put_at(struct sheet *s, size_t line, const struct span *span)
{
    struct span copy = *span;
    copy.text = arena_strdup(&s->arena, span->text);
    append_span(s, &s->line[line], copy);
}

void sheet_put(struct sheet *s, int column, int width, enum style style, const char *text)
{
    if (text)
        add_span(s, (struct span){arena_strdup(&s->arena, text), column, width, style, false});
}

void sheet_put_right(struct sheet *s, int column, int width, enum style style, const char *text)
{
    if (text)
        add_span(s, (struct span){arena_strdup(&s->arena, text), column, width, style, true});
}

void sheet_format(struct sheet *s, int column, int width, enum style style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_span(s, (struct span){format_text(s, format, args), column, width, style, false});
    va_end(args);
}

void sheet_note(struct sheet *s, int column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sheet_line(s);
    add_span(s, (struct span){format_text(s, format, args), column, 0, STYLE_DIM, false});
    va_end(args);
}

void sheet_rule(struct sheet *s, const char *title, const char *right)
{
    s->section++;
    struct sheet_line *line = sheet_line(s);
    line->kind = SHEET_RULE;
    sheet_put(s, 0, 0, STYLE_RULE_TITLE, title);
    sheet_put(s, 0, 0, STYLE_RULE_TITLE, right);
}

void sheet_section(struct sheet *s, const char *title, const char *right)
{
    sheet_line(s);
    sheet_rule(s, title, right);
}

size_t sheet_wrap(struct sheet *s, int column, int width, enum style style, const char *text,
                  size_t max_lines, bool here)
{
    struct text_line *lines;
    if (!text)
        return 0;
    size_t count = text_wrap(&s->arena, text, strlen(text), (size_t)(width > 1 ? width : 1),
                             max_lines, 0, &lines);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 || !here)
            sheet_line(s);
        add_span(s, (struct span){lines[i].text, column, 0, style, false});
    }
    return count > 0 ? lines[count - 1].to : 0;
}

void sheet_score(struct sheet *s, int column, double relevance, enum score origin)
{
    struct strbuf *text = sheet_buffer(s);
    if (relevance != relevance)
        return;
    score_add(text, relevance, origin);
    sheet_put_right(s, column, SCORE_WIDTH, score_style(relevance, origin), text->buf);
}

/* ---- facts ---- */

int sheet_prose(const struct sheet *s, int column)
{
    int room = s->width - column - 1;
    if (s->width != SHEET_UNLIMITED && room > SHEET_PROSE)
        return SHEET_PROSE;
    return room > 1 ? room : 1;
}

/* Text of a command may use the last column. */
void sheet_field(struct sheet *s, const char *name, enum style style, const char *text, size_t most)
{
    if (!text || !*text)
        return;
    sheet_line(s);
    sheet_put(s, 1, SHEET_FIELD - 2, STYLE_FIELD, name);
    if (most == 1)
        sheet_put(s, SHEET_FIELD, 0, style, text);
    else
        sheet_wrap(s, SHEET_FIELD, sheet_prose(s, SHEET_FIELD) + s->look.command, style, text, most,
                   true);
}

void sheet_fact(struct sheet *s, const char *name, const char *text)
{
    int half = s->width >= 92 && !s->look.command ? s->width / 2 : 0;
    if (!half || !text || !*text) {
        sheet_field(s, name, STYLE_TEXT, text, s->look.command ? SIZE_MAX : 1);
        return;
    }
    int column = s->half && s->half == s->count ? half : 1;
    if (column == 1)
        sheet_line(s);
    sheet_put(s, column, SHEET_FIELD - 2, STYLE_FIELD, name);
    sheet_put(s, column + SHEET_FIELD - 1, half - SHEET_FIELD - 1, STYLE_TEXT, text);
    s->half = column == 1 ? s->count : 0;
}

void sheet_fact_name(struct sheet *s, const char *name, const char *text)
{
    struct strbuf clean = STRBUF_INIT;
    text_add(&clean, text, TEXT_EXACT);
    sheet_fact(s, name, clean.buf);
    strbuf_release(&clean);
}

void sheet_text(const struct sheet *s, size_t index, struct strbuf *out)
{
    if (index >= s->count)
        return;
    const struct sheet_line *line = &s->line[index];
    for (uint32_t i = 0; i < line->span_count; i++)
        strbuf_addf(out, "%s%s", i ? "  " : "", line->span[i].text);
}

void sheet_for_output(struct sheet *s, const struct output *out)
{
    int width = out->columns < SHEET_UNLIMITED ? (int)out->columns : SHEET_UNLIMITED;
    sheet_init(s);
    sheet_begin(s, &(struct facts_look){
                       .ascii = out->ascii, .width = width, .now = out->now, .command = true});
}

static void write_rule(struct output *out, const struct sheet *s, const struct sheet_line *line)
{
    const char *dash = glyph_of(GLYPH_DASH, s->look.ascii), *right = line->span[1].text;
    size_t used =
        3 + text_width(line->span[0].text, strlen(line->span[0].text), SIZE_MAX - 1, out->flags);
    size_t room = (size_t)s->width > used + 3 ? (size_t)s->width - used - 3 : 1;
    output_printf(out, STYLE_RULE, "%s%s ", dash, dash);
    output_text(out, STYLE_RULE_TITLE, line->span[0].text);
    if (!*right)
        return;
    output_printf(out, STYLE_RULE, " %s ", dash);
    output_style(out, STYLE_RULE_TITLE);
    text_fit(&out->text, right, strlen(right), room, out->flags);
    output_style(out, STYLE_TEXT);
}

/* The column of a span. Without a right edge, right-aligned spans come after all others. */
static int span_start(const struct sheet *s, const struct span *span)
{
    return span->column < 0 ? s->width + span->column : span->column;
}

static void write_span(struct output *out, const struct sheet *s, const struct span *span, int *at)
{
    bool unlimited = s->width == SHEET_UNLIMITED;
    int column = span_start(s, span), room = s->width - column;
    if (span->width > 0 && span->width < room)
        room = span->width;
    if (unlimited && column > s->width / 2)
        column = *at + 1;
    if (column < *at) {
        room -= unlimited ? 0 : *at - column;
        column = *at + unlimited;
    }
    if (room <= 0 || !*span->text)
        return;
    int width = (int)text_width(span->text, strlen(span->text), (size_t)room, out->flags);
    if (span->right && !unlimited)
        column += room - width;
    strbuf_addchars(&out->text, ' ', (size_t)(column - *at));
    if (span->style != STYLE_TEXT)
        output_style(out, span->style);
    text_fit(&out->text, span->text, strlen(span->text), (size_t)room, out->flags);
    if (span->style != STYLE_TEXT)
        output_style(out, STYLE_TEXT);
    *at = column + width;
}

/* Writes spans from left to right, whatever order they were added in. */
static void write_spans(struct output *out, const struct sheet *s, const struct sheet_line *line)
{
    int at = 0, before = -1, next;
    strbuf_addchars(&out->text, ' ', line->span_count ? (size_t)s->indent : 0);
    do {
        next = INT_MAX;
        for (uint32_t i = 0; i < line->span_count; i++) {
            int start = span_start(s, &line->span[i]);
            if (start > before && start < next)
                next = start;
        }
        for (uint32_t i = 0; i < line->span_count && next < INT_MAX; i++)
            if (span_start(s, &line->span[i]) == next)
                write_span(out, s, &line->span[i], &at);
        before = next;
    } while (next < INT_MAX);
}

void output_sheet(struct output *out, const struct sheet *s, size_t from)
{
    for (size_t l = from; l < s->count; l++) {
        const struct sheet_line *line = &s->line[l];
        if (line->kind == SHEET_RULE && line->span_count == 2)
            write_rule(out, s, line);
        else
            write_spans(out, s, line);
        strbuf_addch(&out->text, '\n');
    }
}

void output_page(struct output *out, struct sheet *s, struct ref ref)
{
    output_ref(out, STYLE_STRONG, ref);
    strbuf_addch(&out->text, '\n');
    output_sheet(out, s, 1);
    sheet_release(s);
}
