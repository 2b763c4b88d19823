/* stemma check, orphans and fsck: check a file against its retrieval, the lineage, and the integrity of the store. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "model/base/clock.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/memory/memory.h"
#include "store/fsck/fsck.h"
#include "store/team/team.h"
#include "store/json/answer.h"
#include "store/ops/fix.h"
#include "store/questions/questions.h"
#include "store/reasoning/retrievals.h"
#include "tui/commands/commands.h"
#include "tui/cli/files.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/render/kind_fields.h"
#include "tui/render/oneline.h"
#include "tui/render/listing.h"
#include "tui/render/plan_page.h"

/* stemma check: compares the SHA-256 of a file of any size with the one that an attribution recorded. */

struct checking {
    struct output *out;
    const char *path; /* NULL to check the stored content */
    int64_t bytes;    /* of the file */
    struct progress progress;
    struct retrieval_checked checked;
};

static int tick(void *arg, int64_t bytes)
{
    struct checking *c = arg;
    c->bytes = bytes;
    return progress_tick(&c->progress, bytes, 0);
}

static int hash_file(struct checking *c, struct digest *out, struct error *e)
{
    progress_begin(&c->progress, "reading");
    c->progress.is_bytes = true;
    int result = file_hash(strcmp(c->path, "-") == 0 ? NULL : c->path, tick, c, out, e);
    progress_end(&c->progress);
    return result;
}

/* ---- the answer ---- */

static void add_hash(struct json_object *o, const char *key, const char *hash)
{
    json_pair(o, key, *hash ? hash : NULL);
}

static void write_json(const struct checking *c)
{
    const struct retrieval_checked *k = &c->checked;
    struct json_object o = json_begin(&c->out->text, '{');
    memory_json_pair_ref(&o, "ref", k->ref);
    json_pair(&o, "result", hash_check_name(k->result));
    json_pair_bool(&o, "equal", k->result == HASH_EQUAL);
    add_hash(&o, "recorded", k->recorded);
    add_hash(&o, "found", k->found);
    json_pair(&o, "file", c->path);
    if (c->path)
        json_pair_int(&o, "bytes", c->bytes);
    json_end_line(&o);
}

static void print_hash(struct output *out, const char *name, const char *hash)
{
    if (*hash)
        strbuf_addf(&out->text, "  %-9s %s\n", name, hash);
}

static void print(const struct checking *c)
{
    static const struct {
        enum style style;
        const char *word, *message;
    } answers[] = {
        [HASH_EQUAL] = {STYLE_SUPPORTED, "equal", "has the recorded hash"},
        [HASH_DIFFERS] = {STYLE_ERROR, "differs", "does not have the recorded hash"},
        [HASH_ABSENT] = {STYLE_WEAKENED, "no hash",
                         "cannot be checked: the retrieval recorded no hash"},
        [HASH_NOTHING] = {STYLE_WEAKENED, "no content",
                          "only its hash is stored. Compare a file: `stemma check REF FILE`."},
    };
    const struct retrieval_checked *k = &c->checked;
    struct output *out = c->out;
    AUTO_STRBUF line = STRBUF_INIT;
    output_printf(out, answers[k->result].style, "%s", answers[k->result].word);
    const char *of = !c->path                    ? "the stored content "
                     : strcmp(c->path, "-") == 0 ? "standard input "
                                                 : c->path;
    strbuf_addf(&line, ": %s%s%s", k->result == HASH_NOTHING ? "" : of, of == c->path ? " " : "",
                answers[k->result].message);
    output_text(out, STYLE_TEXT, line.buf);
    strbuf_addch(&out->text, '\n');
    print_hash(out, "recorded", k->recorded);
    print_hash(out, "found", k->found);
}

/* Checks the attribution before it reads a file that may be long. */
static int check(struct invocation *i, struct checking *c, struct reader *r, struct error *e)
{
    struct digest found;
    int64_t row = opening_resolve(r, i->words[0], e);
    if (row < 0)
        return -1;
    if (retrieval_compare(r, &i->arena, row, NULL, &c->checked, e)) {
        e->code = e->code == ERROR_INVALID ? ERROR_USAGE : e->code; /* it is no attribution */
        return -1;
    }
    if (c->path &&
        (hash_file(c, &found, e) || retrieval_compare(r, &i->arena, row, &found, &c->checked, e)))
        return -1;
    if (i->out.json)
        write_json(c);
    else
        print(c);
    return c->checked.result != HASH_EQUAL;
}

