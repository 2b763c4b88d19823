/* Actions that change memories. */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/action/action.h"
#include "tui/explorer/app.h"
#include "tui/explorer/shown_state.h"
#include "tui/explorer/form.h"
#include "tui/view/views.h"

void act_operation(struct app *x, const char *argument, int op)
{
    pending_do_on(pending_new(x, (enum operation)op, PENDING_REASON), argument);
}

/* A reason is asked for only by this key, so that no key that was typed ahead becomes one (set_flag has the
 * exceptions). In a preview it goes on to do what is shown, and asks why first. */
void act_with_reason(struct app *x)
{
    struct view *top = x->nav.top;
    struct pending *shown = top->ops->has & HAS_QUESTION ? confirm_view_pending(top) : NULL;
    const char *blocked = shown ? blocked_confirm(x) : NULL;
    if (blocked) {
        ui_message(&x->ui, "%s", blocked);
    } else if (shown) {
        shown->how |= PENDING_REASON;
        act_confirm(top);
    } else {
        x->pending.with_reason = !x->pending.with_reason;
        ui_message(&x->ui, "%s",
                   x->pending.with_reason
                       ? "the next decision or flag asks why (press ; again to cancel)"
                       : "nothing asks why");
    }
}

/* Shows the plan before anything is asked. */
void act_what_if(struct app *x, const char *argument)
{
    pending_do_on(pending_new(x, OPERATION_RETRACT, PENDING_REASON | PENDING_WHAT_IF), argument);
}

const char *blocked_what_if(struct app *x)
{
    return disbelieve_blocked(x);
}

void act_disbelieve(struct app *x, const char *argument)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count = 1;
    bool selected = false;
    int64_t named = *argument ? palette_subject(x, argument) : 0;
    const int64_t *nodes = *argument ? &named : pending_subjects(x, &arena, &count, &selected);
    if (!nodes || nodes[0] <= 0)
        return;
    disbelieve_toggle(x, nodes, count);
    selection_clear(&x->ui.selection);
}

void act_repair_origins(struct app *x)
{
    pending_do(pending_new(x, OPERATION_REPAIR_ORIGINS, PENDING_REASON));
}

/* ---- answering a plan ---- */

const char *blocked_confirm(struct app *x)
{
    return x->nav.top->ops->has & HAS_WRITING ? apply_view_blocked(x->nav.top)
                                              : confirm_view_blocked(x->nav.top);
}

void act_confirm(struct view *top)
{
    if (top->ops->has & HAS_WRITING)
        apply_view_write(top);
    else
        confirm_view_do(top);
}

void act_apply(struct app *x, const char *argument)
{
    bool undo = strcmp(argument, "--undo") == 0, overwrite = strcmp(argument, "--overwrite") == 0;
    if (*argument && !undo && !overwrite)
        ui_message(&x->ui, "%s is neither --undo nor --overwrite", argument);
    else
        app_push(x, apply_view_new(x, undo, overwrite));
}

/* ---- undo and redo ---- */

/* In a list of events the one under the cursor is undone; after :apply the write. */
const char *blocked_undo(struct app *x)
{
    unsigned has = x->nav.top->ops->has;
    return has & HAS_WRITING ? apply_view_undo_blocked(x->nav.top)
           : has & HAS_UNDO  ? blocked_undo_event(x)
                             : NULL;
}

/* Undoes the event of that number, what the view is about, or else the person's last change. */
void act_undo(struct app *x, const char *argument)
{
    char *end;
    if (!*argument && x->nav.top->ops->has & HAS_WRITING) {
        app_push(x, apply_view_new(x, true, false));
        return;
    }
    if (!*argument && x->nav.top->ops->has & HAS_UNDO) {
        act_undo_event(x);
        return;
    }
    int64_t seq = strtoll(argument, &end, 10);
    if (*argument && (*end || seq <= 0)) {
        ui_message(&x->ui, "%s is not the number of an event", argument);
        return;
    }
    struct pending *p = pending_new(x, OPERATION_UNDO, *argument ? PENDING_SHOWN : 0);
    p->q.seqs = arena_memdup(&p->arena, &seq, sizeof(seq));
    p->q.seq_count = *argument != '\0';
    pending_do(p);
}

