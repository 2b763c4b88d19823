/*
 * The search text of a memory as its caller sees it, and matching words in it. Words and snippets
 * need no SQL.
 */
#include "store/query/search_words.h"

#include <string.h>
#include <utf8proc.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"

void search_parts_of(struct memory *out, struct arena *a, sqlite3_stmt *stmt, int column)
{
    *out = (struct memory){.text = column_utf8(a, stmt, column),
                           .context = column_utf8(a, stmt, column + 2),
                           .source = column_utf8(a, stmt, column + 3),
                           .source_entity = column_utf8(a, stmt, column + 4),
                           .detail = column_utf8(a, stmt, column + 5)};
    out->tags = column_strings(a, stmt, column + 1, &out->tag_count);
}

void search_text_of(struct strbuf *out, struct arena *a, sqlite3_stmt *stmt, int column)
{
    struct memory m;
    search_parts_of(&m, a, stmt, column);
    memory_search_text(&m, out);
}

/* ---- as the caller sees it ---- */

struct masking {
    struct reader *r;
    struct arena *arena;
    const char *key, *shown; /* key of an entry, and how it is shown; NULL if it is not masked */
    bool to_match, same;
};

/* Replaces a text by its masked form. */
static void replace_text(struct masking *s, const char **text, const char *seen)
{
    if (seen == *text)
        return;
    char *bare = seen && s->to_match ? arena_strdup(s->arena, seen) : NULL;
    if (bare)
        guard_blank_placeholders(bare);
    s->same = false;
    *text = s->to_match ? bare : seen;
}

static void mask_text(struct masking *s, const char **text)
{
    const char *seen = *text;
    if (!seen || !*seen)
        return;
    bool is_key = s->shown && strcmp(seen, s->key) == 0;
    replace_text(s, text, is_key ? s->shown : guard_text(s->r, s->arena, seen, strlen(seen)));
}

static int mask_detail(struct masking *s, int64_t node, const char **detail, struct error *e)
{
    AUTO_STRBUF shown = STRBUF_INIT;
    const char *seen = *detail;
    if (!seen || strlen(seen) <= 2) /* {} */
        return 0;
    if (entry_hide_detail(s->r, s->arena, node, &seen, e))
        return -1;
    if (s->shown && seen) {
        guard_add_opaque_key(&shown, seen, strlen(seen), s->key, s->shown);
        seen = arena_strndup(s->arena, shown.buf, shown.len);
    }
    if (seen && guard_rules_of(s->r))
        seen = guard_json(s->r, s->arena, seen, strlen(seen));
    replace_text(s, detail, seen);
    return 0;
}

/* The kind shown in place of an entry's name is not searchable: blank it. */
static void blank_kind(struct masking *s, const char **text)
{
    char *blank = arena_strdup(s->arena, *text);
    memset(blank, ' ', strlen(blank));
    *text = blank;
}

static int mask_parts(struct memory *m, struct masking *s, int64_t node, struct error *e)
{
    struct reader *r = s->r;
    struct arena *a = s->arena;
    if ((guard_hides(r) || reader_masked(r)) && guard_key(r, a, node, &s->key, &s->shown, e))
        return -1;
    const struct memory whole = *m;
    if (guard_names_of_row(r, a, node, m, e))
        return -1;
    s->same = m->text == whole.text && m->detail == whole.detail && m->source == whole.source &&
              m->source_entity == whole.source_entity;
    if (s->to_match && m->text != whole.text)
        blank_kind(s, &m->text);
    if (mask_detail(s, node, &m->detail, e))
        return -1;
    if (guard_rules_of(r)) {
        const char **const texts[] = {&m->text, &m->context, &m->source, &m->source_entity};
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
            mask_text(s, texts[i]);
        for (size_t i = 0; i < m->tag_count; i++)
            mask_text(s, &m->tags[i]);
    }
    return 0;
}

int search_parts_visible(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                         struct error *e)
{
    struct masking s = {.r = r, .arena = a, .same = true};
    return mask_parts(m, &s, node, e);
}

