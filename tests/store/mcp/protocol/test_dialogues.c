/*
 * Dialogues with the engine, byte for byte. dialogues/NAME.t has blocks, each with its own connection to the fake
 * service. Lines with "> " are sent, lines with "< " are the expected output. Lines with "^ " are sent first and
 * their output is ignored. Each dialogue is sent whole and one byte at a time. GENERATE=1 writes the output to the
 * file.
 */
#include "model/base/alloc.h"
#include "tests/support/fake_service.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

struct block {
    struct strbuf begun, said;
};

static void block_clear(struct block *b)
{
    strbuf_clear(&b->begun);
    strbuf_clear(&b->said);
}

/* Returns the output; valid until the fake is closed. */
static const char *play(struct fake *f, const struct block *b, bool bytewise)
{
    fake_open(f, fake_service());
    if (b->begun.len) {
        fake_send(f, b->begun.buf);
        fake_output(f);
    }
    f->bytewise = bytewise;
    fake_send(f, b->said.buf);
    return fake_output(f);
}

static void add_selected(struct strbuf *out, const char *mark, const char *lines)
{
    for (const char *end; *lines; lines = end + 1) {
        end = strchr(lines, '\n');
        strbuf_addf(out, "%s%.*s\n", mark, (int)(end - lines), lines);
    }
}

/* Adds the output, which is the same for any division of the input. */
static void add_output(const struct block *b, struct strbuf *made)
{
    struct fake f;
    if (!b->said.len)
        return;
    AUTO_FREE char *whole = xstrdup(play(&f, b, false));
    fake_close(&f);
    assert_string_equal(play(&f, b, true), whole);
    fake_close(&f);
    add_selected(made, "< ", whole);
}

static void play_all(const char *name)
{
    AUTO_FREE char *path = xformat("tests/store/mcp/protocol/dialogues/%s.t", name);
    AUTO_FREE char *text = scratch_read(path, NULL);
    struct block b = {STRBUF_INIT, STRBUF_INIT};
    AUTO_STRBUF made = STRBUF_INIT;
    assert_non_null(text);
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        if (*line == '^' || *line == '>')
            strbuf_add(*line == '^' ? &b.begun : &b.said, line + 2, (size_t)(end + 1 - line) - 2);
        if (*line != '<' && end != line)
            strbuf_add(&made, line, (size_t)(end + 1 - line));
        if (end == line || !end[1]) {
            add_output(&b, &made);
            block_clear(&b);
            if (end == line)
                strbuf_addch(&made, '\n');
        }
    }
    golden_compare(path, made.buf);
    strbuf_release(&b.begun);
    strbuf_release(&b.said);
}

TEST(messages)
{
    play_all("messages");
}

TEST(eras)
{
    play_all("eras");
}

TEST(subscriptions)
{
    play_all("subscriptions");
}

TEST(calls)
{
    play_all("calls");
}