void act_redo(struct app *x)
{
    pending_do(pending_new(x, OPERATION_REDO, 0));
}

static void left(struct app *x)
{
    ui_message(&x->ui, "cancelled");
}

/* ---- reinforce ---- */

/* A ref or an annotation is evidence; other words are the reason. */
static void reinforced(struct app *x, const char *text)
{
    struct ref ref;
    enum ref_class class = *text ? ref_parse(text, &ref) : REF_BAD;
    bool annotation =
        class == REF_ANNOTATION && (!strchr(text, ' ') || !strncmp(text, "context:", 8));
    bool evidence = class == REF_MEMORY || annotation;
    struct pending *p = pending_new(x, OPERATION_REINFORCE,
                                    (*text ? PENDING_TYPED : 0) | (evidence ? PENDING_REASON : 0));
    text = arena_strdup(&p->arena, text);
    if (evidence) {
        p->q.evidence = arena_memdup(&p->arena, &text, sizeof(text));
        p->q.evidence_count = 1;
    } else if (*text) {
        p->q.reason = text;
    }
    pending_do_on(p, "");
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
    const struct memory_row *row = details_row(x, pending_subject(x));
    strbuf_addstr(out, "reinforce ");
    if (x->ui.selection.count > 1)
        strbuf_addf(out, "the %zu selected", x->ui.selection.count);
    else if (row)
        details_ref(x, row, out);
    strbuf_addstr(out, ": by what? ");
}

static const struct prompt_ops reinforce_prompt = {
    .prefix = "what confirms it? ",
    .asks = ask_evidence,
    .hint = "a ref (Tab completes), or words",
    .enter = "reinforce",
    .history = HISTORY_REASON,
    .accepted = reinforced,
    .key = reinforce_key,
    .abandoned = left,
};

void act_reinforce(struct app *x, const char *argument)
{
    if (*argument)
        reinforced(x, argument);
    else
        prompt_open(&x->ui, &reinforce_prompt, "");
}

/* ---- promoting a raw entry ---- */

static void promote_to(struct app *x, enum kind kind, const char *text)
{
    struct pending *p = pending_new(x, OPERATION_PROMOTE, *text ? PENDING_TYPED : 0);
    p->q.as = kind;
    p->q.text = *text ? arena_strdup(&p->arena, text) : NULL;
    p->q.text_len = strlen(text);
    pending_do_on(p, "");
}

static void kind_chosen(struct app *x, const struct popup_item *item)
{
    promote_to(x, (enum kind)item->value, "");
}

static const struct choice kinds[] = {
    {'e', "episode", "something that was experienced", KIND_EPISODE},
    {'b', "belief", "something that is believed to be true", KIND_BELIEF},
    {'n', "note", "something to note", KIND_NOTE},
};

void act_promote(struct app *x, const char *argument)
{
    size_t len = strcspn(argument, " ");
    int kind = kind_from_name(argument, len);
    if (kind >= 0)
        promote_to(x, (enum kind)kind, argument + len + strspn(argument + len, " "));
    else if (*argument)
        ui_message(&x->ui, "a raw entry becomes an episode, a belief or a note, not \"%s\"",
                   argument);
    else
        popup_choose(&x->ui.popup, "make what from it?", kinds, 3, kind_chosen);
}

/* ---- merging ---- */

