/* What a person does to memories: the operations as actions. */
#include "tui/action/actions.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/form.h"
#include "tui/view/view_confirm.h"
#include "tui/view/view_versus.h"

/* ---- why not ---- */

const char *blocked_act(struct app *x)
{
    const char *why = acting_blocked(x);
    return why ? why : x->ui.marks.count > 0 ? NULL : blocked_no_memory(x);
}

const char *blocked_acting(struct app *x)
{
    return acting_blocked(x);
}

/* A key that would take back something else than what is shown. */
const char *blocked_back(struct app *x)
{
    const char *why = acting_blocked(x);
    return why ? why
           : x->nav.top->ops->place == IN_CONFIRM
               ? "first say what becomes of this: y does it, q leaves it"
               : NULL;
}

/* The row of the one memory that it is about; NULL where there are several, of which each says for itself. */
static const struct memory_row *subject_row(struct app *x)
{
    return x->ui.marks.count > 0 ? NULL : details_row(x, app_here(x));
}

static const char *already(struct app *x, bool so, const char *what)
{
    const char *why = blocked_act(x);
    return why ? why : so ? what : NULL;
}

const char *blocked_retract(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && !STATUS_LIVES(row->status), "it does not live any more");
}

const char *blocked_restore(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    if (row && row->status == STATUS_PURGED)
        return already(x, true, "it was purged: nothing of it is kept");
    return already(x, row && STATUS_LIVES(row->status), "it lives already");
}

const char *blocked_forget(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    if (row && row->is_protected)
        return already(x, true, "it is protected");
    return already(x, row && row->status >= STATUS_FORGOTTEN, "it is forgotten already");
}

const char *blocked_purge(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && row->status == STATUS_PURGED, "it is purged already");
}

const char *blocked_protect(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && row->is_protected, "it is protected already");
}

const char *blocked_unprotect(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && !row->is_protected, "it is not protected");
}

const char *blocked_living(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    return already(x, row && !STATUS_LIVES(row->status), "it does not live any more");
}

const char *blocked_one(struct app *x)
{
    return already(x, x->ui.marks.count > 1, "this is for one at a time");
}

/* ---- doing it ---- */

/* The refs of a `:` line, else the marked ones, else the one here. */
static void run_on(struct app *x, enum operation op, struct request *q, const char *argument,
                   unsigned how)
{
    struct arena arena = ARENA_INIT;
    bool marked = false;
    if (*argument)
        q->refs = acting_words(&arena, argument, &q->ref_count);
    else
        q->nodes = acting_subjects(x, &arena, &q->node_count, &marked);
    if (!q->refs && !q->nodes)
        app_say(x, "there is no memory here");
    else
        acting_run(x, op, q, how | (marked ? DEED_MARKED : 0));
    arena_release(&arena);
}

void act_operation(struct app *x, const char *argument, int op)
{
    struct request q = REQUEST_INIT;
    run_on(x, (enum operation)op, &q, argument, DEED_REASON);
}

void act_fix_provenance(struct app *x)
{
    struct request q = REQUEST_INIT;
    acting_run(x, OPERATION_FIX_PROVENANCE, &q, DEED_REASON);
}

/* ---- agreeing ---- */

const char *blocked_confirm(struct app *x)
{
    return confirm_view_blocked(x->nav.top);
}

void act_confirm(struct app *x)
{
    confirm_view_agree(x->nav.top);
}

/* ---- choosing between two versions ---- */

const char *blocked_mine(struct app *x)
{
    return versus_view_blocked(x->nav.top, VERSUS_MINE);
}

const char *blocked_theirs(struct app *x)
{
    return versus_view_blocked(x->nav.top, VERSUS_THEIRS);
}

void act_choose(struct app *x, const char *argument, int choice)
{
    (void)argument;
    versus_view_choose(x->nav.top, (enum versus_choice)choice);
}

/* ---- back and again ---- */

/* The person's last edit, or the event of that number. */
void act_undo(struct app *x, const char *argument)
{
    struct request q = REQUEST_INIT;
    char *end;
    int64_t seq = strtoll(argument, &end, 10);
    if (*argument && (*end || seq <= 0)) {
        app_say(x, "%s is no number of an event", argument);
        return;
    }
    q.seqs = &seq;
    q.seq_count = *argument != '\0';
    acting_run(x, OPERATION_UNDO, &q, 0);
}

void act_redo(struct app *x)
{
    struct request q = REQUEST_INIT;
    acting_run(x, OPERATION_REDO, &q, 0);
}

static void left(struct app *x)
{
    app_say(x, "left as it is");
}

