/* Reads a text: cuts it into blocks as CommonMark does, and reads each. */
#include "store/import/markdown/markdown.h"

#include <stdint.h>
#include <string.h>
#include "model/base/strbuf.h"
#include "store/import/markdown/markdown_internal.h"

#define LISTS_MAX 32 /* lists within each other; deeper ones count as one */
#define CODE      4  /* columns that make a line code */

struct reading {
    struct block block;
    struct strbuf text; /* of the block */
    bool open;          /* the block is a paragraph that the next line may continue */
    size_t line;        /* the current one, from 1 */
    /* The columns at which the texts of the open items begin. Those from `outer` on are within the quotation, and are
     * counted from its text. */
    size_t offset[LISTS_MAX];
    size_t lists, outer;
    bool
        in_item; /* an item began and none has ended since: only there basic-memory looks for relations */
    bool quoted;
    char fence; /* of a block of code: ` or ~, or 0 */
    size_t fence_len;
    bool comment;
};

bool byte_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct bytes bytes_trim(struct bytes b)
{
    while (b.len && byte_is_blank(*b.at))
        b.at++, b.len--;
    while (b.len && byte_is_blank(b.at[b.len - 1]))
        b.len--;
    return b;
}

struct bytes bytes_part(struct bytes b, size_t from, size_t to)
{
    return (struct bytes){b.at + from, to - from};
}

bool bytes_start(struct bytes b, const char *with)
{
    size_t len = strlen(with);
    return b.len >= len && memcmp(b.at, with, len) == 0;
}

size_t bytes_find(struct bytes b, size_t at, const char *text)
{
    while (at < b.len && !bytes_start(bytes_part(b, at, b.len), text))
        at++;
    return at < b.len ? at : b.len;
}

static bool is_empty(struct bytes b)
{
    return bytes_trim(b).len == 0;
}

static struct bytes skip(struct bytes b, size_t len)
{
    return bytes_part(b, len, b.len);
}

/* ---- what a line begins with ---- */

/* Skips white space before the text; returns its columns. */
static size_t skip_indent(struct bytes *b, size_t column)
{
    size_t begin = column;
    while (b->len && (*b->at == ' ' || *b->at == '\t')) {
        column += *b->at == '\t' ? CODE - column % CODE : 1;
        *b = skip(*b, 1);
    }
    return column - begin;
}

static size_t run_of(struct bytes b, char c)
{
    size_t len = 0;
    while (len < b.len && b.at[len] == c)
        len++;
    return len;
}

static bool is_one_of(struct bytes b, const char *set)
{
    return b.len && *b.at && strchr(set, *b.at);
}

/* A rule: three or more of one character. Below a paragraph also what makes that a heading. */
static bool is_rule(struct bytes b, bool open)
{
    size_t marks = 0;
    if (!is_one_of(b, open ? "-*_=" : "-*_"))
        return false;
    for (size_t i = 0; i < b.len; i++) {
        if (b.at[i] != *b.at && !byte_is_blank(b.at[i]))
            return false;
        marks += b.at[i] == *b.at;
    }
    bool underlines = open && is_one_of(b, "-=") && is_empty(skip(b, run_of(b, *b.at)));
    return underlines || (marks >= 3 && *b.at != '=');
}

/* The "#" of a heading; 0 if it is none. */
static size_t heading_of(struct bytes b)
{
    size_t level = run_of(b, '#');
    return level <= 6 && (level == b.len || byte_is_blank(b.at[level])) ? level : 0;
}

static bool is_fence(struct bytes b)
{
    size_t run = is_one_of(b, "`~") ? run_of(b, *b.at) : 0;
    return run >= 3 && !(*b.at == '`' && memchr(b.at + run, '`', b.len - run));
}

/* Where the text of the innermost item begins that a line at this column may belong to; 0 outside of lists. */
static size_t base_of(const struct reading *r, size_t column, bool quoted)
{
    size_t top = quoted == r->quoted ? r->lists : r->outer, bottom = quoted ? r->outer : 0;
    while (top > bottom && r->offset[top - 1] > column)
        top--;
    return top > bottom ? r->offset[top - 1] : 0;
}

/* The length of "-" or "12." that begins an item here; 0 if it begins none. */
static size_t marker_of(const struct reading *r, struct bytes b, size_t column, bool quoted)
{
    size_t digits = 0;
    while (digits < b.len && digits < 9 && b.at[digits] >= '0' && b.at[digits] <= '9')
        digits++;
    bool ordered = digits && is_one_of(skip(b, digits), ".)");
    size_t len = ordered ? digits + 1 : is_one_of(b, "-+*");
    if (len == 0 || (len < b.len && !byte_is_blank(b.at[len])))
        return 0;
    /* Within a paragraph only an item with a text begins a list, and only with the number 1. */
    bool within = r->open && quoted == r->quoted && column >= base_of(r, SIZE_MAX, quoted);
    bool may_begin = !is_empty(skip(b, len)) && (!ordered || (digits == 1 && *b.at == '1'));
    return within && !may_begin ? 0 : len;
}

/* ---- blocks ---- */

static void end_block(struct reading *r)
{
    if (r->open)
        block_read(&r->block, (struct bytes){r->text.buf, r->text.len});
    strbuf_clear(&r->text);
    r->open = false;
}

static void add_text(struct reading *r, struct bytes b)
{
    if (!r->open) {
        r->block.line = r->line;
        r->block.in_item = r->in_item;
        r->block.quoted = r->quoted;
    }
    size_t begin = r->text.len;
    strbuf_add(&r->text, b.at, b.len);
    for (char *nul; (nul = memchr(r->text.buf + begin, '\0', r->text.len - begin));)
        *nul = ' ';
    strbuf_addch(&r->text, '\n');
    r->open = true;
}

