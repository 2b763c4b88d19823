/* Reads a text: cuts it into blocks as CommonMark does, and reads each. */
#include "store/import/markdown/markdown.h"

#include <regex.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

/* What one block says is by the rules of basic-memory (src/basic_memory/markdown/plugins.py). */

/* A paragraph, a heading, or the first paragraph of an item of a list. */
struct block {
    struct markdown *m;
    struct arena *arena;
    size_t link_alloc, observation_alloc;
    size_t line; /* in which it begins */
    bool in_item, quoted;
};

/* ---- links ---- */

static bool is_full(struct block *k, size_t count)
{
    if (count < MARKDOWN_ITEMS_MAX)
        return false;
    k->m->fault = "it has more than 10000 links or observations; the others are left out";
    return true;
}

static void add_link(struct block *k, const struct markdown_link *link)
{
    if (*link->target && !is_full(k, k->m->link_count))
        *ARENA_ADD(k->arena, k->m->links, k->m->link_count, k->link_alloc) = *link;
}

static const char *copy(struct block *k, struct bytes b)
{
    return arena_strndup(k->arena, b.at, b.len);
}

static const char *copy_if(struct block *k, struct bytes b)
{
    b = bytes_trim(b);
    return b.len ? copy(k, b) : NULL;
}

/* The target, "project::note" as "project/note", and the title after "|". */
static void set_target(struct block *k, struct markdown_link *link, struct bytes b)
{
    const char *bar = memchr(b.at, '|', b.len);
    struct bytes target = bytes_trim(bytes_part(b, 0, bar ? (size_t)(bar - b.at) : b.len));
    size_t colons = bytes_find(target, 0, "::"), rest = colons + 2;
    link->title = bar ? copy_if(k, bytes_part(b, (size_t)(bar - b.at) + 1, b.len)) : NULL;
    link->target = copy(k, target);
    if (colons == target.len)
        return;
    while (rest < target.len && target.at[rest] == '/')
        rest++;
    link->target = arena_format(k->arena, "%s/%s", copy(k, bytes_part(target, 0, colons)),
                                copy(k, bytes_part(target, rest, target.len)));
}

/* Every [[link]] of the block; of links within each other the outermost. */
static void add_inline(struct block *k, struct bytes b)
{
    size_t depth = 0, begin = 0;
    for (size_t at = 0; at + 1 < b.len;) {
        bool opens = b.at[at] == '[' && b.at[at + 1] == '[';
        bool closes = depth && b.at[at] == ']' && b.at[at + 1] == ']';
        if (opens && depth++ == 0)
            begin = at + 2;
        if (closes && --depth == 0) {
            struct markdown_link link = {.type = "links_to", .line = k->line};
            set_target(k, &link, bytes_part(b, begin, at));
            add_link(k, &link);
        }
        at += opens || closes ? 2 : 1;
    }
}

/* Is it one balanced (…) and nothing more? */
static bool is_in_parentheses(struct bytes b)
{
    size_t depth = 0;
    if (!bytes_start(b, "("))
        return false;
    for (size_t i = 0; i < b.len; i++) {
        depth += b.at[i] == '(';
        if (b.at[i] == ')' && --depth == 0)
            return i == b.len - 1;
    }
    return false;
}

/* One word, or a phrase in quotes. */
static struct bytes relation_type(struct bytes before)
{
    struct bytes none = {before.at, 0};
    before = bytes_trim(before);
    if (before.len == 0)
        return none;
    char quote = *before.at;
    if ((quote == '"' || quote == '\'') && before.at[before.len - 1] == quote)
        return before.len < 2 ? none : bytes_trim(bytes_part(before, 1, before.len - 1));
    for (size_t i = 0; i < before.len; i++)
        if (byte_is_blank(before.at[i]))
            return none;
    return before;
}

