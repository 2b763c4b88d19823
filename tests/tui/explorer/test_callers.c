/*
 * Runs each operation from each caller: the function, the command, the MCP tool, the explorer. On equal stores they
 * leave the same rows and events, except for ids, times and channels.
 */
#include <math.h>
#include <unistd.h>
#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/ops/add.h"
#include "store/journal/journal.h"
#include "store/ops/operation.h"
#include "tests/support/program.h"
#include "tests/support/script.h"
#include "tests/support/test.h"
#include "tests/support/tool_call.h"

#define AT  "\"agent_id\":\"client\",\"created_at\":1600000000000"
#define OLD "1600000000000" /* the fixed time of all stores */

static const char *const lines[] = {
    "{\"ref\":\"raw:one\",\"text\":\"as it came\"," AT "}",
    "{\"ref\":\"raw:two\",\"text\":\"as it came, too\"," AT ",\"tags\":[\"x\"]}",
    "{\"ref\":\"raw:old\",\"text\":\"long ago\"," AT ",\"processed_into\":[\"note:n\"]}",
    "{\"ref\":\"note:n\",\"text\":\"of long ago\"," AT "}",
    "{\"ref\":\"episode:met\",\"text\":\"met Claire\"," AT ",\"confidence\":0.6}",
    "{\"ref\":\"belief:a\",\"text\":\"alone\"," AT
    ",\"confidence\":0.7,\"derived_from\":[\"raw:one\"],\"tags\":[\"t\"],\"detail\":"
    "{\"belief_type\":\"rule\"}}",
    "{\"ref\":\"belief:b\",\"text\":\"on top\"," AT
    ",\"confidence\":0.9,\"derived_from\":[\"belief:a\"],\"source_episodes\":[\"met\"]}",
    "{\"ref\":\"belief:c\",\"text\":\"on two\"," AT
    ",\"confidence\":0.9,\"derived_from\":[\"raw:one\",\"raw:two\"]}",
    "{\"ref\":\"belief:r\",\"text\":\"was wrong\"," AT ",\"status\":\"retracted\"}",
    "{\"ref\":\"belief:q\",\"text\":\"was planted\"," AT ",\"status\":\"quarantined\"}",
    "{\"ref\":\"belief:p\",\"text\":\"kept\"," AT
    ",\"protected\":true,\"marks\":[{\"mark\":\"poisoned\",\"at\":1600000000000,\"actor\":\"x\"}]}",
    "{\"ref\":\"belief:s\",\"text\":\"from the start\"," AT ",\"context\":\"kernle_seed\"}",
};

#define LIST(name, ...) static const char *name[] = {__VA_ARGS__, NULL}
LIST(raw_one, "raw:one");
LIST(belief_a, "belief:a");
LIST(beliefs_ab, "belief:a", "belief:b");
LIST(belief_p, "belief:p");
LIST(belief_r, "belief:r");
LIST(belief_q, "belief:q");
LIST(episode_met, "episode:met");
LIST(several, "belief:a", "raw:two");
LIST(raws, "raw:one", "raw:two");
LIST(belief_c, "belief:c");
LIST(belief_b, "belief:b");
LIST(tags, "x", "y");
LIST(stated, "on two");
static const struct seed a_seed = {
    .text = "care before speed", .len = 17, .confidence = 0.85, .tags = tags, .tag_count = 2};
static const struct add_request a_goal = {.kind = KIND_GOAL,
                                          .text = "halve it",
                                          .confidence = 0.5,
                                          .agent_id = "client",
                                          .source = "told by Claire",
                                          .derived_from = raws,
                                          .derived_count = 2,
                                          .derivation = READING_ALL,
                                          .relates_to = episode_met,
                                          .relates_count = 1};

#define REFS(list, n) .refs = list, .ref_count = n
#define TEXT(words)   .text = words, .text_len = sizeof(words) - 1
#define NO_NUMBER     .confidence = NAN
#define COMMAND(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define WORDS_MAX 16

