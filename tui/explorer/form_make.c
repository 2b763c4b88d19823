#include "tui/explorer/form_make.h"

#include "model/policy/permission.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"

int form_read_memory(struct app *x, struct form *f, int64_t node, struct error *e)
{
    struct memory *m = arena_alloc(&f->arena, sizeof(*m));
    if (!m)
        return error_set(e, ERROR_MEMORY, "", "memory ran out");
    if (memory_read(x->data.reader, &f->arena, node, m, e))
        return -1;
    if (m->status == STATUS_MISSING || m->status == STATUS_PURGED)
        return error_set(e, ERROR_REFUSED, "", "nothing of %s:%s is here to change",
                         kind_name(m->ref.kind), m->ref.id);
    f->node = node;
    f->kind = m->ref.kind;
    f->version = m->version;
    f->base = m;
    return 0;
}

void form_name(struct app *x, struct form *f, const char *what)
{
    struct strbuf title = STRBUF_INIT;
    const struct memory_row *row = f->node > 0 ? details_row(x, f->node) : NULL;
    strbuf_addf(&title, "%s ", what);
    if (row)
        details_ref(x, row, &title);
    if (f->version)
        strbuf_addf(&title, ", version %lld", (long long)f->version);
    const char *copy = arena_strdup(&f->arena, title.buf);
    f->title = copy ? copy : what;
    strbuf_release(&title);
}

/* ---- rows ---- */

void form_add_text(struct form *f, const char *text)
{
    form_add(f, "text", VALUE_TEXT, text, kind_spec(f->kind)->about);
}

static void add_confidence(struct form *f, const struct memory *m)
{
    char digits[40] = "";
    if (m) /* what is not changed here stays what it is, to the last digit */
        snprintf(digits, sizeof(digits), "%.3f", m->confidence);
    form_add(f, "confidence", VALUE_NUMBER, digits, "from 0 to 1");
}

void form_add_common(struct form *f, const struct memory *m)
{
    struct strbuf tags = STRBUF_INIT;
    add_confidence(f, m);
    if (m)
        value_join(&tags, m->tags, m->tag_count);
    form_add(f, "tags", VALUE_TEXTS, tags.buf, "with commas between");
    form_add(f, "source", VALUE_TEXT, m && m->source ? m->source : "",
             "where it is from, in words");
    strbuf_release(&tags);
}

/* An entry that is there stays where agents find it; where they do not its name can be given. */
static bool names_entry(const struct form *f, const char *member, const char *detail)
{
    char name[ENTRY_KEY_MAX + 1];
    bool space = strcmp(member, "namespace") == 0, key = strcmp(member, "key") == 0;
    if (f->node <= 0 || f->kind != KIND_ENTRY || !(space || key) || !detail)
        return false;
    struct json_slice value = json_member(detail, strlen(detail), member);
    if (!value.ptr)
        return key; /* its text is its key */
    if (value.ptr[0] != '"' || value.len - 2 > ENTRY_KEY_MAX)
        return false;
    size_t len = json_unescape(name, value.ptr + 1, value.len - 2);
    return space ? namespace_is_valid(name, len) : entry_key_is_valid(name, len);
}

void form_add_detail(struct form *f, const char *detail)
{
    size_t count;
    const struct kind_field *fields = kind_fields(f->kind, &count);
    for (size_t i = 0; i < count; i++) {
        struct strbuf value = STRBUF_INIT;
        if (names_entry(f, fields[i].name, detail))
            continue;
        if (detail)
            value_write(&value, fields[i].type,
                        json_member(detail, strlen(detail), fields[i].name));
        struct form_field *row = form_add(f, fields[i].label ? fields[i].label : fields[i].name,
                                          fields[i].type, value.buf, fields[i].help);
        row->choices = fields[i].choices;
        row->member = fields[i].name;
        strbuf_release(&value);
    }
}

void form_add_why(struct form *f)
{
    form_add(f, "why", VALUE_TEXT, "", "kept in its history; may be left empty");
}