int search_parts_matchable(struct memory *m, struct reader *r, struct arena *a, int64_t node,
                           bool *same, struct error *e)
{
    struct masking s = {.r = r, .arena = a, .to_match = true, .same = true};
    size_t *masked = &reader_guard_known(r)->masked, before = *masked;
    int result = mask_parts(m, &s, node, e);
    *masked = before;
    *same = s.same;
    return result;
}

static bool is_space(uint32_t c)
{
    if (c < 0x80)
        return c <= ' ' || c == 0x7f;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
        return true;
    default:
        return false;
    }
}

/* Decodes the code point at `at`; returns its length. */
static int decode(const char *text, size_t len, size_t at, uint32_t *c)
{
    int n = utf8_decode(text + at, len - at, c);
    if (n)
        return n;
    *c = 0xfffd;
    return 1;
}

static void add_word(struct words *w, size_t begin, size_t end, size_t count)
{
    if (count)
        *ARRAY_ADD(w->word, w->count, w->alloc) =
            (struct word){w->folded.buf + begin, end - begin, count};
}

static void split(struct words *w)
{
    size_t at = 0, begin = 0, count = 0;
    while (at < w->folded.len) {
        uint32_t c;
        int n = decode(w->folded.buf, w->folded.len, at, &c);
        if (!is_space(c)) {
            begin = count++ ? begin : at;
        } else {
            add_word(w, begin, at, count);
            count = 0;
        }
        at += (size_t)n;
    }
    add_word(w, begin, at, count);
}

void words_parse(struct words *w, const char *query)
{
    AUTO_STRBUF valid = STRBUF_INIT;
    *w = (struct words){.folded = STRBUF_INIT};
    utf8_repair(&valid, query, strlen(query));
    fold_text(&w->folded, valid.buf, valid.len);
    split(w);
}

void words_release(struct words *w)
{
    strbuf_release(&w->folded);
    free(w->word);
    w->word = NULL;
    w->count = w->alloc = 0;
}

/* ---- whole words ---- */

/* The class of the character before `at`, ignoring extending marks. */
static enum fold_class class_before(const char *text, size_t at)
{
    while (at > 0) {
        size_t begin = at - 1;
        while (begin > 0 && ((unsigned char)text[begin] & 0xc0) == 0x80)
            begin--;
        uint32_t c;
        decode(text, at, begin, &c);
        enum fold_class class = fold_class(c);
        if (class != FOLD_EXTENDS)
            return class;
        at = begin;
    }
    return FOLD_OTHER;
}

/*
 * True if a word may begin or end here: not between two characters of one class, nor before an
 * extending mark.
 */
static bool is_boundary(const char *text, size_t len, size_t at)
{
    uint32_t c;
    if (at == 0 || at == len)
        return true;
    decode(text, len, at, &c);
    enum fold_class after = fold_class(c);
    return after == FOLD_OTHER || (after != FOLD_EXTENDS && after != class_before(text, at));
}

static size_t next_boundary(const char *text, size_t len, size_t at)
{
    do {
        uint32_t c;
        at += (size_t)decode(text, len, at, &c);
    } while (at < len && !is_boundary(text, len, at));
    return at;
}

static enum match match_word(const struct word *w, const char *text, size_t len)
{
    enum match found = MATCH_NONE;
    for (size_t at = 0; at < len;) {
        const char *hit = memmem(text + at, len - at, w->text, w->len);
        if (!hit)
            return found;
        found = MATCH_PART;
        at = (size_t)(hit - text);
        if (is_boundary(text, len, at) && is_boundary(text, len, at + w->len))
            return MATCH_EXACT;
        at = next_boundary(text, len, at);
    }
    return found;
}

enum match words_match(const struct words *w, const char *folded, size_t len)
{
    enum match all = MATCH_EXACT;
    for (size_t i = 0; i < w->count; i++) {
        enum match one = match_word(&w->word[i], folded, len);
        if (one == MATCH_NONE)
            return MATCH_NONE;
        if (one < all)
            all = one;
    }
    return all;
}

bool search_has_words(const char *words)
{
    for (size_t at = 0, len = strlen(words); at < len;) {
        uint32_t c;
        at += (size_t)decode(words, len, at, &c);
        if (!is_space(c))
            return true;
    }
    return false;
}

