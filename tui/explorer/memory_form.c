/*
 * Forms of operations: makes a row for each form parameter in the table of operations, and a request from the typed
 * text. An addition has its own rows.
 */
#include "tui/explorer/form.h"

#include <math.h>
#include "model/memory/memory.h"
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/policy/permission.h"
#include "store/guard/guard.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/text/times.h"

#define MARKED_MAX 500 /* rows for selected memories */

static const enum operation operations[] = {
    [FORM_EDIT] = OPERATION_EDIT,
    [FORM_EDIT_SELECTED] = OPERATION_EDIT,
    [FORM_REPLACE] = OPERATION_REPLACE,
    [FORM_REVISE] = OPERATION_REVISE,
    [FORM_CONSOLIDATE] = OPERATION_CONSOLIDATE,
    [FORM_SEED] = OPERATION_SEED,
};
static const char *const verdicts[] = {"neither", "confirms", "contradicts", NULL};
static const char *const readings[] = {"any", "all", NULL};

/* ---- rows ---- */

/* The default agent: the one that lists show, else the person. */
static const char *whose(const struct app *x)
{
    return x->prefs.agent ? x->prefs.agent : x->options->person ? x->options->person : "someone";
}

static const char *row_name(const struct param *p)
{
    return p->type == PARAM_BODY ? "text" : strcmp(p->name, "reason") == 0 ? "why" : p->name;
}

static void add_text(struct form *f, const char *text)
{
    form_add(f, "text", VALUE_TEXT, text, kind_spec(f->kind)->about);
}

/* Shows all digits, so that an unchanged value stays exactly the same. */
static void add_confidence(struct form *f, const struct memory *m, const char *help)
{
    char digits[40] = "";
    if (m)
        snprintf(digits, sizeof(digits), "%.3f", m->confidence);
    form_add(f, "confidence", VALUE_NUMBER, digits, help);
}

static void add_tags(struct form *f, const struct memory *m)
{
    AUTO_STRBUF tags = STRBUF_INIT;
    if (m)
        value_join(&tags, m->tags, m->tag_count);
    form_add(f, "tags", VALUE_TEXTS, tags.buf, "separated by commas");
}

/* Whether the member is part of a valid name of an existing entry. Such an entry keeps its name, since agents find it
 * by that, and has no row for it. */
static bool names_entry(const struct form *f, const char *member, const char *detail)
{
    char name[ENTRY_KEY_MAX + 1];
    bool space = strcmp(member, "namespace") == 0, key = strcmp(member, "key") == 0;
    if (f->node <= 0 || f->kind != KIND_ENTRY || !(space || key) || !detail)
        return false;
    struct json_slice value = json_member(detail, strlen(detail), member);
    if (!value.ptr)
        return key; /* the text of an entry is its key */
    if (value.ptr[0] != '"' || value.len - 2 > ENTRY_KEY_MAX)
        return false;
    size_t len = json_unescape(name, value.ptr + 1, value.len - 2);
    return space ? namespace_is_valid(name, len) : entry_key_is_valid(name, len);
}

/* Adds a row for each field of the kind. */
static void add_fields(struct form *f, const char *detail)
{
    size_t count;
    const struct kind_field *fields = kind_fields(f->kind, &count);
    for (size_t i = 0; i < count; i++) {
        AUTO_STRBUF value = STRBUF_INIT;
        if (names_entry(f, fields[i].name, detail))
            continue;
        if (detail)
            value_write(&value, fields[i].type,
                        json_member(detail, strlen(detail), fields[i].name));
        struct form_field *row = form_add(f, fields[i].label ? fields[i].label : fields[i].name,
                                          fields[i].type, value.buf, fields[i].help);
        row->choices = fields[i].choices;
        row->member = fields[i].name;
    }
}

/* The refs of the selected memories, except the form's own. */
static void add_selected(struct app *x, const struct form *f, struct strbuf *refs)
{
    for (int64_t n = selection_next(&x->ui.selection, 0); n > 0;
         n = selection_next(&x->ui.selection, n)) {
        const struct memory_row *row = n == f->node ? NULL : details_row(x, n);
        if (!row)
            continue;
        strbuf_addstr(refs, refs->len ? ", " : "");
        ref_add(refs, row->ref);
    }
}

