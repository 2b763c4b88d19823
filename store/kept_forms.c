#include "kept_forms.h"

#include <pthread.h>
#include <string.h>
#include "../model/alloc.h"
#include "../model/exchange.h"
#include "../model/json.h"
#include "answer.h"
#include "entry_row.h"
#include "guard.h"
#include "reader.h"
#include "store_state.h"

#define SLOTS      4096 /* a row has one place: what falls on it later takes it over */
#define FORM_MAX   (8 << 10)
#define BYTES_MAX  (3 << 20) /* of all that is kept */
#define EVENTS_MAX 4096      /* after more than that nothing is looked through: all is given up */

struct slot {
    int64_t row;
    char *form; /* NULL: empty */
    size_t len; /* without the last brace, which stands behind */
    struct form_kind kind;
    uint64_t number;    /* no other form had it */
    uint64_t looked_by; /* the rules by which it was looked through last; 0: none */
    bool clean;         /* they found no personal data in it */
};

struct kept_forms {
    pthread_mutex_t lock;
    int64_t seq;      /* the event up to which all of it holds */
    uint64_t numbers; /* that were given */
    size_t bytes;
    size_t hand; /* the slot that is given up next where there are too many bytes */
    struct slot slot[SLOTS];
};

struct kept_forms *kept_forms_new(void)
{
    struct kept_forms *k = xcalloc(1, sizeof(*k));
    pthread_mutex_init(&k->lock, NULL);
    return k;
}

static struct slot *slot_of(struct kept_forms *k, int64_t row)
{
    return &k->slot[(uint64_t)row % SLOTS];
}

static void empty(struct kept_forms *k, struct slot *slot)
{
    k->bytes -= slot->form ? slot->len : 0;
    free(slot->form);
    *slot = (struct slot){0};
}

static void empty_all(struct kept_forms *k)
{
    for (size_t i = 0; i < SLOTS; i++)
        empty(k, &k->slot[i]);
}

void kept_forms_free(struct kept_forms *k)
{
    if (!k)
        return;
    empty_all(k);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

/* Gives up the subjects of the events since then. */
static int drop_changed(struct kept_forms *k, struct db *db, struct error *e)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT subject FROM event WHERE seq > ? AND subject IS NOT NULL", e);
    int more = stmt ? db_bind(db, stmt, e, "i", k->seq) : -1;
    for (; more > 0; more = db_step(db, stmt, e)) {
        int64_t row = sqlite3_column_int64(stmt, 0);
        if (slot_of(k, row)->row == row)
            empty(k, slot_of(k, row));
    }
    return more;
}

/* Brings it to the reader's moment: 1; 0: it is ahead of it. */
static int bring_to(struct kept_forms *k, struct reader *r, int64_t seq, struct error *e)
{
    if (k->seq >= seq)
        return k->seq == seq;
    if (k->bytes > 0 && seq - k->seq > EVENTS_MAX)
        empty_all(k);
    if (k->bytes > 0 && drop_changed(k, reader_db(r), e))
        return -1;
    k->seq = seq;
    return 1;
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
    pthread_mutex_lock(&k->lock);
    const struct slot *slot = slot_of(k, row);
    int found = bring_to(k, r, seq, e);
    if (found > 0 && (found = slot->form && slot->row == row)) {
        strbuf_add(out, slot->form, slot->len);
        *copied = (struct copied){slot->kind, slot->number};
    }
    pthread_mutex_unlock(&k->lock);
    return found;
}

/* Where there is no memory for it, it is not kept. */
static void keep(struct kept_forms *k, int64_t seq, int64_t row, const char *form, size_t len,
                 struct copied *copied)
{
    pthread_mutex_lock(&k->lock);
    struct slot *slot = slot_of(k, row);
    char *copy = k->seq == seq ? malloc(len + 1) : NULL;
    if (copy) {
        memcpy(copy, form, len);
        copy[len] = '}';
        empty(k, slot);
        while (k->bytes + len > BYTES_MAX)
            empty(k, &k->slot[k->hand++ % SLOTS]);
        copied->of = ++k->numbers;
        *slot = (struct slot){
            .row = row, .form = copy, .len = len, .kind = copied->kind, .number = copied->of};
        k->bytes += len;
    }
    pthread_mutex_unlock(&k->lock);
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

/* What was written over earlier ones stands there now. */
static void note(struct reader *r, int64_t row, size_t at, uint64_t copy_of)
{
    struct guard_known *known = reader_guard_known(r);
    while (known->form_count > 0 && known->form[known->form_count - 1].at >= at)
        known->form_count--;
    if (copy_of && reader_guarded(r) && known->form_count < GUARD_FORMS)
        known->form[known->form_count++] = (struct guard_form_at){row, at, copy_of};
}

/* One that gave way and comes again is known by its mark, unread. */
static bool is_clean(struct slot *slot, const struct guard_rules *g)
{
    if (slot->looked_by != guard_serial_of(g)) {
        slot->clean = !guard_finds_in_json(g, slot->form, slot->len + 1);
        slot->looked_by = guard_serial_of(g);
    }
    return slot->clean;
}

/* What an answer cut off again and wrote over does not begin as a form does, with its ref. */
#define BEGINNING 80

/* The label behind a form is a word of our own: its bytes with its name, 0 where there is none. */
static size_t label_at(const char *json, size_t len)
{
    static const char begins[] = ",\"label\":\"";
    size_t at = sizeof(begins) - 1;
    if (len <= at || memcmp(json, begins, at) != 0)
        return 0;
    while (at < len && ((json[at] >= 'a' && json[at] <= 'z') || json[at] == '-'))
        at++;
    return at < len && json[at] == '"' ? at + 1 : 0;
}

/* How many bytes a form takes with its label that stands there as it is kept, and is clean; 0: none does. */
static size_t clean_form(struct kept_forms *k, const struct guard_rules *g,
                         const struct guard_form_at *form, const char *json, size_t len)
{
    struct slot *slot = slot_of(k, form->row);
    bool stands = slot->form && slot->number == form->copy_of && slot->len <= len &&
                  memcmp(slot->form, json, slot->len < BEGINNING ? slot->len : BEGINNING) == 0;
    return stands && is_clean(slot, g) ? slot->len + label_at(json + slot->len, len - slot->len)
                                       : 0;
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
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < known->form_count; i++) {
        size_t at = known->form[i].at;
        if (at < done || at >= len)
            continue;
        size_t form = clean_form(k, g, &known->form[i], json + at, len - at);
        if (form == 0)
            continue;
        if (done == 0 || !is_between(json + done, at - done)) {
            strbuf_add(rest, json + done, at - done);
            strbuf_add(rest, "{\"\":0", 5);
        }
        done = at + form;
    }
    pthread_mutex_unlock(&k->lock);
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
    note(r, node, before, copy_of);
    strbuf_addstr(out, ",\"label\":");
    json_add_string(out, label_name(label));
    strbuf_addch(out, '}');
    return 0;
}
