#include "store/json/answer.h"

#include "model/format/exchange.h"
#include "model/json/json.h"
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
