/* The main of a test program: it runs what TEST, FIXTURE and GROUP added, in the order of the lines of its file. */
#include <locale.h>
#include "model/base/alloc.h"
#include "tests/support/test.h"

struct added {
    int line, what;
    struct CMUnitTest test;
};
static struct added *added;
static size_t count;

void test_add(int line, int what, struct CMUnitTest test)
{
    size_t at = count++;
    added = xrealloc(added, count * sizeof(*added));
    for (; at > 0 && added[at - 1].line > line; at--)
        added[at] = added[at - 1];
    added[at] = (struct added){line, what, test};
}

int tests_run(void)
{
    struct CMUnitTest *tests = xcalloc(count + 1, sizeof(*tests)), fixture = {0}, group = {0};
    size_t found = 0;
    setlocale(LC_CTYPE, "C.UTF-8");
    for (size_t i = 0; i < count; i++) {
        struct CMUnitTest *test = &added[i].test;
        if (added[i].what == TEST_FIXTURE)
            fixture = *test;
        if (added[i].what == TEST_GROUP)
            group = *test;
        if (added[i].what != TEST_ONE)
            continue;
        test->setup_func = fixture.setup_func;
        test->teardown_func = fixture.teardown_func;
        tests[found++] = *test;
    }
    int failed =
        _cmocka_run_group_tests("tests", tests, found, group.setup_func, group.teardown_func);
    free(tests);
    free(added);
    return failed || found == 0;
}

__attribute__((weak)) int main(void)
{
    return tests_run();
}