/* stemma orphans: problems of the lineage, in groups with an explanation each. */

static const struct option_spec orphans_options[] = {
    OPT_AGENT,
    OPT_AS_OF,
    OPTION_END,
};

struct problems {
    struct output *out;
    struct reader *reader;
    struct error *e;
    size_t found;
    int heading; /* problem of the last heading; -1 before the first */
    bool failed; /* `e` is set */
    struct arena arena;
};

static void print_heading(struct problems *p, enum problem problem)
{
    AUTO_STRBUF rest = STRBUF_INIT;
    strbuf_addf(&rest, ": %s", problem_explained(problem));
    strbuf_addstr(&p->out->text, p->heading < 0 ? "" : "\n");
    output_flow_after(p->out, STYLE_STRONG, problem_name(problem), rest.buf, 0);
    p->heading = (int)problem;
}

/* As short_ref for a ref; any other text is returned unchanged. */
static const char *short_source(struct reader *r, struct arena *arena, const char *text)
{
    struct ref ref;
    return ref_parse(text, &ref) == REF_MEMORY ? short_ref(r, arena, ref) : text;
}

/* ---- the fix of a problem, as a command ---- */

static void add_refs(struct problems *p, const struct request *q, struct strbuf *out)
{
    struct memory_row row;
    struct error ignored;
    for (size_t i = 0; i < q->node_count; i++)
        if (memory_row_read(p->reader, &p->arena, q->nodes[i], &row, &ignored) == 0)
            strbuf_addf(out, " %s",
                        shell_word(&p->arena, short_ref(p->reader, &p->arena, row.ref)));
}

static void add_values(const struct fix *f, struct strbuf *out)
{
    const struct request *q = &f->request;
    char when[40];
    if (f->need == FIX_NEEDS_EVIDENCE)
        strbuf_addstr(out, " --evidence REF");
    if (f->need == FIX_NEEDS_TIME)
        strbuf_addstr(out, " --created TIME");
    if (f->need == FIX_NEEDS_VALUE)
        strbuf_addstr(out, " --field retrieval_timestamp=TIME");
    if (q->fields) /* {"retrieval_timestamp":1794000000000} */
        for (struct json_each it = json_each((struct json_slice){q->fields, strlen(q->fields)});
             json_next(&it);)
            strbuf_addf(out, " --field %.*s=%.*s", (int)it.key.len, it.key.ptr, (int)it.value.len,
                        it.value.ptr);
    if (q->created_at) {
        clock_format_iso(when, sizeof(when), q->created_at);
        strbuf_addf(out, " --created %s", when);
    }
    if (!isnan(q->confidence))
        strbuf_addf(out, " --confidence %.12g --reason TEXT", q->confidence);
}

/* The command that adds a missing memory, of the agent that names it. Words in capitals are to be filled in. */
static int add_import(struct problems *p, const struct orphan *orphan, struct strbuf *out)
{
    static const char *const details[KIND_COUNT] = {
        [KIND_ATTRIBUTION] = "{\"source_type\":\"TYPE\",\"retrieval_timestamp\":MS}",
        [KIND_ENTRY] = "{\"namespace\":\"NAME\",\"value\":VALUE}",
    };
    struct memory_row row;
    AUTO_STRBUF line = STRBUF_INIT;
    struct ref ref;
    bool named = ref_parse(orphan->target, &ref) == REF_MEMORY;
    if (memory_row_read(p->reader, &p->arena, orphan->node, &row, p->e))
        return -1;
    struct json_object o = json_begin(&line, '{');
    json_pair(&o, "ref", orphan->target);
    json_pair(&o, "agent_id", row.agent_id);
    json_pair(&o, "text", "TEXT");
    if (named && details[ref.kind])
        json_pair_raw(&o, "detail", details[ref.kind]);
    json_end(&o);
    strbuf_addf(out, "printf '%%s\\n' %s | stemma import jsonl -", shell_word(&p->arena, line.buf));
    return 0;
}

