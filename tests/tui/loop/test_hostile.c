/* Hostile text in every field of every kind, through every command. */
#include <unistd.h>
#include <wchar.h>
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "tests/support/story.h"
#include "tests/support/test.h"

/* As JSON: escape sequences, C1, DEL, bidi, tags, zero-width, marks, emoji, line breaks. */
#define HOSTILE                                                                                    \
    "\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u007f\\u202eevil\\u2066\\u2028\\ufeff\\u200b"     \
    "\\udb40\\udc41 \\ud83d\\udc69\\ud83c\\udffd\\u200d\\ud83d\\udcbb "                            \
    "e\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301 \\u011b31m \\u00e9\\u8a9e\\r\\n\\tnext "   \
    "\\\"quoted\\\" \\\\back"
/* The same as bytes, with broken UTF-8, for typed text. */
#define TYPED                                                                                      \
    "\033[2J\033]0;owned\007\xc2\x9b"                                                              \
    "31m\x7f\xe2\x80\xae"                                                                          \
    "evil\xe2\x81\xa6\xe2\x80\xa8\xff\xc3("                                                        \
    "\xed\xa0\x80\r\n\t\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd"

static char store[300], ascii_config[300];

/* ---- properties of all output ---- */

static void assert_harmless(const char *s, size_t len, bool colours)
{
    assert_int_equal(strlen(s), len); /* no NUL */
    for (size_t at = 0; at < len;) {
        uint32_t code;
        if (colours && s[at] == '\033') { /* our own: ESC [ digits m */
            assert_int_equal(s[at + 1], '[');
            size_t digits = strspn(s + at + 2, "0123456789");
            assert_int_equal(s[at + 2 + digits], 'm');
            at += 3 + digits;
            continue;
        }
        int n = utf8_decode(s + at, len - at, &code);
        assert_int_not_equal(n, 0);
        if (code != '\n') {
            assert_false(utf8_is_control(code));
            assert_false(utf8_is_bidi(code));
            assert_true(wcwidth((wchar_t)code) >= 0);
        }
        at += (size_t)n;
    }
}

static void assert_json_lines(void)
{
    const char *line = story.p.out;
    while (*line) {
        struct error e;
        const char *end = strchr(line, '\n');
        assert_non_null(end);
        assert_int_equal(json_check(line, (size_t)(end - line), JSON_DEPTH_MAX, &e), 0);
        line = end + 1;
    }
}

/* The last byte of U+011B in UTF-8 is 0x9b, which begins a command on a terminal with 8-bit
 * controls. ASCII output must not have it. Exports are for machines, as JSON is. */
static void assert_ascii(const char *const *words)
{
    const char *arguments[17] = {"--store", store, "--config", ascii_config};
    for (size_t n = 0; n < 12 && words[n]; n++)
        arguments[n + 4] = words[n];
    program_run(&story.p, NULL, arguments);
    for (size_t at = 0; at < story.p.out_len && strcmp(words[0], "export"); at++)
        assert_true((unsigned char)story.p.out[at] < 0x7f);
    for (size_t at = 0; at < story.p.err_len; at++)
        if ((unsigned char)story.p.err[at] >= 0x7f)
            fail_msg("%s %s: %s", words[0], words[1], story.p.err);
}

/* Runs a command in that many ways: in ASCII, as text, in colours, as JSON. The output must be harmless. */
static void try_command(size_t count, const char *const *words)
{
    static const char *const ways[] = {"--color=never", "--color=always", "--json"};
    assert_ascii(words);
    for (size_t w = 0; w + 1 < count; w++) {
        const char *arguments[16] = {"--store", store, ways[w]};
        for (size_t n = 0; n < 12 && words[n]; n++)
            arguments[n + 3] = words[n];
        program_run(&story.p, NULL, arguments);
        assert_true(story.p.status <= 4);
        assert_harmless(story.p.err, story.p.err_len, false);
        if (w == 2)
            assert_json_lines();
        /* JSON keeps most characters, but escapes controls and bidi characters. */
        for (size_t at = 0; w == 2 && at < story.p.out_len;) {
            uint32_t code;
            int n = utf8_decode(story.p.out + at, story.p.out_len - at, &code);
            assert_int_not_equal(n, 0);
            assert_true(code == '\n' || (!utf8_is_control(code) && !utf8_is_bidi(code)));
            at += (size_t)n;
        }
        if (w < 2)
            assert_harmless(story.p.out, story.p.out_len, w == 1);
    }
}

#define TRY(...) try_command(4, (const char *const[]){__VA_ARGS__, NULL})
/* The same for a command that only says what is wrong with its words: that has no colours and is no JSON. */
#define TRY_WORDS(...) try_command(2, (const char *const[]){__VA_ARGS__, NULL})

