/*
 * Scenes: what a person types in the explorer and what the screen shows then, as tests/cli has it for commands. The
 * files tests/tui/SUBJECT.t hold them; tests/tui/README.md says how they are written. Each scene begins with a store
 * of its own, to which the lines before the first scene are done, and the explorer runs on a screen that nobody
 * sees.
 *
 * test_scenes FILE… runs those files alone. GENERATE=1 makes golden frames anew, and prints the
 * frame of each step.
 */
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/format/memory_json.h"
#include "store/db/db.h"
#include "store/entries/entry.h"
#include "store/journal/journal.h"
#include "store/import/import.h"
#include "store/db/store_state.h"
#include "store/open.h"
#include "store/platform/platform.h"
#include "store/ops/operation.h"
#include "store/record/get.h"
#include "store/record/put.h"
#include "store/team/team.h"
#include "tests/support/agents.h"
#include "tests/support/chains.h"
#include "tests/support/golden.h"
#include "tests/support/scratch.h"
#include "tests/support/script.h"
#include "tests/support/store_fixture.h"
#include "tui/action/action.h"
#include "tui/commands/commands.h"
#include "tui/demo/demo.h"
#include "tui/explorer/script.h"

/* No scene is about the disk, so none waits for it. */
int fsync(int fd)
{
    return 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

/* A file that is read. */
struct file {
    struct script_file read;
    size_t first; /* index of the first scene */
};

#define SESSIONS 16
#define FRAMES   32

struct scene {
    struct script script; /* must be first: at_shot gets a pointer to it */
    struct store *store;
    struct call_log *log;
    const struct file *file;
    const struct script_line *at; /* the current line */
    const struct script_line *end;
    struct strbuf config;
    char person[40];
    struct {
        char name[40];
        struct session *session;
    } session[SESSIONS];
    char *frame[FRAMES]; /* of this run, one for each part of its keys */
    size_t frames;
    char *said; /* what is checked: the last frame, or the line of a memory */
    bool is_frame;
    int64_t last_event;
    char *source; /* a file that was imported */
    char *place;  /* the file of where the person was */
    char *visit;  /* the file of the last visit */
    struct store_opener opener;
    char *team, *other; /* a folder, and the store of another machine of it */
};

static uint32_t id_first, id_step, id_made;

static void make_id(char out[37])
{
    snprintf(out, 37, "%08x-1111-4111-8111-1111%08x", id_first + id_step * id_made, id_made);
    id_made++;
}

/* Fails with the place and all of the checked text. */
#define FAIL(s, ...)                                                                               \
    do {                                                                                           \
        char why_[1000];                                                                           \
        snprintf(why_, sizeof(why_), __VA_ARGS__);                                                 \
        print_error("%s\n", (s)->said ? (s)->said : "");                                           \
        fail_msg("%s:%d: %s: %s", (s)->file->read.path, (s)->at->number, (s)->at->text, why_);     \
    } while (0)

static int number(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

/* Reads a quoted text, in which "\e" is ESC and "\xff" any byte. */
static char *quoted_word(char **text)
{
    char *begin = ++*text, *out = begin, *at = begin;
    for (; *at && *at != '"'; at++, out++) {
        unsigned byte;
        *out = *at;
        if (*at == '\\' && sscanf(at, "\\x%2x", &byte) == 1)
            *out = (char)byte, at += 3;
        else if (*at == '\\')
            *out = *++at == 'e' ? '\033' : *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
    }
    *text = at + (*at == '"');
    *out = '\0';
    return begin;
}

/* Returns the next word of `text` and advances, or NULL at the end. */
static char *word(char **text)
{
    char *at = *text + strspn(*text, " ");
    if (!*at)
        return NULL;
    if (*at == '"') {
        *text = at;
        return quoted_word(text);
    }
    *text = at + strcspn(at, " ");
    if (**text)
        *(*text)++ = '\0';
    return at;
}

/* ---- changes of the store ---- */

static int64_t row_of(struct scene *s, const char *text)
{
    struct error e = {0};
    struct ref ref;
    struct reader *r = reader_open(s->store, &e);
    int64_t row = r && ref_parse(text, &ref) == REF_MEMORY ? ref_find(reader_db(r), ref, &e) : -1;
    reader_close(r);
    if (row <= 0)
        FAIL(s, "there is no memory %s", text);
    return row;
}

static void open_store(struct scene *s)
{
    if (s->store)
        return;
    int64_t clock = scratch_clock;
    s->store = scratch_store_with_clock("scene.db", make_id);
    scratch_clock = clock;
    s->script.store = s->store;
    s->log = agents_open(s->store);
}

static void use_demo(struct scene *s)
{
    struct config config = s->script.config;
    script_open_demo(&s->script);
    config_release(&s->script.config);
    s->script.config = config;
    s->store = s->script.store;
}

static int64_t stands(void)
{
    return scratch_clock;
}

static void use_story(struct scene *s)
{
    struct error e;
    AUTO_FREE char *path = scratch_path("story.db");
    if (story_replay(path, scratch_clock, &e))
        fail_msg("%s", e.what);
    s->store = s->script.store = scratch_store_with(path, &(struct store_options){.now = stands});
}

/* Consecutive lines are put in one transaction. */
static struct strbuf waiting = STRBUF_INIT;

static int put_line(struct txn *t, const char *line, struct error *e)
{
    static const struct actor actor = {.class = ACTOR_PERSON, .name = "tester", .origin = "test"};
    AUTO_ARENA arena = ARENA_INIT;
    struct memory before, m;
    int failed = memory_json_read(&m, &arena, line, strlen(line), "ash", txn_now(t), NULL, e);
    int64_t row = failed ? -1 : ref_find(txn_db(t), m.ref, e);
    if (row > 0)
        failed = memory_read_db(txn_db(t), &arena, row, &before, e);
    bool replaces = !failed && row > 0 && before.status != STATUS_MISSING;
    if (!failed)
        failed = row < 0 || txn_put(t, &actor, replaces ? "edit" : "add", replaces ? &before : NULL,
                                    &m, NULL, e);
    return failed ? -1 : 0;
}

static int put_lines(struct txn *t, void *arg, struct error *e)
{
    for (char *line = arg, *next; *line; line = next) {
        next = line + strcspn(line, "\n") + 1;
        next[-1] = '\0';
        if (put_line(t, line, e))
            return error_prefix(e, "%s", line);
    }
    return 0;
}

static void put_waiting(struct scene *s)
{
    struct error e = {0};
    if (waiting.len && store_run(s->store, put_lines, waiting.buf, &e))
        FAIL(s, "%s %s", e.what, e.hint);
    strbuf_clear(&waiting);
}

/* "{i}", "{i+1}", "{i%7}" and "{03i}" stand for the number. */
static void add_counted(struct strbuf *out, const char *text, int i)
{
    for (; *text; text++) {
        int width = 0, used = 0, by = 0;
        char sign = 0;
        if (*text == '{' && sscanf(text, "{%di%n", &width, &used) < 1)
            used = 0, sscanf(text, "{i%n", &used);
        if (used && strchr("+-%", text[used]) && text[used])
            sign = text[used++];
        if (sign)
            by = number(text + used), used += (int)strspn(text + used, "0123456789");
        if (!used || text[used] != '}') {
            strbuf_addch(out, *text);
            continue;
        }
        strbuf_addf(out, "%0*d", width,
                    sign == '+'   ? i + by
                    : sign == '-' ? i - by
                    : sign        ? i % by
                                  : i);
        text += used;
    }
}

static void act(struct scene *s, char *text);

/* "for 0 9 WHAT": repeats WHAT. */
static void repeat(struct scene *s, char *text)
{
    int first = number(word(&text)), last = number(word(&text));
    AUTO_STRBUF line = STRBUF_INIT;
    for (int i = first; i <= last; i++) {
        strbuf_clear(&line);
        add_counted(&line, text, i);
        act(s, line.buf);
    }
}

/* "by NAME OPERATION REF… name=value | name=value": another person runs it, or "agent:NAME". */
static void operate(struct scene *s, char *text)
{
    struct actor actor = {.class = ACTOR_PERSON, .origin = "command"};
    struct request q = REQUEST_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct plan plan;
    struct error e = {0};
    int64_t rows[8];
    actor.name = word(&text);
    if (!strncmp(actor.name, "agent:", 6))
        actor = (struct actor){
            .class = ACTOR_AGENT, .name = actor.name + 6, .agent = actor.name + 6, .origin = "mcp"};
    int op = operation_from_name(word(&text));
    assert_true(op >= 0);
    q.nodes = rows;
    while (*text && strcspn(text, " ") < strcspn(text, "=") + (strchr(text, '=') == NULL))
        rows[q.node_count++] = row_of(s, word(&text));
    if (*text && !strchr(text, '='))
        rows[q.node_count++] = row_of(s, word(&text));
    for (char *value, *next; *text; text = next) {
        next = strstr(text, " | ");
        if (next)
            *next = '\0', next += 3;
        else
            next = text + strlen(text);
        value = strchr(text, '=');
        *value++ = '\0';
        const struct param *p = op_param(op_spec((enum operation)op), text);
        if (!p)
            FAIL(s, "it takes no %s", text);
        if (p->type == PARAM_REFS || p->type == PARAM_LIST || p->type == PARAM_TAGS)
            op_set_list(
                p, &q,
                memcpy(arena_alloc(&arena, sizeof(value)), &(const char *){value}, sizeof(value)),
                1);
        else if (p->type == PARAM_NUMBER)
            op_set_number(p, &q, strtod(value, NULL));
        else
            op_set_text(p, &q, &arena, value, strlen(value));
    }
    if (operation_run_now(s->store, &actor, (enum operation)op, &q, &arena, &plan, &e))
        FAIL(s, "%s %s", e.what, e.hint);
}

/* ---- agents ---- */

/* A session keeps the pointer, so names live as long as the program. */
static const char *tool_named(const char *name)
{
    static char names[32][40];
    size_t i = 0;
    while (i < 31 && names[i][0] && strcmp(names[i], name) != 0)
        i++;
    snprintf(names[i], sizeof(names[i]), "%s", name);
    return names[i];
}

static struct session **session_named(struct scene *s, const char *name)
{
    for (size_t i = 0; i < SESSIONS; i++) {
        if (!s->session[i].name[0])
            snprintf(s->session[i].name, sizeof(s->session[i].name), "%s", name);
        if (!strcmp(s->session[i].name, name))
            return &s->session[i].session;
    }
    FAIL(s, "there are too many sessions");
    return NULL;
}

static enum error_code outcome_named(struct scene *s, const char *name)
{
    if (!strcmp(name, "interrupted")) /* points to the name of another */
        return ERROR_INTERRUPTED;
    for (int code = 0; code < ERROR_CODES; code++)
        if (!strcmp(error_name((enum error_code)code), name))
            return (enum error_code)code;
    FAIL(s, "there is no outcome %s", name);
    return ERROR_NONE;
}

/* "ask NAME TOOL [at=MS] [took=US] [of=REF] [in=NAMESPACE] [masked=N] [sent=BYTES] [full=BYTES] [given=JSON]
 * [told=JSON] [outcome=CODE]" */
static void ask(struct scene *s, char *text)
{
    struct session *session = *session_named(s, word(&text));
    struct call_note note = {.at = scratch_clock, .took_us = 640};
    note.tool = tool_named(word(&text));
    for (char *w; (w = word(&text));) {
        char *value = strchr(w, '=') + 1;
        if (!strncmp(w, "at=", 3))
            note.at += number(value);
        else if (!strncmp(w, "took=", 5))
            note.took_us = number(value);
        else if (!strncmp(w, "of=", 3))
            note.subject = row_of(s, value);
        else if (!strncmp(w, "in=", 3))
            note.namespace_ = value;
        else if (!strncmp(w, "masked=", 7))
            note.redactions = number(value);
        else if (!strncmp(w, "sent=", 5))
            note.bytes = number(value);
        else if (!strncmp(w, "full=", 5))
            note.full_bytes = number(value);
        else if (!strncmp(w, "given=", 6))
            note.arguments = value;
        else if (!strncmp(w, "told=", 5))
            note.error = value;
        else
            note.outcome = outcome_named(s, value);
    }
    note.is_tool = note.namespace_ || note.redactions;
    session_note(session, &note);
}

/* "join NAME CLIENT [AGENT] [transport=T] [era=E] [peer=none]" */
static void join(struct scene *s, char *text)
{
    struct session **session = session_named(s, word(&text));
    struct session_start start = {.client = word(&text),
                                  .client_version = "2.1",
                                  .era = "2025-11-25",
                                  .transport = "socket",
                                  .task = "look after the deploys",
                                  .peer_uid = 1000,
                                  .peer_pid = 4711};
    for (char *w; (w = word(&text));)
        if (!strncmp(w, "transport=", 10))
            start.transport = w + 10;
        else if (!strncmp(w, "era=", 4))
            start.era = w + 4;
        else if (!strcmp(w, "peer=none"))
            start.peer_uid = start.peer_pid = -1;
        else
            start.actor = w;
    if (!s->log)
        s->log = agents_open(s->store);
    *session = session_begin(s->log, &start);
}

static int write_nothing(struct txn *t, void *arg, struct error *e)
{
    int64_t row;
    return session_admit(t, arg, &row, e);
}

/* Returns whether the session may write. */
static bool is_admitted(struct scene *s, const char *name)
{
    struct error e = {0};
    if (!store_run(s->store, write_nothing, *session_named(s, name), &e))
        return true;
    if (e.code != ERROR_REFUSED)
        FAIL(s, "%s", e.what);
    return false;
}

/* "step CHAIN DOCUMENT QUESTION": adds a step to that chain (REF) or to a new one ("-"), based on
 * that document ("-": none). */
static void add_step(struct scene *s, char *text)
{
    const char *chain = word(&text), *id = word(&text);
    const struct made_source source = {id, id, "a passage of it", 0.9, NULL, -1};
    const struct made_step step = {.number = 1,
                                   .question = text,
                                   .confidence = NAN,
                                   .seconds = NAN,
                                   .source = &source,
                                   .count = *id != '-'};
    chains_step(s->store, NULL, "ash",
                *chain == '-' ? chains_begin(s->store, NULL, "ash", text, NULL) : row_of(s, chain),
                &step);
}

/* ---- the explorer ---- */

/* Replaces a setting; the line is as in config.yaml. */
static void set(struct scene *s, const char *text)
{
    struct error e = {0};
    if (script_set(&s->config, &s->script.config, text, &e))
        FAIL(s, "%s", e.what);
    if (s->store)
        s->store->confidence.decay = s->script.config.decay;
}

/* "config "TEXT"": the configuration file has that text now. The first one is read at the start. */
static void configure(struct scene *s, char *text)
{
    struct error e = {0};
    const char *written = word(&text);
    AUTO_STRBUF path = STRBUF_INIT;
    strbuf_addf(&path, "%s/.config/stemma/config.yaml", getenv("HOME"));
    if (store_make_folders(path.buf, &e))
        FAIL(s, "%s", e.what);
    scratch_write(path.buf, written, strlen(written));
    if (s->script.config.place)
        return;
    config_release(&s->script.config);
    if (config_load(&s->script.config, NULL, &e) || config_check(&s->script.config, &e))
        FAIL(s, "%s", e.what);
}

/* "other NAME {…}": a store of that name in the home directory, and a memory in it. */
static void put_other(struct scene *s, char *text)
{
    struct error e = {0};
    AUTO_FREE char *path = xformat("%s/%s", getenv("HOME"), word(&text));
    if (store_make_folders(path, &e))
        FAIL(s, "%s", e.what);
    struct store *other = scratch_store_with(path, &(struct store_options){.create = true});
    scratch_put(other, text + strspn(text, " "));
    store_close(other);
}

/* Sweeps expired entries, as a serving process does. */
static int sweep(struct txn *t, void *arg, struct error *e)
{
    static const struct actor stemma = {
        .class = ACTOR_AGENT, .name = "stemma", .origin = EXPIRY_ORIGIN};
    return entry_sweep(t, &stemma, 10, arg, e);
}

/* Moves the store away, or back. */
static void move_store(struct scene *s, bool back)
{
    AUTO_FREE char *away = xformat("%s.away", store_path(s->store));
    const char *here = store_path(s->store);
    assert_int_equal(rename(back ? away : here, back ? here : away), 0);
    if (!back && !platform_has_locks()) /* without notifications, files are polled */
        usleep(3 * WATCHER_POLL_MS * 1000);
}

/* From now on the store is open read-only. */
static void only_read(struct scene *s)
{
    AUTO_FREE char *path = xstrdup(store_path(s->store));
    call_log_close(s->log);
    store_close(s->store);
    s->log = NULL;
    s->store = scratch_store_with(path, &(struct store_options){.read_only = true});
    s->script.store = s->store;
}

/* ---- a team of two machines in a folder ---- */

/* The open folder of a team goes on where it is moved, so the store is opened anew. */
static void reopen(struct scene *s, const char *path)
{
    if (s->log)
        call_log_close(s->log);
    store_close(s->store);
    s->log = NULL;
    s->store = scratch_store_with(
        path, &(struct store_options){.create = true, .now = stands, .make_id = make_id});
    s->script.store = s->store;
}

static void make_team(struct scene *s)
{
    struct error e;
    s->team = scratch_path("team");
    s->other = scratch_path("other.db");
    assert_int_equal(team_create(s->store, s->team, "laptop", &e), 0);
    assert_int_equal(team_join(s->other, s->team, NULL, "build", &e), 0);
}

/* The folder goes away, or comes back and the store is brought up to date. */
static void move_team(struct scene *s, bool back)
{
    AUTO_FREE char *path = xstrdup(store_path(s->store)), *away = xformat("%s.away", s->team);
    struct error e;
    assert_int_equal(rename(back ? away : s->team, back ? s->team : away), 0);
    reopen(s, path);
    if (back)
        assert_int_equal(team_sync(s->store, &e), 0);
}

/* An operation on the other machine, whose folder is there in any case. */
static void operate_there(struct scene *s, char *text)
{
    AUTO_FREE char *here = xstrdup(store_path(s->store)), *away = xformat("%s.away", s->team);
    bool was_away = rename(away, s->team) == 0;
    reopen(s, s->other);
    operate(s, text);
    reopen(s, here);
    if (was_away)
        assert_int_equal(rename(s->team, away), 0);
}

/* A source of server-memory with that line, imported. */
static void add_source(struct scene *s, const char *line)
{
    struct import_summary summary;
    struct import_options options = {.actor = "sean"};
    struct error e;
    if (!s->source)
        s->source = scratch_path("memory.jsonl");
    scratch_write(s->source, line, strlen(line));
    assert_int_equal(
        import_source_run(&server_memory_format, s->store, s->source, &options, &summary, &e), 0);
}

/* Runs one line. Changes its text. */
static void act(struct scene *s, char *text)
{
    const char *rest;
    if ((rest = script_rest(text, "clock")))
        scratch_clock = strtoll(rest, NULL, 10);
    else if ((rest = script_rest(text, "ids")))
        sscanf(rest, "%x %x", &id_first, &id_step);
    else if ((rest = script_rest(text, "demo")))
        use_demo(s);
    else if (script_rest(text, "story"))
        use_story(s);
    else if ((rest = script_rest(text, "size")))
        sscanf(rest, "%dx%d", &s->script.columns, &s->script.rows);
    else if ((rest = script_rest(text, "person")))
        s->script.person =
            *rest ? (snprintf(s->person, sizeof(s->person), "%s", rest), s->person) : NULL;
    else if ((rest = script_rest(text, "colour")))
        s->script.no_colour = !strcmp(rest, "no");
    else if ((rest = script_rest(text, "set")))
        set(s, rest);
    else if (script_rest(text, "config"))
        configure(s, text + strlen("config"));
    else if (script_rest(text, "other"))
        put_other(s, text + strlen("other"));
    else if ((rest = script_rest(text, "rules")))
        demo_rules_add(&s->script.config.permissions);
    else if ((rest = script_rest(text, "env"))) {
        char *value = strchr(rest, '=');
        *value++ = '\0';
        setenv(rest, value, 1);
    } else if ((rest = script_rest(text, "later")))
        scratch_clock += number(rest);
    else {
        open_store(s);
        char *arguments = text + strcspn(text, " ");
        arguments += *arguments != '\0';
        if (*text == '{') {
            strbuf_addf(&waiting, "%s\n", text);
            return;
        }
        if (script_rest(text, "for")) {
            repeat(s, arguments);
            return;
        }
        put_waiting(s);
        if (script_rest(text, "by"))
            operate(s, arguments);
        else if (script_rest(text, "ask"))
            ask(s, arguments);
        else if (script_rest(text, "editor"))
            scratch_editor(arguments);
        else if (script_rest(text, "team"))
            make_team(s);
        else if (script_rest(text, "offline") || script_rest(text, "online"))
            move_team(s, text[1] == 'n');
        else if (script_rest(text, "there"))
            operate_there(s, arguments);
        else if (script_rest(text, "sweep")) {
            bool left;
            struct error e;
            assert_int_equal(store_run(s->store, sweep, &left, &e), 0);
        } else if (script_rest(text, "read-only"))
            only_read(s);
        else if (script_rest(text, "inbox"))
            s->script.inbox_first = true;
        else if (script_rest(text, "places")) {
            free(s->place);
            s->script.place = s->place = scratch_path("place");
            if (*arguments)
                scratch_write(s->place, arguments, strlen(arguments));
        } else if (script_rest(text, "visit")) {
            free(s->visit);
            s->script.visit = s->visit = scratch_path("state/visits/visit");
            unlink(s->visit);
        } else if (script_rest(text, "left")) { /* the last visit ended now */
            struct timespec now = {scratch_clock / 1000, 0};
            assert_int_equal(utimensat(AT_FDCWD, s->visit, (struct timespec[]){now, now}, 0), 0);
        } else if (script_rest(text, "tour"))
            s->script.tour = true;
        else if (script_rest(text, "hostile")) {
            script_put_hostile(s->store, 11);
            script_put_wide(s->store);
        } else if (script_rest(text, "source"))
            add_source(s, arguments);
        else if (script_rest(text, "follow")) {
            s->script.follow = s->source;
            s->script.format = &server_memory_format;
        } else if (script_rest(text, "flush"))
            agents_flush(s->store, s->log);
        else if (script_rest(text, "join"))
            join(s, arguments);
        else if (script_rest(text, "away") || script_rest(text, "back"))
            move_store(s, *text == 'b');
        else if (script_rest(text, "step"))
            add_step(s, arguments);
        else if (script_rest(text, "end"))
            session_end(*session_named(s, arguments), ENDED_BY_CLIENT);
        else if (script_rest(text, "write")) {
            struct session *session = *session_named(s, word(&arguments));
            const char *agent = word(&arguments);
            agents_write(s->store, session, agent, arguments);
        } else if (script_rest(text, "large")) {
            int steps = number(word(&arguments));
            chains_large(s->store, NULL, steps, number(arguments));
        } else if (script_rest(text, "chains")) {
            struct session *session = *session_named(s, word(&arguments));
            int64_t chain = chains_deploy(s->store, session);
            scratch_clock += 3600 * 1000;
            chains_around_deploy(s->store, session, chain);
            scratch_clock += 3600 * 1000;
        } else
            FAIL(s, "what is that?");
    }
}

/* Compares the rows between the first one and the status. */
static void same_drawing(struct scene *s, const char *a, const char *b)
{
    for (int row = 0; row < 21; row++) {
        size_t len = strcspn(a, "\n");
        if (row > 0 && (strcspn(b, "\n") != len || memcmp(a, b, len) != 0))
            FAIL(s, "row %d was %.*s", row + 1, (int)len, a);
        a += len + (a[len] == '\n');
        b += strcspn(b, "\n") + (b[strcspn(b, "\n")] == '\n');
    }
}

/* "same WHAT [N]": compares with the N-th frame of this run, or with the one before. */
static void check_same(struct scene *s, const char *text)
{
    char what[20] = "";
    unsigned number = (unsigned)s->frames - 1;
    sscanf(text, "%19s %u", what, &number);
    if (number < 1 || number > s->frames)
        FAIL(s, "there is no such frame");
    const char *before = s->frame[number - 1];
    if (!strcmp(what, "all")) {
        if (strcmp(before, s->said) != 0)
            FAIL(s, "it was\n%s", before);
    } else if (!strcmp(what, "no")) {
        if (!strcmp(before, s->said))
            FAIL(s, "it is the frame before");
    } else if (!strcmp(what, "drawing"))
        same_drawing(s, before, s->said);
    else if (!strcmp(what, "place")) {
        if (strcmp(strstr(before, "-- cursor"), strstr(s->said, "-- cursor")) != 0)
            FAIL(s, "the cursor was at %s", strstr(before, "-- cursor"));
    } else {
        AUTO_FREE char *a = script_cursor_line(before), *b = script_cursor_line(s->said);
        if (strcmp(a, b) != 0)
            FAIL(s, "the cursor was on %s", a);
    }
}

static void look_at(struct scene *s, char *said, bool is_frame)
{
    if (!s->is_frame)
        free(s->said);
    s->said = said;
    s->is_frame = is_frame;
}

/* The newest event as "sean person explorer retract: why". */
static char *newest_event(struct scene *s)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct strbuf out = STRBUF_INIT;
    struct event *event;
    struct error e;
    size_t count;
    struct reader *r = reader_open(s->store, &e);
    assert_int_equal(journal_read(r, &arena, journal_last(r, &e) - 1, 1, &event, &count, &e), 0);
    reader_close(r);
    strbuf_addf(&out, "%s %s %s %s: %s", event->actor, event->class_name, event->origin,
                event->operation, event->reason ? event->reason : "");
    return strbuf_detach(&out, NULL);
}

/* Selects the first line of the frame that has the text. */
static void look_at_line(struct scene *s, const char *text)
{
    AUTO_FREE char *wanted = script_text(text);
    const char *begin = strstr(s->frame[s->frames - 1], wanted);
    if (!begin)
        FAIL(s, "no line has it");
    while (begin > s->frame[s->frames - 1] && begin[-1] != '\n')
        begin--;
    look_at(s, strndup(begin, strcspn(begin, "\n")), false);
}

/* Checks the line. Returns false if it is not a check. */
static bool check(struct scene *s)
{
    const char *text = s->at->text, *rest;
    struct error e;
    if (*text != '{' && !script_rest(text, "for"))
        put_waiting(s);
    int holds = s->said ? script_check(s->said, text, &e) : 0;
    if (holds < 0)
        FAIL(s, "%s", e.what);
    if (holds)
        return true;
    if ((rest = script_rest(text, "frame")))
        golden_check(&s->script, rest, s->said);
    else if ((rest = script_rest(text, "same")))
        check_same(s, rest);
    else if ((rest = script_rest(text, "line")))
        look_at_line(s, rest);
    else if ((rest = script_rest(text, "admits")) || (rest = script_rest(text, "refuses"))) {
        if (is_admitted(s, rest) != (*text == 'a'))
            FAIL(s, "that is not so");
    } else if ((rest = script_rest(text, "row")))
        look_at(s, scratch_line(s->store, row_of(s, rest)), false);
    else if (script_rest(text, "event"))
        look_at(s, newest_event(s), false);
    else if ((rest = script_rest(text, "events"))) {
        struct reader *r = reader_open(s->store, &e);
        int64_t last = journal_last(r, &e);
        reader_close(r);
        if (*rest && last - s->last_event != number(rest))
            FAIL(s, "there are %lld more", (long long)(last - s->last_event));
        s->last_event = last;
    } else
        return false;
    return true;
}

static bool is_key_line(const struct script_line *l)
{
    return script_rest(l->text, "+") != NULL;
}

/* No frame may have characters that drive a terminal or reverse text. */
static void check_harmless(struct scene *s, const char *frame)
{
    bool ascii = s->script.config.ascii == ASCII_YES;
    for (const char *c = frame; *c; c++)
        if (*c != '\n' && ((unsigned char)*c < ' ' || *c == 0x7f || (ascii && *c & 0x80)))
            FAIL(s, "byte %02x is in", *c & 0xff);
    if (strstr(frame, "\u202e"))
        FAIL(s, "U+202E is in");
}

/* Checks the frame, then runs the changes before the next part of the keys, unless `acts` is false. */
static void at_frame(struct scene *s, const char *frame, bool acts)
{
    assert_true(s->frames < FRAMES);
    s->frame[s->frames++] = xstrdup(frame);
    look_at(s, s->frame[s->frames - 1], true);
    check_harmless(s, frame);
    if (getenv("GENERATE"))
        print_message("%s:%d: %s\n%s\n", s->file->read.path, s->at->number, s->at->text, frame);
    for (s->at++; s->at < s->end && !is_key_line(s->at); s->at++)
        if (*s->at->text == '>' || script_rest(s->at->text, "every"))
            break;
        else if (!check(s)) {
            if (!acts)
                break;
            AUTO_FREE char *text = xstrdup(s->at->text);
            act(s, text);
        }
    put_waiting(s);
}

static void at_shot(struct script *script, const char *name)
{
    struct scene *s = (struct scene *)script;
    if (!strncmp(name, "part", 4))
        at_frame(s, script->frame, true);
}

/* The value of "{}" in keys: the current word of `every`. */
static void fill_keys(struct strbuf *out, const char *text, const char *each)
{
    const char *gap = each ? strstr(text, "{}") : NULL;
    if (!gap) {
        strbuf_addstr(out, text);
        return;
    }
    AUTO_FREE char *before = strndup(text, (size_t)(gap - text));
    strbuf_addstr(out, before);
    strbuf_addstr(out, each);
    fill_keys(out, gap + 2, each);
}

/* Runs a line of keys and the lines up to the next run. */
static void run(struct scene *s, const char *each, bool acts)
{
    AUTO_STRBUF keys = STRBUF_INIT;
    const char *first = script_rest(s->at->text, ">");
    size_t parts = 0;
    open_store(s);
    put_waiting(s);
    look_at(s, NULL, true);
    while (s->frames > 0)
        free(s->frame[--s->frames]);
    fill_keys(&keys, first, each);
    for (const struct script_line *l = s->at + 1;
         l < s->end && *l->text != '>' && !script_rest(l->text, "every"); l++)
        if (is_key_line(l)) {
            strbuf_addstr(&keys, "<shot:part>");
            parts++;
            fill_keys(&keys, script_rest(l->text, "+"), each);
        }
    s->script.at_shot = at_shot;
    s->script.origin = store_path(s->store); /* it may be another one since */
    const char *frame = script_run(&s->script, keys.buf);
    if (s->frames < parts) { /* the explorer ended before the rest */
        s->at += *s->at->text == '>' ? 2 : 1;
        if (s->at >= s->end || strcmp(s->at->text, "ended") != 0)
            FAIL(s, "the explorer ended before that");
        s->at++;
    } else
        at_frame(s, frame, acts);
}

/* "every A | B | C": repeats the next run with each of them as "{}", or at each size, the last of
 * which stays. With `last`, the changes after it run, too. */
static void run_every(struct scene *s, bool last)
{
    const struct script_line *begin = s->at + 1;
    char *list = xstrdup(script_rest(s->at->text, "every")), *next;
    for (char *each = list; each; each = next) {
        int columns, rows;
        next = strstr(each, " | ");
        if (next)
            *next = '\0', next += 3;
        bool is_size = sscanf(each, "%dx%d", &columns, &rows) == 2;
        if (is_size)
            s->script.columns = columns, s->script.rows = rows;
        s->at = begin;
        if (is_size && script_rest(begin->text, "every"))
            run_every(s, last && !next);
        else
            run(s, is_size ? NULL : each, last && !next);
    }
    free(list);
}

/* "view NAME KEYS": compares with the golden frame of that name, at each size that has one. */
static void view(struct scene *s, const char *text)
{
    size_t len = strcspn(text, " ");
    AUTO_FREE char *name = strndup(text, len);
    struct golden_view v = {name, text + len + (text[len] != '\0')};
    int rows = s->script.rows, columns = s->script.columns;
    open_store(s);
    put_waiting(s);
    s->script.at_shot = NULL;
    golden_check_views(&s->script, &v, 1);
    s->script.rows = rows;
    s->script.columns = columns;
}

/* "sizes KEYS": opens the view while the terminal takes every size. */
static void any_size(struct scene *s, const char *text)
{
    AUTO_STRBUF keys = STRBUF_INIT;
    open_store(s);
    put_waiting(s);
    s->script.at_shot = NULL;
    strbuf_addstr(&keys, text);
    for (int n = 1; n < 14; n++)
        strbuf_addf(&keys, "<size:%dx%d><Down><size:%dx%d><Tab><size:1x1>é", n, n, 9 * n,
                    n % 5 + 1);
    script_run(&s->script, keys.buf);
}

/* ---- scenes ---- */

static void play(struct scene *s, const struct script_line *from, const struct script_line *to)
{
    s->end = to;
    for (s->at = from; s->at < to;) {
        const char *rest = script_rest(s->at->text, "view");
        if (*s->at->text == '>') {
            run(s, NULL, true);
            continue;
        }
        if (script_rest(s->at->text, "every")) {
            run_every(s, true);
            continue;
        }
        if (rest)
            view(s, rest);
        else if ((rest = script_rest(s->at->text, "sizes")))
            any_size(s, rest);
        else if (!check(s)) {
            AUTO_FREE char *text = xstrdup(s->at->text);
            act(s, text);
        }
        s->at++;
    }
}

struct part {
    const struct file *file;
    size_t begin, end; /* its lines */
};

static int set_up(void **state)
{
    const struct part *p = *state;
    struct scene *s = xcalloc(1, sizeof(*s));
    s->file = p->file;
    s->at = p->file->read.line;
    id_first = 0xa0000000;
    id_step = 1;
    id_made = 0;
    scratch_clock = FIXTURE_NOW;
    scratch_home(); /* saved views and watches of other scenes are not this one's */
    script_open(&s->script, NULL);
    s->script.person = "sean";
    s->opener = (struct store_opener){.config = &s->script.config, .person = "sean"};
    s->script.open = open_for_explorer;
    s->script.open_arg = &s->opener;
    s->script.columns = 120;
    s->script.rows = 36;
    setenv("TERM", "xterm-256color", 1);
    strbuf_init(&s->config);
    play(s, p->file->read.line, p->file->read.line + p->file->first);
    s->at = p->file->read.line + p->begin;
    s->end = p->file->read.line + p->end;
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;
    look_at(s, NULL, true);
    free(s->source);
    free(s->team);
    free(s->other);
    free(s->place);
    free(s->visit);
    while (s->frames > 0)
        free(s->frame[--s->frames]);
    if (s->log)
        call_log_close(s->log);
    store_close(s->store);
    script_close(&s->script);
    strbuf_release(&s->config);
    free(s);
    return 0;
}

static void test_scene(void **state)
{
    struct scene *s = *state;
    play(s, s->at, s->end);
}

static void read_file(struct file *f, const char *path)
{
    struct error e;
    *f = (struct file){0};
    if (script_file_read(&f->read, path, &e))
        fail_msg("%s", e.what);
    while (f->first < f->read.count && strncmp(f->read.line[f->first].text, "==", 2) != 0)
        f->first++;
}

/* Runs the scenes of a file as one group. */
static int run_file(const char *path)
{
    struct file f;
    read_file(&f, path);
    AUTO_FREE struct CMUnitTest *tests = xcalloc(f.read.count, sizeof(*tests));
    struct part *parts = xcalloc(f.read.count, sizeof(*parts));
    size_t count = 0;
    for (size_t i = f.first; i < f.read.count; count++) {
        struct strbuf name = STRBUF_INIT;
        strbuf_addf(&name, "%s:%s", strrchr(path, '/') + 1, f.read.line[i].text + 2);
        parts[count] = (struct part){&f, i + 1, i + 1};
        while (parts[count].end < f.read.count &&
               strncmp(f.read.line[parts[count].end].text, "==", 2) != 0)
            parts[count].end++;
        i = parts[count].end;
        tests[count] = (struct CMUnitTest){.name = strbuf_detach(&name, NULL),
                                           .test_func = test_scene,
                                           .setup_func = set_up,
                                           .teardown_func = tear_down,
                                           .initial_state = &parts[count]};
    }
    int failed = _cmocka_run_group_tests(path, tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        free((char *)tests[i].name);
    free(parts);
    script_file_release(&f.read);
    return failed;
}

int main(int argc, char **argv)
{
    glob_t found = {0};
    int failed = 0;
    if (argc == 1)
        glob("tests/tui/*.t", 0, NULL, &found);
    for (size_t i = 0; argc == 1 && i < found.gl_pathc; i++)
        failed += run_file(found.gl_pathv[i]) != 0;
    for (int i = 1; i < argc; i++)
        failed += run_file(argv[i]) != 0;
    globfree(&found);
    return failed != 0;
}
