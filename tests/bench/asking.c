#include "tests/bench/asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/json/json.h"
#include "store/db/store.h"
#include "tests/bench/bare.h"

#define REFS       512  /* asked for in turn */
#define LATER      3584 /* and others besides, each once */
#define WORDS      512
#define WORDS_MORE 256
#define WORD_MIN   4
#define WORD_MAX   16
#define SPREAD_REF 7919 /* a prime that is no factor of how many there are */

const struct request asking_reads[] = {
    {"ping", NULL, "{}", BAR_READ},
    {"memory_get", "memory_get", "{\"ref\":\"%s\"}", BAR_READ},
    {"memory_list of 10 beliefs", "memory_list", "{\"kind\":\"belief\",\"limit\":10}", BAR_READ},
    {"memory_list of 50", "memory_list", "{}", BAR_READ},
    {"memory_search, a rare word", "memory_search", "{\"query\":\"zyxwvut\"}", BAR_READ},
    {"memory_search, a common word", "memory_search", "{\"query\":\"rollback\"}", BAR_READ},
    {"memory_search, a word", "memory_search", "{\"query\":\"%w\"}", BAR_READ},
    {"memory_search, a part of a word", "memory_search", "{\"query\":\"%p\"}", BAR_READ},
    {"memory_lineage to depth 2", "memory_lineage",
     "{\"ref\":\"%s\",\"direction\":\"ancestors\",\"depth\":2}", BAR_READ},
    {"memory_lineage, as it is asked", "memory_lineage",
     "{\"ref\":\"%s\",\"direction\":\"ancestors\"}", BAR_READ},
    {"memory_lineage to any depth", "memory_lineage",
     "{\"ref\":\"%s\",\"direction\":\"ancestors\",\"depth\":1000000}", BAR_LONG},
    {"memory_lineage of descendants, as it is asked", "memory_lineage",
     "{\"ref\":\"%s\",\"direction\":\"descendants\"}", BAR_READ},
    {"get_source_attributions", "get_source_attributions", "{\"agent_id\":\"ash\",\"limit\":10}",
     BAR_READ},
    {"memory_whatif", "memory_whatif", "{\"refs\":[\"%s\"]}", BAR_READ},
    {"memory_orphans", "memory_orphans", "{}", BAR_FOUND},
};
const size_t asking_read_count = sizeof(asking_reads) / sizeof(*asking_reads);

static char refs[REFS + LATER][64], words[WORDS + WORDS_MORE][WORD_MAX + 1];
static size_t ref_count, word_count; /* of all */
static int64_t counter;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t asking_refs(void)
{
    return least(ref_count, REFS);
}

size_t asking_words(void)
{
    return least(word_count, WORDS);
}

static bool asks_for(const struct request *q, const char *pattern)
{
    return strstr(q->arguments, pattern) != NULL;
}

size_t asking_count(const struct request *q)
{
    return asks_for(q, "%s")                        ? asking_refs()
           : asks_for(q, "%w") || asks_for(q, "%p") ? asking_words()
                                                    : 1;
}

size_t asking_later(const struct request *q)
{
    return asks_for(q, "%s")                        ? ref_count - asking_refs()
           : asks_for(q, "%w") || asks_for(q, "%p") ? word_count - asking_words()
                                                    : 0;
}

static const char *ref_of(size_t i)
{
    return refs[i * SPREAD_REF % asking_refs()];
}

static bool has_word(const char *word)
{
    for (size_t i = 0; i < word_count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* The first word of the text that is long enough and was not chosen before. One that begins with a capital is left
 * out, for what follows of it is no word. */
static void choose_word(const char *text)
{
    for (bool begins = true; text && *text && word_count < WORDS + WORDS_MORE;) {
        size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz");
        if (begins && len >= WORD_MIN && len <= WORD_MAX) {
            snprintf(words[word_count], sizeof(*words), "%.*s", (int)len, text);
            if (!has_word(words[word_count])) {
                word_count++;
                return;
            }
        }
        begins = len == 0 && !(*text >= 'A' && *text <= 'Z');
        text += len ? len : 1;
    }
}

static void choose_row(const struct memory_row *row)
{
    choose_word(row->text);
    if (ref_count < REFS + LATER && row->status == STATUS_ACTIVE &&
        (row->ref.kind == KIND_BELIEF || row->ref.kind == KIND_EPISODE))
        snprintf(refs[ref_count++], sizeof(*refs), "%s:%s", kind_name(row->ref.kind), row->ref.id);
}

void asking_choose(const char *store)
{
    struct error e;
    struct arena a = ARENA_INIT;
    struct store *s = store_open(store, &(struct store_options){.read_only = true}, NULL, &e);
    struct reader *r = s ? reader_open(s, &e) : NULL;
    int64_t rows = bare_mark(store).memories;
    ref_count = word_count = 0;
    for (int64_t i = 0; r && ref_count < REFS + LATER && i < rows; i++) {
        struct memory_row row;
        arena_clear(&a);
        if (memory_row_read(r, &a, 1 + i * 7907 % rows, &row, &e) == 0)
            choose_row(&row);
    }
    arena_release(&a);
    reader_close(r);
    store_close(s);
    if (ref_count == 0 || word_count == 0) {
        fprintf(stderr, "%s: no memory to ask for\n", store);
        exit(2);
    }
}

void asking_leave_out(const bool *left_out)
{
    static char kept[REFS][64];
    size_t count = 0;
    for (size_t i = 0; i < asking_refs(); i++)
        if (!left_out[i])
            memcpy(kept[count++], ref_of(i), sizeof(*kept));
    memcpy(refs, kept, sizeof(kept));
    ref_count = count;
}

/* `ref` of as many as the pattern takes, and the word. */
static void make(struct strbuf *out, size_t i, const struct request *q,
                 const char *(*ref)(size_t i), const char *word)
{
    const char *at = q->arguments;
    strbuf_addf(out, "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"", i + 1);
    if (q->tool)
        strbuf_addf(out, "tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":", q->tool);
    else
        strbuf_addf(out, "%s\",\"params\":", q->name);
    for (size_t taken = 0; *at; at++) {
        if (at[0] != '%')
            strbuf_addch(out, *at);
        else if (*++at == 's')
            strbuf_addstr(out, ref(i + taken++ * 31));
        else if (*at == 'w' || *at == 'p')
            strbuf_addstr(out, word + (*at == 'p'));
        else
            json_add_int(out, ++counter);
    }
    strbuf_addstr(out, q->tool ? "}}" : "}");
}

void asking_make(struct strbuf *out, size_t i, const void *arg)
{
    make(out, i, arg, ref_of, words[i % asking_words()]);
}

static const char *later_ref(size_t i)
{
    return refs[asking_refs() + i % (ref_count - asking_refs())];
}

void asking_make_later(struct strbuf *out, size_t i, const void *arg)
{
    size_t turn = asking_words(), more = word_count - turn;
    make(out, i, arg, later_ref, more ? words[turn + i % more] : "");
}
