#include "tui/cli/stale.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/history/history.h"
#include "tui/render/brief.h"
#include "tui/render/difference_sheet.h"
#include "tui/cli/opening.h"

static int write_json(struct invocation *i, struct reader *r, int64_t row, int64_t expected,
                      const struct error *refusal, struct error *e)
{
    struct strbuf *out = &i->out.text;
    size_t start = out->len;
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "error", error_name(refusal->code));
    json_pair(&o, "message", refusal->what);
    strbuf_addch(out, ',');
    int result = version_both(r, &i->arena, row, expected, out, e);
    json_end(&o);
    strbuf_addch(out, '\n');
    if (result)
        strbuf_cut(out, start);
    return result;
}

static int print_both(struct invocation *i, struct reader *r, int64_t row, int64_t expected,
                      struct error *e)
{
    struct strbuf form = STRBUF_INIT;
    struct memory was, now;
    int found = version_form(r, row, expected, &form, e);
    if (found < 0 || memory_read(r, &i->arena, row, &now, e) ||
        (found &&
         exchange_read(&was, &i->arena, form.buf, form.len, "", now.created_at, NULL, e))) {
        strbuf_release(&form);
        return -1;
    }
    strbuf_release(&form);
    if (!found) {
        strbuf_addf(&i->out.text, "Version %lld is not known; it is at %lld.\n",
                    (long long)expected, (long long)now.version);
        return 0;
    }
    output_printf(&i->out, STYLE_STRONG, "From version %lld to %lld, which is stored:\n",
                  (long long)expected, (long long)now.version);
    return difference_print(&i->out, &was, &now, 2, NULL, e);
}

void stale_print(struct invocation *i, const char *ref, int64_t expected, const struct error *e)
{
    struct opened o;
    struct error ignored; /* the refusal is what matters */
    if (opening_open(i, NULL, false, &o, &ignored))
        return;
    int64_t row = opening_resolve(o.reader, ref, &ignored);
    if (row > 0 && i->out.json)
        write_json(i, o.reader, row, expected, e, &ignored);
    else if (row > 0)
        print_both(i, o.reader, row, expected, &ignored);
    opening_close(&o);
}

/* ---- an undo ---- */

static bool differs(const struct memory *a, const struct memory *b)
{
    return !a != !b || (a && a->version != b->version);
}

static void write_side(struct json_object *o, const char *name, const struct memory *m)
{
    json_key(o, name);
    if (m)
        exchange_write(o->out, m, NULL);
    else
        strbuf_addstr(o->out, "null");
}

static int write_event(struct strbuf *out, const struct revision *v, const struct memory *now)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "error", error_name(ERROR_CONFLICT));
    json_pair_int(&o, "event", v->event.seq);
    write_side(&o, "expected", v->after);
    write_side(&o, "present", now);
    json_end(&o);
    strbuf_addch(out, '\n');
    return 0;
}

/* What the event left, and what is stored now. */
static int print_event(struct invocation *i, struct reader *r, int64_t seq, struct error *e)
{
    struct revision v;
    const struct memory *now;
    struct output *out = &i->out;
    if (history_at(r, &i->arena, seq, &v, &now, e))
        return -1;
    if (!differs(v.after, now))
        return 0;
    if (out->json)
        return write_event(&out->text, &v, now);
    output_printf(out, STYLE_STRONG, "Since event %lld:", (long long)seq);
    strbuf_addstr(&out->text, " ");
    output_ref(out, STYLE_TEXT, v.event.ref);
    strbuf_addch(&out->text, '\n');
    return difference_print(out, v.after, now, 2, NULL, e);
}

static int print_batch(struct invocation *i, struct reader *r, int64_t seq, struct error *e)
{
    int64_t *batch;
    size_t count;
    if (history_batch(r, &i->arena, seq, &batch, &count, e))
        return -1;
    for (size_t n = 0; n < count; n++)
        if (print_event(i, r, batch[n], e))
            return -1;
    return 0;
}

void stale_undo_print(struct invocation *i, const int64_t *seqs, size_t count, bool redo)
{
    struct opened o;
    struct error ignored; /* the refusal is what matters */
    int64_t *meant = NULL;
    struct actor person = opening_person(i);
    if (opening_open(i, NULL, false, &o, &ignored))
        return;
    if (count == 0 && history_to_undo(o.reader, &i->arena, person.name, redo, &meant, &count, NULL,
                                      &ignored) == 0) {
        for (size_t n = 0; n < count; n++)
            print_event(i, o.reader, meant[n], &ignored);
        count = 0;
    }
    for (size_t n = 0; n < count && seqs; n++)
        print_batch(i, o.reader, seqs[n], &ignored);
    opening_close(&o);
}