/* ---- a store with hostile text ---- */

/* A memory of that kind with hostile text in every field. */
static void add_line(struct strbuf *out, enum kind kind)
{
    const char *name = kind_name(kind);
    strbuf_addf(out,
                "{\"ref\":\"%s:ident " HOSTILE "\",\"agent_id\":\"agent " HOSTILE "\","
                "\"text\":\"%s " HOSTILE "\",\"source_type\":\"type " HOSTILE "\","
                "\"source\":\"" HOSTILE "\",\"source_entity\":\"human:" HOSTILE "\","
                "\"tags\":[\"" HOSTILE "\",\"b\"],\"context\":\"" HOSTILE "\","
                "\"annotations\":[\"context:" HOSTILE "\"],"
                "\"detail\":{%s\"k" HOSTILE "\":\"" HOSTILE "\",\"list\":[\"" HOSTILE "\"]},",
                name, name,
                kind == KIND_ENTRY /* an import accepts only its name */
                    ? "\"namespace\":\"n\",\"key\":\"k\",\"value\":\"" HOSTILE "\","
                    : kind == KIND_ATTRIBUTION ? "\"source_type\":\"" HOSTILE
                                                 "\",\"retrieval_timestamp\":1,"
                                               : "");
    strbuf_addf(out,
                "\"justifications\":[{\"role\":\"source\",\"reading\":\"all\",\"recorded\":"
                "\"heuristic\",\"reason\":\"" HOSTILE
                "\",\"antecedents\":[{\"ref\":\"%s:ident " HOSTILE
                "\",\"relevance\":0.5,\"score\":\"heuristic\",\"excerpt\":\"" HOSTILE "\","
                "\"section\":\"" HOSTILE "\",\"version_hash\":\"" HOSTILE "\",\"label\":\"" HOSTILE
                "\"},\"raw:missing " HOSTILE "\"]}],",
                kind_name((enum kind)((kind + 1) % KIND_COUNT)));
    strbuf_addf(out, "\"history\":[{\"at\":1,\"old\":0.5,\"new\":0.6,\"reason\":\"" HOSTILE "\","
                     "\"evidence_source\":\"context:" HOSTILE
                     "\"},{\"at\":2,\"operation\":\"" HOSTILE "\",\"actor\":\"" HOSTILE
                     "\",\"origin\":\"" HOSTILE "\",\"reason\":\"" HOSTILE "\"}],"
                     "\"relations\":[{\"type\":\"contradicts\",\"to\":\"note:other " HOSTILE "\","
                     "\"at\":1,\"reason\":\"" HOSTILE "\"}],"
                     "\"marks\":[{\"mark\":\"" HOSTILE "\",\"at\":1,\"actor\":\"" HOSTILE "\","
                     "\"value\":\"" HOSTILE "\",\"reason\":\"" HOSTILE "\"}]}\n");
}

static int set_up(void **state)
{
    if (story_open_empty(state))
        return -1;
    story_path(store, sizeof(store), "hostile.db");
    story_path(ascii_config, sizeof(ascii_config), "ascii.yaml");
    story_write(ascii_config, "ascii: yes\n");
    return 0;
}

GROUP(set_up, story_close);

TEST(every_field_is_stored)
{
    AUTO_STRBUF lines = STRBUF_INIT;
    for (int k = 0; k < KIND_COUNT; k++)
        add_line(&lines, (enum kind)k);
    PROGRAM_WITH(&story.p, lines.buf, "import", "jsonl", "-", "--store", store);
    assert_int_equal(story.p.status, 0);
    assert_non_null(strstr(story.p.out, "15 added"));
    assert_harmless(story.p.out, story.p.out_len, false);
    assert_harmless(story.p.err, story.p.err_len, false);
}

TEST(lists_and_searches_are_safe)
{
    TRY("list", "all");
    TRY("list", "all", "--limit", "3", "--order", "text");
    TRY("list", "all", "--agent", TYPED);
    TRY("search", "evil");
    TRY("search", TYPED);
    TRY("orphans");
    TRY("fsck");
    TRY("log");
    TRY("sessions");
    TRY("export");
    for (int k = 0; k < KIND_COUNT; k++)
        TRY("list", kind_name((enum kind)k));
    setenv("COLUMNS", "70", 1);
    TRY("list", "all");
    TRY("orphans");
    unsetenv("COLUMNS");
}

TEST(each_memory_is_shown_safely)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        char ref[64];
        snprintf(ref, sizeof(ref), "%s:ident ", kind_name((enum kind)k));
        if (k % 5 == 0) { /* these draw a node of any kind in the same way */
            TRY("show", ref, "--trace");
            TRY("show", ref, "--reverse");
            TRY("show", ref, "--trace", "--depth", "1");
            TRY("whatif", ref);
        }
        TRY("show", ref);
        assert_int_equal(story.p.status, 0);
        assert_non_null(strstr(story.p.out, "\\u001b[2J"));
        assert_non_null(strstr(story.p.out, "\\u202eevil\\u2066"));
    }
    TRY("show", "raw:missing ", "--reverse");
    TRY("show", "note:other ");
}

