/* stemma review: what waits for a decision as a file in the person's editor; what is saved is the desired state. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/ops/policy.h"
#include "store/ops/operation.h"
#include "store/query/list.h"
#include "store/query/matcher.h"
#include "store/query/ref.h"
#include "store/questions/inbox.h"
#include "store/record/get.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/cli/words.h"
#include "tui/commands/commands.h"
#include "tui/config/editor.h"
#include "tui/render/plan_page.h"
#include "tui/text/text.h"

extern char **environ;

#define LIMIT     1000 /* blocks of a file, without --limit */
#define BASES     5    /* sources that a block names */
#define BASE_TEXT 100  /* characters of the text of each */

/* The first word of a block. */
enum block_word {
    BLOCK_WAIT = 0,
    BLOCK_APPROVE,
    BLOCK_RETRACT,
    BLOCK_WORDS
};
static const char *const verdict_words[BLOCK_WORDS] = {"wait", "approve", "retract"};

/* A memory that waits, and what the file says of it. */
struct block {
    struct memory_row row;
    const struct inbox_item *item;
    const char *name;         /* its shortest ref, clean */
    const char *text;         /* as the file had it */
    const char *bases[BASES]; /* what it is based on: ref and text */
    size_t bases_count;       /* all of them, more than BASES, too */
    size_t line;              /* where the file decides about it; 0: its block was deleted */
    enum block_word verdict;
    const char *edited; /* the changed text; NULL if it is the same */
};

struct review {
    struct invocation *i;
    struct opened o;
    struct actor person;
    char correlation[37];
    struct query_terms query;
    struct inbox inbox;
    struct block *block;
    size_t count, alloc;
    size_t left; /* that --limit left out */
    struct edited_file file;
    int64_t *retracted, *approved; /* rows */
    size_t retracted_count, approved_count, edited_count;
    struct plan shown; /* of the retraction */
};

/* ---- what waits ---- */

/* Without trailing blanks in each line, and without blank lines around it: editors add and remove them. */
static const char *plain_text(struct arena *arena, const char *text)
{
    AUTO_STRBUF out = STRBUF_INIT;
    size_t ends = 0; /* of the last line that is not blank */
    for (const char *line = text; *line;) {
        size_t whole = strcspn(line, "\n"), len = whole;
        while (len && strchr(" \t\r", line[len - 1]))
            len--;
        strbuf_add(&out, line, len);
        ends = len ? out.len : ends;
        if (out.len)
            strbuf_addch(&out, '\n');
        line += whole + (line[whole] == '\n');
    }
    return arena_strndup(arena, out.len ? out.buf : "", ends);
}

static int add_base(struct review *v, struct block *b, struct ref ref, struct error *e)
{
    struct arena *arena = &v->i->arena;
    struct memory_row row;
    if (b->bases_count >= BASES) {
        b->bases_count++;
        return 0;
    }
    enum status status = STATUS_MISSING;
    int64_t node = ref_find_status(reader_db(v->o.reader), ref, &status, e);
    if (node < 0 || (node > 0 && memory_row_read(v->o.reader, arena, node, &row, e)))
        return -1;
    bool known = node > 0 && status != STATUS_MISSING && row.text;
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "based on %s", ref_short(v->o.reader, arena, ref));
    if (status != STATUS_ACTIVE)
        strbuf_addf(&line, ", %s", status_word(status));
    if (known)
        strbuf_addf(&line, ": %.*s", (int)utf8_prefix(row.text, BASE_TEXT), row.text);
    b->bases[b->bases_count++] = arena_strdup(arena, line.buf);
    return 0;
}

static int add_bases(struct review *v, struct block *b, const struct memory *m, struct error *e)
{
    for (size_t i = 0; i < m->justification_count; i++)
        for (size_t k = 0; k < m->justifications[i].count; k++)
            if (add_base(v, b, m->justifications[i].antecedents[k].ref, e))
                return -1;
    return 0;
}

