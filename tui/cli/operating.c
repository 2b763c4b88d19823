#include "tui/cli/operating.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "store/history/past.h"
#include "store/json/answer.h"
#include "store/ops/operation.h"
#include "store/reasoning/chain.h"
#include "store/txn/scrub.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/render/brief.h"
#include "tui/render/plan_print.h"

struct operating {
    struct invocation *i;
    struct opened o;
    struct actor person;
    enum operation op;
    const struct op_spec *entry;
    const struct request *q;
    struct plan plan;  /* that was carried out, or was shown last */
    struct plan shown; /* that the person decided about */
};

void operating_take_refs(struct invocation *i, struct request *q, size_t skip)
{
    q->refs = i->words + skip;
    q->ref_count = i->word_count - skip;
}

/* What is invalid here is a word that was typed, not an input. */
static int operating_typed(int result, struct error *e)
{
    if (result < 0 && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    return result;
}

/*
 * The same for who needs more than one request in one transaction: opens the store (`create`: makes it),
 * refusing where --read-only forbids it.
 */
static int operating_open(struct invocation *i, bool create, struct opened *o, struct error *e)
{
    bool dry = option_given(i, "dry-run");
    if (!dry && option_given(i, "read-only"))
        return error_set(e, ERROR_REFUSED, "Leave --read-only out to change the store.",
                         "%s changes the store, and --read-only was given", i->command->name);
    return opening_open(i, NULL, create && !dry, o, e);
}

/* ---- what is said ---- */

/* Of what makes a memory its ref is what a script wants, as of `stemma add`. */
static bool makes_memories(enum operation op)
{
    return op == OPERATION_PROCESS || op == OPERATION_SUPERSEDE || op == OPERATION_SEED;
}

static void print_refs(struct output *out, const struct plan *p)
{
    for (size_t n = 0; n < p->count; n++) {
        if (p->change[n].before)
            continue;
        output_ref(out, STYLE_TEXT, p->change[n].after->ref);
        strbuf_addch(&out->text, '\n');
    }
}

static int write_json(struct operating *x, const struct plan *p, enum plan_stage stage,
                      struct error *e)
{
    struct answer to = output_answer(&x->i->out);
    if (answer_plan(&to, x->entry->name, p, stage == PLAN_DONE, e))
        return -1;
    strbuf_addch(&x->i->out.text, '\n');
    return 0;
}

static int say(struct operating *x, const struct plan *p, enum plan_stage stage, struct error *e)
{
    struct output *out = &x->i->out;
    if (out->json)
        return write_json(x, p, stage, e);
    plan_tell_unresolved(p);
    if (stage == PLAN_DONE && makes_memories(x->op) && p->count)
        print_refs(out, p);
    else if (plan_print(out, x->o.reader, x->op, p, stage, e))
        return -1;
    return 0;
}

/* ---- asking ---- */

static int needs_yes(struct error *e)
{
    return error_set(e, ERROR_REFUSED, "Add --yes to do it.",
                     "nothing was changed: this is done only when it is confirmed");
}

/* A line of the terminal: does it begin as yes does? */
static bool read_yes(void)
{
    char line[16] = "";
    bool first = true, yes = false;
    while (fgets(line, sizeof(line), stdin)) {
        if (first)
            yes = line[0] == 'y' || line[0] == 'Y';
        first = false;
        if (strchr(line, '\n'))
            break;
    }
    return yes;
}

/* The person has seen it, and says yes. */
static int confirm(struct operating *x, struct error *e)
{
    char question[80];
    struct output *out = &x->i->out;
    if (out->json || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return needs_yes(e);
    if (output_flush(out, e))
        return -1;
    int len = snprintf(question, sizeof(question), "Shall it be %s? [y/N] ", x->entry->done);
    if (write(STDERR_FILENO, question, (size_t)len) < 0 || !read_yes())
        return error_set(e, ERROR_REFUSED, "", "nothing was changed");
    return 0;
}

/* ---- what a purge leaves to do ---- */

struct scrubbing {
    struct progress progress;
    enum scrub_stage stage;
};

static int tick(void *arg, enum scrub_stage stage, int64_t done, int64_t total)
{
    struct scrubbing *s = arg;
    if (stage != s->stage) {
        progress_end(&s->progress);
        progress_begin(&s->progress, scrub_stage_name(stage));
        s->stage = stage;
    }
    return progress_tick(&s->progress, done, total);
}

/* Of what was purged before as well: it may not have come to its end then. */
static int finish(struct operating *x, struct error *e)
{
    struct scrubbing s = {.stage = SCRUB_INDEX};
    if (x->op != OPERATION_PURGE)
        return 0;
    if (output_flush(&x->i->out, e))
        return -1;
    progress_begin(&s.progress, scrub_stage_name(s.stage));
    int result = store_scrub(x->o.store, tick, &s, e);
    progress_end(&s.progress);
    return result;
}

/* ---- doing it ---- */

static int preview(struct operating *x, struct error *e)
{
    if (operation_preview(x->o.reader, &x->person, x->op, x->q, &x->i->arena, &x->shown, e))
        return -1;
    return say(x, &x->shown, PLAN_SHOWN, e);
}

static int carry_out_shown(struct operating *x, struct error *e)
{
    struct error other;
    if (x->shown.count == 0)
        return finish(x, e);
    if (confirm(x, e))
        return -1;
    int result = operation_run_shown(x->o.store, &x->person, x->op, x->q, &x->i->arena, &x->shown,
                                     &x->plan, e);
    if (result == 0)
        return say(x, &x->plan, PLAN_DONE, e) || finish(x, e) ? -1 : 0;
    if (x->plan.reader && say(x, &x->plan, PLAN_SHOWN, &other))
        *e = other;
    return -1;
}

static int carry_out(struct operating *x, struct error *e)
{
    if (operation_run_now(x->o.store, &x->person, x->op, x->q, &x->i->arena, &x->plan, e))
        return -1;
    return say(x, &x->plan, PLAN_DONE, e) || finish(x, e) ? -1 : 0;
}

static int operate(struct operating *x, struct error *e)
{
    const struct invocation *i = x->i;
    bool dry = option_given(i, "dry-run"), asks = x->entry->asks && !option_given(i, "yes");
    if (!dry && !asks)
        return carry_out(x, e);
    if (preview(x, e))
        return -1;
    if (!dry)
        return carry_out_shown(x, e);
    if (!i->out.json)
        strbuf_addstr(&x->i->out.text, "Nothing was changed.\n");
    return 0;
}

/* Taking away what is not there is a search that found nothing. */
static int nothing_removed(const struct operating *x)
{
    const struct plan *p = option_given(x->i, "dry-run") ? &x->shown : &x->plan;
    if (x->op != OPERATION_UNMARK || p->count > 0)
        return 0;
    if (!x->i->out.json)
        output_note("there was nothing to remove");
    return 1;
}

int operating_run(struct invocation *i, enum operation op, struct request *q, struct error *e)
{
    struct operating x = {
        .i = i, .person = opening_person(i), .op = op, .entry = op_spec(op), .q = q};
    q->reason = q->reason ? q->reason : option_text(i, "reason");
    if (operating_open(i, op == OPERATION_SEED, &x.o, e))
        return -1;
    int result = operating_typed(operate(&x, e), e);
    if (result == 0)
        result = nothing_removed(&x);
    opening_close(&x.o);
    return result;
}

/* More than this is no memory, and no list of statements. */
#define TEXT_MAX (64u * 1024 * 1024)

static int read_all(FILE *from, const char *name, struct strbuf *text, struct error *e)
{
    char block[16384];
    size_t got;
    while (text->len <= TEXT_MAX && (got = fread(block, 1, sizeof(block), from)) > 0)
        strbuf_add(text, block, got);
    if (ferror(from))
        return error_set(e, ERROR_STORE, "Give another.", "%s cannot be read: %s", name,
                         strerror(errno));
    if (text->failed || text->len > TEXT_MAX)
        return error_set(e, ERROR_INVALID, "Give a part of it.", "the text of %s is too long",
                         name);
    return 0;
}

int typed_text(const char *word, struct strbuf *text, struct error *e)
{
    if (strcmp(word, "-") != 0) {
        strbuf_addstr(text, word);
        return 0;
    }
    if (read_all(stdin, "standard input", text, e))
        return -1;
    if (text->len > 0 && text->buf[text->len - 1] == '\n')
        strbuf_cut(text, text->len - 1);
    return 0;
}

int typed_file(const char *path, struct strbuf *text, struct error *e)
{
    if (strcmp(path, "-") == 0)
        return read_all(stdin, "standard input", text, e);
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(e, ERROR_STORE, "Give the path of a file that can be read.",
                         "%s cannot be read: %s", path, strerror(errno));
    int result = read_all(file, path, text, e);
    fclose(file);
    return result;
}

int check_written(struct reader *r, const struct memory_row *row, const char *word, struct error *e)
{
    if (row->status != STATUS_MISSING)
        return 0;
    if (reader_past(r) >= 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma history` tells when it came.",
                         "%.80s was not there yet", word);
    return error_set(e, ERROR_NOT_FOUND, "`stemma show --reverse` shows who names it.", "%.80s %s",
                     word,
                     row->event ? "was taken back: only its ref is left"
                                : "is named by others and was never written here");
}

static int check_kind(struct reader *r, const struct memory_row *row, const char *word,
                      struct error *e)
{
    if (row->ref.kind == KIND_CHAIN)
        return 0;
    if (row->ref.kind != KIND_STEP)
        return error_set(
            e, ERROR_USAGE, "`stemma list chain` lists the chains; `stemma show` shows anything.",
            "%.80s is no chain or step but a memory of kind %s", word, kind_name(row->ref.kind));
    int64_t chain = chain_of_step(r, row->node, e);
    if (chain == 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma show` shows what it rests on.",
                         "the step %.80s is part of no chain", word);
    return chain < 0 ? -1 : 0;
}

int64_t chain_typed(struct reader *r, const char *word, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    int64_t node = opening_resolve(r, word, e);
    if (node < 0)
        return -1;
    int result = memory_row_read(r, &arena, node, &row, e) || check_written(r, &row, word, e) ||
                         check_kind(r, &row, word, e)
                     ? -1
                     : 0;
    arena_release(&arena);
    return result ? -1 : node;
}