/* Appends the command "stemma restore raw:79d086c7". If no operation helps, appends advice and sets *advice. */
static int add_fix(struct problems *p, const struct orphan *orphan, struct strbuf *out,
                   bool *advice)
{
    struct fix fixes[FIX_MAX], *f = &fixes[0];
    size_t count;
    if (fix_find(p->reader, &p->arena, orphan, fixes, &count, p->e))
        return -1;
    if (count == 0 && orphan->problem == PROBLEM_MISSING)
        return add_import(p, orphan, out);
    if (count == 0) {
        strbuf_addstr(out, fix_advice(p->reader, &p->arena, orphan));
        *advice = true;
        return 0;
    }
    strbuf_addf(out, "stemma %s", display_name(op_spec(f->operation)->name));
    if (f->request.flag)
        strbuf_addf(out, " %s", f->request.flag);
    if (f->request.seq_count)
        strbuf_addf(out, " %lld", (long long)f->request.seqs[0]);
    else if (f->operation != OPERATION_REPAIR_ORIGINS)
        add_refs(p, &f->request, out);
    add_values(f, out);
    return 0;
}

static int print_fix(struct problems *p, const struct orphan *orphan)
{
    static const char lead[] = "      fix: ";
    AUTO_STRBUF fix = STRBUF_INIT;
    bool advice = false;
    int result = add_fix(p, orphan, &fix, &advice);
    if (!result && advice) {
        output_flow_after(p->out, STYLE_DIM, lead, fix.buf, sizeof(lead) - 1);
    } else if (!result) { /* a line break in a command would change it when it is pasted */
        output_printf(p->out, STYLE_DIM, lead);
        output_text(p->out, STYLE_TEXT, fix.buf);
        strbuf_addch(&p->out->text, '\n');
    }
    return result;
}

/* Prints a memory and its problem: "derived_from raw:79d086c7". */
static int print_orphan(struct problems *p, const struct orphan *orphan)
{
    struct oneline b;
    AUTO_STRBUF note = STRBUF_INIT;
    arena_clear(&p->arena);
    if (oneline_read(p->reader, &p->arena, orphan->node, orphan->label, &b, p->e))
        return -1;
    if (p->heading != (int)orphan->problem)
        print_heading(p, orphan->problem);
    if (orphan->field)
        field_add_title(&note, orphan->field);
    if (orphan->field && orphan->target)
        strbuf_addf(&note, " %s", short_source(p->reader, &p->arena, orphan->target));
    if (orphan->problem == PROBLEM_UNEXPLAINED) {
        strbuf_addstr(&note, " by its history, ");
        add_confidence(&note, orphan->confidence);
        strbuf_addstr(&note, " stored");
    }
    bool below = p->out->columns < 80; /* the problem must not be cut off */
    strbuf_addstr(&p->out->text, "  ");
    oneline_print(p->out, &b, NULL, 2, below ? "" : note.buf);
    if (below && note.len)
        output_flow_after(p->out, STYLE_DIM, "    ", note.buf, 4);
    return print_fix(p, orphan);
}

static int write_orphan(struct problems *p, const struct orphan *orphan)
{
    AUTO_STRBUF fix = STRBUF_INIT;
    bool advice;
    arena_clear(&p->arena);
    int result = add_fix(p, orphan, &fix, &advice);
    answer_orphan(&p->out->text, orphan, fix.buf);
    strbuf_addch(&p->out->text, '\n');
    return result;
}

static int each_orphan(void *arg, const struct orphan *orphan)
{
    struct problems *p = arg;
    p->found++;
    if (p->out->json ? write_orphan(p, orphan) : print_orphan(p, orphan)) {
        p->failed = true;
        return 1;
    }
    p->failed = output_row(p->out, p->e) != 0;
    return p->failed || p->out->closed || stop_wanted();
}