/* ---- reinforce ---- */

/* A ref or an annotation is evidence; other words are why. */
static void reinforced(struct app *x, const char *text)
{
    struct request q = REQUEST_INIT;
    struct ref ref;
    enum ref_class class = *text ? ref_parse(text, &ref) : REF_BAD;
    bool evidence = class == REF_MEMORY || (class == REF_ANNOTATION && !strchr(text, ' '));
    if (class == REF_ANNOTATION && !strncmp(text, "context:", 8))
        evidence = true;
    if (evidence) {
        q.evidence = &text;
        q.evidence_count = 1;
    } else if (*text) {
        q.reason = text;
    }
    run_on(x, OPERATION_REINFORCE, &q, "", (*text ? DEED_TYPED : 0) | (evidence ? DEED_REASON : 0));
}

static bool reinforce_key(struct app *x, const struct input_event *event)
{
    if (event->key == KEY_TABULATOR)
        palette_complete_ref(x);
    return event->key == KEY_TABULATOR;
}

/* "reinforce belief:54c5507f: by what? " */
static void ask_evidence(struct app *x, struct strbuf *out)
{
    const struct memory_row *row = details_row(x, acting_subject(x));
    strbuf_addstr(out, "reinforce ");
    if (x->ui.marks.count > 1)
        strbuf_addf(out, "the %zu marked", x->ui.marks.count);
    else if (row)
        details_ref(x, row, out);
    strbuf_addstr(out, ": by what? ");
}

static const struct prompt_ops reinforce_prompt = {
    .name = "reinforce",
    .prefix = "what bears it out? ",
    .asks = ask_evidence,
    .hint = "a ref such as episode:52a8b0c0 (Tab completes it), or words",
    .history = HISTORY_REASON,
    .accepted = reinforced,
    .key = reinforce_key,
    .abandoned = left,
};

void act_reinforce(struct app *x, const char *argument)
{
    const char *why = blocked_living(x);
    if (why)
        app_say(x, "%s", why);
    else if (*argument)
        reinforced(x, argument);
    else
        prompt_open(&x->ui, &reinforce_prompt, "");
}

/* ---- process ---- */

const char *blocked_process(struct app *x)
{
    const struct memory_row *row = subject_row(x);
    const char *why = blocked_living(x);
    return why ? why : row && row->ref.kind != KIND_RAW ? "only a raw is processed" : NULL;
}

static void process_as(struct app *x, enum kind kind, const char *text)
{
    struct request q = REQUEST_INIT;
    q.as = kind;
    q.text = text && *text ? text : NULL;
    q.text_len = q.text ? strlen(text) : 0;
    run_on(x, OPERATION_PROCESS, &q, "", q.text ? DEED_TYPED : 0);
}

static void kind_chosen(struct app *x, const struct popup_item *item)
{
    process_as(x, (enum kind)item->value, NULL);
}

void act_process(struct app *x, const char *argument)
{
    static const struct {
        uint32_t key;
        enum kind kind;
        const char *about;
    } kinds[] = {{'e', KIND_EPISODE, "what was experienced"},
                 {'b', KIND_BELIEF, "what is held true"},
                 {'n', KIND_NOTE, "what is noted"}};
    const char *why = blocked_process(x);
    size_t len = strcspn(argument, " ");
    int kind = kind_from_name(argument, len);
    if (why) {
        app_say(x, "%s", why);
    } else if (kind >= 0) {
        process_as(x, (enum kind)kind, argument + len + strspn(argument + len, " "));
    } else if (*argument) {
        app_say(x, "a raw becomes an episode, a belief or a note, and no \"%s\"", argument);
    } else {
        popup_open(&x->ui.popup, "what is made of it?", kind_chosen);
        for (size_t i = 0; i < 3; i++)
            popup_add(&x->ui.popup, kinds[i].key, kind_name(kinds[i].kind), kinds[i].about)->value =
                kinds[i].kind;
    }
}

/* ---- marks ---- */

static const struct {
    uint32_t key;
    const char *mark, *about;
    bool value;
} marks[] = {
    {'r', "reviewed", "it was read, and is as it should be", false},
    {'f', "for_review", "somebody should look at it", false},
    {'p', "poisoned", "it was planted, or rests on what was", false},
    {'q', "quarantined", "agents leave it alone until that is taken back", false},
    {'t', "rating", "how good it is: a number, or a word", true},
    {'i', "faithful", "does it say what its source says? yes or no", true},
};
#define MARKS (sizeof(marks) / sizeof(marks[0]))