TEST(removed_characters_are_reported)
{
    PROGRAM(&story.p, "show", "belief:ident ", "--store", store);
    assert_non_null(strstr(story.p.out, "not shown"));
    assert_non_null(strstr(story.p.out, "control characters"));
    assert_non_null(strstr(story.p.out, "bidi controls"));
}

/* A chain with a step, sources, flags and a citation, with hostile text in everything that is shown. */
static void add_reasoning(struct strbuf *out)
{
    strbuf_addstr(
        out, "{\"ref\":\"chain:talk " HOSTILE "\",\"agent_id\":\"" HOSTILE "\",\"text\":\"" HOSTILE
             "\",\"detail\":{\"final_answer\":\"" HOSTILE "\",\"strategy\":\"" HOSTILE "\"}}\n"
             "{\"ref\":\"chain:other\",\"text\":\"" HOSTILE
             "\",\"detail\":{\"final_answer\":\"" HOSTILE "\",\"strategy\":\"" HOSTILE "\"}}\n");
    strbuf_addstr(out,
                  "{\"ref\":\"step:talk 1" HOSTILE "\",\"text\":\"" HOSTILE
                  "\",\"detail\":{\"step_number\":1,\"intermediate_answer\":\"" HOSTILE
                  "\",\"reasoning_trace\":\"" HOSTILE
                  "\"},\"relations\":[{\"type\":\"part_of\",\"to\":\"chain:talk " HOSTILE
                  "\"}],\"justifications\":[{\"role\":\"source\",\"antecedents\":["
                  "{\"ref\":\"document:talk " HOSTILE "\",\"relevance\":0.9,\"excerpt\":\"" HOSTILE
                  "\",\"title\":\"" HOSTILE "\",\"section\":\"" HOSTILE "\",\"label\":\"" HOSTILE
                  "\"},{\"ref\":\"document:gone " HOSTILE "\"}]}],"
                  "");
    strbuf_addstr(out, "\"marks\":[{\"mark\":\"faithful\",\"at\":1,\"actor\":\"" HOSTILE
                       "\",\"value\":\"" HOSTILE "\",\"reason\":\"" HOSTILE
                       "\"},{\"mark\":\"rating\",\"at\":1,\"actor\":\"" HOSTILE
                       "\",\"value\":\"document:talk " HOSTILE " relevant\",\"reason\":\"" HOSTILE
                       "\"}]}\n");
    strbuf_addstr(
        out, "{\"ref\":\"document:talk " HOSTILE "\",\"text\":\"" HOSTILE "\"}\n"
             "{\"ref\":\"citation:talk\",\"text\":\"" HOSTILE
             "\",\"detail\":{\"document_id\":\"" HOSTILE "\",\"document_name\":\"" HOSTILE
             "\",\"section\":\"" HOSTILE "\",\"conversation_id\":\"talk\",\"message_id\":\"" HOSTILE
             "\"},\"justifications\":[{\"role\":\"citation\",\"antecedents\":["
             "{\"ref\":\"document:talk " HOSTILE "\"}]}]}\n"
             "{\"ref\":\"attribution:talk\",\"text\":\"t\",\"detail\":{\"source_type\":\"" HOSTILE
             "\",\"source_uri\":\"" HOSTILE "\",\"retrieval_timestamp\":1700000000000}}\n"
             "{\"ref\":\"belief:talk\",\"text\":\"" HOSTILE
             "\",\"derived_from\":[\"step:talk 1" HOSTILE "\"]}\n");
}

TEST(reasoning_is_shown_safely)
{
    AUTO_STRBUF lines = STRBUF_INIT;
    add_reasoning(&lines);
    PROGRAM_WITH(&story.p, lines.buf, "import", "jsonl", "-", "--store", store);
    assert_int_equal(story.p.status, 0);
    TRY("chain", "chain:talk ");
    assert_int_equal(story.p.status, 0);
    assert_non_null(strstr(story.p.out, "\\u001b[2J"));
    setenv("COLUMNS", "70", 1);
    TRY("chain", "step:talk 1");
    TRY("sources", "chain:talk ", "--excerpts");
    TRY("cite", "chain:talk ");
    TRY("cite", "talk");
    assert_int_equal(story.p.status, 0);
    TRY("document", "document:talk ", "--excerpts");
    assert_int_equal(story.p.status, 0);
    TRY("document", "document:gone ");
    TRY("retrievals", "--by", "uri");
    unsetenv("COLUMNS");
    TRY_WORDS("chain", TYPED);
    TRY_WORDS("sources", "chain:" TYPED);
    TRY_WORDS("cite", TYPED);
    TRY_WORDS("cite", "talk", "--format", TYPED);
    TRY_WORDS("document", TYPED);
    TRY("retrievals", "--agent", TYPED);
    TRY_WORDS("import", "cot", TYPED);
}

