#include "tests/support/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"
#include "store/fsck/fsck.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/record/get.h"
#include "store/team/team_internal.h"
#include "tests/support/scratch.h"

static const struct actor agent = {
    .class = ACTOR_AGENT, .name = "ash", .agent = "ash", .origin = "mcp"};
static const struct actor person = {.class = ACTOR_PERSON, .name = "mia", .origin = "command"};

/* ---- what is said of a schedule that fails ---- */

static struct strbuf steps = STRBUF_INIT; /* of the schedule that runs; empty when it has ended */

int schedule_report(void **state)
{
    (void)state;
    if (steps.len)
        fprintf(stderr, "%s", steps.buf);
    strbuf_release(&steps);
    return 0;
}

static void must(int result, const struct error *e)
{
    if (result)
        fail_msg("%s. %s", e->what, e->hint);
}

/* ---- opening ---- */

static int64_t skew; /* the clocks differ by hours */
static int64_t skewed_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + skew;
}

struct store *team_open(const char *path)
{
    struct error e;
    struct store *s =
        store_open(path, &(struct store_options){.create = true, .now = skewed_now}, NULL, &e);
    if (!s)
        fail_msg("%s", e.what);
    return s;
}

void machine_open(struct machine *m)
{
    struct error e;
    m->store = team_open(m->path);
    m->reader = reader_open(m->store, &e);
    assert_non_null(m->reader);
}

void machine_close(struct machine *m)
{
    reader_close(m->reader);
    store_close(m->store);
}

void team_begin(struct team *t, const char *address, int count, uint64_t seed)
{
    struct error e;
    *t = (struct team){.address = xstrdup(address),
                       .count = count,
                       .random = {seed},
                       .settled = STRBUF_INIT,
                       .purged = STRBUF_INIT,
                       .unsure = STRBUF_INIT};
    strbuf_clear(&steps);
    strbuf_addf(&steps, "seed %llu, %d machines:\n", (unsigned long long)seed, count);
    for (int i = 0; i < count; i++) {
        struct machine *m = &t->machine[i];
        AUTO_FREE char *name = xformat("m%d", i);
        m->path = scratch_path("memory.db");
        unlink(m->path);
        if (i)
            must(team_join(m->path, t->address, NULL, name, &e), &e);
        machine_open(m);
        if (!i)
            must(team_create(m->store, t->address, name, &e), &e);
    }
}

void team_end(struct team *t)
{
    for (int i = 0; i < t->count; i++) {
        machine_close(&t->machine[i]);
        scratch_clear(t->machine[i].path);
    }
    free(t->address);
    free(t->words);
    strbuf_release(&t->settled);
    strbuf_release(&t->purged);
    strbuf_release(&t->unsure);
    strbuf_release(&steps);
}

/* ---- what is between a machine and the team ---- */

static int leave_alone(struct txn *t, void *arg, struct error *e)
{
    bool away = *(bool *)arg;
    (void)e;
    if (!t->store->team_link)
        t->store->team_link = xcalloc(1, sizeof(*t->store->team_link));
    transport_close(t->store->team_link->transport);
    t->store->team_link->transport = NULL;
    atomic_store(&t->store->team_link->retry_at, away ? INT64_MAX : 0);
    return 0;
}

void set_away(struct machine *m, bool away)
{
    struct error e;
    m->away = away;
    must(store_run(m->store, leave_alone, &away, &e), &e);
}

static const struct transport_ops *real;

/* The team has the events, and the machine hears nothing: it will send them again. */
static int append_unheard(struct transport *t, int machine, const struct chain_end *base,
                          const struct team_event *events, size_t count, struct error *e)
{
    t->ops = real;
    return real->append(t, machine, base, events, count, e) < 0
               ? -1
               : error_set(e, ERROR_BUSY, "", "the answer was lost");
}

static int lose_answer(struct txn *t, void *arg, struct error *e)
{
    static struct transport_ops unheard;
    (void)arg;
    if (team_catch_up(t, false, e))
        return -1;
    struct transport *transport = t->store->team_link->transport;
    if (!transport)
        return error_set(e, ERROR_BUSY, "", "no transport");
    real = transport->ops;
    unheard = *real;
    unheard.append = append_unheard;
    transport->ops = &unheard;
    return 0;
}

/* ---- operations ---- */

static const char *new_word(struct team *t, const char *ref)
{
    t->words = xrealloc(t->words, (t->word_count + 1) * sizeof(*t->words));
    struct word *w = &t->words[t->word_count];
    snprintf(w->text, sizeof(w->text), "w%zuw", t->word_count++);
    snprintf(w->ref, sizeof(w->ref), "%s", ref);
    return w->text;
}

static int64_t ask_number(struct machine *m, const char *sql, int64_t argument)
{
    struct error e;
    int64_t number = 0;
    must(db_int(reader_db(m->reader), &number, 0, &e, sql, "i", argument), &e);
    return number;
}

