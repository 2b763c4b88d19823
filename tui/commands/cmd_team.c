/* stemma team, push and pull: one memory on many machines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/clock.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/team/postgres_schema.h"
#include "store/team/team.h"
#include "store/team/transport.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/cli/stop.h"
#include "tui/commands/commands.h"
#include "tui/render/oneline.h"
#include "tui/text/text.h"

#define OPT_NAME OPT_TEXT("name", "NAME", "what the team calls this machine; else its host name")
#define OPT_ID   OPT_TEXT("id", "ID", "which store of the team, where there are several")

static const struct option_spec options[] = {OPT_NAME, OPT_ID, OPTION_END};
static const struct option_spec team_options[] = {
    OPT_NAME,
    OPT_ID,
    OPT_FLAG("another", "create: begin a team where there is one already"),
    OPT_FLAG("yes", "remove: do it without asking; leave: though changes wait for the team"),
    OPTION_END,
};

static const char *machine_name(struct invocation *i, struct error *e)
{
    char host[256] = "";
    const char *name = option_text(i, "name");
    if (!name && gethostname(host, sizeof(host) - 1) == 0 && host[0])
        name = arena_strdup(&i->arena, host);
    bool plain = name && utf8_valid(name, strlen(name));
    for (const char *at = name; plain && *at; at++)
        plain = (unsigned char)*at >= ' ' && *at != 0x7f;
    if (plain && name[0])
        return name;
    if (name && name[0])
        error_set(e, ERROR_USAGE, "Give another with --name.",
                  "a machine's name is UTF-8 without control characters");
    else
        error_set(e, ERROR_USAGE, "Give one with --name.", "this machine has no name");
    return NULL;
}

/* ---- status ---- */

static void write_status(struct output *out, const struct team_status *s)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "store", s->store);
    json_pair(&o, "address", s->address);
    json_pair(&o, "name", s->name);
    json_pair_int(&o, "machine", s->machine);
    json_pair_int(&o, "event", s->confirmed);
    json_pair_int(&o, "to_send", s->pending);
    json_pair_int(&o, "behind", s->behind);
    json_pair_int(&o, "disputed", s->disputed);
    json_pair(&o, "problem", s->problem);
    struct json_object list = json_open(&o, "machines", '[');
    for (size_t n = 0; n < s->member_count; n++) {
        const struct team_member *m = &s->members[n];
        json_item(&list);
        struct json_object one = json_begin(&out->text, '{');
        json_pair_int(&one, "machine", m->number);
        json_pair(&one, "name", m->name);
        if (m->damaged)
            json_pair_bool(&one, "damaged", true);
        else
            json_pair_int(&one, "event", m->applied);
        json_pair_int(&one, "seen_at", m->seen_at);
        json_end(&one);
    }
    json_end(&list);
    list = json_open(&o, "purges", '[');
    for (size_t n = 0; n < s->purge_count; n++) {
        json_item(&list);
        struct json_object one = json_begin(&out->text, '{');
        json_pair(&one, "ref", s->purges[n].ref);
        json_pair_int(&one, "machines", s->purges[n].done);
        json_pair_int(&one, "of", s->purges[n].known);
        json_end(&one);
    }
    json_end(&list);
    json_end_line(&o);
}

static void print_machine(struct output *out, const struct team_status *s,
                          const struct team_member *m)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addstr(&out->text, m->number == s->machine ? "> " : "  ");
    if (m->damaged)
        output_text(out, STYLE_TEXT, m->name);
    else
        output_cell(out, STYLE_TEXT, m->name, 24, 0);
    if (m->damaged)
        strbuf_addstr(&line, " is damaged");
    else if (m->number == s->machine || m->applied >= s->confirmed)
        strbuf_addstr(&line, "  up to date");
    else
        strbuf_addf(&line, "  %lld behind", (long long)(s->confirmed - m->applied));
    if (m->seen_at) {
        strbuf_addstr(&line, "  seen ");
        add_time(&line, m->seen_at, out->now);
    }
    output_text(out, STYLE_DIM, line.buf);
    strbuf_addch(&out->text, '\n');
}