/* An operation in the form of each caller. */
static const struct deed_case {
    enum operation op; /* OPERATION_COUNT: add */
    struct request q;
    const char *words[WORDS_MAX];
    const char *input;            /* on standard input */
    const char *tool, *arguments; /* NULL if agents cannot do it */
    bool edited_before;           /* preceded by a person's edit, to be undone */
    bool undone_before;
    const char *keys; /* keys in the explorer; NULL if they would do something else */
} cases[] = {
    {.op = OPERATION_COUNT,
     .q = {NO_NUMBER},
     .words =
         COMMAND("add", "goal", "halve it", "--confidence", "0.5", "--source", "told by Claire",
                 "--from", "raw:one", "--from", "raw:two", "--all", "--evidence", "met"),
     .tool = "memory_add",
     .arguments = "{\"kind\":\"goal\",\"text\":\"halve it\",\"confidence\":0.5,\"source\":\"told "
                  "by Claire\","
                  "\"derived_from\":[\"raw:one\",\"raw:two\"],\"derivation\":\"all\",\"relates_"
                  "to\":[\"met\"]}",
     .keys = ":belief:a<Enter>Cighalve it<Tab>raw:one, "
             "raw:two<Tab><Right><Tab>met<Tab><C-u>0.5<Tab><Tab>told by Claire<Enter>"},
    {.op = OPERATION_EDIT,
     .q = {REFS(belief_a, 1), TEXT("other words"), .confidence = 0.4, .tags = tags, .tag_count = 2,
           .tags_given = true, .reason = "a slip", .expected_version = 1},
     .words = COMMAND("edit", "belief:a", "--text", "other words", "--confidence", "0.4", "--tag",
                      "x", "--tag", "y", "--reason", "a slip", "--expected-version", "1"),
     .tool = "memory_update",
     .arguments =
         "{\"ref\":\"belief:a\",\"text\":\"other words\",\"confidence\":0.4,\"tags\":[\"x\",\"y\"],"
         "\"reason\":\"a slip\",\"expected_version\":1}",
     .keys = ":belief:a<Enter>Ce<C-u>other words<Tab><C-u>0.4<Tab><C-u>x, y<Tab><Tab><Tab><Tab>a "
             "slip<Enter>"},
    {.op = OPERATION_PROMOTE,
     .q = {REFS(raw_one, 1), .as = KIND_BELIEF, NO_NUMBER},
     .words = COMMAND("process", "raw:one", "--as", "belief"),
     .tool = "memory_process_raw",
     .arguments = "{\"ref\":\"raw:one\",\"as\":\"belief\"}",
     .keys = ":raw:one<Enter>CPb"},
    {.op = OPERATION_REINFORCE,
     .q = {REFS(belief_a, 1), .evidence = episode_met, .evidence_count = 1, .reason = "again",
           NO_NUMBER},
     .words = COMMAND("reinforce", "belief:a", "--evidence", "episode:met", "--reason", "again"),
     .tool = "memory_reinforce",
     .arguments = "{\"ref\":\"belief:a\",\"evidence_source\":\"episode:met\",\"reason\":\"again\"}",
     .keys = ":belief:a<Enter>;CBepisode:met<Enter>again<Enter>"},
    {.op = OPERATION_REPLACE,
     .q = {REFS(belief_b, 1), TEXT("better"), .confidence = 0.6, .reason = "counted"},
     .words =
         COMMAND("supersede", "belief:b", "better", "--confidence", "0.6", "--reason", "counted"),
     .tool = "memory_supersede",
     .arguments = "{\"ref\":\"belief:b\",\"statement\":\"better\",\"confidence\":0.6,\"reason\":"
                  "\"counted\"}",
     .keys = ":belief:b<Enter>:replace<Enter><C-u>better<Tab>0.6<Tab>counted<Enter>"},
    {.op = OPERATION_RESOLVE,
     .q = {REFS(beliefs_ab, 2), NO_NUMBER},
     .words = COMMAND("resolve", "belief:b", "belief:a", "--keep", "belief:b", "--yes"),
     .keys = ":belief:a<Enter>:resolve belief:b<Enter>:resolve<Enter><Enter>"},
    {.op = OPERATION_REVISE,
     .q = {REFS(episode_met, 1), .evidence = belief_a, .evidence_count = 1, .contradicts = belief_c,
           .contradict_count = 1, NO_NUMBER},
     .words =
         COMMAND("revise", "episode:met", "--confirms", "belief:a", "--contradicts", "belief:c"),
     .tool = "memory_revise_from_episode",
     .arguments =
         "{\"episode\":\"episode:met\",\"confirms\":[\"belief:a\"],\"contradicts\":[\"belief:c\"]}",
     .keys = ":episode:met<Enter>:revise<Enter>belief:a<Tab>belief:c<Enter>"},
    {.op = OPERATION_CONSOLIDATE,
     .q = {REFS(belief_a, 1), .evidence = raws, .evidence_count = 2, .date = "2026-02-01",
           NO_NUMBER},
     .words =
         COMMAND("consolidate", "belief:a", "--from", "raw:one", "raw:two", "--date", "2026-02-01"),
     .tool = "memory_consolidate",
     .arguments =
         "{\"ref\":\"belief:a\",\"evidence\":[\"raw:one\",\"raw:two\"],\"date\":\"2026-02-01\"}",
     .keys = ":belief:a<Enter>:consolidate<Enter>raw:one, raw:two<Tab><C-u>2026-02-01<Enter>"},
    {.op = OPERATION_SEED,
     .q = {.seeds = &a_seed, .seed_count = 1, NO_NUMBER},
     .words = COMMAND("seed", "-"),
     .input = "{\"statement\":\"care before speed\",\"confidence\":0.85,\"tags\":[\"x\",\"y\"]}\n",
     .tool = "memory_seed",
     .arguments =
         "{\"statement\":\"care before speed\",\"confidence\":0.85,\"tags\":[\"x\",\"y\"]}",
     .keys = ":belief:a<Enter>:seed<Enter>care before speed<Tab>0.85<Tab>x, y<Enter>"},
    {.op = OPERATION_FLAG,
     .q = {REFS(belief_a, 1), .flag = "rating", .value = "4", .reason = "so", NO_NUMBER},
     .words = COMMAND("mark", "rating", "belief:a", "--value", "4", "--reason", "so"),
     .tool = "memory_mark",
     .arguments = "{\"ref\":\"belief:a\",\"mark\":\"rating\",\"value\":\"4\",\"reason\":\"so\"}",
     .keys = ":belief:a<Enter>;CJt4<Enter>so<Enter>"},
    {.op = OPERATION_UNFLAG,
     .q = {REFS(belief_p, 1), .flag = "poisoned", NO_NUMBER},
     .words = COMMAND("mark", "poisoned", "belief:p", "--remove"),
     .keys = ":belief:p<Enter>:unflag<Enter><Enter>"},
    {.op = OPERATION_APPROVE,
     .q = {REFS(belief_a, 1), .reason = "looked", NO_NUMBER},
     .words = COMMAND("verify", "belief:a", "--reason", "looked"),
     .keys = ":belief:a<Enter>;Calooked<Enter>"},
    {.op = OPERATION_LOCK,
     .q = {REFS(belief_a, 1), NO_NUMBER},
     .words = COMMAND("protect", "belief:a"),
     .tool = "memory_protect",
     .arguments = "{\"ref\":\"belief:a\"}",
     .keys = ":belief:a<Enter>:lock<Enter>"},
    {.op = OPERATION_UNLOCK,
     .q = {REFS(belief_p, 1), NO_NUMBER},
     .words = COMMAND("unprotect", "belief:p"),
     .keys = ":belief:p<Enter>:unlock<Enter>"},
    {.op = OPERATION_RETRACT,
     .q = {REFS(raw_one, 1), .reason = "wrong host", NO_NUMBER},
     .words = COMMAND("retract", "raw:one", "--reason", "wrong host", "--yes"),
     .tool = "memory_retract",
     .arguments = "{\"ref\":\"raw:one\",\"reason\":\"wrong host\"}",
     .keys = ":raw:one<Enter>;Cdwrong host<Enter><Enter>"},
    {.op = OPERATION_RETRACT,
     .q = {REFS(several, 2), NO_NUMBER},
     .words = COMMAND("retract", "belief:a", "raw:two", "--yes")},
    {.op = OPERATION_QUARANTINE,
     .q = {REFS(raw_one, 1), .reason = "planted", NO_NUMBER},
     .words = COMMAND("quarantine", "raw:one", "--reason", "planted", "--yes"),
     .keys = ":raw:one<Enter>;:quarantine<Enter>planted<Enter><Enter>"},
    {.op = OPERATION_RELEASE,
     .q = {REFS(belief_q, 1), NO_NUMBER},
     .words = COMMAND("release", "belief:q"),
     .keys = ":belief:q<Enter>:release<Enter>"},
    {.op = OPERATION_RESTORE,
     .q = {REFS(belief_r, 1), NO_NUMBER},
     .words = COMMAND("restore", "belief:r"),
     .tool = "memory_restore",
     .arguments = "{\"ref\":\"belief:r\"}",
     .keys = ":belief:r<Enter>:restore<Enter>"},
    {.op = OPERATION_FORGET,
     .q = {REFS(raw_one, 1), NO_NUMBER},
     .words = COMMAND("forget", "raw:one", "--yes"),
     .tool = "memory_forget",
     .arguments = "{\"ref\":\"raw:one\"}",
     .keys = ":raw:one<Enter>CD<Enter>"},
    {.op = OPERATION_PURGE,
     .q = {REFS(belief_c, 1), .reason = "asked to", NO_NUMBER},
     .words = COMMAND("purge", "belief:c", "--reason", "asked to", "--yes"),
     .keys = ":belief:c<Enter>;:purge<Enter>asked to<Enter><Enter>purge<Enter>"},
    {.op = OPERATION_CAP_CONFIDENCE,
     .q = {REFS(belief_a, 1), NO_NUMBER},
     .words = COMMAND("propagate", "belief:a", "--yes"),
     .keys = ":belief:a<Enter>:cap-confidence<Enter><Enter>"},
    {.op = OPERATION_REPAIR_ORIGINS,
     .q = {.statements = stated, .statement_count = 1, NO_NUMBER},
     .words = COMMAND("fix-provenance", "--seeds", "-", "--yes"),
     .input = "on two\n"},
    {.op = OPERATION_REPAIR_ORIGINS,
     .q = {NO_NUMBER},
     .words = COMMAND("fix-provenance", "--yes"),
     .keys = ":belief:s<Enter>:repair-origins<Enter><Enter>"},
    {.op = OPERATION_MERGE,
     .q = {REFS(belief_c, 1), .into = "belief:a", NO_NUMBER},
     .words = COMMAND("merge", "belief:c", "--into", "belief:a", "--yes"),
     .keys = ":belief:c<Enter>m<C-u>belief:a<Enter><Enter>"},
    {.op = OPERATION_UNDO,
     .q = {NO_NUMBER},
     .words = COMMAND("undo"),
     .edited_before = true,
     .keys = "u"},
    {.op = OPERATION_REDO,
     .q = {NO_NUMBER},
     .words = COMMAND("redo"),
     .edited_before = true,
     .undone_before = true,
     .keys = "<C-r>"},
};

