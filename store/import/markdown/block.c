/*
 * What one block of a text says: links, relations and observations, by the rules of basic-memory
 * (src/basic_memory/markdown/plugins.py).
 */
#include "store/import/markdown/markdown_internal.h"

#include <regex.h>
#include <string.h>
#include <strings.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

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

void block_read(struct block *k, struct bytes b)
{
    b = bytes_trim(b);
    if (!k->quoted)
        add_observation(k, b);
    if (!k->in_item || !add_relation(k, b))
        add_inline(k, b);
    add_paths(k, b);
}
