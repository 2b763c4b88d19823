/* A query and a text: words are parts of the query, a match has each of them, and an excerpt is one line. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "model/memory/memory.h"
#include "model/base/utf8.h"
#include "store/search/search.h"
#include "store/query/search_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static char *copy(const uint8_t *bytes, size_t len)
{
    char *text = malloc(len + 1);
    assert(text);
    memcpy(text, bytes, len);
    text[len] = '\0';
    return text;
}

static bool has_all(const struct words *w, const struct strbuf *folded)
{
    for (size_t i = 0; i < w->count; i++)
        if (!memmem(folded->buf, folded->len, w->word[i].text, w->word[i].len))
            return false;
    return true;
}

static void check_words(const struct words *w)
{
    for (size_t i = 0; i < w->count; i++) {
        assert(w->word[i].len > 0 && utf8_space(w->word[i].text, w->word[i].len) == 0);
        assert(utf8_valid(w->word[i].text, w->word[i].len));
        assert(utf8_count_in(w->word[i].text, w->word[i].len) == w->word[i].count);
    }
}

static void excerpt(const char *query, const char *text, size_t width)
{
    struct strbuf out = STRBUF_INIT;
    struct strbuf searched = STRBUF_INIT;
    struct snippet_match match;
    strbuf_addstr(&searched, text);
    words_snippet(&searched, &searched, query, width, &out, &match);
    assert(match.at + match.len <= out.len);
    strbuf_release(&searched);
    assert(!strpbrk(out.buf, "\n\r"));
    assert(utf8_valid(out.buf, out.len) && utf8_count(out.buf) <= width);
    strbuf_release(&out);
}

static void match(const char *query, const char *text)
{
    struct words w;
    struct strbuf folded = STRBUF_INIT;
    words_parse(&w, query);
    check_words(&w);
    fold_text(&folded, text, strlen(text));
    enum match found = words_match(&w, folded.buf, folded.len);
    assert((found != MATCH_NONE) == has_all(&w, &folded));
    words_release(&w);
    strbuf_release(&folded);
}

/* The query ends at the first line break. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    const uint8_t *end = memchr(bytes, '\n', len);
    size_t query_len = end ? (size_t)(end - bytes) : len;
    char *query = copy(bytes, query_len);
    char *rest = copy(bytes + query_len, len - query_len);
    struct strbuf text = STRBUF_INIT;
    utf8_repair(&text, rest, strlen(rest));
    match(query, text.buf);
    excerpt(query, text.buf, 20 + query_len % 60);
    free(query);
    free(rest);
    strbuf_release(&text);
    return 0;
}
