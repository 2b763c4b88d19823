#include "tui/explorer/acting.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
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
