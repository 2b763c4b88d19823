#include "store/json/answer.h"

#include "model/format/exchange.h"
#include "model/base/utf8.h"
#include "model/json/json.h"
#include "store/guard/guard.h"
#include "store/db/reader.h"
#include "model/base/hints.h"

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

/* What a memory's form says of entries. */
struct form_kind {
    bool is_entry; /* it is one's */
    bool may_name; /* it may name one, beside its own ref */
    bool quotes;   /* it has an excerpt */
};

/* ---- as the caller sees it ---- */

static int add_withheld(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                        struct error *e)
{
    struct memory_row row;
    if (memory_row_read(r, arena, node, &row, e))
        return -1;
    struct json_object o = json_begin(out, '{');
    exchange_pair_ref(&o, "ref", row.ref);
    json_pair(&o, "agent_id", row.agent_id ? row.agent_id : "");
    json_pair_bool(&o, "withheld", true);
    json_end(&o);
    return 0;
}

static int add_thinned(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                       struct error *e)
{
    struct memory m;
    if (answer_read(r, arena, node, &m, e) || guard_memory(r, arena, &m, e) ||
        guard_excerpts(r, arena, &m, e))
        return -1;
    m.form = NULL;
    exchange_write(out, &m, NULL);
    strbuf_cut(out, out->len - 1);
    return 0;
}

static const char excerpt[] = "\"excerpt\":\"";
static const char begins_entry[] = "{\"ref\":\"entry:";

static struct form_kind kind_of_form(const char *form, size_t len)
{
    size_t begun = sizeof(begins_entry) - 1;
    bool is_entry = len >= begun && memcmp(form, begins_entry, begun) == 0;
    size_t at = is_entry ? begun : 0;
    return (struct form_kind){.is_entry = is_entry,
                              .may_name = guard_may_name(form + at, len - at),
                              .quotes = memmem(form, len, excerpt, sizeof(excerpt) - 1) != NULL};
}

/* `{"ref":"KIND:…","agent_id":"…"`: no entry, names none, and is the caller's own or one of nobody's. */
static bool is_open(struct reader *r, struct form_kind kind, const char *form, size_t len)
{
    static const char middle[] = "\",\"agent_id\":\"";
    char agent[256];
    if (kind.is_entry || kind.may_name || (kind.quotes && guard_masks(r)))
        return false;
    const char *at = memmem(form, len < 600 ? len : 600, middle, sizeof(middle) - 1);
    if (!at || memchr(form, '\\', (size_t)(at - form)))
        return false;
    at += sizeof(middle) - 1;
    size_t left = len - (size_t)(at - form);
    const char *end = memchr(at, '"', left < sizeof(agent) ? left : sizeof(agent));
    if (!end || memchr(at, '\\', (size_t)(end - at)))
        return false;
    memcpy(agent, at, (size_t)(end - at));
    agent[end - at] = '\0';
    return !guard_hides_agent(r, agent);
}

static int add_seen(struct reader *r, struct arena *arena, int64_t node, struct form_kind kind,
                    const char *whole, size_t len, struct strbuf *out, struct error *e)
{
    const char *key, *shown = NULL;
    struct strbuf seen = STRBUF_INIT;
    if (kind.is_entry && guard_key(r, arena, node, &key, &shown, e))
        return -1;
    struct strbuf *to = shown ? &seen : out;
    int result = 0;
    if (kind.may_name || (kind.quotes && guard_masks(r)))
        result = add_thinned(r, arena, node, to, e);
    else
        strbuf_add(to, whole, len);
    if (result == 0 && shown)
        guard_add_shown(out, seen.buf, seen.len, key, shown);
    strbuf_release(&seen);
    return result;
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
                     ? add_withheld(r, arena, node, out, e)
                     : add_seen(r, arena, node, kind, whole.buf, whole.len, out, e);
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
    struct form_kind kind = kind_of_form(out->buf + before, out->len - before);
    bool open = guard_hides(r) ? is_open(r, kind, out->buf + before, out->len - before)
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
    exchange_pair_ref(&o, "ref", orphan->ref);
    json_pair(&o, "problem", problem_name(orphan->problem));
    json_pair(&o, "field", orphan->field);
    json_pair(&o, "target", orphan->target);
    json_end(&o);
}