/* type [[target]] (context) */
static bool add_relation(struct block *k, struct bytes b)
{
    size_t begin = bytes_find(b, 0, "[["), end = bytes_find(b, begin + 2, "]]");
    struct bytes type = begin < b.len ? relation_type(bytes_part(b, 0, begin)) : (struct bytes){0};
    struct markdown_link link = {.line = k->line};
    if (type.len == 0 || end >= b.len)
        return false;
    struct bytes after = bytes_trim(bytes_part(b, end + 2, b.len));
    if (after.len && !is_in_parentheses(after))
        return false;
    set_target(k, &link, bytes_part(b, begin + 2, end));
    if (!*link.target)
        return false;
    link.type = copy(k, type);
    link.context = after.len ? copy_if(k, bytes_part(after, 1, after.len - 1)) : NULL;
    add_link(k, &link);
    return true;
}

/* The path to a file of markdown that is no address, decoded; NULL for any other. */
static const char *path_of(struct block *k, struct bytes b)
{
    b = bytes_trim(b);
    if (b.len > 1 && *b.at == '<' && b.at[b.len - 1] == '>')
        b = bytes_part(b, 1, b.len - 1);
    const char *hash = memchr(b.at, '#', b.len);
    b.len = hash ? (size_t)(hash - b.at) : b.len;
    char *out = arena_strndup(k->arena, b.at, b.len);
    bool is_file = b.len >= 4 && !strstr(out, "://") && strcasecmp(out + b.len - 3, ".md") == 0;
    return is_file && percent_decode(out) ? out : NULL;
}

/* What follows "- [title](file.md)", as an index has it: "— a hook". */
static const char *hook_of(struct block *k, struct bytes b)
{
    for (b = bytes_trim(b); b.len;) {
        size_t skip = strchr("-: ", *b.at) && *b.at                                      ? 1
                      : bytes_start(b, "\xe2\x80\x94") || bytes_start(b, "\xe2\x80\x93") ? 3
                                                                                         : 0;
        if (!skip)
            break;
        b = bytes_part(b, skip, b.len);
    }
    return copy_if(k, b);
}

/* Every [title](path/to/file.md) of the block. */
static void add_paths(struct block *k, struct bytes b)
{
    size_t open = b.len;
    for (size_t at = 0; at + 1 < b.len; at++) {
        open = b.at[at] == '[' ? at : open;
        if (open == b.len || b.at[at] != ']' || b.at[at + 1] != '(')
            continue;
        const char *close = memchr(b.at + at, ')', b.len - at);
        if (!close)
            return;
        size_t end = (size_t)(close - b.at);
        const char *path = path_of(k, bytes_part(b, at + 2, end));
        bool picture = open > 0 && b.at[open - 1] == '!';
        if (path && !picture) {
            struct markdown_link link = {.type = "links_to", .is_path = true, .target = path};
            link.title = copy_if(k, bytes_part(b, open + 1, at));
            link.context =
                open == 0 && k->in_item ? hook_of(k, bytes_part(b, end + 1, b.len)) : NULL;
            link.line = k->line;
            add_link(k, &link);
        }
        at = end;
        open = b.len;
    }
}

/* ---- observations ---- */

#define CLOCK "[0-9]{1,3}:[0-9]{2}(:[0-9]{2})?([.,][0-9]{1,3})?"