/* The memories that the prompt or popup asks about: the selected ones, in the inbox else those with the same words. */
static void merge_into(struct app *x, const char *ref)
{
    struct pending *p = pending_new(x, OPERATION_MERGE, PENDING_REASON);
    bool alike = x->ui.selection.count == 0 && x->nav.top->ops->has & HAS_INBOX;
    size_t count = 0;
    AUTO_FREE int64_t *nodes = alike ? review_view_alike(x->nav.top, &count) : NULL;
    p->q.into = arena_strdup(&p->arena, ref);
    if (count > 1) {
        p->q.nodes = arena_memdup(&p->arena, nodes, count * sizeof(*nodes));
        p->q.node_count = count;
        pending_do(p);
    } else {
        pending_do_on(p, "");
    }
}

static void merge_chosen(struct app *x, const struct popup_item *item)
{
    const struct memory_row *row = details_row(x, item->value);
    AUTO_STRBUF ref = STRBUF_INIT;
    if (row)
        ref_add(&ref, row->ref);
    merge_into(x, ref.buf);
}

static void merge_typed(struct app *x, const char *text)
{
    char ref[PROMPT_MAX];
    snprintf(ref, sizeof(ref), "%s", pick_memory_taken(x, text));
    merge_into(x, ref);
}

static const struct prompt_ops merge_prompt = {
    .prefix = "merge into: ",
    .hint = "words of the one that stays, or its ref",
    .enter = "preview",
    .history = -1,
    .offers = true,
    .accepted = merge_typed,
    .changed = pick_memory_changed,
    .key = pick_memory_key,
    .note = pick_memory_note,
    .abandoned = left,
};

#define MERGE_OFFERED 9

/* Asks which of them stays, the one under the cursor first. */
static void offer_merge(struct app *x, const int64_t *nodes, size_t count)
{
    int64_t here = view_memory(x->nav.top);
    popup_open(&x->ui.popup, "which one stays? it gets the sources of all", merge_chosen);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++) {
            const struct memory_row *row =
                (nodes[i] == here) == (pass == 0) ? details_row(x, nodes[i]) : NULL;
            AUTO_STRBUF ref = STRBUF_INIT;
            if (!row)
                continue;
            details_ref(x, row, &ref);
            popup_add(&x->ui.popup, (uint32_t)('1' + x->ui.popup.count), ref.buf,
                      row->text ? row->text : "")
                ->value = nodes[i];
        }
}

/* What is near it is offered at once. */
static void ask_merge(struct app *x)
{
    prompt_open(&x->ui, &merge_prompt, "");
    pick_memory_changed(x, "");
}

/* Several are selected, or the inbox knows others with the same words: one of these stays. Else the person looks for
 * it. */
void act_merge(struct app *x, const char *argument)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count = 0;
    bool selected = false;
    bool alike = x->ui.selection.count == 0 && x->nav.top->ops->has & HAS_INBOX;
    AUTO_FREE int64_t *group = alike ? review_view_alike(x->nav.top, &count) : NULL;
    const int64_t *nodes = alike ? group : pending_subjects(x, &arena, &count, &selected);
    if (*argument)
        merge_into(x, argument);
    else if (count > 1 && count <= MERGE_OFFERED)
        offer_merge(x, nodes, count);
    else
        ask_merge(x);
}

/* ---- flags ---- */

enum {
    FLAG_RELEVANT = 3, /* these three: of the step under the cursor and the source that it used */
    FLAG_IRRELEVANT,
    FLAG_SUPPORTED,
};
static const struct choice ratings[] = {
    {'+', "relevant", "the source under the cursor is relevant to its step", FLAG_RELEVANT},
    {'-', "irrelevant", "it is not", FLAG_IRRELEVANT},
    {'s', "supported", "do its sources support the step?", FLAG_SUPPORTED},
};

/* The name of the last one is typed. */
static const struct choice flags[] = {
    {'r', "reviewed", "somebody read it", 0},
    {'f', "for_review", "somebody should read it", 0},
    {'p', "poisoned", "it was planted, or is based on something that was", 0},
    {'t', "rating", "how good it is: a number, or a word", 1},
    {'i', "faithful", "do its sources support it? yes or no", 1},
    {'o', "any other word", "and a value, if it needs one", 2},
};
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