static int print_problems(struct problems *p, const char *agent, struct error *e)
{
    if (orphans_find(p->reader, &(struct orphan_query){.agent = agent}, each_orphan, p, e) ||
        p->failed || stop_check("search for orphans", e))
        return -1;
    if (!p->found && agent) {
        int known = explain_empty_list(p->reader, agent, NULL, e);
        if (known < 1)
            return known < 0 ? -1 : 1;
    }
    if (p->found && !p->out->json && !p->out->closed)
        strbuf_addf(&p->out->text, "\n%zu %s of the lineage\n", p->found,
                    p->found == 1 ? "problem" : "problems");
    else if (!p->out->json && !p->out->closed)
        strbuf_addstr(&p->out->text, "The lineage has no problems.\n");
    return p->found > 0;
}

static int read_orphans(struct invocation *i, struct reader *r, struct error *e)
{
    struct problems problems = {
        .out = &i->out, .reader = r, .e = e, .heading = -1, .arena = ARENA_INIT};
    int result = print_problems(&problems, option_text(i, "agent"), e);
    arena_release(&problems.arena);
    return result;
}

const struct command cmd_orphans = {
    .name = "orphans",
    .is_alias = true,
    .words = "",
    .about = "find lineage problems: missing, circular and unrecorded sources",
    .examples = "stemma orphans\n"
                "stemma orphans --json",
    .details = "Each problem has its fix below it: a command, in which REF, TIME and TEXT are for "
               "you to give. `!` in the explorer offers all fixes.\n\nThe exit status is 1 if a "
               "problem was found, or if there is no such agent.",
    .options = orphans_options,
    .read = read_orphans,
};

/* stemma fsck: prints findings as they are found, then a summary; with --json one object a line. */

struct fsck_run {
    struct output *out;
    struct progress progress;
    struct error output_error;
    bool accepts; /* a person vouches for the end of the journal: findings about it are left out */
    int64_t accepted;    /* how many were */
    int64_t differences; /* of the team's journal */
};

static const char *const faults[] = {
    [FSCK_DATABASE] = "database",
    [FSCK_LOG] = "log-damaged",
    [FSCK_EVENT_ALTERED] = "event-altered",
    [FSCK_CHAIN_BROKEN] = "chain-broken",
    [FSCK_TAIL_CUT] = "tail-cut",
    [FSCK_ROW_ALTERED] = "row-altered",
    [FSCK_ROW_UNRECORDED] = "row-unrecorded",
    [FSCK_LINK_BROKEN] = "link-broken",
    [FSCK_HEAD] = "head",
    [FSCK_IMPORT] = "import",
    [FSCK_SEARCH] = "search",
    [FSCK_CALL_ALTERED] = "call-altered",
    [FSCK_CALLS_BROKEN] = "calls-broken",
    [FSCK_CALLS_CUT] = "calls-cut",
    [FSCK_SESSION] = "session",
    [FSCK_TEAM] = "team-journal",
};

static void write_finding(struct output *out, const struct fsck_finding *f)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "fault", faults[f->fault]);
    if (f->seq) {
        json_pair_int(&o, "seq", f->seq);
    }
    if (f->ref.id) {
        memory_json_pair_ref(&o, "ref", f->ref);
    }
    json_pair(&o, "what", f->what);
    json_pair(&o, "todo", f->hint);
    json_end_line(&o);
}

static void print_finding(struct output *out, const struct fsck_finding *f)
{
    output_printf(out, STYLE_ERROR, "%s", faults[f->fault]);
    strbuf_addstr(&out->text, ": ");
    output_text(out, STYLE_TEXT, f->what);
    strbuf_addstr(&out->text, ". ");
    output_text(out, STYLE_DIM, f->hint);
    strbuf_addch(&out->text, '\n');
}

static void each_finding(void *arg, const struct fsck_finding *finding)
{
    struct fsck_run *c = arg;
    progress_end(&c->progress);
    if (c->accepts && (finding->fault == FSCK_HEAD || finding->fault == FSCK_TAIL_CUT)) {
        c->accepted++;
        return;
    }
    if (c->out->json)
        write_finding(c->out, finding);
    else
        print_finding(c->out, finding);
    output_row(c->out, &c->output_error); /* an error is reported when all is flushed */
}

static int tick_fsck(void *arg, int64_t done, int64_t total)
{
    struct fsck_run *c = arg;
    return progress_tick(&c->progress, done, total);
}

