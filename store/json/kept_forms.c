#include "store/json/kept_forms.h"

#include <string.h>
#include "model/base/alloc.h"
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/json/answer.h"
#include "store/record/entry_row.h"
#include "store/guard/guard.h"
#include "store/json/kept_rows.h"
#include "store/db/reader.h"
#include "store/db/store_state.h"

#define SLOTS     4096
#define FORM_MAX  (32 << 10)
#define BYTES_MAX (2 << 20) /* of all that is kept */

struct form {
    struct kept_row kept;
    uint32_t len; /* without the last brace, which stands behind */
    struct form_kind kind;
    struct guard_look look;
    uint64_t number; /* no other form had it */
    char json[];
};

struct kept_forms {
    struct kept_rows rows;
    uint64_t numbers; /* that were given */
};

struct kept_forms *kept_forms_new(void)
{
    struct kept_forms *k = xcalloc(1, sizeof(*k));
    kept_rows_init(&k->rows, SLOTS, BYTES_MAX);
    return k;
}

void kept_forms_free(struct kept_forms *k)
{
    if (!k)
        return;
    kept_rows_release(&k->rows);
    free(k);
}

/* What is known of a form that was appended. */
struct copied {
    struct form_kind kind;
    uint64_t of; /* the number of the kept one that it is the same as; 0: of none */
};

/* 1 where the form was appended, without its last brace; 0: it is not kept. */
static int find(struct kept_forms *k, struct reader *r, int64_t seq, int64_t row,
                struct strbuf *out, struct copied *copied, struct error *e)
{
    struct kept_row *kept;
    pthread_mutex_lock(&k->rows.lock);
    int found = kept_rows_find(&k->rows, r, seq, row, &kept, e);
    if (found > 0) {
        const struct form *form = (const struct form *)kept;
        strbuf_add(out, form->json, form->len);
        *copied = (struct copied){form->kind, form->number};
    }
    pthread_mutex_unlock(&k->rows.lock);
    return found;
}

/* Where there is no memory for it, it is not kept. */
static void keep(struct kept_forms *k, int64_t seq, int64_t row, const char *json, size_t len,
                 struct copied *copied)
{
    pthread_mutex_lock(&k->rows.lock);
    struct form *form = (struct form *)kept_rows_add(&k->rows, seq, row, sizeof(*form) + len + 1);
    if (form) {
        copied->of = ++k->numbers;
        form->len = (uint32_t)len;
        form->kind = copied->kind;
        form->number = copied->of;
        form->look = (struct guard_look){0};
        memcpy(form->json, json, len);
        form->json[len] = '}';
    }
    pthread_mutex_unlock(&k->rows.lock);
}

/* What expires says less of itself from one moment to the next, without an event; what was deleted, to an agent. */
static bool lasts(const struct memory *m)
{
    return m->ref.kind != KIND_ENTRY || (m->status != STATUS_DELETED && entry_lasts(m));
}

static int add_form(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                    struct copied *copied, struct error *e)
{
    struct kept_forms *k = reader_store(r)->forms;
    struct memory m;
    int64_t seq;
    size_t before = out->len;
    if (reader_moment(r, &seq, e))
        return -1;
    int found = reader_keeps(r) ? find(k, r, seq, node, out, copied, e) : 0;
    if (found < 0 || (!found && answer_read(r, arena, node, &m, e)))
        return -1;
    if (!found) {
        exchange_write(out, &m, NULL);
        if (out->failed)
            return 0;
        strbuf_cut(out, out->len - 1);
        *copied = (struct copied){guard_form_kind(out->buf + before, out->len - before), 0};
        if (out->len - before <= FORM_MAX && reader_keeps(r) && lasts(&m))
            keep(k, seq, node, out->buf + before, out->len - before, copied);
    }
    return 0;
}

/* What is kept is whole: it is thinned for whom it is told. 1: it was withheld, which is all there is to it. Most forms
 * are told as they are, so that they are written where they belong and looked at there. */
static int add_guarded(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                       uint64_t *copy_of, struct error *e)
{
    enum sight sight;
    struct copied copied = {.of = 0};
    size_t before = out->len;
    struct strbuf whole = STRBUF_INIT;
    if (add_form(r, arena, node, out, &copied, e))
        return -1;
    if (out->failed || guard_form_is_open(r, copied.kind, out->buf + before, out->len - before)) {
        *copy_of = copied.of;
        return 0;
    }
    strbuf_add(&whole, out->buf + before, out->len - before);
    strbuf_cut(out, before);
    int result = guard_sight(r, node, &sight, e);
    if (result == 0 && sight == SIGHT_NONE)
        result = error_set(e, ERROR_NOT_FOUND, "", "there is no such memory");
    else if (result == 0 && sight == SIGHT_OWNER)
        result = guard_add_withheld(r, arena, node, out, e) ? -1 : 1;
    else if (result == 0 && !whole.failed)
        result = guard_form(r, arena, node, copied.kind, whole.buf, whole.len, out, e);
    out->failed |= whole.failed;
    strbuf_release(&whole);
    return result;
}