static int add_memory_block(struct review *v, const struct inbox_item *item, struct error *e)
{
    struct arena *arena = &v->i->arena;
    struct block b = {.item = item};
    struct memory m;
    AUTO_STRBUF text = STRBUF_INIT, name = STRBUF_INIT;
    if (memory_row_read(v->o.reader, arena, item->node, &b.row, e) ||
        memory_read(v->o.reader, arena, item->node, &m, e))
        return -1;
    text_add(&text, m.text, TEXT_LINES);
    text_add(&name, ref_short(v->o.reader, arena, b.row.ref), TEXT_EXACT);
    b.name = arena_strdup(arena, name.buf);
    b.text = plain_text(arena, text.buf);
    if (add_bases(v, &b, &m, e))
        return -1;
    *ARENA_ADD(arena, v->block, v->count, v->alloc) = b;
    return 0;
}

static int read_matching(struct review *v, struct matcher *m, struct error *e)
{
    size_t limit = (size_t)option_number(v->i, "limit", LIMIT);
    if (matcher_make(m, v->o.reader, &v->query, NULL, e))
        return -1;
    for (size_t n = 0; n < v->inbox.count; n++) {
        int passes = matcher_passes(m, v->o.reader, v->inbox.item[n].node, e);
        v->left += passes > 0 && v->count == limit;
        if (passes < 0 || (passes && v->count < limit && add_memory_block(v, &v->inbox.item[n], e)))
            return -1;
    }
    return 0;
}

static int read_blocks(struct review *v, struct error *e)
{
    struct matcher m = {0};
    if (inbox_read(v->o.reader, option_text(v->i, "agent"), &v->inbox, e) ||
        reader_begin(v->o.reader, e))
        return -1;
    int result = reader_done(v->o.reader, read_matching(v, &m, e));
    matcher_release(&m);
    return result;
}

static int print_json(struct review *v)
{
    for (size_t n = 0; n < v->count; n++) {
        const struct block *b = &v->block[n];
        struct json_object o = json_begin(&v->i->out.text, '{');
        json_pair(&o, "ref", arena_format(&v->i->arena, "%s:%s", REF_ARGS(b->row.ref)));
        json_pair_if(&o, "agent", b->row.agent_id);
        json_pair_if(&o, "text", b->row.text);
        json_pair(&o, "status", status_name(b->row.status));
        json_pair(&o, "label", label_name(b->item->label));
        json_pair_double(&o, "risk", b->item->risk);
        json_pair_int(&o, "loses", b->item->loses);
        json_pair_int(&o, "weight", b->item->weight);
        json_pair_double(&o, "trust", b->item->trust);
        json_pair_double(&o, "effective", b->item->effective);
        if (b->item->session > 0)
            json_pair_int(&o, "session", b->item->session);
        if (b->item->alike)
            json_pair_int(&o, "alike", b->item->alike);
        json_end_line(&o);
    }
    return 0;
}

/* ---- the file ---- */

static void add_comment(struct strbuf *out, const char *text)
{
    strbuf_addstr(out, "# ");
    text_add(out, text, 0);
    strbuf_addch(out, '\n');
}

