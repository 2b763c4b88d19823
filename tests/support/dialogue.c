#include "model/base/alloc.h"
#include "tests/support/dialogue.h"
#include "tests/support/test.h"

char *dialogue_quoted(const char *text)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    for (char *at = copy; (at = strchr(at, '\'')); at++)
        *at = '"';
    return copy;
}

void dialogue_expect(struct fake *f, const char *sent, const char *received)
{
    AUTO_FREE char *line = dialogue_quoted(sent), *wanted = dialogue_quoted(received);
    fake_send(f, line);
    const char *got = fake_output(f);
    if (strcmp(got, wanted) != 0)
        fail_msg("sent    %sheard   %swanted  %s", line, got, wanted);
}

static void run_one(const struct dialogue *row, const char *begun, bool bytewise)
{
    struct fake f;
    fake_open(&f, fake_service());
    if (begun) {
        AUTO_FREE char *first = dialogue_quoted(begun);
        fake_send(&f, first);
        fake_output(&f);
    }
    f.bytewise = bytewise;
    dialogue_expect(&f, row->sent, row->received);
    fake_close(&f);
}

void dialogues_run(const struct dialogue *rows, size_t count, const char *begun)
{
    for (size_t i = 0; i < count; i++) {
        run_one(&rows[i], begun, false);
        run_one(&rows[i], begun, true);
    }
}
