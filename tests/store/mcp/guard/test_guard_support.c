/*
 * What a hidden entry backs up is told as if the entry had never been named: the same calls, with it and without it,
 * make stores that answer an agent alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "store/mcp/protocol/service.h"
#include "tests/support/entry_calls.h"

#define MADE 16

/* A call; $a stands for the ref of what the first one made, $b for that of the second. */
struct call {
    const char *tool;
    const char *arguments; /* with the entry, whose ref is @ */
    const char *without;   /* the same without it; NULL: it is not named */
};

static const struct call given[] = {
    {"memory_episode", "{'objective':'ep','outcome':'o'}", NULL}, /* a */
    {"memory_belief", "{'statement':'base'}", NULL},
    {"memory_belief", "{'statement':'made','derived_from':['@']}", "{'statement':'made'}"},
    {"memory_belief", "{'statement':'of that','derived_from':['$c']}", NULL}, /* d */
    {"memory_belief", "{'statement':'any','derived_from':['@','$b']}",
     "{'statement':'any','derived_from':['$b']}"},
    {"memory_belief", "{'statement':'all','derived_from':['$b','@'],'derivation':'all'}",
     "{'statement':'all','derived_from':['$b'],'derivation':'all'}"},
    {"memory_belief", "{'statement':'together','relates_to':['@','$a']}", /* g */
     "{'statement':'together','relates_to':['$a']}"},
    {"memory_belief", "{'statement':'hidden first','derived_from':['@']}",
     "{'statement':'hidden first'}"},
    {"memory_belief", "{'statement':'hidden alone'}", NULL}, /* i */
    {"memory_belief", "{'statement':'hidden later'}", NULL},
    {"memory_belief", "{'statement':'stood','relates_to':['$a']}", NULL}, /* k */
    {"memory_raw", "{'blob':'raw','derived_from':['@']}", "{'blob':'raw'}"},
};

static const struct call later[] = {
    {"memory_reinforce", "{'ref':'$c','evidence_source':'$a'}", NULL},
    {"memory_reinforce", "{'ref':'$h','evidence_source':'$b'}", NULL},
    {"memory_reinforce", "{'ref':'$i','evidence_source':'@'}", "{'ref':'$i'}"},
    {"memory_reinforce", "{'ref':'$j','evidence_source':'@'}", "{'ref':'$j'}"},
    {"memory_reinforce", "{'ref':'$k','evidence_source':'@'}", "{'ref':'$k'}"},
};

static const struct call last[] = {
    {"memory_reinforce", "{'ref':'$j','evidence_source':'$a'}", NULL},
    {"memory_reinforce", "{'ref':'$g','evidence_source':'$b'}", NULL},
};

/* Of each memory that was made. */
static const struct call of_each[] = {
    {"memory_get", "{'ref':'$'}", NULL},
    {"memory_lineage", "{'ref':'$','direction':'ancestors'}", NULL},
    {"memory_lineage", "{'ref':'$','direction':'descendants'}", NULL},
    {"memory_history", "{'ref':'$'}", NULL},
    {"memory_whatif", "{'ref':'$'}", NULL},
    {"memory_propagate_confidence", "{'ref':'$'}", NULL},
};

static const struct call of_all[] = {
    {"memory_list", "{'kind':'belief'}", NULL},
    {"memory_list", "{'label':'weakened'}", NULL},
    {"memory_list", "{'label':'ungrounded'}", NULL},
    {"memory_list", "{'label':'unsourced'}", NULL},
    {"memory_list", "{'label':'grounded'}", NULL},
    {"memory_search", "{'query':'hidden'}", NULL},
    {"memory_orphans", "{}", NULL},
};
#define COUNT(list) (sizeof(list) / sizeof(*(list)))

struct story {
    const char *entry; /* NULL: there is none */
    const char *made[MADE];
    size_t count;
};