/* Adds a row for each selected memory: what the episode says about it. */
static void add_verdicts(struct app *x, struct form *f)
{
    for (int64_t n = selection_next(&x->ui.selection, 0); n > 0 && f->count < MARKED_MAX;
         n = selection_next(&x->ui.selection, n)) {
        const struct memory_row *row = n == f->node ? NULL : details_row(x, n);
        AUTO_STRBUF ref = STRBUF_INIT;
        if (!row)
            continue;
        ref_add(&ref, row->ref);
        struct form_field *field =
            form_add(f, arena_strdup(&f->arena, ref.buf), VALUE_TEXT, "neither",
                     arena_strdup(&f->arena, row->text ? row->text : ""));
        field->choices = verdicts;
        field->only = true;
    }
}

static void add_list(struct app *x, struct form *f, const struct param *p, const char *typed)
{
    AUTO_STRBUF refs = STRBUF_INIT, help = STRBUF_INIT;
    strbuf_addf(&help, "%s; separated by commas", p->about);
    if (f->as == FORM_CONSOLIDATE) {
        strbuf_addstr(&refs, typed);
        add_selected(x, f, &refs);
    }
    form_add(f, p->name, VALUE_REFS, refs.buf, arena_strdup(&f->arena, help.buf));
}

static void add_line(struct app *x, struct form *f, const struct param *p)
{
    char today[64];
    const char *value = "";
    times_format(today, sizeof(today), store_now(x->data.store));
    today[10] = '\0';
    if (!strcmp(p->name, "source") && f->base)
        value = f->base->source;
    else if (!strcmp(p->name, "date"))
        value = today;
    else if (!strcmp(p->name, "agent"))
        value = whose(x);
    form_add(f, row_name(p), VALUE_TEXT, value, p->about);
}

/* An entry has only its value and expiry, since its text is its key. A form for several memories has no rows for
 * texts that differ. */
static bool has_row(const struct form *f, const struct param *p)
{
    bool reason = strcmp(p->name, "reason") == 0;
    if (p->use && !(p->use & PARAM_OF_FORM))
        return false;
    if (f->as == FORM_EDIT && f->kind == KIND_ENTRY)
        return reason || p->type == PARAM_FIELDS;
    return f->as != FORM_EDIT_SELECTED || (p->type != PARAM_BODY && p->type != PARAM_FIELDS);
}

static void add_row(struct app *x, struct form *f, const struct param *p, const char *typed)
{
    const struct memory *shown = f->as == FORM_EDIT ? f->base : NULL;
    switch (has_row(f, p) ? p->type : PARAM_END) {
    case PARAM_BODY:
        add_text(f, f->base->text);
        break;
    case PARAM_NUMBER:
        add_confidence(f, shown, p->about);
        break;
    case PARAM_TAGS:
        add_tags(f, shown);
        break;
    case PARAM_FIELDS:
        add_fields(f, f->base->detail);
        break;
    case PARAM_LIST:
        add_list(x, f, p, typed);
        break;
    case PARAM_TEXT:
        add_line(x, f, p);
        break;
    case PARAM_SEEDS:
        add_text(f, typed);
        add_confidence(f, NULL, "from 0 to 1; empty: 0.8");
        add_tags(f, NULL);
        break;
    default:
        break;
    }
}

/* The selected memories are the sources of the new one. */
static void add_addition(struct app *x, struct form *f, const char *text)
{
    AUTO_STRBUF refs = STRBUF_INIT;
    add_selected(x, f, &refs);
    if (f->kind != KIND_ENTRY)
        add_text(f, text);
    add_fields(f, NULL);
    if (f->kind == KIND_ENTRY)
        form_set_value(form_find(f, "key"), text);
    if (f->kind == KIND_ATTRIBUTION)
        form_set_value(form_find(f, "retrieval_timestamp"), "now");
    form_add(f, "from", VALUE_REFS, refs.buf,
             "what it was made from: refs, or context:TEXT, separated by commas");
    struct form_field *needs = form_add(f, "needs", VALUE_TEXT, "any", "of what it is based on");
    needs->choices = readings;
    needs->only = true;
    form_add(f, "evidence", VALUE_REFS, "", "refs of memories that support it");
    add_confidence(f, NULL, "from 0 to 1");
    add_tags(f, NULL);
    form_add(f, "source", VALUE_TEXT, "", "where it is from, in words");
    form_add(f, "told by", VALUE_TEXT, "", "who told it; a human as human:NAME");
    form_add(f, "context", VALUE_TEXT, "", "where it is valid");
    form_add(f, "agent", VALUE_TEXT, whose(x), "whose memory it is");
}