/* The flag and its value: "poisoned", "rating 4". A person who finds for_review or poisoned needs the reason, so these
 * always ask for it. */
static void set_flag(struct app *x, enum operation op, const char *text)
{
    size_t len = strcspn(text, " ");
    const char *value = text + len + strspn(text + len, " ");
    struct pending *p = pending_new(x, op, PENDING_REASON | (*value ? PENDING_TYPED : 0));
    p->q.flag = arena_strndup(&p->arena, text, len);
    p->q.value = *value ? arena_strdup(&p->arena, value) : NULL;
    if (op == OPERATION_FLAG &&
        (!strcmp(p->q.flag, "for_review") || !strcmp(p->q.flag, "poisoned")))
        p->how |= PENDING_REASON;
    pending_do_on(p, "");
}

static void flag_typed(struct app *x, const char *text)
{
    if (*text)
        set_flag(x, OPERATION_FLAG, text);
    else
        left(x);
}

static const struct prompt_ops flag_prompt = {
    .prefix = "flag: ",
    .hint = "a word, and a value if it needs one",
    .enter = "flag",
    .history = -1,
    .accepted = flag_typed,
    .abandoned = left,
};

/* A flag with a value: the person types the value. */
static void flag_chosen(struct app *x, const struct popup_item *item)
{
    char text[64] = "";
    if (item->value == 0)
        set_flag(x, OPERATION_FLAG, item->text);
    else if (item->value == FLAG_SUPPORTED)
        act_supported(x, "");
    else if (item->value >= FLAG_RELEVANT)
        act_rate(x, "", item->value == FLAG_RELEVANT);
    if (item->value == 0 || item->value >= FLAG_RELEVANT)
        return;
    if (item->value == 1)
        snprintf(text, sizeof(text), "%s ", item->text);
    prompt_open(&x->ui, &flag_prompt, text);
}

void act_reviewed(struct app *x, const char *argument)
{
    struct pending *p = pending_new(x, OPERATION_FLAG, PENDING_REASON);
    p->q.flag = "reviewed";
    pending_do_on(p, argument);
}

static void offer_flags_to_set(struct app *x)
{
    struct popup *p = &x->ui.popup;
    popup_choose(p, "which flag?", flags, FLAGS, flag_chosen);
    if (!(x->nav.top->ops->has & HAS_USES))
        return;
    popup_offer(p, ratings, 3);
    p->items[FLAGS].blocked = p->items[FLAGS + 1].blocked = blocked_rate(x);
    p->items[FLAGS + 2].blocked = blocked_supported(x);
}

void act_flag(struct app *x, const char *argument)
{
    if (*argument)
        set_flag(x, OPERATION_FLAG, argument);
    else
        offer_flags_to_set(x);
}

static void unflag_chosen(struct app *x, const struct popup_item *item)
{
    set_flag(x, OPERATION_UNFLAG, item->text);
}

/* Offers the memory's flags, each name once. */
static size_t offer_flags(struct ui *ui, const struct memory *m)
{
    struct popup *p = &ui->popup;
    popup_open(p, "remove which flag?", unflag_chosen);
    for (size_t i = 0; i < m->flag_count; i++) {
        bool again = false;
        for (size_t k = 0; k < p->count && !again; k++)
            again = !strcmp(p->items[k].text, m->flags[i].name);
        if (again)
            continue;
        const char *reason = m->flags[i].reason ? m->flags[i].reason : "";
        uint32_t key = p->count < 9 ? (uint32_t)('1' + p->count) : KEY_NONE;
        popup_add(p, key, m->flags[i].name, reason);
    }
    return p->count;
}

