/* Carries out an operation for a command: arguments, preview, confirmation, commit and output. */
#include "tui/cli/operating.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/memory/memory.h"
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "store/db/store_file.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/history/past.h"
#include "store/json/answer.h"
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/txn/checkpoint.h"
#include "tui/cli/words.h"
#include "tui/cli/opening.h"
#include "tui/cli/stop.h"
#include "tui/render/oneline.h"
#include "tui/render/difference_page.h"
#include "tui/render/plan_page.h"
#include "tui/text/times.h"

struct operating {
    struct invocation *i;
    struct opened o;
    struct actor person;
    enum operation op;
    const struct op_spec *entry;
    struct request q;
    struct plan plan;  /* carried out, or shown last */
    struct plan shown; /* shown to the person for confirmation */
};

/* Invalid values are mistakes on the command line, not in an input. */
static int usage_error(int result, struct error *e)
{
    if (result < 0 && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    return result;
}

/* Opens the store; `create` makes it. Refuses if --read-only was given without --dry-run. */
static int operating_open(struct invocation *i, bool create, struct opened *o, struct error *e)
{
    bool dry = option_given(i, "dry-run");
    if (!dry && option_given(i, "read-only"))
        return error_set(e, ERROR_REFUSED, "Omit --read-only to change the store.",
                         "%s changes the store, but --read-only was given", i->command->name);
    return opening_open(i, NULL, create && !dry, o, e);
}

/* ---- parameters as words and options ---- */

#define OPTIONS_MOST 16

bool param_takes_all(const struct param *p)
{
    size_t len = strlen(p->argument), dots = strlen("…");
    return len > dots && strcmp(p->argument + len - dots, "…") == 0;
}

static const char *option_name(const struct param *p)
{
    return p->option ? p->option : p->name;
}

static bool is_option(const struct param *p)
{
    return !p->positional && (!p->use || (p->use & PARAM_OF_COMMAND));
}

static struct option_spec option_of(const struct param *p)
{
    static const enum option_type types[PARAM_PROVENANCE + 1] = {
        [PARAM_LIST] = OPTION_LIST,     [PARAM_TAGS] = OPTION_LIST, [PARAM_FIELDS] = OPTION_LIST,
        [PARAM_NUMBER] = OPTION_NUMBER, [PARAM_TIME] = OPTION_TEXT, [PARAM_INTEGER] = OPTION_INT,
        [PARAM_KIND] = OPTION_CHOICE};
    enum option_type type = types[p->type];
    return (struct option_spec){.name = option_name(p),
                                .type = type == OPTION_FLAG || p->most == 1 ? OPTION_TEXT : type,
                                .argument = p->argument,
                                .about = p->about,
                                .min = p->min,
                                .max = p->max,
                                .kinds = p->type == PARAM_KIND ? p->kinds : 0,
                                .words = type == OPTION_LIST && param_takes_all(p),
                                .input = p->type == PARAM_BODY};
}

const struct option_spec *operating_options(const struct command *command)
{
    static struct option_spec made[OPERATION_COUNT][OPTIONS_MOST];
    const struct op_spec *spec = op_spec(command->op);
    struct option_spec *list = made[command->op];
    size_t count = 0;
    if (list[0].name)
        return list;
    for (const struct option_spec *own = command->options; own && own->name; own++)
        list[count++] = *own;
    for (const struct param *p = spec->params; p->type != PARAM_END; p++) {
        if (is_option(p))
            list[count++] = option_of(p);
        if (p->type == PARAM_TAGS)
            list[count++] = (struct option_spec)OPT_FLAG("no-tags", "remove all its tags");
    }
    list[count++] =
        (struct option_spec)OPT_FLAG("dry-run", "show what would change, and change nothing");
    /* Where nothing is asked it is accepted, for scripts that give it to every command. */
    bool asks = spec->asks || command->op == OPERATION_UNDO;
    list[count++] = (struct option_spec)OPT_FLAG("yes", asks ? "do it without asking" : NULL);
    return list;
}

int check_agent_name(const char *name, struct error *e)
{
    if (name && utf8_is_blank(name))
        return error_set(e, ERROR_USAGE, "Write --agent NAME.", "the name of the agent is %s",
                         *name ? "blank" : "empty");
    if (name && !utf8_valid(name, strlen(name)))
        return error_set(e, ERROR_USAGE, "Write --agent NAME.",
                         "the name of the agent is not valid UTF-8");
    if (name && utf8_count(name) > AGENT_NAME_MAX)
        return error_set(e, ERROR_USAGE, "Call the agent by a shorter name.",
                         "the name of the agent has more than %d characters", AGENT_NAME_MAX);
    return 0;
}

static int read_events(struct invocation *i, struct request *q, const char **words, size_t count,
                       struct error *e)
{
    int64_t *seqs = arena_array(&i->arena, count, sizeof(*seqs));
    for (size_t n = 0; n < count; n++) {
        char *end;
        bool own = *words[n] == '~'; /* ~3: as log shows what the team does not have yet */
        const char *digits = words[n] + own;
        errno = 0;
        seqs[n] = strtoll(digits, &end, 10);
        if (*digits < '0' || *digits > '9' || *end || errno || seqs[n] < 1)
            return error_set(e, ERROR_USAGE,
                             "`stemma log` and `stemma history REF` show the numbers.",
                             "'%.40s' is not the number of an event", words[n]);
        if (own)
            seqs[n] = -seqs[n];
    }
    q->seqs = seqs;
    q->seq_count = count;
    return 0;
}

/* Reads only the texts of a file of statements. */
static int read_texts(struct invocation *i, const struct param *p, struct request *q,
                      const char *path, struct error *e)
{
    struct seed *seeds;
    size_t count;
    if (statements_read(path, &i->arena, &seeds, &count, e))
        return -1;
    const char **texts = arena_array(&i->arena, count, sizeof(*texts));
    for (size_t n = 0; n < count; n++)
        texts[n] = seeds[n].text;
    op_set_list(p, q, texts, count);
    return 0;
}

/* The kind in a ref; KIND_COUNT if it has none. */
static enum kind kind_of(const char *ref)
{
    const char *colon = strchr(ref, ':');
    int kind = colon ? kind_from_name(ref, (size_t)(colon - ref)) : -1;
    return kind < 0 ? KIND_COUNT : (enum kind)kind;
}

static int take_body(struct invocation *i, const struct param *p, struct request *q,
                     const char *word, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT;
    int result = typed_text(word, &text, e);
    if (result == 0)
        op_set_text(p, q, &i->arena, arena_strndup(&i->arena, text.buf, text.len), text.len);
    return result;
}

/* Sets a parameter from its values, at least one. */
static int take_values(struct invocation *i, const struct param *p, struct request *q,
                       const char **values, size_t count, struct error *e)
{
    const char *last = values[count - 1], *fields;
    int64_t at;
    switch (p->type) {
    case PARAM_LIST:
        if (p->most && count > p->most)
            return error_set(e, ERROR_USAGE, "Run it once for each.",
                             "--%s takes one value, but %zu are given", option_name(p), count);
        op_set_list(p, q, values, count);
        return 0;
    case PARAM_REFS:
    case PARAM_TAGS:
        op_set_list(p, q, values, count);
        return 0;
    case PARAM_BODY:
        return take_body(i, p, q, last, e);
    case PARAM_NUMBER:
        op_set_number(p, q, option_number(i, option_name(p), NAN));
        return 0;
    case PARAM_INTEGER:
        op_set_integer(p, q, (int64_t)option_number(i, option_name(p), 0));
        return 0;
    case PARAM_TIME:
        if (times_parse(last, i->out.now, &at))
            return error_set(e, ERROR_USAGE, "Write 2026-02-01 10:00Z, or 2 days ago.",
                             "--%s: \"%.60s\" is not a time", option_name(p), last);
        op_set_integer(p, q, at);
        return 0;
    case PARAM_KIND:
        op_set_kind(p, q, (enum kind)kind_from_name(last, strlen(last)));
        return 0;
    case PARAM_FIELDS:
        if (field_words(i, q->refs ? kind_of(q->refs[0]) : KIND_COUNT, &fields, e))
            return -1;
        op_set_text(p, q, &i->arena, fields, 0);
        return 0;
    case PARAM_EVENTS:
        return read_events(i, q, values, count, e);
    case PARAM_SEEDS:
        return statements_read(last, &i->arena, (struct seed **)&q->seeds, &q->seed_count, e);
    case PARAM_STATEMENTS:
        return read_texts(i, p, q, last, e);
    default:
        op_set_text(p, q, &i->arena, last, strlen(last));
        return 0;
    }
}

/* Sets a parameter from its option. */
static int take_option(struct invocation *i, const struct op_spec *spec, const struct param *p,
                       struct request *q, struct error *e)
{
    size_t count;
    const char **given = option_list(i, option_name(p), &count);
    bool none = p->type == PARAM_TAGS && option_given(i, "no-tags");
    if (none && count)
        return error_set(e, ERROR_USAGE, "Omit one of them.",
                         "--no-tags removes all tags, but --tag adds some");
    if (none)
        op_set_list(p, q, given, 0);
    if (p->required && !count)
        return error_set(e, ERROR_USAGE, "`--help` explains it.", "'%s' needs --%s %s",
                         display_name(spec->name), option_name(p), p->argument);
    return count ? take_values(i, p, q, given, count, e) : 0;
}

static int take_parameters(struct invocation *i, const struct op_spec *spec, struct request *q,
                           struct error *e)
{
    size_t word = 0;
    for (const struct param *p = spec->params; p->type != PARAM_END; p++) {
        size_t left = i->word_count - word;
        size_t count = !p->positional || !left ? 0 : param_takes_all(p) ? left : 1;
        if (count && take_values(i, p, q, i->words + word, count, e))
            return -1;
        if (is_option(p) && take_option(i, spec, p, q, e))
            return -1;
        word += count;
    }
    return check_agent_name(q->agent, e);
}

/* ---- output ---- */

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

static int print_plan(struct operating *x, const struct plan *p, enum plan_stage stage,
                      struct error *e)
{
    struct output *out = &x->i->out;
    if (out->json)
        return write_json(x, p, stage, e);
    for (size_t n = 0; n < p->unresolved_count; n++)
        output_note("%s is not in this store yet; the link is kept as given", p->unresolved[n]);
    if (stage == PLAN_DONE && x->entry->adds && p->count)
        print_refs(out, p);
    else if (plan_print(out, x->o.reader, x->op, p, stage, e))
        return -1;
    return 0;
}

/* ---- confirmation ---- */

/* Reads a line from the terminal. True if it begins with y or Y. */
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

/* Whether there is a person to ask. */
static bool can_ask(const struct output *out)
{
    return !out->json && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

int operating_confirm(struct output *out, const char *done, struct error *e)
{
    char question[80];
    if (!can_ask(out))
        return error_set(e, ERROR_REFUSED, "Add --yes to confirm.",
                         "nothing was changed: this needs confirmation");
    if (output_flush(out, e))
        return -1;
    int len = snprintf(question, sizeof(question), "Shall it be %s? [y/N] ", done);
    if (write(STDERR_FILENO, question, (size_t)len) < 0 || !read_yes())
        return error_set(e, ERROR_REFUSED, "", "nothing was changed");
    return 0;
}

/* In a terminal, tells how to take back what was done. */
static int tell_undo(struct operating *x, struct error *e)
{
    bool itself = x->op == OPERATION_UNDO || x->op == OPERATION_REDO;
    int64_t event = x->plan.count ? x->plan.change[0].event : 0;
    if (!x->i->out.tty || x->i->out.json || !x->entry->undoable || itself || event == 0)
        return 0;
    if (output_flush(&x->i->out, e))
        return -1;
    output_note("`stemma undo %lld` takes it back", (long long)event);
    return 0;
}

/* ---- after a purge: erasing the data from the file ---- */

struct erasing {
    struct progress progress;
    enum vacuum_stage stage;
};

static int tick(void *arg, enum vacuum_stage stage, int64_t done, int64_t total)
{
    struct erasing *s = arg;
    if (stage != s->stage) {
        progress_end(&s->progress);
        progress_begin(&s->progress, vacuum_stage_name(stage));
        s->stage = stage;
    }
    return progress_tick(&s->progress, done, total);
}

/* After a purge, erases purged data from the file, including data of earlier purges that were interrupted. */
static int finish(struct operating *x, struct error *e)
{
    struct erasing s = {.stage = VACUUM_INDEX};
    if (x->op != OPERATION_PURGE)
        return 0;
    if (output_flush(&x->i->out, e))
        return -1;
    progress_begin(&s.progress, vacuum_stage_name(s.stage));
    int result = store_vacuum(x->o.store, tick, &s, e);
    progress_end(&s.progress);
    return result;
}

/* ---- carrying out ---- */

static int preview(struct operating *x, struct error *e)
{
    if (operation_preview(x->o.reader, &x->person, x->op, &x->q, &x->i->arena, &x->shown, e))
        return -1;
    return print_plan(x, &x->shown, PLAN_SHOWN, e);
}

static int carry_out_shown(struct operating *x, struct error *e)
{
    struct error other;
    if (x->shown.count == 0)
        return finish(x, e);
    if (operating_confirm(&x->i->out, x->entry->done, e))
        return -1;
    int result = operation_run_shown(x->o.store, &x->person, x->op, &x->q, &x->i->arena, &x->shown,
                                     &x->plan, e);
    if (result == 0)
        return print_plan(x, &x->plan, PLAN_DONE, e) || tell_undo(x, e) || finish(x, e) ? -1 : 0;
    if (x->plan.reader && print_plan(x, &x->plan, PLAN_SHOWN, &other))
        *e = other;
    return -1;
}

static int carry_out(struct operating *x, struct error *e)
{
    if (operation_run_now(x->o.store, &x->person, x->op, &x->q, &x->i->arena, &x->plan, e))
        return -1;
    return print_plan(x, &x->plan, PLAN_DONE, e) || tell_undo(x, e) || finish(x, e) ? -1 : 0;
}

/* Returns 1 if an undo must be confirmed: other memories lose support when the named events are undone, or a person is
 * there to ask and several memories change. Returns -1 on error. */
static int undo_asks(struct operating *x, struct error *e)
{
    bool named = x->q.seq_count > 0, person = can_ask(&x->i->out);
    if (x->op != OPERATION_UNDO || (!named && !person))
        return 0;
    if (operation_preview(x->o.reader, &x->person, x->op, &x->q, &x->i->arena, &x->shown, e))
        return -1;
    return (named && x->shown.unsupported_count + x->shown.weakened_count > 0) ||
           (person && x->shown.count > 1);
}

static int operate(struct operating *x, struct error *e)
{
    const struct invocation *i = x->i;
    bool dry = option_given(i, "dry-run"), yes = option_given(i, "yes");
    int asks = yes ? 0 : x->entry->asks ? 1 : dry ? 0 : undo_asks(x, e);
    if (asks < 0)
        return -1;
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

/* Exit status 1 if there was no mark to remove, as for a search without matches. */
static int nothing_removed(const struct operating *x)
{
    const struct plan *p = option_given(x->i, "dry-run") ? &x->shown : &x->plan;
    if (x->op != OPERATION_UNFLAG || p->count > 0)
        return 0;
    if (!x->i->out.json)
        output_note("there was nothing to remove");
    return 1;
}

/* ---- conflicts: the memory was changed meanwhile ---- */

static int write_both(struct invocation *i, struct reader *r, int64_t row, int64_t expected,
                      const struct error *refusal, struct error *e)
{
    struct strbuf *out = &i->out.text;
    size_t start = out->len;
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "error", error_name(refusal->code));
    json_pair(&o, "message", refusal->what);
    strbuf_addch(out, ',');
    int result = version_both(r, &i->arena, row, expected, out, e);
    json_end_line(&o);
    if (result)
        strbuf_cut(out, start);
    return result;
}

static int print_both(struct invocation *i, struct reader *r, int64_t row, int64_t expected,
                      struct error *e)
{
    AUTO_STRBUF form = STRBUF_INIT;
    struct memory was, now;
    int found = version_form(r, row, expected, &form, e);
    if (found < 0 || memory_read(r, &i->arena, row, &now, e) ||
        (found &&
         memory_json_read(&was, &i->arena, form.buf, form.len, "", now.created_at, NULL, e)))
        return -1;
    if (!found) {
        strbuf_addf(&i->out.text, "Version %lld is not known; it is at %lld.\n",
                    (long long)expected, (long long)now.version);
        return 0;
    }
    output_printf(&i->out, STYLE_STRONG, "From version %lld to %lld, which is stored:\n",
                  (long long)expected, (long long)now.version);
    difference_print(&i->out, &was, &now, 2);
    return 0;
}

/* After a refused edit, prints the differences between the version that was read and the stored one. */
static void stale_print(struct invocation *i, struct reader *r, const char *ref, int64_t expected,
                        const struct error *e)
{
    struct error ignored; /* the conflict is reported in any case */
    int64_t row = opening_resolve(r, ref, &ignored);
    if (row > 0 && i->out.json)
        write_both(i, r, row, expected, e, &ignored);
    else if (row > 0)
        print_both(i, r, row, expected, &ignored);
}

/* ---- conflicts of an undo ---- */

static bool differs(const struct memory *a, const struct memory *b)
{
    return !a != !b || (a && a->version != b->version);
}

static void write_side(struct json_object *o, const char *name, const struct memory *m)
{
    json_key(o, name);
    if (m)
        memory_json_write(o->out, m, NULL);
    else
        strbuf_addstr(o->out, "null");
}

static int write_event(struct strbuf *out, const struct revision *v, const struct memory *now)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "error", error_name(ERROR_CONFLICT));
    json_pair_int(&o, "event", v->event.seq);
    write_side(&o, "expected", v->after);
    write_side(&o, "present", now);
    json_end_line(&o);
    return 0;
}