TEST(refused_chains_are_reported_safely)
{
    PROGRAM_WITH(&story.p,
                 "{\"original_question\":\"" HOSTILE "\",\"reasoning_steps\":[{\"step_number\":1,"
                 "\"question\":\"q\",\"source_attributions\":[{\"document_id\":\"" HOSTILE
                 "\",\"relevance_score\":7},{\"document_id\":\"d\",\"score_origin\":\"" HOSTILE
                 "\"}]}],\"source_summary\":{\"all_sources\":[{\"document_id\":\"" HOSTILE
                 "\",\"relevance_score\":0.5}]}}\n"
                 "{\"original_question\":\"q\",\"reasoning_steps\":\"" HOSTILE "\"}\n" TYPED,
                 "import", "cot", "-", "--store", store);
    assert_true(story.p.err_len > 0);
    assert_harmless(story.p.out, story.p.out_len, false);
    assert_harmless(story.p.err, story.p.err_len, false);
}

TEST(typed_text_is_safe)
{
    char path[300];
    TRY("add", "note", "typed " TYPED, "--agent", "ash");
    assert_int_equal(story.p.status, 0);
    TRY("add", "note", "x", "--from", "context:" TYPED);
    TRY("add", "note", "x", "--source", TYPED);
    TRY("add", "note", "x", "--source-type", TYPED);
    TRY("add", "note", "x", "--agent", TYPED);
    TRY("add", "note", "x", "--tag", TYPED);
    TRY("list", "notes");
    TRY_WORDS("show", "belief:" TYPED);
    TRY_WORDS("show", TYPED);
    TRY_WORDS(TYPED);
    TRY_WORDS("list", TYPED);
    TRY_WORDS("list", "all", "--" TYPED);
    TRY_WORDS("list", "all", "--order", TYPED);
    TRY_WORDS("list", "all", "--cursor", TYPED);
    TRY_WORDS("search", "x", "--cursor", TYPED);
    TRY_WORDS("import", TYPED, "x");
    TRY_WORDS("import", "jsonl", TYPED);
    TRY_WORDS("import", "kernle", TYPED);
    TRY_WORDS("list", "all", "--config", TYPED);
    TRY_WORDS("add", TYPED, "x");
    TRY_WORDS("add", "note", "x", "--from", "belief:" TYPED);
    snprintf(path, sizeof(path), "%s/" TYPED, story.directory);
    PROGRAM(&story.p, path);
    assert_harmless(story.p.err, story.p.err_len, false);
    PROGRAM(&story.p, "list", "all", "--store", path);
    assert_harmless(story.p.err, story.p.err_len, false);
}

TEST(refused_lines_are_reported_safely)
{
    PROGRAM_WITH(&story.p,
                 "{\"ref\":\"raw:x\",\"agent_id\":\"a\",\"text\":\"t\",\"evil" HOSTILE "\":1}\n"
                 "{\"ref\":\"" HOSTILE "\",\"agent_id\":\"a\",\"text\":\"t\"}\n"
                 "{\"ref\":\"raw:y\",\"agent_id\":\"a\",\"text\":\"t\",\"status\":\"" HOSTILE
                 "\"}\n" TYPED,
                 "import", "jsonl", "-", "--store", store);
    assert_true(story.p.err_len > 0);
    assert_harmless(story.p.out, story.p.out_len, false);
    assert_harmless(story.p.err, story.p.err_len, false);
}

TEST(a_megabyte_is_shown_whole_or_cut)
{
    AUTO_STRBUF big = STRBUF_INIT;
    strbuf_addstr(&big, "megabyte ");
    strbuf_addchars(&big, 'x', 1000 * 1000);
    PROGRAM_WITH(&story.p, big.buf, "add", "raw", "-", "--store", store);
    assert_int_equal(story.p.status, 0);
    setenv("COLUMNS", "80", 1);
    PROGRAM(&story.p, "list", "raw", "--store", store);
    assert_true(story.p.out_len < 10000);
    unsetenv("COLUMNS");
    PROGRAM(&story.p, "list", "raw", "--store", store);
    assert_true(story.p.out_len > 1000 * 1000); /* nothing is cut in a pipe */
    PROGRAM(&story.p, "search", "megabyte", "--json", "--store", store);
    assert_true(story.p.out_len > 1000 * 1000);
}
