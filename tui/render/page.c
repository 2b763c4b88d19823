#include "tui/render/page.h"

#include <limits.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/render/oneline.h"
#include "tui/text/output.h"
#include "tui/text/text.h"

void page_init(struct page *s)
{
    *s = (struct page){.arena = ARENA_INIT, .words = STRBUF_INIT};
}

void page_clear(struct page *s, int width)
{
    arena_clear(&s->arena);
    s->count = 0;
    s->width = s->options.width = width;
    s->section = 0;
    s->half = 0;
}

void page_begin(struct page *s, const struct page_options *options)
{
    s->options = *options;
    page_clear(s, options->width);
}

void page_release(struct page *s)
{
    arena_release(&s->arena);
    strbuf_release(&s->words);
    free(s->line);
    page_init(s);
}

struct strbuf *page_buffer(struct page *s)
{
    strbuf_clear(&s->words);
    return &s->words;
}

/* The arguments may include the buffer of page_buffer. */
static char *format_text(struct page *s, const char *format, va_list args)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_vaddf(&text, format, args);
    return arena_strndup(&s->arena, text.buf, text.len);
}

const char *page_printf(struct page *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_text(s, format, args);
    va_end(args);
    return text;
}

const char *page_name(struct page *s, const char *name)
{
    struct strbuf *clean = page_buffer(s);
    text_add(clean, name, TEXT_EXACT);
    return clean->buf;
}

struct page_line *page_line(struct page *s)
{
    struct page_line *line = ARRAY_ADD(s->line, s->count, s->alloc);
    *line = (struct page_line){.section = s->section};
    return line;
}

struct page_line *page_opens(struct page *s, int64_t node)
{
    struct page_line *line = page_line(s);
    line->opens = node > 0;
    line->node = node;
    return line;
}

/* Reallocates for each span; a line has only a few. */
static void append_span(struct page *s, struct page_line *line, struct span span)
{
    struct span *grown = arena_array(&s->arena, line->span_count + 1, sizeof(*grown));
    if (line->span_count > 0)
        memcpy(grown, line->span, line->span_count * sizeof(*grown));
    grown[line->span_count++] = span;
    line->span = grown;
}

static void add_span(struct page *s, struct span span)
{
    append_span(s, s->count ? &s->line[s->count - 1] : page_line(s), span);
}

void page_put_at(struct page *s, size_t line, const struct span *span)
{
    struct span copy = *span;
    copy.text = arena_strdup(&s->arena, span->text);
    append_span(s, &s->line[line], copy);
}

void page_put(struct page *s, int column, int width, enum style style, const char *text)
{
    if (text)
        add_span(
            s, (struct span){arena_strdup(&s->arena, text), column, width, style, false, NULL, 0});
}

void page_put_right(struct page *s, int column, int width, enum style style, const char *text)
{
    if (text)
        add_span(s,
                 (struct span){arena_strdup(&s->arena, text), column, width, style, true, NULL, 0});
}

void page_format(struct page *s, int column, int width, enum style style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_span(s, (struct span){format_text(s, format, args), column, width, style, false, NULL, 0});
    va_end(args);
}

void page_note(struct page *s, int column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    page_line(s);
    add_span(s, (struct span){format_text(s, format, args), column, 0, STYLE_DIM, false, NULL, 0});
    va_end(args);
}

void page_plot(struct page *s, int column, const struct plot *plot)
{
    if (style_speaks()) {
        struct strbuf *words = page_buffer(s);
        page_line(s);
        plot_add_words(plot, words);
        page_put(s, column, 0, STYLE_NUMBER, words->buf);
        return;
    }
    for (int i = 0; i < plot_height(plot); i++) {
        struct strbuf *text = page_buffer(s);
        page_line(s);
        plot_add_axis(plot, i, text);
        page_put(s, column, 0, STYLE_DIM, text->buf);
        text = page_buffer(s);
        plot_add_row(plot, i, text);
        page_put(s, column + plot_axis_width(plot), 0, i < plot->rows ? STYLE_NUMBER : STYLE_AGE,
                 text->buf);
    }
}

void page_rule(struct page *s, const char *title, const char *right)
{
    s->section++;
    struct page_line *line = page_line(s);
    line->kind = PAGE_RULE;
    page_put(s, 0, 0, STYLE_RULE_TITLE, title);
    page_put(s, 0, 0, STYLE_RULE_TITLE, right);
}

void page_section(struct page *s, const char *title, const char *right)
{
    page_line(s);
    page_rule(s, title, right);
}

