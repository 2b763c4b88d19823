/* A pending operation: what it owns, and what the status line says when it ended. */
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/journal/journal.h"
#include "store/record/get.h"
#include "tui/explorer/acting.h"
#include "tui/explorer/app.h"
#include "tui/explorer/form.h"

static const char **copy_list(struct arena *a, const char *const *list, size_t count)
{
    const char **copy = count ? arena_array(a, count, sizeof(*copy)) : NULL;
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_strdup(a, list[i]);
    return copy;
}

static const int64_t *copy_numbers(struct arena *a, const int64_t *list, size_t count)
{
    return count ? arena_memdup(a, list, count * sizeof(*list)) : NULL;
}

static struct deed *make(unsigned how)
{
    struct deed *d = xcalloc(1, sizeof(*d));
    d->arena = d->answers = d->shown_arena = (struct arena)ARENA_INIT;
    d->how = how;
    d->about = "";
    return d;
}

static const struct seed *copy_seeds(struct arena *a, const struct seed *list, size_t count)
{
    struct seed *copy = count ? arena_array(a, count, sizeof(*copy)) : NULL;
    for (size_t i = 0; i < count; i++) {
        copy[i] = list[i];
        copy[i].text = arena_strndup(a, list[i].text, list[i].len);
        copy[i].tags = copy_list(a, list[i].tags, list[i].tag_count);
    }
    return copy;
}

static void copy_request(struct deed *d, const struct request *q)
{
    struct arena *a = &d->arena;
    d->q = *q;
    d->q.refs = copy_list(a, q->refs, q->ref_count);
    d->q.nodes = copy_numbers(a, q->nodes, q->node_count);
    d->q.text = q->text ? arena_strndup(a, q->text, q->text_len) : NULL;
    d->q.tags = copy_list(a, q->tags, q->tag_count);
    d->q.fields = arena_strdup(a, q->fields);
    d->q.source = arena_strdup(a, q->source);
    d->q.agent = arena_strdup(a, q->agent);
    d->q.evidence = copy_list(a, q->evidence, q->evidence_count);
    d->q.contradicts = copy_list(a, q->contradicts, q->contradict_count);
    d->q.date = arena_strdup(a, q->date);
    d->q.seeds = copy_seeds(a, q->seeds, q->seed_count);
    d->q.statements = copy_list(a, q->statements, q->statement_count);
    d->q.mark = arena_strdup(a, q->mark);
    d->q.value = arena_strdup(a, q->value);
    d->q.seqs = copy_numbers(a, q->seqs, q->seq_count);
    d->q.reason = arena_strdup(a, q->reason);
}

struct deed *deed_new(enum operation op, const struct request *q, unsigned how)
{
    struct deed *d = make(how);
    d->op = op;
    copy_request(d, q);
    d->node = q->node_count == 1 && q->ref_count == 0 ? q->nodes[0] : 0;
    return d;
}

struct deed *deed_new_addition(const struct add_request *add, size_t text_len, unsigned how)
{
    struct deed *d = make(how);
    struct arena *a = &d->arena;
    d->op = OPERATION_COUNT;
    d->add = *add;
    d->add_len = text_len;
    d->add.text = arena_strndup(a, add->text, text_len);
    d->add.agent_id = arena_strdup(a, add->agent_id);
    d->add.source = arena_strdup(a, add->source);
    d->add.source_type = arena_strdup(a, add->source_type);
    d->add.source_entity = arena_strdup(a, add->source_entity);
    d->add.context = arena_strdup(a, add->context);
    d->add.detail = arena_strdup(a, add->detail);
    d->add.tags = copy_list(a, add->tags, add->tag_count);
    d->add.derived_from = copy_list(a, add->derived_from, add->derived_count);
    d->add.relates_to = copy_list(a, add->relates_to, add->relates_count);
    return d;
}

struct deed *deed_new_decision(int64_t session, enum session_verdict verdict, const char *about,
                               const char *said)
{
    struct deed *d = make(0);
    d->op = OPERATION_COUNT;
    d->session = session;
    d->verdict = verdict;
    d->about = arena_strdup(&d->arena, about);
    d->said = arena_strdup(&d->arena, said);
    return d;
}