/* `expected` is the event that has the hash of --expect; 0 if none was given. */
static void write_summary(struct output *out, const struct fsck_summary *s, int64_t expected)
{
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {
        {"events", s->events},         {"memories", s->memories}, {"links", s->links},
        {"calls", s->calls},           {"findings", s->findings}, {"nameless_entries", s->nameless},
        {"hidden_entries", s->hidden}, {"signed", s->hmacs},      {"ahead_of_clock", s->ahead},
    };
    char hex[2 * DIGEST_SIZE + 1];
    struct json_object o = json_begin(&out->text, '{');
    digest_hex(hex, &s->hash);
    for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
        json_pair_int(&o, counts[n].name, counts[n].count);
    }
    json_pair_bool(&o, "signatures_checked", s->hmacs_checked);
    json_pair_bool(&o, "head", s->head_found);
    json_pair_bool(&o, "first_seen", s->first_seen);
    if (expected)
        json_pair_int(&o, "expected", expected);
    json_pair(&o, "hash", s->events ? hex : NULL);
    json_end_line(&o);
}

/* Prints whether the signatures were checked, unless the store has none and no key was given. */
static void print_signatures(struct output *out, const struct fsck_summary *s)
{
    if (s->hmacs && !s->hmacs_checked)
        strbuf_addf(&out->text,
                    "%lld events are signed (HMAC), and their signatures were not checked: no key "
                    "is configured (hmac_key).\n",
                    (long long)s->hmacs);
    else if (s->hmacs_checked && s->hmacs < s->events)
        strbuf_addf(
            &out->text,
            "%lld of %lld events carry no signature (HMAC), so the key cannot confirm them.\n",
            (long long)(s->events - s->hmacs), (long long)s->events);
    else if (s->hmacs_checked && s->hmacs)
        strbuf_addf(&out->text, "Signatures (HMAC) checked: %lld.\n", (long long)s->hmacs);
}

/* Prints entries that no list of a namespace shows; they are not errors. */
static void print_unlisted(struct output *out, const struct fsck_summary *s)
{
    static const char hint[] = "stemma list entry shows them, stemma edit REF --field";
    if (s->nameless)
        strbuf_addf(
            &out->text,
            "%lld entr%s in no namespace, where no agent looks: %s namespace=NAME names one.\n",
            (long long)s->nameless, s->nameless == 1 ? "y is" : "ies are", hint);
    if (s->hidden)
        strbuf_addf(&out->text,
                    "%lld entr%s a key that a later one has, which is found in place of it: %s "
                    "key=KEY gives another.\n",
                    (long long)s->hidden, s->hidden == 1 ? "y has" : "ies have", hint);
}

/* "1 event", "2 events". */
static void print_count(struct output *out, int64_t count, const char *one, const char *more)
{
    strbuf_addf(&out->text, "%lld %s", (long long)count, count == 1 ? one : more);
}

static void print_summary(struct output *out, const struct fsck_summary *s, bool compared,
                          int64_t expected)
{
    print_count(out, s->events, "event, ", "events, ");
    print_count(out, s->memories, "memory", "memories");
    strbuf_addstr(&out->text, s->calls ? ", " : " and ");
    print_count(out, s->links, "link", "links");
    if (s->calls) {
        strbuf_addstr(&out->text, " and ");
        print_count(out, s->calls, "row of the call log", "rows of the call log");
    }
    strbuf_addstr(&out->text, " checked: ");
    if (s->findings)
        output_printf(out, STYLE_ERROR, "%lld %s", (long long)s->findings,
                      s->findings == 1 ? "fault" : "faults");
    else
        output_printf(out, STYLE_SUPPORTED, compared ? "all is well" : "all is well in this store");
    strbuf_addch(&out->text, '\n');
    if (s->first_seen)
        strbuf_addstr(&out->text, "It is first seen here: what was cut from its journal before "
                                  "would not be noticed.\n");
    if (s->ahead) {
        print_count(out, s->ahead, "event has a time", "events have times");
        strbuf_addstr(&out->text, " ahead of the clock: it was set back since, or is wrong now.\n");
    }
    if (expected && expected < s->events)
        strbuf_addf(&out->text, "Event %lld has the expected hash; the journal has grown since.\n",
                    (long long)expected);
    print_unlisted(out, s);
    print_signatures(out, s);
}

