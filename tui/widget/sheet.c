#include "tui/widget/sheet.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/text/text.h"

void sheet_init(struct sheet *s)
{
    *s = (struct sheet){.arena = ARENA_INIT};
}

void sheet_clear(struct sheet *s, int width)
{
    arena_clear(&s->arena);
    s->count = 0;
    s->width = width;
    s->section = 0;
    s->failed = false;
}

void sheet_release(struct sheet *s)
{
    arena_release(&s->arena);
    free(s->line);
    sheet_init(s);
}

struct sheet_line *sheet_line(struct sheet *s)
{
    if (!array_grow((void **)&s->line, &s->alloc, s->count, sizeof(*s->line))) {
        s->failed = true;
        return NULL;
    }
    struct sheet_line *line = &s->line[s->count++];
    *line = (struct sheet_line){.section = s->section};
    return line;
}

/* Spans of a line grow by being copied: there are a handful. */
static void append_span(struct sheet *s, struct sheet_line *line, struct span span)
{
    struct span *grown = line ? arena_array(&s->arena, line->span_count + 1, sizeof(*grown)) : NULL;
    if (!grown || !span.text) {
        s->failed = true;
        return;
    }
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
    struct strbuf sb = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&sb, format, args);
    va_end(args);
    sheet_put(s, column, width, style, sb.buf);
    strbuf_release(&sb);
}

void sheet_rule(struct sheet *s, const char *title, const char *right)
{
    s->section++;
    struct sheet_line *line = sheet_line(s);
    if (!line)
        return;
    line->kind = SHEET_RULE;
    sheet_put(s, 0, 0, STYLE_RULE_TITLE, title);
    sheet_put(s, 0, 0, STYLE_RULE_TITLE, right);
}

size_t sheet_wrap(struct sheet *s, int column, int width, enum style style, const char *text,
                  size_t max_lines, bool here)
{
    struct text_line *lines;
    if (!text)
        return 0;
    long count = text_wrap(&s->arena, text, strlen(text), (size_t)(width > 1 ? width : 1),
                           max_lines, 0, &lines);
    s->failed = s->failed || count < 0;
    for (long i = 0; i < count; i++) {
        if (i > 0 || !here)
            sheet_line(s);
        add_span(s, (struct span){lines[i].text, column, 0, style, false});
    }
    return count > 0 ? lines[count - 1].to : 0;
}

static void draw_span(const struct sheet *s, const struct pane *row, const struct span *span,
                      const char *pattern)
{
    int column = span->column >= 0 ? span->column : s->width + span->column;
    int width = span->width > 0 ? span->width : row->width - column - 1;
    if (column < 0 || width <= 0)
        return;
    if (span->right)
        paint_right(row, 0, column, width, span->style, span->text);
    else
        paint_matched(row, 0, column, width, span->style, span->text, strlen(span->text), pattern);
}

void sheet_draw_line(const struct sheet *s, const struct pane *row, size_t index,
                     const char *pattern)
{
    if (index >= s->count)
        return;
    const struct sheet_line *line = &s->line[index];
    if (line->kind == SHEET_RULE && line->span_count == 2) {
        paint_rule(row, 0, line->span[0].text, line->span[1].text);
        return;
    }
    for (uint32_t i = 0; i < line->span_count; i++)
        draw_span(s, row, &line->span[i], pattern);
}

void sheet_text(const struct sheet *s, size_t index, struct strbuf *out)
{
    if (index >= s->count)
        return;
    const struct sheet_line *line = &s->line[index];
    for (uint32_t i = 0; i < line->span_count; i++)
        strbuf_addf(out, "%s%s", i ? "  " : "", line->span[i].text);
}