/* A random number up to the greatest of a column. */
static int64_t random_up_to(struct team *t, struct machine *m, const char *sql)
{
    int64_t last = ask_number(m, sql, 0);
    return last ? 1 + (int64_t)random_below(&t->random, (uint32_t)last) : 0;
}

static int64_t random_row(struct team *t, struct machine *m)
{
    int64_t row = random_up_to(t, m, "SELECT max(id, ?) FROM memory ORDER BY id DESC LIMIT 1");
    return row ? ask_number(
                     m, "SELECT id FROM memory WHERE id >= ? AND status < 6 ORDER BY id LIMIT 1",
                     row)
               : 0;
}

static void ref_of_row(struct machine *m, int64_t row, char *out, size_t size)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct memory now;
    must(memory_read_text(reader_db(m->reader), &arena, row, &now, &e), &e);
    snprintf(out, size, "%s:%s", REF_ARGS(now.ref));
}

static void note_settled(struct team *t, struct machine *m, int64_t row)
{
    struct error e;
    struct query rows =
        db_query(reader_db(m->reader), &e, "SELECT mine FROM disputed WHERE memory = ?", "i", row);
    while (db_next(&rows))
        if (sqlite3_column_text(rows.stmt, 0))
            strbuf_addstr(&t->settled, (const char *)sqlite3_column_text(rows.stmt, 0));
    must(db_end(&rows), &e);
}

static void add(struct team *t, struct machine *m, const struct actor *actor)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct added out;
    char text[64];
    size_t at = t->word_count;
    snprintf(text, sizeof(text), "%s is said", new_word(t, ""));
    struct add_request q = {
        .kind = KIND_BELIEF, .text = text, .agent_id = "ash", .confidence = 0.5};
    must(store_add(m->store, actor, &q, strlen(text), &arena, &out, &e), &e);
    snprintf(t->words[at].ref, sizeof(t->words[at].ref), "belief:%s", out.ref.id);
    strbuf_addf(&steps, "adds %s as belief:%.8s\n", t->words[at].text, out.ref.id);
}

static const struct choice {
    enum operation op;
    unsigned chance; /* of 100 */
    const char *name;
} choices[] = {
    {OPERATION_EDIT, 34, "edits"},       {OPERATION_FLAG, 20, "tags"},
    {OPERATION_RETRACT, 11, "retracts"}, {OPERATION_REINFORCE, 11, "reinforces"},
    {OPERATION_LOCK, 11, "locks"},       {OPERATION_UNDO, 9, "undoes an event of"},
    {OPERATION_PURGE, 4, "purges"},
};

/* A refused operation was not acknowledged: its word is taken back. */
void operate(struct team *t, struct machine *m)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct plan p;
    bool by_person = random_chance(&t->random, 40);
    const struct actor *actor = by_person ? &person : &agent;
    int64_t row = random_chance(&t->random, 40) ? 0 : random_row(t, m), seq;
    const struct choice *c = choices;
    char text[64], ref[80];
    if (!row) {
        add(t, m, actor);
        return;
    }
    for (unsigned chance = random_below(&t->random, 100); chance >= c->chance; c++)
        chance -= c->chance;
    struct request q = {.nodes = &row, .node_count = 1, .confidence = NAN};
    enum operation op = c->op;
    size_t words = t->word_count;
    const char *word = "";
    ref_of_row(m, row, ref, sizeof(ref));
    if (op == OPERATION_EDIT) {
        word = new_word(t, ref);
        snprintf(text, sizeof(text), "%s is said now", word);
        q.text = text;
        q.text_len = strlen(text);
    } else if (op == OPERATION_FLAG) {
        op = OPERATION_EDIT;
        word = new_word(t, ref);
        q.tags = &word;
        q.tag_count = 1;
        q.tags_given = true;
    } else if (op == OPERATION_UNDO) {
        seq = ask_number(m, "SELECT max(seq) FROM event WHERE subject = ?", row);
        q.seqs = &seq;
        q.seq_count = 1;
        q.node_count = 0;
    }
    if (op == OPERATION_UNDO || op == OPERATION_PURGE)
        actor = &person;
    if (actor == &person)
        note_settled(t, m, row);
    strbuf_addf(&steps, "%s %s %.15s %s", actor->name, c->name, ref, word);
    int result = operation_run_now(m->store, actor, op, &q, &arena, &p, &e);
    strbuf_addf(&steps, "%s%s\n", result ? ": " : "", result ? e.what : "");
    if (op == OPERATION_PURGE && (!result || e.code == ERROR_BUSY))
        strbuf_addf(result ? &t->unsure : &t->purged, "%s ", ref);
    else if (result && (e.code == ERROR_STORE || e.code == ERROR_BUSY))
        fail_msg("%s", e.what);
    else if (result)
        t->word_count = words;
}

/* ---- at rest ---- */