/* ---- what is typed ---- */

const char *form_text(const struct form *f, const char *name)
{
    const struct form_field *field = form_find(f, name);
    return field && form_length(field) ? form_value(field) : NULL;
}

static size_t place_of(const struct form *f, const char *name)
{
    return (size_t)(form_find(f, name) - f->field);
}

int form_confidence(const struct form *f, double *confidence, size_t *wrong, struct error *e)
{
    const char *text = form_text(f, "confidence");
    struct strbuf number = STRBUF_INIT;
    *confidence = NAN;
    int failed = text ? value_read(&number, VALUE_NUMBER, text, f->now, e) : 0;
    if (text && !failed &&
        (json_double((struct json_slice){number.buf, number.len}, confidence) ||
         !(*confidence >= 0 && *confidence <= 1)))
        failed = error_set(e, ERROR_INVALID, "", "a confidence is from 0 to 1");
    if (failed)
        *wrong = place_of(f, "confidence");
    strbuf_release(&number);
    return failed;
}

int form_list(const struct form *f, const char *name, struct arena *arena, const char ***list,
              size_t *count, struct error *e)
{
    const struct form_field *field = form_find(f, name);
    *count = 0;
    *list = field ? value_parts(arena, form_value(field), count) : NULL;
    return field && !*list ? error_set(e, ERROR_MEMORY, "", "memory ran out") : 0;
}

static int add_member(struct json_object *o, const struct form_field *field, int64_t now,
                      struct error *e)
{
    json_key(o, field->member);
    return value_read(o->out, field->type, form_value(field), now, e)
               ? error_prefix(e, "%s", field->name)
               : 0;
}

/* Of what is there already that which was typed in is said; of what is new all that is something. */
static bool is_said(const struct form_field *field, bool changed)
{
    if (changed)
        return form_changed(field);
    bool never = field->type == VALUE_TIME && strcmp(form_value(field), "never") == 0;
    return form_length(field) && !never;
}

int form_detail(const struct form *f, bool changed, struct arena *arena, const char **json,
                size_t *wrong, struct error *e)
{
    struct strbuf out = STRBUF_INIT;
    struct json_object o = json_begin(&out, '{');
    size_t members = 0;
    int failed = 0;
    *json = NULL;
    for (size_t i = 0; i < f->count && !failed; i++) {
        const struct form_field *field = &f->field[i];
        if (!field->member || !is_said(field, changed))
            continue;
        members++;
        if ((failed = add_member(&o, field, f->now, e)))
            *wrong = i;
    }
    json_end(&o);
    if (!failed && members > 0) {
        *json = out.failed ? NULL : arena_strndup(arena, out.buf, out.len);
        failed = *json ? 0 : error_set(e, ERROR_MEMORY, "", "memory ran out");
    }
    strbuf_release(&out);
    return failed;
}

static bool changed(const struct form *f, const char *name)
{
    const struct form_field *field = form_find(f, name);
    return field && form_changed(field);
}

int form_take_edit(const struct form *f, struct arena *arena, struct request *q, size_t *wrong,
                   struct error *e)
{
    const struct form_field *text = form_find(f, "text");
    if (changed(f, "text")) {
        q->text = form_value(text);
        q->text_len = form_length(text);
    }
    if (changed(f, "confidence") && form_confidence(f, &q->confidence, wrong, e))
        return -1;
    q->tags_given = changed(f, "tags");
    if (q->tags_given && form_list(f, "tags", arena, &q->tags, &q->tag_count, e))
        return -1;
    if (changed(f, "source"))
        q->source = form_value(form_find(f, "source"));
    if (form_detail(f, true, arena, &q->fields, wrong, e))
        return -1;
    q->reason = form_text(f, "why");
    if (!q->text && isnan(q->confidence) && !q->tags_given && !q->fields && !q->source)
        return error_set(e, ERROR_INVALID, "Esc leaves it.", "nothing was changed here");
    return 0;
}