static const struct actor person = {
    .class = ACTOR_PERSON, .name = "client", .agent = NULL, .origin = "test"};

/* ---- the callers ---- */

static void run(struct fixture *f, enum operation op, const struct request *q)
{
    struct plan p;
    struct error e = {0};
    if (operation_run_now(f->store, &person, op, q, &f->arena, &p, &e))
        fail_msg("%s: %s", op_spec(op)->name, e.what);
}

static bool by_function(struct fixture *f, const struct deed_case *c)
{
    struct added added;
    struct error e = {0};
    if (c->op != OPERATION_COUNT)
        run(f, c->op, &c->q);
    else if (store_add(f->store, &person, &a_goal, strlen(a_goal.text), &f->arena, &added, &e))
        fail_msg("add: %s", e.what);
    return true;
}

static bool by_command(struct fixture *f, const struct deed_case *c)
{
    static struct program p;
    char config[400];
    const char *argv[WORDS_MAX + 5] = {"--store", f->path, "--config", config};
    size_t n = 4;
    snprintf(config, sizeof(config), "%s/config.yaml", f->directory);
    FILE *file = fopen(config, "w");
    assert_non_null(file);
    fputs("actor: client\n", file);
    fclose(file);
    for (size_t i = 0; c->words[i]; i++)
        argv[n++] = c->words[i];
    program_run(&p, c->input, argv);
    unlink(config);
    if (p.status)
        fail_msg("%s: %d %s%s", c->words[0], p.status, p.out, p.err);
    program_release(&p);
    return true;
}