/* ---- a snippet ---- */

/*
 * The word to show of those found in the folded text, and the number of code points before it; NULL if there is none.
 * It is the first if an excerpt from there on has all of them, else the one that comes last: where words lie apart, a
 * common one is met early and a rare one late.
 */
static const struct word *find_word(const struct words *w, const struct strbuf *folded,
                                    size_t width, size_t *before)
{
    const char *first = NULL, *last = NULL;
    const struct word *begins = NULL, *ends = NULL;
    *before = 0;
    for (size_t i = 0; i < w->count; i++) {
        const struct word *word = &w->word[i];
        const char *hit = memmem(folded->buf, folded->len, word->text, word->len);
        if (hit && (!first || hit < first)) {
            first = hit;
            begins = word;
        }
        if (hit && (!last || hit > last)) {
            last = hit;
            ends = word;
        }
    }
    if (!first)
        return NULL;
    size_t span = utf8_count_in(first, (size_t)(last - first)) + ends->count;
    bool all = span + width / 3 + 2 <= width;
    *before = utf8_count_in(folded->buf, (size_t)((all ? first : last) - folded->buf));
    return all ? begins : ends;
}

/*
 * The number of code points to skip before the excerpt: it has about a third of its width before
 * the word, starts at 0 near the beginning, and keeps its full width near the end.
 */
static size_t excerpt_skip(const char *text, const struct word *word, size_t before, size_t width)
{
    size_t lead = width / 3;
    if (!word || before + word->count < width || width <= 3)
        return 0;
    if (lead + word->count + 2 > width)
        lead = width > word->count + 2 ? width - word->count - 2 : 0;
    size_t skip = before - lead;
    text += utf8_prefix(text, skip);
    size_t rest = utf8_count_in(text, utf8_prefix(text, width));
    return rest < width - 1 && skip + rest > width - 1 ? skip + rest - (width - 1) : skip;
}

/* Appends the bytes of an excerpt on one line. */
static void add_line(struct strbuf *out, const char *text, size_t len)
{
    for (const char *at = text; at < text + len; at++)
        strbuf_addch(out, (unsigned char)*at < ' ' ? ' ' : *at);
}

/*
 * Appends at most `width` code points from `skip` on. Line ends and tabs become spaces. Ellipses
 * for omitted text count. *match is where the word lies, which begins after `before` code points.
 */
static void add_excerpt(struct strbuf *out, const char *text, size_t skip, size_t width,
                        const struct word *word, size_t before, struct snippet_match *match)
{
    size_t at = utf8_prefix(text, skip), len = strlen(text);
    size_t room = width - (skip > 0);
    size_t end = at + utf8_prefix(text + at, room);
    if (end < len)
        end = at + utf8_prefix(text + at, room > 0 ? room - 1 : 0);
    if (skip > 0)
        strbuf_addstr(out, "…");
    size_t hit = word ? utf8_prefix(text, before) : end;
    size_t hit_end = word ? hit + utf8_prefix(text + hit, word->count) : end;
    hit_end = hit_end < end ? hit_end : end;
    bool inside = hit >= at && hit < hit_end;
    *match = inside ? (struct snippet_match){out->len + hit - at, hit_end - hit}
                    : (struct snippet_match){0, 0};
    add_line(out, text + at, end - at);
    if (end < len)
        strbuf_addstr(out, "…");
}

void words_snippet(struct strbuf *text, const struct strbuf *searched, const char *words,
                   size_t width, struct strbuf *out, struct snippet_match *match)
{
    struct words w;
    AUTO_STRBUF folded = STRBUF_INIT;
    size_t before;
    *match = (struct snippet_match){0, 0};
    if (width == 0)
        return;
    words_parse(&w, words);
    fold_text(&folded, searched->buf, searched->len);
    while (text->len && text->buf[text->len - 1] == '\n')
        strbuf_cut(text, text->len - 1);
    const struct word *word = find_word(&w, &folded, width, &before);
    add_excerpt(out, text->buf, excerpt_skip(text->buf, word, before, width), width, word, before,
                match);
    words_release(&w);
}