static const char *ask(const struct story *s, const char *tool, const char *arguments,
                       const char *about)
{
    struct strbuf filled = STRBUF_INIT;
    for (const char *at = arguments; *at; at++)
        if (*at == '@')
            strbuf_addstr(&filled, s->entry);
        else if (*at == '$')
            strbuf_addstr(&filled, about ? about : s->made[*++at - 'a']);
        else
            strbuf_addch(&filled, *at);
    const char *answer = calls_ask(tool, "%s", filled.buf);
    strbuf_release(&filled);
    return answer;
}

static void call_all(struct story *s, const struct call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool leaves = !s->entry && calls[i].without;
        const char *answer =
            ask(s, calls[i].tool, leaves ? calls[i].without : calls[i].arguments, NULL);
        if (strstr(answer, "\"error\""))
            fail_msg("%s %s: %s", calls[i].tool, calls[i].arguments, answer);
        if (calls == given)
            s->made[s->count++] = answer_text(&calls_served.f, answer, "ref");
    }
}

/* Ids, hashes and correlations are others in each store: a memory is told by when it was made. */
static void add_normal(const struct story *s, const char *answer, struct strbuf *out)
{
    static const char id[] = "0123456789abcdef-";
    while (*answer) {
        size_t run = strspn(answer, id), which = s->count;
        for (size_t i = 0; run == 36 && i < s->count; i++)
            if (strncmp(strchr(s->made[i], ':') + 1, answer, run) == 0)
                which = i;
        if (run == 36 && which < s->count)
            strbuf_addf(out, "<%c>", (char)('a' + which));
        else
            strbuf_add(out, answer, run == 64 || run == 12 ? 0 : run ? run : 1);
        answer += run ? run : 1;
    }
    strbuf_addch(out, '\n');
}

static void ask_all(const struct story *s, struct strbuf *out)
{
    for (size_t i = 0; i < COUNT(of_all); i++)
        add_normal(s, ask(s, of_all[i].tool, of_all[i].arguments, NULL), out);
    for (size_t n = 0; n < s->count; n++)
        for (size_t i = 0; i < COUNT(of_each); i++) {
            strbuf_addf(out, "%s %c: ", of_each[i].tool, (char)('a' + n));
            add_normal(s, ask(s, of_each[i].tool, of_each[i].arguments, s->made[n]), out);
        }
}

/* What is told, before the episode goes and after it. */
static char *tell(bool with)
{
    struct permissions p;
    struct story s = {.count = 0};
    struct strbuf told = STRBUF_INIT;
    calls_grant_all(&p);
    calls_begin(&p, "ash");
    if (with)
        s.entry = guarded_put(&calls_served, "ash", "sensitive.x", "launchcode", "1");
    call_all(&s, given, COUNT(given));
    calls_pass(1000);
    call_all(&s, later, COUNT(later));
    calls_pass(1000);
    call_all(&s, last, COUNT(last));
    calls_pass(1000);
    permissions_init(&p);
    guarded_rules(&calls_served, &p);
    ask_all(&s, &told);
    const char *gone = ask(&s, "memory_forget", "{'ref':'$a'}", NULL);
    if (strstr(gone, "\"error\""))
        fail_msg("%s", gone);
    ask_all(&s, &told);
    calls_end();
    return strbuf_detach(&told, NULL);
}

static void fail_where_they_differ(const char *a, const char *b)
{
    while (*a && *b) {
        size_t x = strcspn(a, "\n"), y = strcspn(b, "\n");
        if (x != y || memcmp(a, b, x) != 0)
            fail_msg("%.*s\nis not\n%.*s", (int)x, a, (int)y, b);
        a += x + (a[x] == '\n');
        b += y + (b[y] == '\n');
    }
    assert_string_equal(a, b);
}

static void what_a_hidden_entry_backs_up_is_as_if_it_were_never_named(void **state)
{
    (void)state;
    char *with = tell(true), *without = tell(false);
    assert_null(strstr(with, "\"error\""));
    assert_non_null(strstr(with, "\"label\":\"weakened\""));
    assert_non_null(strstr(with, "\"label\":\"ungrounded\""));
    fail_where_they_differ(with, without);
    free(with);
    free(without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_hidden_entry_backs_up_is_as_if_it_were_never_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