void act_unflag(struct app *x, const char *argument)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct error e;
    bool selected;
    size_t count;
    const int64_t *nodes = pending_subjects(x, &arena, &count, &selected);
    if (*argument) {
        set_flag(x, OPERATION_UNFLAG, argument);
    } else if (!nodes || count != 1) {
        ui_message(&x->ui, "name the flag: :unflag reviewed");
    } else if (memory_read(x->data.reader, &arena, nodes[0], &m, &e)) {
        ui_error(&x->ui, &e);
    } else if (offer_flags(&x->ui, &m) == 0) {
        popup_close(&x->ui.popup);
        ui_message(&x->ui, "it has no flag");
    }
}

/* ---- the menu of changes ---- */

static void chosen(struct app *x, const struct popup_item *item)
{
    action_run(x, action_at((size_t)item->value), "");
}

static void name_subject(struct app *x)
{
    struct pending_list *a = &x->pending;
    const struct memory_row *row = details_row(x, view_memory(x->nav.top));
    AUTO_STRBUF ref = STRBUF_INIT;
    if (x->ui.selection.count > 0)
        strbuf_addf(&ref, "the %zu selected", x->ui.selection.count);
    else if (row)
        details_ref(x, row, &ref);
    snprintf(a->title, sizeof(a->title), "act%s%s", ref.len ? " on " : "", ref.buf);
}

/* Whether the operation uses the selected memories as evidence; then it acts on the one under the cursor. */
static bool uses_selected_as_evidence(struct app *x, const struct action *a)
{
    size_t others =
        x->ui.selection.count - (size_t)selection_has(&x->ui.selection, view_memory(x->nav.top));
    return (a->act == act_revise || a->run == act_consolidate) && others > 0;
}

static void add_by_selected(struct app *x, struct strbuf *help)
{
    const struct memory_row *row = details_row(x, view_memory(x->nav.top));
    size_t others =
        x->ui.selection.count - (size_t)selection_has(&x->ui.selection, view_memory(x->nav.top));
    if (row)
        details_ref(x, row, help);
    strbuf_addf(help, "%sby the %zu selected", row ? ", " : "", others);
}

/* Names the store, so that the command works in any shell. */
void copy_command(struct app *x, const char *command)
{
    AUTO_STRBUF out = STRBUF_INIT;
    strbuf_addf(&out, "%s --store ", command);
    action_add_word(&out, store_path(x->data.store));
    yank_copy(x, command, out.buf, out.len);
}

void act_act(struct app *x)
{
    AUTO_STRBUF refs = STRBUF_INIT, command = STRBUF_INIT;
    action_refs(x, &refs);
    name_subject(x);
    popup_open(&x->ui.popup, x->pending.title, chosen);
    x->ui.popup.copied = copy_command;
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        if (!a->menu || !action_applies(a, x->nav.top->ops->has))
            continue;
        AUTO_STRBUF help = STRBUF_INIT;
        if (uses_selected_as_evidence(x, a))
            add_by_selected(x, &help);
        struct popup_item *item = popup_add(&x->ui.popup, keymap_key(x->keymap, a), a->name,
                                            help.len ? help.buf : a->help);
        item->value = (int64_t)i;
        item->blocked = action_missing(x, a, "");
        if (action_command(a, refs.buf, &command))
            item->command = xstrdup(command.buf);
    }
}

/* Operations with typed text: in a form, or in the person's editor. */

/* The row of the memory named by the argument, or of the current one. Returns NULL after a message if there is none. */
static const struct memory_row *subject(struct app *x, const char *argument)
{
    struct error e;
    int64_t node = *argument ? ref_resolve(x->data.reader, argument, &e) : pending_subject(x);
    if (node <= 0)
        ui_error(&x->ui, &e);
    return details_row(x, node);
}

/* Opens the form of an operation on the memory under the cursor. */
static void begin_here(struct app *x, enum form_as as, const char *typed)
{
    const struct memory_row *row = details_row(x, view_memory(x->nav.top));
    form_begin(x, as, row->node, row->ref.kind, typed);
}