void deed_free(struct deed *d)
{
    if (!d)
        return;
    form_free(d->form);
    arena_release(&d->arena);
    arena_release(&d->answers);
    arena_release(&d->shown_arena);
    free(d);
}

const char *deed_name(const struct deed *d)
{
    static const char *const verdicts[] = {
        [SESSION_ENDS] = "end", [SESSION_READS_ONLY] = "read-only", [SESSION_WRITES] = "writing"};
    if (d->session)
        return verdicts[d->verdict];
    return d->op == OPERATION_COUNT ? "add" : op_spec(d->op)->name;
}

void deed_add_title(const struct deed *d, struct strbuf *out)
{
    bool gives = d->session && d->verdict != SESSION_ENDS;
    strbuf_addstr(out, deed_name(d));
    if (*d->about)
        strbuf_addf(out, " %s %s", gives ? "for" : "of", d->about);
}

const struct op_spec *deed_entry(const struct deed *d)
{
    return d->op == OPERATION_COUNT ? NULL : op_spec(d->op);
}

void deed_agree(struct deed *d)
{
    arena_release(&d->shown_arena);
    d->shown_arena = d->answers;
    d->answers = (struct arena)ARENA_INIT;
    d->shown = d->plan;
    d->shown.arena = &d->shown_arena;
    d->confirmed = true;
}

void acting_shelve(struct app *x, struct deed *d)
{
    d->shelf = x->acting.unsaved;
    x->acting.unsaved = d;
}

/* ---- what is to become of it ---- */

enum fate {
    TRY_AGAIN = 0,
    EDIT_AGAIN,
    LET_GO,
};

/* A form that was left was never made a deed of. */
static bool is_form_alone(const struct deed *d)
{
    return d->op == OPERATION_COUNT && !d->add.text;
}

static void edit_again(struct app *x, struct deed *d)
{
    form_open(x, d->form);
    d->form = NULL;
    deed_free(d);
}

bool acting_reopen(struct app *x, enum form_as as, int64_t node, enum kind kind)
{
    for (struct deed **at = &x->acting.unsaved; *at; at = &(*at)->shelf) {
        struct deed *d = *at;
        if (!d->form || d->form->as != as || d->form->node != node || d->form->kind != kind)
            continue;
        *at = d->shelf;
        d->shelf = NULL;
        edit_again(x, d);
        app_say(x, "what you typed before is here again");
        return true;
    }
    return false;
}

static void decided(struct app *x, const struct popup_item *item)
{
    struct deed *d = x->acting.unsaved;
    if (!d)
        return;
    x->acting.unsaved = d->shelf;
    d->shelf = NULL;
    if (item->value == TRY_AGAIN) {
        acting_do(x, d);
    } else if (item->value == EDIT_AGAIN) {
        edit_again(x, d);
    } else {
        deed_free(d);
        app_say(x, "it is gone");
    }
}

static void ask(struct app *x, const struct deed *d)
{
    struct acting *a = &x->acting;
    bool alone = is_form_alone(d);
    snprintf(a->title, sizeof(a->title), "not saved: %s%s%s", alone ? "" : deed_name(d),
             alone || !*d->about ? "" : " ", d->about);
    popup_open(&x->ui.popup, a->title, decided);
    if (d->form)
        popup_add(&x->ui.popup, 'e', "edit again", "as it was typed")->value = EDIT_AGAIN;
    if (!alone)
        popup_add(&x->ui.popup, 't', "try again", "as it was typed")->value = TRY_AGAIN;
    popup_add(&x->ui.popup, 'x', "let it go", "what was typed is dropped")->value = LET_GO;
    if (d->error.code)
        app_fail(x, &d->error);
}

void acting_offer(struct app *x, struct deed *d)
{
    acting_shelve(x, d);
    ask(x, d);
}

void acting_ask_unsaved(struct app *x)
{
    ask(x, x->acting.unsaved);
}