static void print_status(struct output *out, const struct team_status *s, int64_t took)
{
    AUTO_STRBUF summary = STRBUF_INIT;
    output_text(out, STYLE_STRONG, s->address);
    strbuf_addf(&out->text, "  store %.8s\n", s->store);
    team_add_summary(&summary, s, took);
    output_text(out, s->problem ? STYLE_ERROR : STYLE_TEXT, summary.buf);
    if (s->problem) {
        strbuf_addstr(&out->text, ": ");
        output_text(out, STYLE_TEXT, s->problem);
    } else {
        strbuf_addf(&out->text, ", event %lld", (long long)s->confirmed);
    }
    strbuf_addch(&out->text, '\n');
    if (s->disputed)
        strbuf_addf(&out->text,
                    "%lld disputed, because others had been faster: stemma team disputed\n",
                    (long long)s->disputed);
    for (size_t n = 0; n < s->purge_count; n++) {
        output_text(out, STYLE_TEXT, s->purges[n].ref ? s->purges[n].ref : "a memory");
        strbuf_addf(&out->text, ": purged on %d of %d machines\n", s->purges[n].done,
                    s->purges[n].known);
    }
    for (size_t n = 0; n < s->member_count; n++)
        print_machine(out, s, &s->members[n]);
}

static int show_status(struct invocation *i, struct opened *o, struct error *e)
{
    struct team_status now;
    if (team_status(o->reader, &i->arena, &now, e))
        return -1;
    if (!now.member)
        return error_set(e, ERROR_NOT_FOUND, "stemma team create URL makes one, join URL joins.",
                         "this store belongs to no team");
    if (i->out.json)
        write_status(&i->out, &now);
    else
        print_status(&i->out, &now, team_answered_us(o->store));
    return now.problem ? 1 : 0;
}

/* A team that cannot be reached is said by the status. */
static int sync_and_show(struct invocation *i, struct opened *o, struct error *e)
{
    struct error unreached;
    if (!store_is_read_only(o->store) && team_sync(o->store, &unreached) &&
        unreached.code != ERROR_BUSY) {
        *e = unreached;
        return -1;
    }
    return show_status(i, o, e);
}

static int status(struct invocation *i, const char *address, struct error *e)
{
    struct opened o;
    (void)address;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = sync_and_show(i, &o, e);
    opening_close(&o);
    return result;
}

/* ---- create, join, leave ---- */

static int create(struct invocation *i, const char *address, struct error *e)
{
    struct opened o;
    const char *name = machine_name(i, e);
    AUTO_FREE char *kept = name ? transport_address(address, e) : NULL;
    if (!kept || opening_open(i, NULL, true, &o, e))
        return -1;
    int result =
        (option_given(i, "another") ? team_create_another : team_create)(o.store, address, name, e)
            ? -1
            : show_status(i, &o, e);
    opening_close(&o);
    return result;
}

static int join(struct invocation *i, const char *address, struct error *e)
{
    const char *path = opening_path(i, NULL, e), *name = path ? machine_name(i, e) : NULL;
    if (option_given(i, "read-only"))
        return error_set(e, ERROR_REFUSED, "Leave out --read-only.",
                         "to join makes a store, and writes to the team's journal");
    if (name && access(path, F_OK) == 0) {
        struct opened o;
        if (opening_open(i, NULL, false, &o, e))
            return -1;
        int result = team_return(o.store, address, option_text(i, "id"), name, e)
                         ? -1
                         : show_status(i, &o, e);
        opening_close(&o);
        return result;
    }
    if (!name || team_join(path, address, option_text(i, "id"), name, e))
        return -1;
    return status(i, NULL, e);
}

static int leave(struct invocation *i, const char *address, struct error *e)
{
    struct opened o;
    (void)address;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = team_leave(o.store, option_given(i, "yes"), e);
    if (result == 0)
        output_note("this store is no replica of the team's any more");
    opening_close(&o);
    return result;
}

/* By its name, or its number as JSON has it. */
static const struct team_member *find_member(const struct team_status *s, const char *word)
{
    char *end;
    long number = strtol(word, &end, 10);
    const struct team_member *found = NULL;
    for (size_t n = 0; n < s->member_count; n++)
        if (strcmp(s->members[n].name, word) == 0 ||
            (*word && !*end && !found && s->members[n].number == number))
            found = &s->members[n];
    return found;
}

static int remove_member(struct invocation *i, struct opened *o, const char *word, struct error *e)
{
    struct team_status now;
    if (team_sync(o->store, e) || team_status(o->reader, &i->arena, &now, e))
        return -1;
    const struct team_member *m = find_member(&now, word);
    if (!m)
        return error_set(e, ERROR_NOT_FOUND, "stemma team status lists them.",
                         "the team has no machine %.80s", word);
    if (m->number == now.machine)
        return error_set(e, ERROR_REFUSED, "stemma team leave takes it out of the team.",
                         "%.80s is this machine", word);
    if (!option_given(i, "yes")) {
        print_machine(&i->out, &now, m);
        strbuf_addstr(&i->out.text, "It appends nothing more. What waits to be sent there stays "
                                    "there, until it joins again.\n");
        if (operating_confirm(&i->out, "removed", e))
            return -1;
    }
    return team_remove(o->store, &now, m->number, e) ? -1 : show_status(i, o, e);
}