static void add_block(struct review *v, size_t n, struct strbuf *out)
{
    const struct block *b = &v->block[n];
    bool alike = n && b->item->alike && b->item->alike == b[-1].item->alike;
    AUTO_STRBUF risk = STRBUF_INIT;
    strbuf_addf(out, "\nwait %s\n", b->name);
    for (const char *line = b->text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        strbuf_addf(out, "%s%.*s\n", *line == '\n' ? "" : "    ", (int)strcspn(line, "\n"), line);
    for (size_t i = 0; i < b->bases_count && i < BASES; i++)
        add_comment(out, b->bases[i]);
    if (b->bases_count > BASES)
        strbuf_addf(out, "# and on %zu more\n", b->bases_count - BASES);
    strbuf_addstr(&risk, "risk ");
    inbox_add_risk(b->item, &risk);
    if (b->row.status == STATUS_PENDING)
        strbuf_addf(&risk, ", %s", gate_reason(v->o.reader, &v->i->arena, b->item->node));
    strbuf_addf(&risk, ", %s%s", b->row.agent ? b->row.agent : "nobody",
                alike ? ", says the same as the one above" : "");
    add_comment(out, risk.buf);
}

static int write_file(struct review *v, struct strbuf *out, struct error *e)
{
    strbuf_addf(out,
                "# %zu wait%s for your decision, the riskiest first. Write `approve` or `retract` "
                "in the place of\n"
                "# `wait`. A changed text is an edit. A block that you delete is retracted. Lines "
                "that begin with #\n"
                "# are left out. A file without blocks, or as it was, changes nothing.\n",
                v->count, v->count == 1 ? "s" : "");
    if (v->left)
        strbuf_addf(out, "# %zu more wait: --limit N takes more of them.\n", v->left);
    int64_t session = INT64_MIN;
    for (size_t n = 0; n < v->count; n++) {
        AUTO_STRBUF name = STRBUF_INIT;
        if (v->block[n].item->under != session &&
            inbox_add_session(v->o.reader, v->block[n].item->under, " · ", &name, e))
            return -1;
        session = v->block[n].item->under;
        if (name.len) {
            strbuf_addch(out, '\n');
            add_comment(out, name.buf);
        }
        add_block(v, n, out);
    }
    return edited_file_make(&v->file, "review.txt", out, e);
}

static bool has_terminal(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* The editor that runs, -1 while it starts; the signal that asked to end. */
static volatile sig_atomic_t editor, ended_by;

/* Ctrl-C is the editor's. Other signals end the editor too, so that its file can be removed. */
static void on_signal(int number)
{
    if (editor > 0 && number != SIGINT)
        kill((pid_t)editor, number);
    if (!editor || number != SIGINT)
        ended_by = number;
}

static void catch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    for (size_t n = 0; n < sizeof(ending) / sizeof(ending[0]); n++)
        sigaction(ending[n], &action, NULL);
}

static int run_editor(const struct review *v, struct error *e)
{
    const char *name = editor_name(has_terminal());
    struct editor_command command;
    int status = 0;
    pid_t pid = 0;
    editor_command_make(&command, name, v->file.path);
    editor = -1;
    int failed = posix_spawn(&pid, command.argv[0], NULL, NULL, command.argv, environ);
    editor = pid;
    if (pid && ended_by)
        kill(pid, ended_by);
    while (!failed && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    editor = 0;
    strbuf_release(&command.text);
    if (failed)
        return error_set(e, ERROR_STORE, "", "cannot start an editor: %s", strerror(failed));
    return editor_check(status, name, e);
}

/* ---- reading it ---- */

static int bad_line(size_t line, struct error *e, const char *hint, const char *what)
{
    return error_set(e, ERROR_INVALID, hint, "line %zu: %s", line, what);
}

static struct block *find_block(struct review *v, const char *ref)
{
    for (size_t n = 0; n < v->count; n++)
        if (!strcmp(v->block[n].name, ref))
            return &v->block[n];
    return NULL;
}

/* "approve belief:8fc21b98" */
static int begin_block(struct review *v, const char *line, size_t number, struct block **out,
                       struct error *e)
{
    struct arena *arena = &v->i->arena;
    size_t len = strcspn(line, " \t");
    const char *word = arena_strndup(arena, line, len),
               *ref = line + len + strspn(line + len, " \t");
    size_t end = strlen(ref);
    while (end && strchr(" \t\r", ref[end - 1]))
        end--;
    ref = arena_strndup(arena, ref, end);
    struct block *b = find_block(v, ref);
    int verdict = 0;
    while (verdict < BLOCK_WORDS && strcmp(word, verdict_words[verdict]) != 0)
        verdict++;
    if (verdict == BLOCK_WORDS)
        return bad_line(number, e, "Write wait, approve or retract; indent a line of a text.",
                        arena_format(arena, "\"%.40s\" is no decision", word));
    if (!b)
        return bad_line(number, e, "Leave each ref as it was.",
                        arena_format(arena, "\"%.80s\" is none of the memories of this file", ref));
    if (b->line)
        return bad_line(number, e, "Leave one of the blocks.",
                        arena_format(arena, "%s is decided in line %zu already", ref, b->line));
    b->line = number;
    b->verdict = (enum block_word)verdict;
    *out = b;
    return 0;
}

/* Ends the text of a block. */
static int end_block(struct review *v, struct block *b, const struct strbuf *text, struct error *e)
{
    const char *now = plain_text(&v->i->arena, text->buf);
    if (!b || !strcmp(now, b->text))
        return 0;
    if (!*now)
        return bad_line(b->line, e, "Write `retract`, or delete the whole block.",
                        arena_format(&v->i->arena, "the text of %s is gone", b->name));
    if (b->verdict == BLOCK_RETRACT)
        return bad_line(
            b->line, e, "Write `wait` or `approve` before a changed text.",
            arena_format(&v->i->arena, "%s is retracted and its text is changed", b->name));
    b->edited = now;
    return 0;
}

static int parse(struct review *v, char *at, struct error *e)
{
    struct block *b = NULL;
    AUTO_STRBUF text = STRBUF_INIT;
    size_t number = 0;
    for (char *next; *at; at = next) {
        size_t len = strcspn(at, "\n");
        next = at + len + (at[len] == '\n');
        at[len] = '\0';
        number++;
        bool blank = at[strspn(at, " \t\r")] == '\0';
        if (*at == '#' || (blank && !b))
            continue;
        if (blank || *at == ' ' || *at == '\t') {
            if (!b)
                return bad_line(number, e, "Begin a block with `wait REF` before it.",
                                "this text belongs to no block");
            size_t indent = *at == '\t' ? 1 : strspn(at, " ") < 4 ? strspn(at, " ") : 4;
            strbuf_addf(&text, "%s\n", at + indent);
            continue;
        }
        struct block *begun = NULL;
        if (begin_block(v, at, number, &begun, e) || end_block(v, b, &text, e))
            return -1;
        b = begun;
        strbuf_clear(&text);
    }
    return end_block(v, b, &text, e);
}

/* ---- carrying it out ---- */

static void collect(struct review *v)
{
    struct arena *arena = &v->i->arena;
    v->retracted = arena_array(arena, v->count + 1, sizeof(*v->retracted));
    v->approved = arena_array(arena, v->count + 1, sizeof(*v->approved));
    for (size_t n = 0; n < v->count; n++) {
        const struct block *b = &v->block[n];
        if (!b->line || b->verdict == BLOCK_RETRACT)
            v->retracted[v->retracted_count++] = b->row.node;
        else if (b->verdict == BLOCK_APPROVE)
            v->approved[v->approved_count++] = b->row.node;
        v->edited_count += b->edited != NULL;
    }
}

static struct request request_of(const struct review *v, const int64_t *nodes, size_t count)
{
    struct request q = REQUEST_INIT;
    q.nodes = nodes;
    q.node_count = count;
    q.reason = option_text(v->i, "reason");
    return q;
}

static struct request edit_of(const struct review *v, const struct block *b)
{
    struct request q = request_of(v, &b->row.node, 1);
    q.text = b->edited;
    q.text_len = b->edited ? strlen(b->edited) : 0;
    return q;
}

static struct request retraction_of(const struct review *v)
{
    struct request q = request_of(v, v->retracted, v->retracted_count);
    q.dependants = option_text(v->i, "dependants");
    return q;
}

static int show(struct review *v, enum operation op, const struct request *q, struct plan *plan,
                struct error *e)
{
    return operation_preview(v->o.reader, &v->person, op, q, &v->i->arena, plan, e) ||
                   plan_print(&v->i->out, v->o.reader, op, plan, PLAN_SHOWN, e)
               ? -1
               : 0;
}

static int show_all(struct review *v, struct error *e)
{
    struct plan plan;
    struct request retract = retraction_of(v),
                   approve = request_of(v, v->approved, v->approved_count);
    if (v->retracted_count && show(v, OPERATION_RETRACT, &retract, &v->shown, e))
        return -1;
    for (size_t n = 0; n < v->count; n++) {
        struct request q = v->block[n].edited ? edit_of(v, &v->block[n]) : retract;
        if (v->block[n].edited && show(v, OPERATION_EDIT, &q, &plan, e))
            return -1;
    }
    return v->approved_count ? show(v, OPERATION_APPROVE, &approve, &plan, e) : 0;
}

/* The version that the block was made from, or the one that the retraction of others made of it. */
static int64_t version_of(const struct plan *retraction, const struct block *b)
{
    for (size_t i = 0; i < retraction->count; i++) {
        const struct planned *c = &retraction->change[i];
        if (c->before && c->before->node == b->row.node && c->before->version == b->row.version)
            return c->after->version;
    }
    return b->row.version;
}

/* Changes the text, then approves it, if the file says so. */
static int carry_out_block(struct txn *t, struct review *v, const struct block *b,
                           const struct plan *retraction, struct error *e)
{
    struct plan plan;
    struct request edit = edit_of(v, b), approve = request_of(v, &b->row.node, 1);
    edit.expected_version = version_of(retraction, b);
    approve.expected_version = edit.expected_version + (b->edited != NULL);
    if (b->edited && operation_in(t, &v->person, OPERATION_EDIT, &edit, &v->i->arena, &plan, e))
        return -1;
    return b->line && b->verdict == BLOCK_APPROVE
               ? operation_in(t, &v->person, OPERATION_APPROVE, &approve, &v->i->arena, &plan, e)
               : 0;
}

/*
 * One transaction, so all or nothing is done, and one undo takes it back. Retractions come first: an approval then
 * answers the review that they ask for.
 */
static int carry_out(struct txn *t, void *arg, struct error *e)
{
    struct review *v = arg;
    struct plan plan = {0};
    struct request retract = retraction_of(v);
    if (v->retracted_count &&
        operation_in(t, &v->person, OPERATION_RETRACT, &retract, &v->i->arena, &plan, e))
        return -1;
    if (v->retracted_count && !plan_same(&v->shown, &plan))
        return error_set(e, ERROR_CONFLICT, "Run `stemma review` again.",
                         "what is retracted changed meanwhile, or what loses support with it");
    for (size_t n = 0; n < v->count; n++)
        if (carry_out_block(t, v, &v->block[n], &plan, e))
            return -1;
    return 0;
}

static void print_done(struct review *v)
{
    struct strbuf *out = &v->i->out.text;
    const size_t counts[] = {v->approved_count, v->edited_count, v->retracted_count};
    static const char *const words[] = {"approved", "edited", "retracted"};
    const char *apart = "";
    for (int n = 0; n < 3; n++) {
        if (!counts[n])
            continue;
        strbuf_addf(out, "%s%zu %s", apart, counts[n], words[n]);
        apart = ", ";
    }
    strbuf_addstr(out, "; `stemma undo` takes it back\n");
}

/* Shows the plan and does it. The file stays until then. */
static int decide(struct review *v, struct error *e)
{
    collect(v);
    if (v->retracted_count + v->approved_count + v->edited_count == 0) {
        strbuf_addstr(&v->i->out.text, "Nothing was decided: all of them wait.\n");
        return 0;
    }
    if (show_all(v, e))
        return -1;
    if (option_given(v->i, "dry-run")) {
        strbuf_addstr(&v->i->out.text, "Nothing was changed.\n");
        return 0;
    }
    store_make_id(v->o.store, v->correlation);
    v->person.correlation = v->correlation + 24; /* as plan.c */
    if ((!option_given(v->i, "yes") && operating_confirm(&v->i->out, "done", e)) ||
        store_run(v->o.store, carry_out, v, e))
        return -1;
    print_done(v);
    return 0;
}

static int edit_and_decide(struct review *v, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    size_t blocks = 0;
    if (run_editor(v, e))
        return -1;
    if (typed_file(v->file.path, &text, e) || parse(v, text.buf, e))
        return -1;
    for (size_t n = 0; n < v->count; n++)
        blocks += v->block[n].line > 0;
    if (blocks)
        return decide(v, e);
    strbuf_addstr(&v->i->out.text, "The file has no blocks: nothing was changed.\n");
    return 0;
}

static int review(struct review *v, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    if (read_blocks(v, e))
        return -1;
    if (v->i->out.json)
        return print_json(v);
    if (v->count == 0) {
        output_note("nothing waits%s", v->i->word_count ? " that matches" : "");
        query_words_unmatched(joined_words(v->i, 0), QUERY_MEMORIES);
        return 1;
    }
    if (!editor_name(has_terminal()))
        return error_set(e, ERROR_INVALID, "Set EDITOR to your editor, or use --json.",
                         "there is no terminal for an editor");
    catch_signals();
    if (write_file(v, &text, e))
        return -1;
    int result = edit_and_decide(v, e);
    if (result && edited_file_differs(&v->file, &text))
        output_note("what you wrote is in %s", v->file.path);
    else
        edited_file_remove(&v->file);
    return result && ended_by
               ? error_set(e, ERROR_INTERRUPTED, "Nothing was changed.", "it was interrupted")
               : result;
}

static int run_review(struct invocation *i, struct error *e)
{
    struct review v = {.i = i, .person = opening_person(i)};
    bool reads = i->out.json || option_given(i, "dry-run");
    if (!reads && option_given(i, "read-only"))
        return error_set(e, ERROR_REFUSED, "Omit --read-only to change the store.",
                         "review changes the store, but --read-only was given");
    if (query_words_read(i, joined_words(i, 0), QUERY_MEMORIES, &v.query, e) ||
        opening_open(i, NULL, false, &v.o, e))
        return -1;
    int result = review(&v, e);
    free(v.inbox.item);
    opening_close(&v.o);
    return result;
}

static const char *dependants_word(int i)
{
    static const char *const words[] = {DEPENDANTS_LEAVE, DEPENDANTS_REVIEW, DEPENDANTS_RETRACT,
                                        NULL};
    return words[i];
}

static const struct option_spec options[] = {
    OPT_TEXT("agent", "A", "only what belongs to this agent"),
    {.name = "limit",
     .type = OPTION_INT,
     .argument = "N",
     .about = "at most N, the riskiest; 1,000, if left out",
     .min = 1,
     .max = 1000000},
    OPT_CHOICE("dependants", "WHAT", dependants_word,
               "what becomes of what loses all support; review, if left out:"),
    OPT_TEXT("reason", "TEXT", "why, for all decisions"),
    OPT_FLAG("dry-run", "show what would change, and change nothing"),
    OPT_FLAG("yes", "do it without asking"),
    OPTION_END,
};

const struct command cmd_review = {
    .name = "review",
    .words = "[QUERY]",
    .about = "decide about what waits, as a file in your editor",
    .examples = "stemma review\n"
                "stemma review deploy --agent ash\n"
                "stemma review --json",
    .details =
        "A memory waits if agents added or changed it since a person last decided about it, if it "
        "is flagged for_review, or if it is pending. Each is a block that begins with `wait`: "
        "write `approve` or `retract` in its place, change its text, or delete the block, which "
        "retracts it. What is saved is the desired state. A file without blocks, an editor that "
        "fails, and a file as it was change nothing; a line that cannot be read is named, and the "
        "file stays. QUERY limits what is in it, as in `stemma list`.\n\nThe riskiest come first: "
        "risk = (1 + memories that lose all support without it) × weight × (1 − trust × effective "
        "confidence); the weight is 4 if it is unsupported or circular, 2 if weakened, else "
        "1. " OPERATING_ASKS "--json lists what waits: {ref, agent, text, status, label, risk, "
        "loses, weight, trust, effective, session, alike}, where memories "
        "with the same number `alike` say about the same.",
    .options = options,
    .run = run_review,
};