static bool by_tool(struct fixture *f, const struct deed_case *c)
{
    if (c->tool)
        tool_answer(f, c->tool, c->arguments);
    return c->tool != NULL;
}

static bool by_explorer(struct fixture *f, const struct deed_case *c)
{
    struct script s;
    if (!c->keys)
        return false;
    script_open(&s, f->store);
    s.person = "client";
    script_run(&s, c->keys);
    script_close(&s);
    return true;
}

/* ---- what they write ---- */

static bool is_uuid(const char *s)
{
    for (size_t i = 0; i < 36; i++)
        if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-'
                                                    : !strchr("0123456789abcdef", s[i]) || !s[i])
            return false;
    return true;
}

/* Removes new ids, current times, the names of commands, and who set a flag, which differ. */
static void add_alike(struct strbuf *out, const char *text)
{
    /* With a fixed clock a patch may omit the time. */
    static const char changed[] = "\"updated_at\":";
    static const char typed[] = "cli-promote", tag[] = "\"tags\":[\"promoted\"],",
                      by[] = ",\"by_agent\":true";
    while (*text) {
        if (strncmp(text, changed, strlen(changed)) == 0) {
            text += strlen(changed) + strspn(text + strlen(changed), "0123456789,");
        } else if (strlen(text) >= 36 && is_uuid(text)) {
            strbuf_addstr(out, "NEW");
            text += 36;
        } else if (strspn(text, "0123456789") == 13) {
            strbuf_addstr(out, strncmp(text, OLD, 13) == 0 ? OLD : "NOW");
            text += 13;
        } else if (strncmp(text, typed, strlen(typed)) == 0) {
            strbuf_addstr(out, "raw-processing");
            text += strlen(typed);
        } else if (strncmp(text, tag, strlen(tag)) == 0) {
            text += strlen(tag);
        } else if (strncmp(text, by, strlen(by)) == 0) {
            text += strlen(by);
        } else {
            strbuf_addch(out, *text++);
        }
    }
    strbuf_addch(out, '\n');
}