/* "edit belief:54c5507f, version 3" */
static void name(struct app *x, struct form *f)
{
    AUTO_STRBUF title = STRBUF_INIT;
    const struct memory_row *row = f->node > 0 ? details_row(x, f->node) : NULL;
    if (f->as == FORM_ADD)
        strbuf_addf(&title, "add: %s", kind_name(f->kind));
    else if (f->as == FORM_SEED)
        strbuf_addstr(&title, "seed: a belief that the agent starts with");
    else if (f->as == FORM_EDIT_SELECTED)
        strbuf_addf(&title, "edit the %zu selected: empty rows stay unchanged", f->node_count);
    else
        strbuf_addf(&title, "%s%s ", display_name(op_spec(operations[f->as])->name),
                    f->as == FORM_REVISE ? " from" : "");
    if (row)
        details_ref(x, row, &title);
    if (f->version)
        strbuf_addf(&title, ", version %lld", (long long)f->version);
    f->title = arena_strdup(&f->arena, title.buf);
}

static int read_memory(struct data *data, struct form *f, struct error *e)
{
    struct memory *m = arena_alloc(&f->arena, sizeof(*m));
    if (memory_read(data->reader, &f->arena, f->node, m, e))
        return -1;
    if (m->status == STATUS_MISSING || m->status == STATUS_PURGED)
        return error_set(e, ERROR_REFUSED, "", "%s:%s has no text here to change",
                         kind_name(m->ref.kind), m->ref.id);
    f->kind = m->ref.kind;
    f->version = m->version;
    f->base = m;
    return 0;
}

struct form *form_make(struct app *x, enum form_as as, int64_t node, enum kind kind,
                       const char *typed, struct error *e)
{
    struct form *f = form_new(as);
    bool selected;
    f->node = node;
    f->kind = kind;
    if ((as == FORM_EDIT || as == FORM_REPLACE) && read_memory(&x->data, f, e)) {
        form_free(f);
        return NULL;
    }
    if (as == FORM_EDIT_SELECTED)
        f->nodes = pending_subjects(x, &f->arena, &f->node_count, &selected);
    if (as == FORM_REVISE)
        add_verdicts(x, f);
    if (as == FORM_ADD)
        add_addition(x, f, typed);
    for (const struct param *p = as == FORM_ADD ? NULL : op_spec(operations[as])->params;
         p && p->type != PARAM_END; p++)
        add_row(x, f, p, typed);
    name(x, f);
    return f;
}

void form_begin(struct app *x, enum form_as as, int64_t node, enum kind kind, const char *typed)
{
    struct error e;
    if (!*typed && pending_reopen(x, as, node, kind))
        return;
    struct form *f = form_make(x, as, node, kind, typed, &e);
    if (f)
        form_open(x, f);
    else
        ui_error(&x->ui, &e);
}

/* ---- parsing ---- */

static const char *text_of(const struct form *f, const char *name)
{
    const struct form_field *field = form_find(f, name);
    return field && form_length(field) ? form_value(field) : NULL;
}

static size_t place_of(const struct form *f, const char *name)
{
    return (size_t)(form_find(f, name) - f->field);
}

/* Parses a number from 0 to 1; NAN if the row is empty. */
static int take_confidence(const struct form *f, double *confidence, size_t *wrong, struct error *e)
{
    const char *text = text_of(f, "confidence");
    AUTO_STRBUF number = STRBUF_INIT;
    *confidence = NAN;
    int failed = text ? value_read(&number, VALUE_NUMBER, text, f->now, e) : 0;
    if (text && !failed &&
        (json_double((struct json_slice){number.buf, number.len}, confidence) ||
         !(*confidence >= 0 && *confidence <= 1)))
        failed = error_set(e, ERROR_INVALID, "", "a confidence is from 0 to 1");
    if (failed)
        *wrong = place_of(f, "confidence");
    return failed;
}

