/* What the tools of operations share: one is carried out as the agent of the call. */
#include "model/format/exchange_parts.h"
#include "store/txn/txn.h"
#include "store/history/version.h"
#include "store/mcp/tools/tools.h"

const struct field changed_fields[] = {CHANGED_FIELDS, FIELD_END};

struct deed deed_begin(struct mcp_call *call, struct txn *t)
{
    struct deed d = {.call = call, .txn = t, .taking = take_from(call), .q = REQUEST_INIT};
    d.ref = take_text(&d.taking, "ref", NULL);
    d.q.reason = take_text(&d.taking, "reason", NULL);
    return d;
}

/* Which version was read, and which is there: an agent decides by both. */
static void tell_versions(struct deed *d)
{
    struct strbuf both = STRBUF_INIT;
    struct error e;
    struct reader *r = txn_reader(d->txn, &e);
    if (r && version_both(r, &d->call->arena, d->row, d->q.expected_version, &both, &e) == 0)
        d->call->details = arena_strndup(&d->call->arena, both.buf, both.len);
    strbuf_release(&both);
}

static int find(struct deed *d, struct error *e)
{
    struct reader *r = txn_reader(d->txn, e);
    if (!r || take_end(&d->taking, e))
        return -1;
    if (!d->ref)
        return 0;
    d->row = ref_resolve(r, d->ref, e);
    d->q.nodes = &d->row;
    d->q.node_count = 1;
    if (d->row > 0)
        d->call->subject = d->row;
    return d->row > 0 ? check_whole(r, d->row, e) : -1;
}

int deed_do(struct deed *d, enum operation op, struct error *e)
{
    if (find(d, e))
        return -1;
    if (operation_in(d->txn, &d->call->actor, op, &d->q, &d->call->arena, &d->p, e) == 0)
        return 0;
    if (e->code == ERROR_CONFLICT && d->q.expected_version)
        tell_versions(d);
    return -1;
}

static void add_words(struct json_object *o, const char *name, const char **texts, size_t count)
{
    if (count == 0)
        return;
    json_key(o, name);
    struct json_object list = json_begin(o->out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&list);
        json_add_string(o->out, texts[i]);
    }
    json_end(&list);
}

/* Others' memories are not named, though something may have been left as it was for them. */
static int add_left(struct reader *r, struct json_object *o, struct deed *d, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->p.left_count; i++) {
        bool hidden;
        if (guard_begins_hidden(r, d->p.left[i], &hidden, e))
            return -1;
        if (!hidden)
            d->p.left[kept++] = d->p.left[i];
    }
    add_words(o, "left", d->p.left, kept);
    return 0;
}

int deed_answer(struct deed *d, int64_t row, struct json_object *o, struct error *e)
{
    struct mcp_call *call = d->call;
    struct memory_row m;
    struct reader *r = txn_reader(d->txn, e);
    if (!r || memory_row_read(r, &call->arena, row, &m, e))
        return -1;
    *o = json_begin(&call->result, '{');
    json_key(o, "ref");
    exchange_add_ref(&call->result, m.ref);
    json_pair_int(o, "version", m.version);
    add_words(o, "unresolved", d->p.unresolved, d->p.unresolved_count);
    return add_left(r, o, d, e);
}

int deed_whole(struct mcp_call *call, struct txn *t, enum operation op, struct error *e)
{
    struct json_object o;
    struct deed d = deed_begin(call, t);
    if (deed_do(&d, op, e) || deed_answer(&d, d.row, &o, e))
        return -1;
    json_end(&o);
    return 0;
}

const struct memory *deed_added(const struct deed *d)
{
    for (size_t i = 0; i < d->p.count; i++)
        if (!d->p.change[i].before)
            return d->p.change[i].after;
    return NULL;
}