/* "poisoned", "rating 4": the mark, then what it says. */
static void mark_as(struct app *x, enum operation op, const char *text)
{
    struct request q = REQUEST_INIT;
    char mark[256];
    size_t len = strcspn(text, " ");
    snprintf(mark, sizeof(mark), "%.*s", (int)(len < sizeof(mark) ? len : sizeof(mark) - 1), text);
    text += len + strspn(text + len, " ");
    q.mark = mark;
    q.value = *text ? text : NULL;
    run_on(x, op, &q, "", DEED_REASON | (q.value ? DEED_TYPED : 0));
}

static void mark_typed(struct app *x, const char *text)
{
    if (*text)
        mark_as(x, OPERATION_MARK, text);
    else
        left(x);
}

static const struct prompt_ops mark_prompt = {
    .name = "mark",
    .prefix = "mark: ",
    .hint = "a word, and a value where it has one",
    .history = -1,
    .accepted = mark_typed,
    .abandoned = left,
};

static void mark_chosen(struct app *x, const struct popup_item *item)
{
    char text[64] = "";
    size_t index = (size_t)item->value;
    if (index < MARKS && !marks[index].value) {
        mark_as(x, OPERATION_MARK, marks[index].mark);
        return;
    }
    if (index < MARKS)
        snprintf(text, sizeof(text), "%s ", marks[index].mark);
    prompt_open(&x->ui, &mark_prompt, text);
}

void act_reviewed(struct app *x, const char *argument)
{
    struct request q = REQUEST_INIT;
    q.mark = "reviewed";
    run_on(x, OPERATION_MARK, &q, argument, DEED_REASON);
}

void act_mark_as(struct app *x, const char *argument)
{
    const char *why = blocked_act(x);
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    if (*argument) {
        mark_as(x, OPERATION_MARK, argument);
        return;
    }
    popup_open(&x->ui.popup, "what is to be said of it?", mark_chosen);
    for (size_t i = 0; i < MARKS; i++)
        popup_add(&x->ui.popup, marks[i].key, marks[i].mark, marks[i].about)->value = (int64_t)i;
    popup_add(&x->ui.popup, 'o', "a word of your own", "and a value, if it has one")->value =
        (int64_t)MARKS;
}

static void unmark_chosen(struct app *x, const struct popup_item *item)
{
    mark_as(x, OPERATION_UNMARK, item->text);
}

/* The marks that the memory has, each name once. */
static size_t offer_marks(struct app *x, const struct memory *m)
{
    struct popup *p = &x->ui.popup;
    popup_open(p, "which is taken away?", unmark_chosen);
    for (size_t i = 0; i < m->mark_count; i++) {
        bool again = false;
        for (size_t k = 0; k < p->count && !again; k++)
            again = !strcmp(p->items[k].text, m->marks[i].mark);
        if (again)
            continue;
        const char *reason = m->marks[i].reason ? m->marks[i].reason : "";
        uint32_t key = p->count < 9 ? (uint32_t)('1' + p->count) : KEY_NONE;
        popup_add(p, key, m->marks[i].mark, reason);
    }
    return p->count;
}

void act_unmark(struct app *x, const char *argument)
{
    struct arena arena = ARENA_INIT;
    struct memory m;
    struct error e;
    bool marked;
    size_t count;
    const char *why = blocked_act(x);
    const int64_t *nodes = acting_subjects(x, &arena, &count, &marked);
    if (why) {
        app_say(x, "%s", why);
    } else if (*argument) {
        mark_as(x, OPERATION_UNMARK, argument);
    } else if (!nodes || count != 1) {
        app_say(x, "say which mark: :unmark reviewed");
    } else if (memory_read(x->data.reader, &arena, nodes[0], &m, &e)) {
        app_fail(x, &e);
    } else if (offer_marks(x, &m) == 0) {
        popup_close(&x->ui.popup);
        app_say(x, "it has no mark");
    }
    arena_release(&arena);
}

/* ---- supersede ---- */

const char *blocked_supersede(struct app *x)
{
    const struct memory_row *row = details_row(x, acting_subject(x));
    const char *why = blocked_one(x);
    return why                                ? why
           : !row                             ? "there is no memory here"
           : row->ref.kind != KIND_BELIEF     ? "only a belief is superseded; e edits this"
           : !STATUS_LIVES(row->status)       ? "it does not live any more"
           : row->status == STATUS_SUPERSEDED ? "it is superseded already"
                                              : NULL;
}

