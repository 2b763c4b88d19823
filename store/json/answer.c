#include "store/json/answer.h"

#include "model/format/exchange.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/ops/remedy.h"

int answer_read(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                struct error *e)
{
    if (memory_read(r, arena, node, m, e))
        return -1;
    if (m->status != STATUS_MISSING)
        return 0;
    return error_set(e, ERROR_NOT_FOUND, REMEDY_NAMED, "%s:%s %s", kind_name(m->ref.kind),
                     m->ref.id,
                     m->event ? "was taken back: only its ref is left"
                              : "is named by others and was never written here");
}

int answer_labelled(struct reader *r, struct arena *arena, int64_t node, enum label label,
                    struct strbuf *out, struct error *e)
{
    struct memory m;
    if (answer_read(r, arena, node, &m, e))
        return -1;
    exchange_write(out, &m, label_name(label));
    return 0;
}

static void end_form(struct strbuf *out, enum label label)
{
    strbuf_addf(out, ",\"label\":\"%s\"}", label_name(label));
}

/* A form that may say more than the caller is shown: what is hidden is left out of it, from `before` on. */
static int thin_form(struct reader *r, struct arena *arena, int64_t node, enum label label,
                     struct form_kind kind, size_t before, struct strbuf *out, struct error *e)
{
    enum sight sight = SIGHT_WHOLE;
    struct strbuf whole = STRBUF_INIT;
    if (guard_sight(r, node, &sight, e))
        return -1;
    if (sight == SIGHT_NONE)
        return error_set(e, ERROR_NOT_FOUND, "", "there is no such memory");
    strbuf_add(&whole, out->buf + before, out->len - before);
    strbuf_cut(out, before);
    int result = sight == SIGHT_OWNER
                     ? guard_add_withheld(r, arena, node, out, e)
                     : guard_form(r, arena, node, kind, whole.buf, whole.len, out, e);
    if (result == 0 && sight == SIGHT_WHOLE)
        end_form(out, label);
    strbuf_release(&whole);
    return result;
}

int answer_form(struct reader *r, struct arena *arena, int64_t node, enum label label,
                struct strbuf *out, struct error *e)
{
    struct memory m;
    size_t before = out->len;
    if (answer_read(r, arena, node, &m, e))
        return -1;
    exchange_write(out, &m, NULL);
    strbuf_cut(out, out->len - 1); /* the label follows */
    struct form_kind kind = guard_form_kind(out->buf + before, out->len - before);
    bool open = guard_hides(r) ? guard_form_is_open(r, kind, out->buf + before, out->len - before)
                               : !kind.quotes || !guard_masks(r);
    if (!open)
        return thin_form(r, arena, node, label, kind, before, out, e);
    end_form(out, label);
    return 0;
}

int answer_memory(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                  struct error *e)
{
    struct row_label label;
    if (reader_begin(r, e))
        return -1;
    int result = labels_of_rows(r, &node, 1, &label, e) ||
                         answer_labelled(r, arena, node, label.label, out, e)
                     ? -1
                     : 0;
    reader_end(r);
    return result;
}

void answer_orphan(struct strbuf *out, const struct orphan *orphan)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "ref");
    exchange_add_ref(out, orphan->ref);
    json_key(&o, "problem");
    json_add_string(out, problem_name(orphan->problem));
    json_key(&o, "field");
    json_add_string(out, orphan->field);
    json_key(&o, "target");
    json_add_string(out, orphan->target);
    json_end(&o);
}