/* The key of an action, or its name after a colon. */
static void add_key(struct app *x, const char *name, struct strbuf *out)
{
    size_t before = out->len;
    x->above->add_keys(x, name, 1, out);
    if (out->len == before)
        strbuf_addf(out, ":%s", name);
}

/* " · u undoes it" */
static void add_way_back(struct app *x, const char *action, struct strbuf *out)
{
    strbuf_addf(out, " %s ", glyph_text(&x->ui.screen, GLYPH_DOT));
    add_key(x, action, out);
    strbuf_addstr(out, strcmp(action, "undo") == 0 ? " undoes it" : " does it again");
}

static void add_ref(struct app *x, int64_t node, struct ref ref, struct strbuf *out)
{
    const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
    if (row)
        details_ref(x, row, out);
    else
        strbuf_addf(out, "%s:%.8s", kind_name(ref.kind), ref.id);
}

/* The event that was taken back, or taken back and done again: the first of its chain. */
static int64_t first_of_chain(struct app *x, struct arena *arena, int64_t seq,
                              const char **operation)
{
    struct event *events;
    struct error e;
    size_t count;
    for (int steps = 0; seq > 0 && steps < 1000; steps++) {
        if (journal_read(x->data.reader, arena, seq - 1, 1, &events, &count, &e) || count == 0)
            break;
        *operation = events->operation;
        if (events->undoes == 0)
            return seq;
        seq = events->undoes;
    }
    return seq;
}

/* "forget of belief:54c5507f": of several that which was meant, which came before what followed from it. */
static void add_taken_back(struct app *x, const struct plan *p, struct strbuf *out)
{
    struct arena arena = ARENA_INIT;
    const char *names[2] = {"", ""};
    const struct planned *ends[2] = {&p->change[0], &p->change[p->count - 1]};
    int64_t first = first_of_chain(x, &arena, ends[0]->undoes, &names[0]);
    int64_t last = first_of_chain(x, &arena, ends[1]->undoes, &names[1]);
    const struct planned *c = ends[last < first];
    const struct memory *m = c->before ? c->before : c->after;
    strbuf_addf(out, "%s of ", names[last < first]);
    add_ref(x, m->node, m->ref, out);
    arena_release(&arena);
}

static void add_undone(struct app *x, const struct deed *d, struct strbuf *out)
{
    bool redo = d->op == OPERATION_REDO;
    const struct plan *p = &d->plan;
    strbuf_addstr(out, redo ? "did again: " : "undid: ");
    add_taken_back(x, p, out);
    if (p->count > 1)
        strbuf_addf(out, " and %zu more", p->count - 1);
    add_way_back(x, redo ? "undo" : "redo", out);
    if (p->remark_count)
        strbuf_addf(out, "; %s", p->remarks[0]);
}

/* Of an operation that makes memories: the first that it made and the first that it changed; *made of them. */
static void find_made(const struct plan *p, const struct memory **new_one,
                      const struct memory **old_one, size_t *made)
{
    *new_one = *old_one = NULL;
    *made = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct planned *c = &p->change[i];
        *made += !c->before;
        if (!c->before && !*new_one)
            *new_one = c->after;
        else if (c->before && !*old_one)
            *old_one = c->before;
    }
}

/* "raw:19ea6cb7 became note:1a2b3c4d"; false where it made none, or several. */
static bool add_made(struct app *x, const struct deed *d, struct strbuf *out)
{
    const struct memory *made, *from;
    size_t count;
    find_made(&d->plan, &made, &from, &count);
    if (count > 1)
        strbuf_addf(out, "%zu %s", count, op_spec(d->op)->done);
    if (count != 1)
        return count > 1;
    const struct memory *first = d->op == OPERATION_PROCESS && from ? from : made;
    add_ref(x, first->node, first->ref, out);
    if (d->op == OPERATION_PROCESS && from) {
        strbuf_addstr(out, " became ");
        add_ref(x, made->node, made->ref, out);
    } else if (from) {
        strbuf_addstr(out, " took the place of ");
        add_ref(x, from->node, from->ref, out);
    } else {
        strbuf_addf(out, " %s", op_spec(d->op)->done);
    }
    return true;
}