static struct deed *make_supersede(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct request q = REQUEST_INIT;
    q.nodes = &f->node;
    q.node_count = 1;
    q.text = form_text(f, "text");
    q.text_len = q.text ? form_length(form_find(f, "text")) : 0;
    q.reason = form_text(f, "why");
    if (form_confidence(f, &q.confidence, wrong, e))
        return NULL;
    *wrong = 0;
    if (!q.text || !form_changed(&f->field[0])) {
        error_set(e, ERROR_INVALID, "Esc leaves it.", "say what takes its place");
        return NULL;
    }
    struct deed *d = deed_new(OPERATION_SUPERSEDE, &q, DEED_TYPED);
    acting_name(x, d);
    return d;
}

static const struct form_ops supersede_form = {.name = "supersede", .make = make_supersede};

static void supersede_by(struct app *x, int64_t node, const char *text)
{
    struct request q = REQUEST_INIT;
    q.nodes = &node;
    q.node_count = 1;
    q.text = text;
    q.text_len = strlen(text);
    acting_run(x, OPERATION_SUPERSEDE, &q, DEED_TYPED | DEED_REASON);
}

void act_supersede(struct app *x, const char *argument)
{
    struct error e;
    const char *why = blocked_supersede(x);
    int64_t node = acting_subject(x);
    if (why || *argument) {
        if (why)
            app_say(x, "%s", why);
        else
            supersede_by(x, node, argument);
        return;
    }
    if (acting_reopen(x, &supersede_form, node, KIND_BELIEF))
        return;
    struct form *f = form_new(&supersede_form);
    if (form_read_memory(x, f, node, &e)) {
        form_free(f);
        app_fail(x, &e);
        return;
    }
    form_add_text(f, f->base->text);
    form_add(f, "confidence", VALUE_NUMBER, "", "from 0 to 1; empty: that of the old one");
    form_add_why(f);
    form_name(x, f, "supersede");
    form_open(x, f);
}

/* In the order in which they stand there. */
static const struct {
    char letter;
    const char *action;
} entries[] = {
    {'e', "edit"},      {'E', "edit-outside"},   {'v', "verify"},  {'r', "reinforce"},
    {'s', "supersede"}, {'p', "process"},        {'x', "revise"},  {'c', "consolidate"},
    {'m', "mark-as"},   {'M', "unmark"},         {'t', "protect"}, {'T', "unprotect"},
    {'d', "retract"},   {'R', "restore"},        {'D', "forget"},  {'P', "purge"},
    {'g', "propagate"}, {'f', "fix-provenance"}, {'i', "add"},     {'S', "seed"},
    {'u', "undo"},
};
#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

static void chosen(struct app *x, const struct popup_item *item)
{
    action_run(x, action_at((size_t)item->value), "");
}

static void name_subject(struct app *x)
{
    struct acting *a = &x->acting;
    const struct memory_row *row = details_row(x, app_here(x));
    struct strbuf ref = STRBUF_INIT;
    if (x->ui.marks.count > 0)
        strbuf_addf(&ref, "the %zu marked", x->ui.marks.count);
    else if (row)
        details_ref(x, row, &ref);
    snprintf(a->title, sizeof(a->title), "act%s%s", ref.len ? " on " : "", ref.buf);
    strbuf_release(&ref);
}

/* Of what takes the marked ones as evidence: on which one it acts. */
static bool is_by_marked(struct app *x, char letter)
{
    size_t others = x->ui.marks.count - (size_t)marks_has(&x->ui.marks, app_here(x));
    return (letter == 'x' || letter == 'c') && others > 0;
}

static void add_by_marked(struct app *x, struct strbuf *help)
{
    const struct memory_row *row = details_row(x, app_here(x));
    size_t others = x->ui.marks.count - (size_t)marks_has(&x->ui.marks, app_here(x));
    if (row)
        details_ref(x, row, help);
    strbuf_addf(help, "%sby the %zu marked", row ? ", " : "", others);
}

void act_act(struct app *x)
{
    name_subject(x);
    popup_open(&x->ui.popup, x->acting.title, chosen);
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct action *a = action_find(entries[i].action, strlen(entries[i].action));
        if (!a || !(a->where & x->nav.top->ops->place))
            continue;
        struct strbuf help = STRBUF_INIT;
        if (is_by_marked(x, entries[i].letter))
            add_by_marked(x, &help);
        struct popup_item *item = popup_add(&x->ui.popup, (uint32_t)entries[i].letter, a->name,
                                            help.len ? help.buf : a->help);
        strbuf_release(&help);
        for (size_t k = 0; k < action_count(); k++)
            if (action_at(k) == a)
                item->value = (int64_t)k;
        item->blocked = a->blocked ? a->blocked(x) : NULL;
    }
}