static int remove_machine(struct invocation *i, const char *word, struct error *e)
{
    struct opened o;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = remove_member(i, &o, word, e);
    opening_close(&o);
    return result;
}

static int snapshot(struct invocation *i, const char *address, struct error *e)
{
    struct opened o;
    (void)address;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = team_snapshot(o.store, e);
    opening_close(&o);
    return result;
}

/* ---- what did not hold ---- */

static void print_value(struct output *out, const char *what, const char *json)
{
    AUTO_STRBUF plain = STRBUF_INIT;
    if (json)
        json_add_plain(&plain, (struct json_slice){json, strlen(json)});
    output_printf(out, STYLE_DIM, "    %-8s", what);
    output_flow(out, plain.len ? plain.buf : "(nothing)", 12);
}

static void print_fields(struct output *out, const struct disputed *d, struct arena *arena)
{
    struct error ignored;
    struct disputed_field *fields;
    size_t count;
    if (team_disputed_fields(d, arena, &fields, &count, &ignored))
        return;
    for (size_t n = 0; n < count; n++) {
        output_printf(out, STYLE_FIELD, "  %s\n", fields[n].name);
        print_value(out, "was", fields[n].was);
        print_value(out, "mine", fields[n].mine);
        print_value(out, "theirs", fields[n].now);
    }
}

static void print_disputed(struct output *out, const struct disputed *d, struct arena *arena)
{
    if (out->json) {
        struct json_object o = json_begin(&out->text, '{');
        json_pair_int(&o, "id", d->id);
        json_pair_int(&o, "at", d->at);
        json_pair(&o, "ref", d->ref);
        json_pair(&o, "actor", d->actor);
        json_pair(&o, "operation", d->operation);
        json_pair(&o, "reason", d->reason);
        json_pair_raw(&o, "base", d->base ? d->base : "null");
        json_pair_raw(&o, "mine", d->mine ? d->mine : "null");
        json_pair_raw(&o, "theirs", d->theirs ? d->theirs : "null");
        json_end_line(&o);
        return;
    }
    strbuf_addf(&out->text, "%lld  ", (long long)d->id);
    output_text(out, STYLE_STRONG, d->ref ? d->ref : "(no memory)");
    strbuf_addstr(&out->text, "  ");
    output_text(out, STYLE_TEXT, d->operation ? d->operation : "");
    strbuf_addstr(&out->text, " by ");
    output_text(out, STYLE_TEXT, d->actor ? d->actor : "somebody");
    strbuf_addstr(&out->text, ": ");
    output_text(out, STYLE_TEXT, d->reason);
    strbuf_addch(&out->text, '\n');
    print_fields(out, d, arena);
}

static int list_disputed(struct invocation *i, const char *address, struct error *e)
{
    struct opened o;
    struct disputed *list;
    size_t count;
    (void)address;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = team_disputed(o.reader, &i->arena, 0, &list, &count, e);
    for (size_t n = 0; n < count && result == 0; n++) {
        print_disputed(&i->out, &list[n], &i->arena);
        result = output_row(&i->out, e);
    }
    if (result == 0 && count == 0)
        output_note("no change is disputed");
    opening_close(&o);
    return result ? -1 : count == 0;
}

static int settle(struct invocation *i, const char *id, struct error *e)
{
    struct opened o;
    char *end;
    long long number = strtoll(id, &end, 10);
    if (*end || number <= 0)
        return error_set(e, ERROR_USAGE, "stemma team disputed lists them.",
                         "'%.40s' is no number of a change", id);
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int result = team_settle(o.store, number, e);
    opening_close(&o);
    return result;
}

/* ---- the schema ---- */

/* What `create` runs on a server, for who installs it by hand. */
static int print_schema(struct invocation *i, const char *address, struct error *e)
{
    (void)address;
    if (i->out.json)
        return error_set(e, ERROR_USAGE, "Leave out --json.", "team schema prints SQL");
    strbuf_addstr(&i->out.text, "BEGIN;\n");
    for (int version = 0; version < POSTGRES_VERSION; version++) {
        for (const char *const *s = postgres_steps[version]; *s; s++)
            strbuf_addf(&i->out.text, "%s;\n", *s);
        strbuf_addf(&i->out.text, "UPDATE stemma.version SET version = %d;\n", version + 1);
    }
    strbuf_addstr(&i->out.text, "COMMIT;\n");
    return 0;
}