/* The parts of a list, followed by the names of rows that have the list's name as their value. */
static const char **take_list(const struct form *f, const char *name, struct arena *arena,
                              size_t *count)
{
    size_t typed = 0;
    const char **parts = value_parts(arena, form_value(form_find(f, name)), &typed);
    const char **list = arena_array(arena, f->count + typed, sizeof(*list));
    *count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->field[i].choices == verdicts && !strcmp(form_value(&f->field[i]), name))
            list[(*count)++] = f->field[i].name;
    for (size_t i = 0; i < typed; i++)
        list[(*count)++] = parts[i];
    return list;
}

/* For an existing memory only changed rows count; for a new one all rows that are not empty. */
static bool is_given_row(const struct form *f, const struct form_field *field)
{
    if (f->as == FORM_EDIT || f->as == FORM_EDIT_SELECTED)
        return form_changed(field);
    bool never = field->type == VALUE_TIME && strcmp(form_value(field), "never") == 0;
    return form_length(field) && !never;
}

/* The kind's fields as a JSON object; NULL for none. */
static int take_fields(const struct form *f, struct arena *arena, const char **json, size_t *wrong,
                       struct error *e)
{
    AUTO_STRBUF out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    size_t members = 0;
    int failed = 0;
    for (size_t i = 0; i < f->count && !failed; i++) {
        const struct form_field *field = &f->field[i];
        if (!field->member || !is_given_row(f, field))
            continue;
        members++;
        json_key(&o, field->member);
        if (value_read(o.out, field->type, form_value(field), f->now, e)) {
            failed = error_prefix(e, "%s", field->name);
            *wrong = i;
        }
    }
    json_end(&o);
    *json = !failed && members > 0 ? arena_strndup(arena, out.buf, out.len) : NULL;
    return failed;
}

/* An initial text must have been changed. */
static bool is_given(const struct form *f, const struct param *p)
{
    const struct form_field *field = form_find(f, row_name(p));
    if (field && p->type == PARAM_BODY && f->as != FORM_EDIT)
        return form_length(field) && form_changed(field);
    return field && is_given_row(f, field);
}

static int take_param(const struct form *f, const struct param *p, struct arena *arena,
                      struct request *q, size_t *wrong, struct error *e)
{
    const struct form_field *field = form_find(f, row_name(p));
    double number;
    size_t count = 0;
    if (p->type == PARAM_NUMBER) {
        if (take_confidence(f, &number, wrong, e))
            return -1;
        if (isnan(number)) {
            *wrong = place_of(f, "confidence");
            return error_set(e, ERROR_INVALID, "Esc cancels.", "give a confidence from 0 to 1");
        }
        op_set_number(p, q, number);
    } else if (p->type == PARAM_LIST || p->type == PARAM_TAGS) {
        const char **list = take_list(f, p->name, arena, &count);
        op_set_list(p, q, list, count);
    } else {
        op_set_text(p, q, arena, form_value(field), form_length(field));
    }
    return 0;
}

/* Sets the parameters of an operation. Returns ERROR_INVALID if one is wrong or missing, or if all are empty. */
static int take_params(const struct form *f, struct arena *arena, struct request *q, size_t *wrong,
                       struct error *e)
{
    const struct param *p = op_spec(operations[f->as])->params;
    bool any = f->as == FORM_SEED;
    for (; p->type != PARAM_END; p++) {
        size_t count = 0;
        bool list = p->type == PARAM_LIST && form_find(f, p->name);
        bool given = list ? take_list(f, p->name, arena, &count) && count > 0 : is_given(f, p);
        if (given && take_param(f, p, arena, q, wrong, e))
            return -1;
        if (!given && p->required && form_find(f, row_name(p))) {
            *wrong = place_of(f, row_name(p));
            return error_set(e, ERROR_INVALID, "Esc cancels.", "give its %s: %s", row_name(p),
                             p->about);
        }
        any |= given && strcmp(p->name, "reason") != 0 && strcmp(p->name, "date") != 0;
    }
    if (f->as == FORM_EDIT && take_fields(f, arena, &q->fields, wrong, e))
        return -1;
    if (!any && !q->fields)
        return error_set(e, ERROR_INVALID, "Esc cancels.", "nothing was changed");
    return 0;
}