/* Removes a hint that says to run fsck. */
static void forget_fsck(struct error *e)
{
    if (strstr(e->hint, "stemma fsck"))
        snprintf(e->hint, sizeof(e->hint), "Restore a backup.");
}

static int cannot_open(struct invocation *i, struct error *e)
{
    struct error ignored;
    const char *path = opening_path(i, NULL, &ignored);
    if (e->code == ERROR_STORE && path && access(path, R_OK) == 0 &&
        strcmp(store_recognise(path), "other") == 0)
        store_explain_unopenable(path, e);
    forget_fsck(e);
    return -1;
}

/* Rebuilds the search index before the check, and reports that on standard error. */
static int rebuild(struct invocation *i, struct opened *o, struct error *e)
{
    struct fsck_run run = {.out = &i->out};
    int64_t count;
    progress_begin(&run.progress, "rebuilding the search index");
    int result = store_rebuild_search(o->store, tick_fsck, &run, &count, e);
    progress_end(&run.progress);
    if (result)
        return -1;
    output_note("the search index was rebuilt from %lld memor%s", (long long)count,
                count == 1 ? "y" : "ies");
    return 0;
}

/* Returns 1 if the journal ends with the hash of --expect, or if none is given; 0 with the event that has it in *seq,
 * or after a report that there is none. */
static int compare_expected(struct invocation *i, struct reader *r, bool accept, int64_t *seq,
                            struct error *e)
{
    struct digest expected;
    const char *text = option_text(i, "expect");
    if (!text)
        return 1;
    if (digest_from_hex(&expected, text))
        return error_set(e, ERROR_USAGE, "--json prints it as \"hash\".",
                         "'%.80s' is not a hash of 64 hex digits", text);
    int same = store_expect_head(r, &expected, accept, seq, e);
    if (same == 0 && *seq == 0)
        each_finding(&(struct fsck_run){.out = &i->out},
                     &(struct fsck_finding){FSCK_TAIL_CUT, 0, {KIND_RAW, NULL}, e->what, e->hint});
    return same;
}

static void each_difference(void *arg, int64_t seq, const char *what)
{
    struct fsck_run *c = arg;
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addf(&text, "event %lld: %s", (long long)seq, what);
    c->differences++;
    each_finding(c, &(struct fsck_finding){FSCK_TEAM,
                                           seq,
                                           {KIND_RAW, NULL},
                                           text.buf,
                                           "Compare it with another machine's (stemma fsck there), "
                                           "and ask who runs the server."});
}

/* A team that cannot be reached is said, and is no fault of the store. Returns whether it was compared; true
 * without a team. */
static bool check_team(struct reader *r, struct fsck_run *run)
{
    struct error e;
    if (team_verify(r, each_difference, run, &e) == 0)
        return true;
    output_note("the team's journal was not compared: %s", e.what);
    return false;
}

/* Checks the store of the reader and prints the result. */
static int check_store(struct invocation *i, struct reader *r, struct error *e)
{
    struct fsck_run run = {.out = &i->out};
    struct fsck_summary summary = {0};
    int64_t seq = 0;
    int expected = compare_expected(i, r, false, &seq, e);
    if (expected < 0)
        return -1;
    run.accepts =
        expected == 1 && option_given(i, "expect") && !store_is_read_only(reader_store(r));
    progress_begin(&run.progress, "fsck");
    int result = store_fsck(r, each_finding, tick_fsck, &run, &summary, e);
    progress_end(&run.progress);
    /* The end is kept only now: the former one shows what was cut off the call log. */
    if (result || (run.accepts && compare_expected(i, r, true, &seq, e) < 0))
        return -1;
    bool compared = check_team(r, &run);
    summary.findings += run.differences - run.accepted;
    summary.findings += expected == 0 && seq == 0;
    if (i->out.json)
        write_summary(&i->out, &summary, seq);
    else
        print_summary(&i->out, &summary, compared, seq);
    return summary.findings > 0;
}

static int run_check(struct invocation *i, struct error *e);