/* Prints the differences between the memory after the event and now. */
static int print_event(struct invocation *i, struct reader *r, int64_t seq, struct error *e)
{
    struct revision v;
    const struct memory *now;
    struct output *out = &i->out;
    if (history_at(r, &i->arena, seq, &v, &now, e))
        return -1;
    if (!differs(v.after, now))
        return 0;
    if (out->json)
        return write_event(&out->text, &v, now);
    output_printf(out, STYLE_STRONG, "Since event %lld:", (long long)seq);
    strbuf_addstr(&out->text, " ");
    output_ref(out, STYLE_TEXT, v.event.ref);
    strbuf_addch(&out->text, '\n');
    difference_print(out, v.after, now, 2);
    return 0;
}

static int print_batch(struct invocation *i, struct reader *r, int64_t seq, struct error *e)
{
    int64_t *batch;
    size_t count;
    if (history_batch(r, &i->arena, seq, &batch, &count, e))
        return -1;
    for (size_t n = 0; n < count; n++)
        if (print_event(i, r, batch[n], e))
            return -1;
    return 0;
}

/* After a refused undo, prints for each event what has changed since. */
static void stale_undo_print(struct invocation *i, struct reader *r, const int64_t *seqs,
                             size_t count, bool redo)
{
    struct error ignored; /* the conflict is reported in any case */
    int64_t *meant = NULL;
    struct actor person = opening_person(i);
    if (count == 0 &&
        history_to_undo(r, &i->arena, person.name, redo, &meant, &count, NULL, &ignored) == 0) {
        for (size_t n = 0; n < count; n++)
            print_event(i, r, meant[n], &ignored);
        count = 0;
    }
    for (size_t n = 0; n < count && seqs; n++)
        print_batch(i, r, seqs[n], &ignored);
}

