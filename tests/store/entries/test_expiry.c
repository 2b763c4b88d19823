/* The value of an expired entry: shown nowhere from that instant, and stored nowhere once it is
 * swept. */
#include "store/entries/entry.h"
#include "store/fsck/fsck.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/export/export.h"
#include "store/import/import.h"
#include "store/json/answer.h"
#include "store/history/past.h"
#include "store/search/search.h"
#include "tests/support/entries.h"
#include "tests/support/past.h"
#include "tests/support/test.h"

#define SECRET "persimmon"

/* ---- ways to read it ---- */

static bool shows(const struct memory *m)
{
    return m && m->detail && strstr(m->detail, SECRET);
}

static bool read_shows(int64_t node)
{
    struct memory m;
    struct error e;
    assert_int_equal(memory_read(entries_reader, &entries_arena, node, &m, &e), 0);
    assert_string_equal(m.text, "key");
    return shows(&m);
}

static bool form_shows(int64_t node)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct error e;
    assert_int_equal(answer_form(entries_reader, &entries_arena, node,
                                 &(struct row_label){.effective = 1}, &out, &e),
                     0);
    return strstr(out.buf, SECRET) != NULL;
}

static int take_revision(void *arg, const struct revision *revision)
{
    int *shown = arg;
    *shown += shows(revision->before) + shows(revision->after);
    return 0;
}

/* The number of history states that show the value. */
static int history_shows(int64_t node)
{
    int shown = 0;
    struct error e;
    assert_int_equal(history_walk(entries_reader, node, take_revision, &shown, &e), 0);
    return shown;
}

static bool past_shows(int64_t node, int64_t seq)
{
    struct memory m;
    struct error e;
    assert_int_equal(memory_read_past(entries_reader, &entries_arena, node, seq, &m, &e), 0);
    return shows(&m);
}

static int take_line(void *arg, const char *line, size_t len)
{
    bool *found = arg;
    *found |= strstr(line, SECRET) != NULL;
    return 0;
}

static bool export_shows(void)
{
    bool found = false;
    struct error e;
    assert_int_equal(export_jsonl(entries_reader, take_line, &found, NULL, &e), 0);
    return found;
}

static int is_found(void *arg, int64_t node, bool exact)
{
    int64_t *sought = arg;
    *sought = *sought == node ? 0 : *sought;
    return *sought == 0;
}

static bool search_shows(int64_t node)
{
    struct error e;
    AUTO_STRBUF out = STRBUF_INIT;
    int64_t sought = node;
    struct search_query all = {.words = SECRET, .statuses = STATUSES_ALL};
    assert_int_equal(search_run(entries_reader, &all, is_found, &sought, &e), 0);
    bool found = sought == 0;
    assert_int_equal(search_snippet_of_row(entries_reader, &entries_arena, node, SECRET, 200, &out,
                                           &(struct snippet_match){0}, &e),
                     0);
    bool in_snippet = strstr(out.buf, SECRET) != NULL;
    assert_int_equal(in_snippet, found);
    return found;
}

static void assert_hidden(int64_t node, int64_t seq)
{
    assert_false(read_shows(node));
    assert_false(form_shows(node));
    assert_int_equal(history_shows(node), 0);
    assert_false(past_shows(node, seq));
    assert_false(export_shows());
    assert_false(search_shows(node));
}

/* ---- tests ---- */

FIXTURE(entries_set_up, entries_tear_down);

TEST(expired_values_are_shown_nowhere)
{
    struct entry_done done;
    struct error e;
    assert_int_equal(entries_put("n", "key", "\"" SECRET "\"", 10, NULL, &done), 0);
    int64_t seq = journal_last(entries_reader, &e);
    assert_true(read_shows(done.node));
    assert_true(form_shows(done.node));
    assert_true(form_shows(done.node));
    assert_int_equal(history_shows(done.node), 1);
    assert_true(past_shows(done.node, seq));
    assert_true(export_shows());
    assert_true(search_shows(done.node));
    entries_now += 10000;
    assert_hidden(done.node, seq);
    entries_check();
    entries_sweep();
    assert_hidden(done.node, seq);
    entries_check();
}

/* The first version was swept, the second lives: reading the history and the past must work. */
TEST(swept_entries_have_a_past)
{
    struct entry_done done;
    struct memory m;
    struct error e;
    entries_put("n", "key", "\"" SECRET "\"", 5, NULL, &done);
    entries_put("n", "key", "\"" SECRET "\"", 10, NULL, &done);
    int64_t seq = journal_last(entries_reader, &e);
    entries_now += 10000;
    entries_sweep();
    entries_put("n", "key", "\"other\"", -1, NULL, &done);
    assert_int_equal(done.version, 4);
    assert_int_equal(history_shows(done.node), 0);
    assert_false(past_shows(done.node, seq));
    assert_int_equal(memory_read_past(entries_reader, &entries_arena, done.node, seq, &m, &e), 0);
    assert_int_equal(m.status, STATUS_ACTIVE);
    assert_int_equal(m.version, 2);
    assert_int_equal(memory_read_past(entries_reader, &entries_arena, done.node, seq + 1, &m, &e),
                     0);
    assert_int_equal(m.status, STATUS_EXPIRED);
    assert_int_equal(m.version, 3);
    entries_check();
}

TEST(a_sweep_is_not_undone)
{
    struct error e;
    entries_put("n", "key", "1", -1, NULL, NULL);
    entries_put("n", "key", "2", 10, NULL, NULL);
    int64_t seq = journal_last(entries_reader, &e);
    entries_now += 10000;
    entries_sweep();
    assert_int_equal(entries_undo(seq), ERROR_REFUSED);
    assert_int_equal(entries_undo(seq + 1), ERROR_REFUSED);
    assert_null(entries_value("n", "key"));
    entries_check();
}

static int64_t at_time(int64_t time)
{
    struct error e;
    int64_t seq;
    assert_int_equal(past_event_at(entries_reader, time, &seq, &e), 0);
    return seq;
}

/* A day ahead for one event: later ones have the time of the clock, and what expires expires. */
TEST(a_clock_that_jumped_ahead_and_came_back)
{
    struct entry_done done;
    struct error e;
    struct fsck_summary summary;
    int64_t start = entries_now, after;
    entries_put("n", "before", "1", -1, NULL, NULL);
    int64_t first = entries_last();
    entries_now += 86400000;
    entries_put("n", "ahead", "1", -1, NULL, NULL);
    int64_t ahead = entries_last();
    entries_now = start + 1000;
    assert_int_equal(entries_put("n", "key", "\"" SECRET "\"", 10, NULL, &done), 0);
    int64_t last = entries_last();
    assert_int_equal(past_event_time(entries_reader, last, &after, &e), 0);
    assert_int_equal(after, start + 1000);
    assert_int_equal(at_time(start - 1), 0);
    assert_int_equal(at_time(start), first);
    assert_int_equal(at_time(start + 1000), last);
    assert_int_equal(at_time(start + 86400000), last);
    assert_true(ahead > first && last > ahead);
    assert_int_equal(store_fsck(entries_reader, NULL, NULL, NULL, &summary, &e), 0);
    assert_int_equal(summary.ahead, 1);
    entries_now = start + 12000;
    assert_hidden(done.node, last);
    entries_sweep();
    assert_int_equal(entries_rows_with(SECRET), 0);
    entries_check();
    entries_now = start + 2 * 86400000;
    assert_int_equal(store_fsck(entries_reader, NULL, NULL, NULL, &summary, &e), 0);
    assert_int_equal(summary.ahead, 0);
}