/* "12:30", "1:02:03.500 - 1:02:05": what a transcript has before each line. */
static bool is_timestamp(struct bytes category)
{
    static const char clock[] = "^" CLOCK "([ \t\n]+-[ \t\n]+" CLOCK ")?$";
    AUTO_STRBUF text = STRBUF_INIT;
    regex_t pattern;
    if (*category.at < '0' || *category.at > '9' ||
        regcomp(&pattern, clock, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    strbuf_add(&text, category.at, category.len);
    bool matches = regexec(&pattern, text.buf, 0, NULL, 0) == 0;
    regfree(&pattern);
    return matches;
}

/* [x], [/], [>]: the mark of a task, which is one character. */
static bool is_task(struct bytes category)
{
    uint32_t c;
    int len = category.len ? utf8_decode(category.at, category.len, &c) : 0;
    return len > 0 && (size_t)len == category.len &&
           (c == 'x' || c == 'X' || fold_class(c) != FOLD_WORD);
}

/* What stands behind `at`, to the end of that line. */
static struct bytes line_after(struct bytes b, size_t at)
{
    b = bytes_trim(bytes_part(b, at, b.len));
    return bytes_trim(bytes_part(b, 0, bytes_find(b, 0, "\n")));
}

/* [category] text. The text ends with its line. */
static bool split_category(struct bytes b, struct bytes *category, struct bytes *text)
{
    size_t end = 1;
    if (!bytes_start(b, "["))
        return false;
    while (end < b.len && !(strchr("[]()", b.at[end]) && b.at[end]))
        end++;
    if (end == 1 || end + 1 >= b.len || b.at[end] != ']' || !byte_is_blank(b.at[end + 1]))
        return false;
    *category = bytes_trim(bytes_part(b, 1, end));
    *text = line_after(b, end + 1);
    return text->len && !is_timestamp(*category) && !is_task(*category);
}

/* The next word from *at on; of length 0 at the end. */
static struct bytes next_word(struct bytes b, size_t *at)
{
    while (*at < b.len && byte_is_blank(b.at[*at]))
        ++*at;
    size_t begin = *at;
    while (*at < b.len && !byte_is_blank(b.at[*at]))
        ++*at;
    return bytes_part(b, begin, *at);
}

static bool has_tag(struct bytes b)
{
    size_t at = 0;
    for (struct bytes word; (word = next_word(b, &at)).len;)
        if (*word.at == '#')
            return true;
    return false;
}

static void add_tags(struct block *k, struct markdown_observation *o, struct bytes b)
{
    size_t alloc = 0, at = 0;
    for (struct bytes word; (word = next_word(b, &at)).len;)
        for (size_t i = 0, end; *word.at == '#' && i < word.len; i = end) {
            i += word.at[i] == '#';
            for (end = i; end < word.len && word.at[end] != '#';)
                end++;
            if (end > i)
                *ARENA_ADD(k->arena, o->tags, o->tag_count, alloc) =
                    copy(k, bytes_part(word, i, end));
        }
}

/* What the rules leave out although it has the form: tasks, links. */
static bool is_no_observation(struct bytes b)
{
    bool one_line = !memchr(b.at, '\n', b.len);
    size_t link = bytes_find(b, 1, "](");
    return bytes_start(b, "[ ]") || bytes_start(b, "[x]") || bytes_start(b, "[-]") ||
           (one_line && bytes_start(b, "[") && link + 2 < b.len && b.at[b.len - 1] == ')') ||
           (one_line && bytes_start(b, "[[") && b.len >= 4 &&
            memcmp(b.at + b.len - 2, "]]", 2) == 0);
}

static void add_observation(struct block *k, struct bytes b)
{
    struct markdown_observation o = {.line = k->line};
    struct bytes category = {0}, text = b;
    if (b.len == 0 || is_no_observation(b))
        return;
    bool named = split_category(b, &category, &text);
    if (!named && !has_tag(b))
        return;
    if (!named)
        text = bytes_start(b, "[]") && b.len > 2 && byte_is_blank(b.at[2]) ? line_after(b, 2) : b;
    size_t open = text.len;
    while (open > 0 && text.at[open - 1] != '(')
        open--;
    if (text.len && text.at[text.len - 1] == ')' && open > 0) {
        o.context = copy_if(k, bytes_part(text, open, text.len - 1));
        text = bytes_trim(bytes_part(text, 0, open - 1));
    }
    if (text.len == 0 || is_full(k, k->m->observation_count))
        return;
    o.category = named ? copy_if(k, category) : NULL;
    o.text = copy(k, text);
    add_tags(k, &o, text);
    *ARENA_ADD(k->arena, k->m->observations, k->m->observation_count, k->observation_alloc) = o;
}

/* Adds its links, relations and observations to k->m. */
static void block_read(struct block *k, struct bytes b)
{
    b = bytes_trim(b);
    if (!k->quoted)
        add_observation(k, b);
    if (!k->in_item || !add_relation(k, b))
        add_inline(k, b);
    add_paths(k, b);
}

/* ---- the text ---- */

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