size_t page_wrap(struct page *s, int column, int width, enum style style, const char *text,
                 size_t max_lines, bool here)
{
    struct text_line *lines;
    if (!text)
        return 0;
    size_t count = text_wrap(&s->arena, text, strlen(text), (size_t)(width > 1 ? width : 1),
                             max_lines, 0, &lines);
    bool links = count > 1 && (*text == '/' || strstr(text, "://") || strstr(text, "(/"));
    const char *whole = links ? arena_strdup(&s->arena, text) : NULL;
    for (size_t i = 0; i < count; i++) {
        /* A line that was cleaned is not in the text. */
        bool same = whole && !memcmp(whole + lines[i].from, lines[i].text, lines[i].len);
        if (i > 0 || !here)
            page_line(s);
        add_span(s, (struct span){lines[i].text, column, 0, style, false,
                                  whole && !same ? "" : whole, same ? lines[i].from : 0});
    }
    return count > 0 ? lines[count - 1].to : 0;
}

void page_score(struct page *s, int column, double relevance, enum score origin)
{
    struct strbuf *text = page_buffer(s);
    if (relevance != relevance)
        return;
    score_add(text, relevance, origin);
    page_put_right(s, column, SCORE_WIDTH, score_style(relevance, origin), text->buf);
}

/* ---- facts ---- */

int page_prose(const struct page *s, int column)
{
    int room = s->width - column - 1;
    if (s->width != PAGE_UNLIMITED && room > PAGE_PROSE)
        return PAGE_PROSE;
    return room > 1 ? room : 1;
}

/* Text of a command may use the last column. */
void page_field(struct page *s, const char *name, enum style style, const char *text, size_t most)
{
    if (!text || !*text)
        return;
    page_line(s);
    page_put(s, 1, PAGE_FIELD - 2, STYLE_FIELD, name);
    if (most == 1)
        page_put(s, PAGE_FIELD, 0, style, text);
    else
        page_wrap(s, PAGE_FIELD, page_prose(s, PAGE_FIELD) + s->options.command, style, text, most,
                  true);
}

void page_fact(struct page *s, const char *name, const char *text)
{
    int half = s->width >= 92 && !s->options.command ? s->width / 2 : 0;
    if (!half || !text || !*text) {
        page_field(s, name, STYLE_TEXT, text, s->options.command ? SIZE_MAX : 1);
        return;
    }
    int column = s->half && s->half == s->count ? half : 1;
    if (column == 1)
        page_line(s);
    page_put(s, column, PAGE_FIELD - 2, STYLE_FIELD, name);
    page_put(s, column + PAGE_FIELD - 1, half - PAGE_FIELD - 1, STYLE_TEXT, text);
    s->half = column == 1 ? s->count : 0;
}

void page_fact_name(struct page *s, const char *name, const char *text)
{
    AUTO_STRBUF clean = STRBUF_INIT;
    text_add(&clean, text, TEXT_EXACT);
    page_fact(s, name, clean.buf);
}

void page_fact_agent(struct page *s, const char *agent, const char *claimed)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addstr(&text, agent ? agent : "");
    if (claimed)
        strbuf_addf(&text, ", claims to be %s", claimed);
    page_fact_name(s, "agent", text.buf);
}

void page_text(const struct page *s, size_t index, struct strbuf *out)
{
    if (index >= s->count)
        return;
    const struct page_line *line = &s->line[index];
    for (uint32_t i = 0; i < line->span_count; i++)
        strbuf_addf(out, "%s%s", i ? "  " : "", line->span[i].text);
}

void page_for_output(struct page *s, const struct output *out)
{
    int width = out->columns < PAGE_UNLIMITED ? (int)out->columns : PAGE_UNLIMITED;
    page_init(s);
    page_begin(s, &(struct page_options){
                      .ascii = out->ascii, .width = width, .now = out->now, .command = true});
}

static void write_rule(struct output *out, const struct page *s, const struct page_line *line)
{
    const char *dash = glyph_of(GLYPH_DASH, s->options.ascii), *right = line->span[1].text;
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
static int span_start(const struct page *s, const struct span *span)
{
    return span->column < 0 ? s->width + span->column : span->column;
}

static void write_span(struct output *out, const struct page *s, const struct span *span, int *at)
{
    bool unlimited = s->width == PAGE_UNLIMITED;
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
    width = width < room ? width : room; /* of a text that is cut it is more */
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
static void write_spans(struct output *out, const struct page *s, const struct page_line *line)
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

void output_page(struct output *out, struct page *s, size_t from)
{
    for (size_t l = from; l < s->count; l++) {
        const struct page_line *line = &s->line[l];
        if (line->kind == PAGE_RULE && line->span_count == 2)
            write_rule(out, s, line);
        else
            write_spans(out, s, line);
        strbuf_addch(&out->text, '\n');
    }
    page_release(s);
}

void output_memory_page(struct output *out, struct page *s, struct ref ref)
{
    output_ref(out, STYLE_STRONG, ref);
    strbuf_addch(&out->text, '\n');
    output_page(out, s, 1);
}