#define OPT_EXPECT                                                                                 \
    OPT_TEXT("expect", "HASH",                                                                     \
             "the journal has this hash (\"hash\" of --json), at its end or before")

#define OPT_REBUILD                                                                                \
    OPT_FLAG("rebuild-search", "rebuild the search index from the memories first, then check")

static const struct option_spec fsck_options[] = {
    OPT_EXPECT,
    OPT_REBUILD,
    OPTION_END,
};

const struct command cmd_fsck = {
    .name = "fsck",
    .is_alias = true,
    .words = "",
    .about = "check the database, the journal, every memory and the search index",
    .examples = "stemma fsck",
    .details =
        "The call log is checked like the journal. It distinguishes an altered event, an altered "
        "row and a truncated journal, and says what to do about each. It changes nothing, with two "
        "exceptions: a store of an earlier version is upgraded first, as by any command that opens "
        "it (not with --read-only), and --rebuild-search rebuilds the search index from the "
        "memories.\n\nThe end of the journal is kept outside the store. --expect HASH compares it "
        "with a hash that you kept, and keeps that end from then on. A store that is first seen at "
        "its path has no such end; it gets one.\n\nThe exit status is 0 if all is well, 1 if a "
        "problem was found, 3 if the store cannot be checked.",
    .options = fsck_options,
    .pages = true,
    .run = run_check,
};

/* Without a REF: the lineage, then the store; for fsck the store alone. */
static int check_all(struct invocation *i, struct reader *r, struct error *e)
{
    int found = i->command == &cmd_fsck ? 0 : read_orphans(i, r, e);
    if (found < 0 || i->out.closed || option_text(i, "as-of"))
        return found;
    int damaged = check_store(i, r, e);
    if (damaged < 0)
        forget_fsck(e);
    return damaged ? damaged : found;
}

/* Options that fit neither a single source nor the past. */
static int check_check(const struct invocation *i, struct error *e)
{
    const char *whole = option_given(i, "expect")           ? "expect"
                        : option_given(i, "rebuild-search") ? "rebuild-search"
                                                            : NULL;
    const char *wide = whole || !option_given(i, "agent") ? whole : "agent";
    if (i->word_count && wide)
        return error_set(e, ERROR_USAGE, "Leave out the REF, or the option.",
                         "--%s is about the whole store", wide);
    if (whole && option_given(i, "as-of"))
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--%s is about the present, --as-of about the past", whole);
    return 0;
}

static int run_check(struct invocation *i, struct error *e)
{
    struct opened o;
    struct checking c = {.out = &i->out, .path = i->word_count > 1 ? i->words[1] : NULL};
    if (opening_open(i, NULL, false, &o, e))
        return cannot_open(i, e);
    int result = option_given(i, "rebuild-search") ? rebuild(i, &o, e) : 0;
    if (result == 0)
        result = i->word_count ? check(i, &c, o.reader, e) : check_all(i, o.reader, e);
    opening_close(&o);
    return result;
}

static const struct option_spec check_options[] = {
    OPT_AGENT, OPT_EXPECT, OPT_REBUILD, OPT_AS_OF, OPTION_END,
};

const struct command cmd_check = {
    .name = "check",
    .words = "[REF [FILE]]",
    .about = "check the lineage and the store, or a source by its hash",
    .examples = "stemma check\n"
                "stemma check attribution:49da1a97\n"
                "stemma check attribution:49da1a97 page.html",
    .details =
        "Without REF: the problems of stemma orphans, then those of stemma fsck, which is about "
        "the present.\n\nWith REF: computes the SHA-256 of FILE (- is standard input), or without "
        "FILE of the content stored in the attribution, and compares it with the attribution's "
        "full_content_hash. If the stored content is a JSON string, its text is hashed, else its "
        "JSON as stored.\n\nThe exit status is 0 if all is well or the hashes are equal; 1 if not, "
        "or if there is no hash or no content; 3 if FILE cannot be read.\n\n--json with REF: {ref, "
        "result: equal|differs|no-hash|no-content, equal, recorded, found, file, bytes}.",
    .options = check_options,
    .check = check_check,
    .pages = true,
    .run = run_check,
};