/* ---- what need not be looked through again ---- */

/* What was written over earlier ones stands there now, `len` bytes with its label. */
static void note(struct reader *r, int64_t row, size_t at, size_t len, uint64_t copy_of)
{
    struct guard_known *known = reader_guard_known(r);
    while (known->form_count > 0 && known->form[known->form_count - 1].at >= at)
        known->form_count--;
    if (copy_of && reader_guarded(r) && known->form_count < GUARD_FORMS)
        known->form[known->form_count++] = (struct guard_form_at){row, at, len, copy_of};
}

#define LOOKED_THROUGH UINT64_MAX /* in place of a number: it is no copy, and clean */

void kept_forms_note_clean(struct reader *r, size_t at, size_t len)
{
    note(r, 0, at, len, LOOKED_THROUGH);
}

void kept_forms_note_more(struct reader *r, size_t from, size_t to)
{
    struct guard_known *known = reader_guard_known(r);
    struct guard_form_at *last = known->form_count ? &known->form[known->form_count - 1] : NULL;
    if (last && last->at + last->len == from)
        last->len = to - last->at;
}

/* One that gave way and comes again is known by its mark, unread. */
static bool is_clean(struct form *form, const struct guard_rules *g)
{
    if (!guard_looked(&form->look, g))
        guard_note_look(&form->look, g, !guard_finds_in_json(g, form->json, form->len + 1));
    return form->look.clean;
}

/* What an answer cut off again and wrote over does not begin as a form does, with its ref. */
#define BEGINNING 80

/* Does the form stand there as it is kept, and is it clean? Its label is a word of our own. */
static bool is_clean_form(struct kept_forms *k, const struct guard_rules *g,
                          const struct guard_form_at *at, const char *json, size_t len)
{
    if (at->copy_of == LOOKED_THROUGH)
        return at->len <= len;
    struct form *form = (struct form *)kept_rows_at(&k->rows, at->row);
    return form && form->number == at->copy_of && at->len <= len &&
           memcmp(form->json, json, form->len < BEGINNING ? form->len : BEGINNING) == 0 &&
           is_clean(form, g);
}

/* Does nothing but the end of one member of a list and the beginning of the next stand there? */
static bool is_between(const char *json, size_t len)
{
    return len == 2 && json[0] == '}' && json[1] == ',';
}

#define ABOUT_BETWEEN 256 /* bytes of an answer between two forms, snippets among them */

void kept_forms_leave_out(struct reader *r, const struct guard_rules *g, const char *json,
                          size_t len, struct strbuf *rest)
{
    struct kept_forms *k = reader_store(r)->forms;
    const struct guard_known *known = reader_guard_known(r);
    size_t done = 0;
    if (known->form_count > 0)
        strbuf_grow(rest, known->form_count * ABOUT_BETWEEN);
    pthread_mutex_lock(&k->rows.lock);
    for (size_t i = 0; i < known->form_count; i++) {
        size_t at = known->form[i].at;
        if (at < done || at >= len)
            continue;
        if (!is_clean_form(k, g, &known->form[i], json + at, len - at))
            continue;
        if (done == 0 || !is_between(json + done, at - done)) {
            strbuf_add(rest, json + done, at - done);
            strbuf_add(rest, "{\"\":0", 5);
        }
        done = at + known->form[i].len;
    }
    pthread_mutex_unlock(&k->rows.lock);
    if (done > 0)
        strbuf_add(rest, json + done, len - done);
}

/* Where nothing is hidden most forms are told as they are kept; what one quotes may have been cut within personal data. */
static int add_open(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                    uint64_t *copy_of, struct error *e)
{
    struct copied copied = {.of = 0};
    size_t before = out->len;
    if (add_form(r, arena, node, out, &copied, e))
        return -1;
    if (out->failed || !copied.kind.quotes || !guard_masks(r)) {
        *copy_of = copied.of;
        return 0;
    }
    strbuf_cut(out, before);
    return guard_form(r, arena, node, (struct form_kind){.quotes = true}, NULL, 0, out, e);
}

int kept_form_add(struct reader *r, struct arena *arena, int64_t node, enum label label,
                  struct strbuf *out, struct error *e)
{
    size_t before = out->len;
    uint64_t copy_of = 0;
    int told = guard_hides(r) ? add_guarded(r, arena, node, out, &copy_of, e)
                              : add_open(r, arena, node, out, &copy_of, e);
    if (told || out->failed)
        return told < 0 ? -1 : 0;
    strbuf_addstr(out, ",\"label\":\"");
    strbuf_addstr(out, label_name(label));
    strbuf_addch(out, '"');
    note(r, node, before, out->len - before, copy_of);
    strbuf_addch(out, '}');
    return 0;
}