/* ---- the command ---- */

static const struct verb {
    const char *name;
    bool takes; /* an address, a machine or a number */
    int (*run)(struct invocation *i, const char *word, struct error *e);
} verbs[] = {
    {"create", true, create},
    {"join", true, join},
    {"leave", false, leave},
    {"status", false, status},
    {"remove", true, remove_machine},
    {"snapshot", false, snapshot},
    {"disputed", false, list_disputed},
    {"settle", true, settle},
    {"schema", false, print_schema},
};

static int tick(void *arg, int64_t done, int64_t total)
{
    return progress_tick(arg, done, total);
}

/* A snapshot has gigabytes, and a first sync a million events. */
static int run_verb(const struct verb *v, struct invocation *i, struct error *e)
{
    struct progress progress;
    stop_watch(NULL);
    progress_begin(&progress, "team");
    transport_on_progress(tick, &progress);
    int result = v->run(i, v->takes ? i->words[1] : NULL, e);
    transport_on_progress(NULL, NULL);
    progress_end(&progress);
    return result;
}

static int run_team(struct invocation *i, struct error *e)
{
    for (size_t n = 0; n < sizeof(verbs) / sizeof(*verbs); n++) {
        const struct verb *v = &verbs[n];
        if (strcmp(v->name, i->words[0]) != 0)
            continue;
        if (v->takes != (i->word_count > 1))
            return error_set(e, ERROR_USAGE, "stemma help team has examples.",
                             v->takes ? "team %s needs one more word" : "team %s takes no word",
                             v->name);
        return run_verb(v, i, e);
    }
    return error_set(
        e, ERROR_USAGE,
        "Give create, join, leave, status, remove, snapshot, disputed, settle or schema.",
        "'%.40s' is nothing that stemma team does", i->words[0]);
}

const struct command cmd_team = {
    .name = "team",
    .words = "ACTION [URL|MACHINE|N]",
    .about = "share the store with other machines",
    .examples = "stemma team create postgresql://db.example/stemma?sslmode=verify-full\n"
                "stemma team join service=stemma --name build-3\n"
                "stemma team status",
    .details =
        "create URL, join URL, leave, status, remove MACHINE (one that is lost), snapshot (for who "
        "joins), disputed, settle N, schema (the SQL that create runs).\n\nEach machine has the "
        "whole store and reads from it. "
        "PostgreSQL, or a folder, has the "
        "order of the changes. URL is a connection string of libpq, or the path of a folder. "
        "A password does not belong there: libpq reads it from ~/.pgpass or the service "
        "file.\n\nWhile the team cannot be reached, changes wait and are made again after "
        "those of the others. What does not hold then is listed by `disputed`; `settle N` "
        "takes it off the list.",
    .options = team_options,
    .max_words = 2,
    .run = run_team,
};

/* ---- push and pull ---- */

static int run_push(struct invocation *i, struct error *e)
{
    struct opened o;
    struct team_status now;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    const char *name = machine_name(i, e);
    AUTO_FREE char *address = transport_address(i->words[0], e);
    int result = !name || !address || team_status(o.reader, &i->arena, &now, e) ? -1 : 0;
    if (result == 0 && !now.member)
        result = team_create(o.store, address, name, e);
    else if (result == 0 && strcmp(now.address, address) != 0)
        result = error_set(e, ERROR_CONFLICT, "stemma team leave makes it independent.",
                           "this store belongs to the team at %s", now.address);
    if (result == 0)
        result = sync_and_show(i, &o, e);
    opening_close(&o);
    return result;
}

static int run_pull(struct invocation *i, struct error *e)
{
    const char *path = opening_path(i, NULL, e);
    if (!path)
        return -1;
    return access(path, F_OK) ? join(i, i->words[0], e) : run_push(i, e);
}

const struct command cmd_push = {
    .name = "push",
    .words = "PLACE",
    .about = "send the journal to a folder or a server, without a running team",
    .examples = "stemma push /mnt/shared/memory",
    .details =
        "The first push begins the journal there. It then sends what the place does not have, "
        "and applies what others sent.",
    .options = options,
    .max_words = 1,
    .run = run_push,
};

const struct command cmd_pull = {
    .name = "pull",
    .words = "PLACE",
    .about = "fetch the journal from a folder or a server",
    .examples = "stemma pull /mnt/shared/memory --name laptop",
    .details = "If there is no store yet, it is made from the snapshot there.",
    .options = options,
    .max_words = 1,
    .run = run_pull,
};