static void add_column(struct strbuf *out, sqlite3_stmt *stmt, int column)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    strbuf_addstr(out, text ? text : "");
    strbuf_addch(out, ' ');
}

void dump(struct reader *r, struct strbuf *memories, struct strbuf *journal, struct strbuf *all)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct error e;
    struct memory m;
    struct query rows = db_query(reader_db(r), &e,
                                 "SELECT id FROM memory WHERE status <> 7 ORDER BY kind, name", "");
    while (db_next(&rows)) {
        arena_clear(&arena);
        must(memory_read_db(reader_db(r), &arena, sqlite3_column_int64(rows.stmt, 0), &m, &e), &e);
        memory_json_write(memories, &m, NULL);
        strbuf_addch(memories, '\n');
    }
    must(db_end(&rows), &e);
    strbuf_addstr(all, memories->buf);
    rows =
        db_query(reader_db(r), &e,
                 "SELECT seq, canonical, hex(hash), hex(salt), patch FROM event ORDER BY seq", "");
    while (db_next(&rows)) {
        for (int column = 0; column < 5; column++)
            add_column(journal, rows.stmt, column);
        strbuf_addch(journal, '\n');
        add_column(all, rows.stmt, 4);
    }
    must(db_end(&rows), &e);
    rows = db_query(reader_db(r), &e, "SELECT base, mine, theirs FROM disputed", "");
    while (db_next(&rows))
        for (int column = 0; column < 3; column++)
            add_column(all, rows.stmt, column);
    must(db_end(&rows), &e);
}

static void on_finding(void *arg, const struct fsck_finding *f)
{
    (void)arg;
    fail_msg("fsck: %s", f->what);
}

static void on_difference(void *arg, int64_t seq, const char *what)
{
    (void)arg;
    fail_msg("event %lld: %s", (long long)seq, what);
}

void check_store(struct reader *r)
{
    struct error e;
    struct fsck_summary summary = {0};
    must(store_fsck(r, on_finding, NULL, NULL, &summary, &e), &e);
    must(team_verify(r, on_difference, NULL, &e), &e);
}

static void check_words(const struct team *t, const char *all)
{
    for (size_t n = 0; n < t->word_count; n++) {
        const struct word *w = &t->words[n];
        bool purged = strstr(t->purged.buf, w->ref), found = strstr(all, w->text);
        if (purged && found)
            fail_msg("%s was purged with %s and is there", w->text, w->ref);
        if (!purged && !found && !strstr(t->settled.buf, w->text) && !strstr(t->unsure.buf, w->ref))
            fail_msg("%s was acknowledged and is nowhere", w->text);
    }
}

void check_rest(struct team *t)
{
    struct error e;
    AUTO_STRBUF memories = STRBUF_INIT, journal = STRBUF_INIT, all = STRBUF_INIT;
    for (int i = 0; i < t->count; i++)
        if (t->machine[i].away)
            set_away(&t->machine[i], false);
    for (int i = 0; i < 2 * t->count; i++)
        must(team_sync(t->machine[i % t->count].store, &e), &e);
    for (int i = 0; i < t->count; i++) {
        AUTO_STRBUF those = STRBUF_INIT, theirs = STRBUF_INIT;
        dump(t->machine[i].reader, i ? &those : &memories, i ? &theirs : &journal, &all);
        if (i) {
            assert_string_equal(those.buf, memories.buf);
            assert_string_equal(theirs.buf, journal.buf);
        }
    }
    check_words(t, all.buf);
}

/* ---- a schedule ---- */

static void step(struct team *t, struct machine *m)
{
    struct error e;
    strbuf_addf(&steps, "  m%d ", (int)(m - t->machine));
    if (random_chance(&t->random, 15)) {
        set_away(m, !m->away);
        strbuf_addstr(&steps, m->away ? "is cut off\n" : "is back\n");
    } else if (!m->away && random_chance(&t->random, 10)) {
        strbuf_addstr(&steps, "fetches and sends\n");
        must(team_sync(m->store, &e), &e);
    } else if (!m->away && random_chance(&t->random, 8)) {
        must(store_run(m->store, lose_answer, NULL, &e), &e);
        strbuf_addstr(&steps, "(hears no answer) ");
        operate(t, m);
        set_away(m, false);
    } else {
        operate(t, m);
    }
}

void schedule_run(const char *address, uint64_t seed)
{
    struct team t;
    team_begin(&t, address, 3 + (int)(seed % 3), seed);
    for (int n = 12 + (int)(seed % 30); n > 0; n--) {
        struct machine *m = &t.machine[random_below(&t.random, (uint32_t)t.count)];
        skew = ((int64_t)(m - t.machine) - 2) * 7200000;
        step(&t, m);
    }
    strbuf_addstr(&steps, "  at rest\n");
    check_rest(&t);
    if (seed % 8 == 0)
        for (int i = 0; i < t.count; i++)
            check_store(t.machine[i].reader);
    team_end(&t);
}