static int take_seed(const struct form *f, struct pending *p, size_t *wrong, struct error *e)
{
    struct seed *seed = arena_alloc(&p->arena, sizeof(*seed));
    *wrong = 0;
    *seed = (struct seed){.text = text_of(f, "text"), .len = form_length(form_find(f, "text"))};
    if (!seed->text)
        return error_set(e, ERROR_INVALID, "Esc cancels.", "give the text of the belief");
    seed->tags = take_list(f, "tags", &p->arena, &seed->tag_count);
    p->q.seeds = seed;
    p->q.seed_count = 1;
    return take_confidence(f, &seed->confidence, wrong, e);
}

static int take_request(const struct form *f, struct pending *p, size_t *wrong, struct error *e)
{
    bool selected = f->as == FORM_EDIT_SELECTED;
    p->how |= selected ? PENDING_SELECTED : 0;
    p->q.nodes = selected ? f->nodes : &f->node;
    p->q.node_count = selected ? f->node_count : f->node > 0;
    p->q.expected_version = f->as == FORM_EDIT ? f->version : 0;
    if ((f->as == FORM_SEED && take_seed(f, p, wrong, e)) ||
        take_params(f, &p->arena, &p->q, wrong, e))
        return -1;
    if (f->as == FORM_SEED && !p->q.agent)
        p->q.agent = arena_strdup(&p->arena, whose(p->app));
    return 0;
}

/* An entry's key, which is one of its fields, becomes its text. */
static int take_addition(const struct form *f, struct pending *p, size_t *wrong, struct error *e)
{
    bool entry = f->kind == KIND_ENTRY;
    const char *text = entry ? "key" : "text", *reading = text_of(f, "needs");
    struct add_request *add = &p->add;
    *wrong = place_of(f, text);
    *add = (struct add_request){
        .kind = f->kind,
        .text = text_of(f, text),
        .source = text_of(f, "source"),
        .source_entity = text_of(f, "told by"),
        .context = text_of(f, "context"),
        .agent_id = text_of(f, "agent"),
        .derivation = reading && !strcmp(reading, "all") ? READING_ALL : READING_ANY,
    };
    p->add_len = form_length(form_find(f, text));
    add->tags = take_list(f, "tags", &p->arena, &add->tag_count);
    add->derived_from = take_list(f, "from", &p->arena, &add->derived_count);
    add->relates_to = take_list(f, "evidence", &p->arena, &add->relates_count);
    if (!add->agent_id)
        add->agent_id = arena_strdup(&p->arena, whose(p->app));
    if (!add->text)
        return error_set(e, ERROR_INVALID, "Esc cancels.",
                         entry ? "give its key" : "give the text");
    return take_confidence(f, &add->confidence, wrong, e) ||
                   take_fields(f, &p->arena, &add->detail, wrong, e)
               ? -1
               : 0;
}

struct pending *form_pending(struct app *x, const struct form *f, size_t *wrong, struct error *e)
{
    bool adds = f->as == FORM_ADD;
    struct pending *p = pending_new(x, adds ? OPERATION_COUNT : operations[f->as], PENDING_TYPED);
    if (adds ? !take_addition(f, p, wrong, e) : !take_request(f, p, wrong, e))
        return p;
    pending_free(p);
    return NULL;
}

int form_rebase(struct app *x, struct form *f, struct error *e)
{
    struct form *now = form_make(x, f->as, f->node, KIND_COUNT, "", e);
    for (size_t i = 0; now && i < f->count; i++) {
        struct form_field *field = &f->field[i];
        const struct form_field *other = form_find(now, field->name);
        if (other && !form_changed(field))
            form_set_bytes(field, form_value(other), form_length(other));
        if (other) {
            free(field->was);
            field->was = xstrdup(form_value(other));
        }
    }
    if (now) {
        f->version = now->version;
        name(x, f);
    }
    form_free(now);
    return now ? 0 : -1;
}