static void add_rows(struct fixture *f, struct strbuf *out)
{
    struct error e;
    struct memory m;
    for (int64_t row = 1; memory_read(f->reader, &f->arena, row, &m, &e) == 0; row++) {
        AUTO_STRBUF form = STRBUF_INIT;
        memory_json_write(&form, &m, NULL);
        add_alike(out, form.buf);
    }
    assert_int_equal(e.code, ERROR_NOT_FOUND);
}

static void add_events(struct fixture *f, int64_t after, struct strbuf *out)
{
    struct event *events;
    size_t count;
    struct error e = {0};
    assert_int_equal(journal_read(f->reader, &f->arena, after, 1000, &events, &count, &e), 0);
    for (size_t i = 0; i < count; i++) {
        AUTO_STRBUF line = STRBUF_INIT;
        const struct event *v = &events[i];
        strbuf_addf(&line, "%lld %s %s:%s by %s because %s, undoes %lld, %s, patch %s",
                    (long long)v->seq, v->operation, kind_name(v->ref.kind), v->ref.id, v->actor,
                    v->reason ? v->reason : "-", (long long)v->undoes,
                    v->correlation ? "with others" : "alone", v->patch ? v->patch : "-");
        add_alike(out, line.buf);
    }
}

static bool leaves(bool (*act)(struct fixture *, const struct deed_case *),
                   const struct deed_case *c, struct strbuf *out)
{
    struct fixture f;
    static const struct request before = {REFS(belief_a, 1), TEXT("edited"), NO_NUMBER},
                                undo = {NO_NUMBER};
    fixture_open(&f);
    fixture_put_lines(&f, lines, sizeof(lines) / sizeof(lines[0]));
    if (c->edited_before)
        run(&f, OPERATION_EDIT, &before);
    if (c->undone_before)
        run(&f, OPERATION_UNDO, &undo);
    int64_t last = event_count(&f);
    bool acted = act(&f, c);
    add_rows(&f, out);
    add_events(&f, last, out);
    if (acted && event_count(&f) == last)
        fail_msg("%s: nothing was done", c->words[0]);
    fixture_close(&f);
    return acted;
}

/* Reports where two texts differ, with the text around. */
static void assert_alike(const struct deed_case *c, const char *who, const char *one,
                         const char *other)
{
    size_t at = 0;
    while (one[at] && one[at] == other[at])
        at++;
    size_t from = at > 200 ? at - 200 : 0;
    if (one[at] || other[at])
        fail_msg("%s %s:\n%.500s\n--- and ---\n%.500s", c->words[0], who, one + from, other + from);
}

TEST(each_caller_writes_the_same)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO_STRBUF function = STRBUF_INIT, command = STRBUF_INIT, tool = STRBUF_INIT,
                    explorer = STRBUF_INIT;
        leaves(by_function, &cases[i], &function);
        leaves(by_command, &cases[i], &command);
        assert_alike(&cases[i], "by command", function.buf, command.buf);
        if (leaves(by_tool, &cases[i], &tool))
            assert_alike(&cases[i], "by tool", function.buf, tool.buf);
        if (leaves(by_explorer, &cases[i], &explorer))
            assert_alike(&cases[i], "in the explorer", function.buf, explorer.buf);
    }
}

/* No operation is missing here. */
TEST(each_operation_is_compared)
{
    for (int op = 0; op <= OPERATION_COUNT; op++) {
        size_t i = 0;
        while (i < sizeof(cases) / sizeof(cases[0]) && (int)cases[i].op != op)
            i++;
        assert_true(i < sizeof(cases) / sizeof(cases[0]));
    }
}