/* ---- the command ---- */

static int operate_and_report(struct operating *x, struct error *e)
{
    int result = usage_error(operate(x, e), e);
    if (result == 0)
        return nothing_removed(x);
    if (e->code == ERROR_CONFLICT && x->q.expected_version)
        stale_print(x->i, x->o.reader, x->q.refs[0], x->q.expected_version, e);
    if (e->code == ERROR_CONFLICT && (x->op == OPERATION_UNDO || x->op == OPERATION_REDO))
        stale_undo_print(x->i, x->o.reader, x->q.seqs, x->q.seq_count, x->op == OPERATION_REDO);
    return result;
}

int operating_run(struct invocation *i, enum operation op, struct error *e)
{
    struct operating x = {
        .i = i, .person = opening_person(i), .op = op, .entry = op_spec(op), .q = REQUEST_INIT};
    if (take_parameters(i, x.entry, &x.q, e) || operating_open(i, op == OPERATION_SEED, &x.o, e))
        return -1;
    int result = operate_and_report(&x, e);
    opening_close(&x.o);
    return result;
}

int operating_command(struct invocation *i, struct error *e)
{
    return operating_run(i, i->command->op, e);
}

/* Maximum bytes of a text. */
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
    if (text->len > TEXT_MAX)
        return error_set(e, ERROR_INVALID, "Give a shorter text.", "the text of %s is too long",
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
    int fd = store_file_open_other(path, e);
    if (fd < 0)
        return -1;
    FILE *file = fdopen(fd, "r");
    if (!file)
        return error_set(e, ERROR_STORE, "Give the path of a file that can be read.",
                         "%s cannot be read: %s", path, strerror(errno));
    int result = read_all(file, path, text, e);
    fclose(file);
    return result;
}