static void close_lists(struct reading *r, size_t column)
{
    while (r->lists > r->outer && column < r->offset[r->lists - 1]) {
        r->lists--;
        r->in_item = false;
    }
}

/* Begins an item whose marker stands before `b`, at that column. */
static void begin_item(struct reading *r, struct bytes b, size_t column)
{
    size_t gap = skip_indent(&b, column);
    bool far = gap > CODE || is_empty(b);
    if (r->lists < LISTS_MAX)
        r->offset[r->lists++] = column + (far ? 1 : gap);
    r->in_item = true;
}

static void add_heading(struct reading *r, struct bytes b)
{
    struct bytes text = bytes_trim(skip(b, heading_of(b))), cut = text;
    while (cut.len && cut.at[cut.len - 1] == '#')
        cut.len--;
    add_text(r, cut.len == 0 || byte_is_blank(cut.at[cut.len - 1]) ? cut : text);
    end_block(r);
}

/* The rest of a line, which begins a block. */
static void begin_block(struct reading *r, struct bytes b)
{
    if (is_rule(b, false))
        return;
    if (heading_of(b)) {
        add_heading(r, b);
    } else if (is_fence(b)) {
        r->fence = *b.at;
        r->fence_len = run_of(b, *b.at);
    } else if (bytes_start(b, "<!--")) {
        r->comment = bytes_find(b, 2, "-->") == b.len;
    } else {
        add_text(r, b);
    }
}

static void end_quotation(struct reading *r)
{
    if (!r->quoted)
        return;
    end_block(r);
    close_lists(r, 0);
    r->quoted = false;
    r->outer = 0;
}

/* A line of a quotation: its mark stands at that column. */
static void begin_quotation(struct reading *r, size_t column)
{
    if (r->quoted && r->outer && column < r->offset[r->outer - 1])
        end_quotation(r);
    if (r->quoted)
        return;
    end_block(r);
    close_lists(r, column);
    r->quoted = true;
    r->outer = r->lists;
}

/* A line outside of code and comments: first the marks of quotations and items, then its text. */
static void take_text(struct reading *r, struct bytes b)
{
    size_t column = 0;
    bool quoted = false;
    for (;;) {
        column += skip_indent(&b, column);
        if (!r->open)
            close_lists(r, column);
        bool code = column >= base_of(r, column, quoted) + CODE;
        if ((!code || (r->quoted && !quoted)) && is_one_of(b, ">")) {
            if (!quoted)
                begin_quotation(r, column);
            b = skip(b, 1 + is_one_of(skip(b, 1), " "));
            quoted = true;
            column = 0;
            continue;
        }
        size_t marker = code || is_rule(b, r->open) ? 0 : marker_of(r, b, column, quoted);
        bool begins = !code && (marker || is_rule(b, r->open) || heading_of(b) || is_fence(b) ||
                                bytes_start(b, "<!--"));
        if (r->open && !begins && !is_empty(b)) {
            add_text(r, b);
            return;
        }
        bool underlines = r->open && is_rule(b, true) && !is_rule(b, false);
        end_block(r);
        if (!quoted)
            end_quotation(r);
        close_lists(r, column);
        if (!marker) {
            if (!code && !underlines && !is_empty(b))
                begin_block(r, b);
            return;
        }
        b = skip(b, marker);
        column += marker;
        begin_item(r, b, column);
        if (is_empty(b))
            return;
    }
}

/* Takes a line within code or a comment. Returns false if it is of neither: its item or quotation ended. */
static bool take_raw(struct reading *r, struct bytes b)
{
    size_t column = skip_indent(&b, 0);
    if (r->quoted ? !is_one_of(b, ">") : b.len && column < base_of(r, SIZE_MAX, false)) {
        r->fence = '\0';
        r->comment = false;
        return false;
    }
    b = bytes_trim(r->quoted ? skip(b, 1) : b);
    size_t run = run_of(b, r->fence);
    if (r->comment)
        r->comment = bytes_find(b, 0, "-->") == b.len;
    else if (run >= r->fence_len && run == b.len)
        r->fence = '\0';
    return true;
}

static void take_line(struct reading *r, struct bytes b)
{
    b.len -= b.len && b.at[b.len - 1] == '\r';
    if ((r->fence || r->comment) && take_raw(r, b))
        return;
    if (is_empty(b)) {
        end_quotation(r);
        end_block(r);
    } else {
        take_text(r, b);
    }
}

void markdown_read(struct markdown *m, struct arena *arena, const char *text, size_t len)
{
    struct reading r = {.block = {.m = m, .arena = arena}, .text = STRBUF_INIT, .line = 1};
    struct bytes b = {text, len};
    size_t begin, end, own;
    if (bytes_start(b, "\xef\xbb\xbf"))
        b = skip(b, 3);
    *m = (struct markdown){.body = NULL};
    size_t head = frontmatter_find(b.at, b.len, &begin, &end);
    if (head && frontmatter_read(m, arena, b.at + begin, end - begin))
        b = skip(b, head);
    const char *body = bytes_trim(b).at;
    for (const char *at = text; at < body; at++)
        r.line += *at == '\n';
    b = bytes_trim(b);
    m->body = b.at;
    m->body_len = b.len;
    for (; b.len; r.line++) {
        own = bytes_find(b, 0, "\n");
        take_line(&r, bytes_part(b, 0, own));
        b = skip(b, own + (own < b.len));
    }
    end_block(&r);
    strbuf_release(&r.text);
}
