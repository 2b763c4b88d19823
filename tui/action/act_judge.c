/* What a person says about memories: that something bears them out, what they become, a word on them. */
#include "tui/action/actions.h"

#include "tui/explorer/app.h"
#include "tui/explorer/form.h"

/* Runs it on the marked ones, or on the one here. */
static void run_here(struct app *x, enum operation op, struct request *q, unsigned how)
{
    struct arena arena = ARENA_INIT;
    bool marked = false;
    q->nodes = acting_subjects(x, &arena, &q->node_count, &marked);
    if (q->nodes)
        acting_run(x, op, q, how | (marked ? DEED_MARKED : 0));
    else
        app_say(x, "there is no memory here");
    arena_release(&arena);
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
    run_here(x, OPERATION_REINFORCE, &q, (*text ? DEED_TYPED : 0) | (evidence ? DEED_REASON : 0));
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
    int64_t node = view_node(x->nav.top);
    const struct memory_row *row =
        x->ui.marks.count ? NULL : details_row(x, node > 0 ? node : view_about(x->nav.top));
    const char *why = blocked_living(x);
    return why ? why : row && row->ref.kind != KIND_RAW ? "only a raw is processed" : NULL;
}

static void process_as(struct app *x, enum kind kind, const char *text)
{
    struct request q = REQUEST_INIT;
    q.as = kind;
    q.text = text && *text ? text : NULL;
    q.text_len = q.text ? strlen(text) : 0;
    run_here(x, OPERATION_PROCESS, &q, q.text ? DEED_TYPED : 0);
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
    run_here(x, op, &q, DEED_REASON | (q.value ? DEED_TYPED : 0));
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
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    bool marked = false;
    q.mark = "reviewed";
    if (*argument)
        q.refs = acting_words(&arena, argument, &q.ref_count);
    else
        q.nodes = acting_subjects(x, &arena, &q.node_count, &marked);
    if (q.refs || q.nodes)
        acting_run(x, OPERATION_MARK, &q, DEED_REASON | (marked ? DEED_MARKED : 0));
    else
        app_say(x, "there is no memory here");
    arena_release(&arena);
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
    if (d)
        acting_name(x, d);
    else
        error_set(e, ERROR_MEMORY, "", "memory ran out");
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
