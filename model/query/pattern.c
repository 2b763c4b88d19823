/* Regular expressions in queries. A person or an agent writes them, so compiling and matching are bounded. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include "model/base/alloc.h"
#include "model/base/utf8.h"
#include "model/query/query.h"

#define PATTERN_BYTES 1000
#define MATCH_STEPS   200000 /* of one text: about 2 ms */
#define MATCH_DEPTH   1000
#define MATCH_KB      4096

struct query_pattern {
    pcre2_code *code;
    pcre2_match_context *bound;
    const char *text;
};

static void *take(size_t size, void *arena)
{
    return arena_alloc(arena, size);
}

/* The arena is released as a whole. */
static void give(void *block, void *arena)
{
    (void)block;
    (void)arena;
}

/* An escape such as \S is no capital letter. */
static bool has_capital(const char *pattern)
{
    for (const char *at = pattern; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at >= 'A' && *at <= 'Z')
            return true;
    }
    return false;
}

int query_pattern_make(const char *pattern, struct arena *arena, const struct query_pattern **out,
                       size_t *at, struct error *e)
{
    size_t len = strlen(pattern);
    int code;
    char why[128] = "";
    *at = 0;
    if (len > PATTERN_BYTES || !utf8_valid(pattern, len))
        return error_set(e, ERROR_INVALID, "", "the pattern %s",
                         len > PATTERN_BYTES ? "has more than 1000 bytes" : "is not valid UTF-8");
    pcre2_general_context *memory = pcre2_general_context_create(take, give, arena);
    pcre2_compile_context *how = pcre2_compile_context_create(memory);
    struct query_pattern *p = arena_alloc(arena, sizeof(*p));
    uint32_t options = PCRE2_UTF | PCRE2_MULTILINE | PCRE2_MATCH_INVALID_UTF |
                       PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UCP |
                       (has_capital(pattern) ? 0 : PCRE2_CASELESS);
    p->text = arena_strdup(arena, pattern);
    p->code = pcre2_compile((PCRE2_SPTR)pattern, len, options, &code, at, how);
    if (!p->code) {
        pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof(why));
        return error_set(e, ERROR_INVALID, "Put text that is no regular expression in quotes.",
                         "the pattern '%.80s' is wrong: %s", pattern, why);
    }
    p->bound = pcre2_match_context_create(memory);
    pcre2_set_match_limit(p->bound, MATCH_STEPS);
    pcre2_set_depth_limit(p->bound, MATCH_DEPTH);
    pcre2_set_heap_limit(p->bound, MATCH_KB);
    *out = p;
    return 0;
}

/* The memory for a match is its own, since several threads may match at once. */
int query_pattern_matches(const struct query_pattern *p, const char *text, size_t len,
                          struct error *e)
{
    pcre2_match_data *place = pcre2_match_data_create(1, NULL);
    if (!place)
        alloc_fail();
    int found = pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, 0, place, p->bound);
    pcre2_match_data_free(place);
    if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_DEPTHLIMIT ||
        found == PCRE2_ERROR_HEAPLIMIT)
        return error_set(e, ERROR_INVALID, "Make it simpler: no repetition within a repetition.",
                         "the pattern '%.80s' takes too many steps in a text of %zu bytes", p->text,
                         len);
    return found >= 0;
}
