#include "tests/support/notes.h"

#include "store/db/db.h"
#include "store/open.h"
#include "tests/support/findings.h"
#include "tests/support/test.h"

void note_send(struct client *c, int id, const char *content)
{
    client_sendf(c,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"memory_note\",\"arguments\":{\"content\":\"%s\"}}}",
                 id, content);
}

int note_answered(const char *line)
{
    int id = -1;
    const char *at = line ? strstr(line, "\"id\":") : NULL;
    if (at && strstr(line, "\"ref\":\"note:") && sscanf(at, "\"id\":%d", &id) != 1)
        id = -1;
    return id;
}

void stored_notes_open(struct stored_notes *k, const char *store)
{
    struct error e = {0};
    k->store = store_open(store, &(struct store_options){0}, NULL, &e);
    k->reader = k->store ? reader_open(k->store, &e) : NULL;
    if (!k->reader)
        fail_msg("%s", e.what);
}

void stored_notes_close(struct stored_notes *k)
{
    reader_close(k->reader);
    store_close(k->store);
}

static int64_t ask(struct stored_notes *k, const char *sql, const char *text)
{
    int64_t count;
    struct error e = {0};
    if (db_int(reader_db(k->reader), &count, 0, &e, sql, text ? "is" : "i", (int64_t)KIND_NOTE,
               text))
        fail_msg("%s", e.what);
    return count;
}

int64_t stored_notes_count(struct stored_notes *k, const char *content)
{
    if (!content)
        return ask(k, "SELECT count(*) FROM memory WHERE kind = ?", NULL);
    return ask(k, "SELECT count(*) FROM memory WHERE kind = ? AND text = ?", content);
}

void stored_notes_check(struct stored_notes *k)
{
    expect_sound(k->reader);
    assert_int_equal(ask(k,
                         "SELECT count(*) FROM (SELECT 1 FROM memory WHERE kind = ? GROUP BY text "
                         "HAVING count(*) > 1)",
                         NULL),
                     0);
}

int64_t notes_check(const char *store)
{
    struct stored_notes k;
    stored_notes_open(&k, store);
    stored_notes_check(&k);
    int64_t count = stored_notes_count(&k, NULL);
    stored_notes_close(&k);
    return count;
}

int64_t notes_count(const char *store, const char *content)
{
    struct stored_notes k;
    stored_notes_open(&k, store);
    int64_t count = stored_notes_count(&k, content);
    stored_notes_close(&k);
    return count;
}
