/* Adding memories of every kind, and beliefs that were there from the start. */
#include "tui/action/actions.h"

#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/explorer/form.h"

static const char *const readings[] = {"any", "all", NULL};

/* Whose memory it is, unless it is said: the agent that is looked at, else the person. */
static const char *whose(const struct app *x)
{
    return x->prefs.agent ? x->prefs.agent : x->options->person ? x->options->person : "someone";
}

/* ---- add ---- */

static void take_lists(const struct form *f, struct arena *arena, struct add_request *add)
{
    const char *reading = form_text(f, "needs");
    add->derivation = reading && !strcmp(reading, "all") ? READING_ALL : READING_ANY;
    form_list(f, "tags", arena, &add->tags, &add->tag_count);
    form_list(f, "from", arena, &add->derived_from, &add->derived_count);
    form_list(f, "evidence", arena, &add->relates_to, &add->relates_count);
}

/* What it says; an entry's text is its key, which is among its fields. */
static const char *text_row(const struct form *f)
{
    return f->kind == KIND_ENTRY ? "key" : "text";
}

static int take_addition(const struct form *f, struct arena *arena, struct add_request *add,
                         size_t *wrong, struct error *e)
{
    *wrong = (size_t)(form_find(f, text_row(f)) - f->field);
    add->kind = f->kind;
    add->text = form_text(f, text_row(f));
    if (!add->text)
        return error_set(e, ERROR_INVALID, "Esc leaves it.",
                         f->kind == KIND_ENTRY ? "give its key" : "say what is to be remembered");
    add->source = form_text(f, "source");
    add->source_entity = form_text(f, "told by");
    add->context = form_text(f, "context");
    add->agent_id = form_text(f, "agent");
    take_lists(f, arena, add);
    return form_confidence(f, &add->confidence, wrong, e) ||
                   form_detail(f, false, arena, &add->detail, wrong, e)
               ? -1
               : 0;
}

static struct deed *make_addition(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct add_request add = {.confidence = NAN};
    struct deed *d = NULL;
    if (take_addition(f, &arena, &add, wrong, e) == 0) {
        if (!add.agent_id)
            add.agent_id = whose(x);
        d = deed_new_addition(&add, form_length(form_find(f, text_row(f))), DEED_TYPED);
    }
    arena_release(&arena);
    return d;
}

static const struct form_ops add_form = {.name = "add", .make = make_addition};

/* What is marked is what it is made from. */
static void add_marked(struct app *x, struct strbuf *refs)
{
    for (int64_t n = marks_next(&x->ui.marks, 0); n > 0; n = marks_next(&x->ui.marks, n)) {
        const struct memory_row *row = details_row(x, n);
        if (!row)
            continue;
        strbuf_addstr(refs, refs->len ? ", " : "");
        ref_add(refs, row->ref);
    }
}

static void open_addition(struct app *x, enum kind kind, const char *text)
{
    struct strbuf refs = STRBUF_INIT;
    if (!*text && acting_reopen(x, &add_form, 0, kind))
        return;
    struct form *f = form_new(&add_form);
    f->kind = kind;
    add_marked(x, &refs);
    if (kind != KIND_ENTRY)
        form_add_text(f, text);
    form_add_detail(f, NULL);
    if (kind == KIND_ENTRY)
        form_set_value(form_find(f, "key"), text);
    form_add(f, "from", VALUE_REFS, refs.buf,
             "what it was made from: refs, or context:TEXT, with commas between");
    struct form_field *needs = form_add(f, "needs", VALUE_TEXT, "any", "of those it rests on");
    needs->choices = readings;
    needs->only = true;
    form_add(f, "evidence", VALUE_REFS, "", "refs of what backs it up");
    form_add_common(f, NULL);
    form_add(f, "told by", VALUE_TEXT, "", "who told it; a human as human:NAME");
    form_add(f, "context", VALUE_TEXT, "", "in which it holds");
    form_add(f, "agent", VALUE_TEXT, whose(x), "whose memory it is");
    form_name(x, f, "add");
    struct strbuf title = STRBUF_INIT;
    strbuf_addf(&title, "add: %s", kind_name(kind));
    const char *copy = arena_strdup(&f->arena, title.buf);
    f->title = copy ? copy : "add";
    form_open(x, f);
    strbuf_release(&title);
    strbuf_release(&refs);
}

static void kind_chosen(struct app *x, const struct popup_item *item)
{
    open_addition(x, (enum kind)item->value, "");
}

/* The kind that is looked at is the one that is offered first. */
static int kind_here(struct app *x)
{
    int64_t node = view_node(x->nav.top);
    const struct memory_row *row = details_row(x, node > 0 ? node : view_about(x->nav.top));
    return row ? (int)row->ref.kind : KIND_BELIEF;
}

void act_add(struct app *x, const char *argument)
{
    size_t len = strcspn(argument, " ");
    int kind = kind_from_name(argument, len);
    const char *why = acting_blocked(x);
    if (why) {
        app_say(x, "%s", why);
    } else if (kind >= 0) {
        open_addition(x, (enum kind)kind, argument + len + strspn(argument + len, " "));
    } else if (*argument) {
        app_say(x, "there is no kind of memory called %.*s", (int)len, argument);
    } else {
        popup_open(&x->ui.popup, "add what?", kind_chosen);
        for (int i = 0; i < KIND_COUNT; i++) {
            const struct kind_spec *spec = kind_spec((enum kind)i);
            popup_add(&x->ui.popup, (uint32_t)spec->letter, spec->name, spec->about)->value = i;
        }
        x->ui.popup.selected = (size_t)kind_here(x);
    }
}

/* ---- seed ---- */

static struct deed *make_seed(struct app *x, struct form *f, size_t *wrong, struct error *e)
{
    struct arena arena = ARENA_INIT;
    struct request q = REQUEST_INIT;
    struct seed seed = {.text = form_text(f, "text")};
    struct deed *d = NULL;
    q.seeds = &seed;
    q.seed_count = 1;
    q.agent = form_text(f, "agent");
    q.reason = form_text(f, "why");
    if (!q.agent)
        q.agent = whose(x);
    *wrong = 0;
    if (!seed.text) {
        error_set(e, ERROR_INVALID, "Esc leaves it.", "say what is to be believed");
    } else if (!form_confidence(f, &seed.confidence, wrong, e)) {
        form_list(f, "tags", &arena, &seed.tags, &seed.tag_count);
        seed.len = form_length(form_find(f, "text"));
        d = deed_new(OPERATION_SEED, &q, DEED_TYPED);
    }
    arena_release(&arena);
    return d;
}

static const struct form_ops seed_form = {.name = "seed", .make = make_seed};

void act_seed(struct app *x, const char *argument)
{
    const char *why = acting_blocked(x);
    if (why) {
        app_say(x, "%s", why);
        return;
    }
    if (!*argument && acting_reopen(x, &seed_form, 0, KIND_BELIEF))
        return;
    struct form *f = form_new(&seed_form);
    f->kind = KIND_BELIEF;
    f->title = "seed: a belief that is there from the start";
    form_add_text(f, argument);
    form_add(f, "confidence", VALUE_NUMBER, "", "from 0 to 1; empty: 0.8");
    form_add(f, "tags", VALUE_TEXTS, "", "with commas between");
    form_add(f, "agent", VALUE_TEXT, whose(x), "whose belief it is");
    form_add_why(f);
    form_open(x, f);
}