void act_edit(struct app *x, const char *argument)
{
    bool selected = !*argument && x->ui.selection.count > 1;
    const struct memory_row *row = selected ? NULL : subject(x, argument);
    if (selected)
        form_begin(x, FORM_EDIT_SELECTED, 0, KIND_COUNT, "");
    else if (row)
        form_begin(x, FORM_EDIT, row->node, row->ref.kind, "");
}

/* Puts the edited text into the form, which then decides what to do with it. */
static void edited(struct app *x, struct form *f, const struct strbuf *text)
{
    struct form_field *field = &f->field[0];
    bool same = text->len == form_length(field) && !memcmp(text->buf, form_value(field), text->len);
    bool empty = text->len == strspn(text->buf, " \t\r\n");
    if (same || empty) {
        if (form_touched(f)) /* text from before */
            form_open(x, f);
        else
            form_free(f);
        ui_message(&x->ui,
                   same ? "the editor changed nothing" : "the text was empty: nothing was changed");
        return;
    }
    form_set_bytes(field, text->buf, text->len);
    f->selected = f->count - 1;
    form_open(x, f);
    ui_message(&x->ui, "Enter saves it; the reason is optional");
}

void act_edit_outside(struct app *x, const char *argument)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct error e = {0};
    const struct memory_row *row = subject(x, argument);
    struct form *f = NULL;
    if (!row)
        return;
    /* Continue with a form that was put away. */
    if (pending_reopen(x, FORM_EDIT, row->node, row->ref.kind))
        f = form_take_away(x);
    else
        f = form_make(x, FORM_EDIT, row->node, row->ref.kind, "", &e);
    if (!f) {
        ui_error(&x->ui, &e);
        return;
    }
    strbuf_add(&text, form_value(&f->field[0]), form_length(&f->field[0]));
    if (editor_run(x, &text, &e)) {
        if (form_touched(f))
            form_open(x, f);
        else
            form_free(f);
        ui_error(&x->ui, &e);
    } else {
        edited(x, f, &text);
    }
}

/* ---- add ---- */

static void add_kind_chosen(struct app *x, const struct popup_item *item)
{
    form_begin(x, FORM_ADD, 0, (enum kind)item->value, "");
}

void act_add(struct app *x, const char *argument)
{
    size_t len = strcspn(argument, " ");
    int kind = kind_from_name(argument, len);
    const struct memory_row *here = details_row(x, view_memory(x->nav.top));
    if (kind >= 0) {
        form_begin(x, FORM_ADD, 0, (enum kind)kind, argument + len + strspn(argument + len, " "));
    } else if (*argument) {
        ui_message(&x->ui, "there is no kind of memory '%.*s'", (int)len, argument);
    } else {
        popup_open(&x->ui.popup, "add what?", add_kind_chosen);
        for (int i = 0; i < KIND_COUNT; i++) {
            const struct kind_spec *spec = kind_spec((enum kind)i);
            popup_add(&x->ui.popup, (uint32_t)spec->letter, spec->name, spec->about)->value = i;
        }
        x->ui.popup.selected = here ? (size_t)here->ref.kind : KIND_BELIEF;
    }
}

void act_seed(struct app *x, const char *argument)
{
    form_begin(x, FORM_SEED, 0, KIND_BELIEF, argument);
}

/* ---- operations on one memory ---- */

void act_revise(struct app *x)
{
    begin_here(x, FORM_REVISE, "");
}

void act_consolidate(struct app *x, const char *argument)
{
    begin_here(x, FORM_CONSOLIDATE, argument);
}

void act_replace(struct app *x, const char *argument)
{
    if (!*argument) {
        form_begin(x, FORM_REPLACE, pending_subject(x), KIND_BELIEF, "");
        return;
    }
    struct pending *p = pending_new(x, OPERATION_REPLACE, PENDING_TYPED | PENDING_REASON);
    p->q.text = arena_strdup(&p->arena, argument);
    p->q.text_len = strlen(argument);
    pending_do_on(p, "");
}