/* "belief:54c5507f retracted", "3 forgotten, 2 more with them". */
static void add_named(struct app *x, const struct deed *d, struct strbuf *out)
{
    const struct plan *p = &d->plan;
    size_t named = p->named && p->named <= p->count ? p->named : p->count;
    const struct memory *m = p->change[0].after ? p->change[0].after : p->change[0].before;
    if (named == 1)
        add_ref(x, m->node, m->ref, out);
    else
        strbuf_addf(out, "%zu", named);
    strbuf_addf(out, " %s", op_spec(d->op)->done);
    if (p->count > named)
        strbuf_addf(out, ", %zu more with %s", p->count - named, named == 1 ? "it" : "them");
}

static void add_changed(struct app *x, const struct deed *d, struct strbuf *out)
{
    const struct plan *p = &d->plan;
    if (d->said)
        strbuf_addstr(out, d->said);
    else if (!add_made(x, d, out))
        add_named(x, d, out);
    if (p->unresolved_count)
        strbuf_addf(out, "; %s names nothing here yet", p->unresolved[0]);
    if (p->left_count)
        strbuf_addf(out, ", %zu left (%s)", p->left_count, p->left[0]);
    if (p->remark_count)
        strbuf_addf(out, "; %s", p->remarks[0]);
    if (op_spec(d->op)->undone)
        add_way_back(x, "undo", out);
}

static void add_nothing(struct app *x, const struct deed *d, struct strbuf *out)
{
    (void)x;
    strbuf_addstr(out, "nothing was changed");
    if (d->plan.left_count)
        strbuf_addf(out, ": %s", d->plan.left[0]);
    if (d->plan.left_count > 1)
        strbuf_addf(out, ", and %zu more like it", d->plan.left_count - 1);
}

static void add_added(struct app *x, const struct deed *d, struct strbuf *out)
{
    add_ref(x, d->added.node, d->added.ref, out);
    strbuf_addstr(out, " added");
    if (d->added.unresolved_count)
        strbuf_addf(out, "; %s names nothing here yet", d->added.unresolved[0]);
    add_way_back(x, "undo", out);
}

void acting_add_chip(struct app *x, struct strbuf *out)
{
    const char *dot = glyph_text(&x->ui.screen, GLYPH_DOT);
    size_t unsaved = 0;
    for (const struct deed *d = x->acting.unsaved; d; d = d->shelf)
        unsaved++;
    if (x->acting.waiting)
        strbuf_addf(out, "saving%s", glyph_text(&x->ui.screen, GLYPH_ELLIPSIS));
    if (unsaved)
        strbuf_addf(out, "%s%s%s%zu not saved", x->acting.waiting ? " " : "",
                    x->acting.waiting ? dot : "", x->acting.waiting ? " " : "", unsaved);
}

void acting_say_done(struct app *x, const struct deed *d)
{
    struct strbuf text = STRBUF_INIT;
    bool back = d->op == OPERATION_UNDO || d->op == OPERATION_REDO;
    if (d->session)
        strbuf_addstr(&text, d->said);
    else if (d->op == OPERATION_COUNT)
        add_added(x, d, &text);
    else if (d->plan.count == 0)
        add_nothing(x, d, &text);
    else if (back)
        add_undone(x, d, &text);
    else
        add_changed(x, d, &text);
    app_say(x, "%s", text.buf);
    strbuf_release(&text);
}

void acting_say_waiting(struct app *x)
{
    struct strbuf text = STRBUF_INIT;
    const struct deed *oldest = NULL;
    size_t waiting = 0;
    for (const struct deed *d = x->acting.submitted; d; d = d->shelf)
        if (d->waits) {
            oldest = d;
            waiting++;
        }
    if (waiting == 0)
        return;
    deed_add_title(oldest, &text);
    if (waiting > 1)
        strbuf_addf(&text, " and %zu more", waiting - 1);
    strbuf_addf(&text, " wait%s for the store; ", waiting == 1 ? "s" : "");
    add_key(x, "cancel", &text);
    strbuf_addf(&text, " gives %s up", waiting == 1 ? "it" : "them");
    app_say(x, "%s", text.buf);
    strbuf_release(&text);
}
