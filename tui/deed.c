#include "deed.h"

#include "../model/alloc.h"
#include "../model/strbuf.h"

static const char **copy_list(struct arena *a, const char *const *list, size_t count)
{
    const char **copy = count ? arena_array(a, count, sizeof(*copy)) : NULL;
    for (size_t i = 0; copy && i < count; i++)
        if (!(copy[i] = arena_strdup(a, list[i])))
            return NULL;
    return copy;
}

static const int64_t *copy_numbers(struct arena *a, const int64_t *list, size_t count)
{
    return count ? arena_memdup(a, list, count * sizeof(*list)) : NULL;
}

static struct deed *make(unsigned how)
{
    struct deed *d = xcalloc(1, sizeof(*d));
    d->arena = d->answers = (struct arena)ARENA_INIT;
    d->how = how;
    d->about = "";
    return d;
}

/* Did all of a list find room? */
static bool has(const void *copy, size_t count)
{
    return count == 0 || copy;
}

static void copy_request(struct deed *d, const struct request *q)
{
    struct arena *a = &d->arena;
    d->q = *q;
    d->q.refs = copy_list(a, q->refs, q->ref_count);
    d->q.nodes = copy_numbers(a, q->nodes, q->node_count);
    d->q.text = q->text ? arena_strndup(a, q->text, q->text_len) : NULL;
    d->q.tags = copy_list(a, q->tags, q->tag_count);
    d->q.fields = arena_strdup(a, q->fields);
    d->q.source = arena_strdup(a, q->source);
    d->q.agent = arena_strdup(a, q->agent);
    d->q.evidence = copy_list(a, q->evidence, q->evidence_count);
    d->q.contradicts = copy_list(a, q->contradicts, q->contradict_count);
    d->q.date = arena_strdup(a, q->date);
    d->q.statements = copy_list(a, q->statements, q->statement_count);
    d->q.mark = arena_strdup(a, q->mark);
    d->q.value = arena_strdup(a, q->value);
    d->q.seqs = copy_numbers(a, q->seqs, q->seq_count);
    d->q.reason = arena_strdup(a, q->reason);
}

/* What did not fit into memory must not be done in part. */
static bool is_whole(const struct deed *d, const struct request *q)
{
    return has(d->q.refs, q->ref_count) && has(d->q.nodes, q->node_count) &&
           has(d->q.tags, q->tag_count) && has(d->q.evidence, q->evidence_count) &&
           has(d->q.contradicts, q->contradict_count) && has(d->q.statements, q->statement_count) &&
           has(d->q.seqs, q->seq_count) && !q->text == !d->q.text && !q->fields == !d->q.fields;
}

struct deed *deed_new(enum operation op, const struct request *q, unsigned how)
{
    struct deed *d = make(how);
    d->op = op;
    copy_request(d, q);
    d->node = q->node_count == 1 && q->ref_count == 0 ? q->nodes[0] : 0;
    if (is_whole(d, q))
        return d;
    deed_free(d);
    return NULL;
}

struct deed *deed_new_addition(const struct add_request *add, size_t text_len, unsigned how)
{
    struct deed *d = make(how);
    struct arena *a = &d->arena;
    d->op = OPERATION_COUNT;
    d->add = *add;
    d->add_len = text_len;
    d->add.text = arena_strndup(a, add->text, text_len);
    d->add.agent_id = arena_strdup(a, add->agent_id);
    d->add.source = arena_strdup(a, add->source);
    d->add.source_type = arena_strdup(a, add->source_type);
    d->add.source_entity = arena_strdup(a, add->source_entity);
    d->add.context = arena_strdup(a, add->context);
    d->add.detail = arena_strdup(a, add->detail);
    d->add.tags = copy_list(a, add->tags, add->tag_count);
    d->add.derived_from = copy_list(a, add->derived_from, add->derived_count);
    d->add.relates_to = copy_list(a, add->relates_to, add->relates_count);
    if (d->add.text && has(d->add.tags, add->tag_count) &&
        has(d->add.derived_from, add->derived_count) &&
        has(d->add.relates_to, add->relates_count) && !add->detail == !d->add.detail)
        return d;
    deed_free(d);
    return NULL;
}

void deed_free(struct deed *d)
{
    if (!d)
        return;
    arena_release(&d->arena);
    arena_release(&d->answers);
    free(d);
}

const char *deed_name(const struct deed *d)
{
    return d->op == OPERATION_COUNT ? "add" : operation_entry(d->op)->name;
}

const struct operation_entry *deed_entry(const struct deed *d)
{
    return d->op == OPERATION_COUNT ? NULL : operation_entry(d->op);
}

/* ---- what a plan comes to ---- */

static void add_state(struct strbuf *out, const struct memory *m)
{
    if (!m) {
        strbuf_addstr(out, "none\n");
        return;
    }
    strbuf_addf(out, "%d %d %a %d %s %zu %zu %zu %zu %zu %zu\n", (int)m->ref.kind, (int)m->status,
                m->confidence, m->is_protected, m->source_type ? m->source_type : "",
                m->justification_count, m->relation_count, m->mark_count, m->history_count,
                m->tag_count, m->annotation_count);
}

static void add_consequences(struct strbuf *out, const struct consequence *list, size_t count)
{
    strbuf_addf(out, "%zu\n", count);
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, "%lld %d %u %u\n", (long long)list[i].node, (int)list[i].before,
                    (unsigned)list[i].holds, (unsigned)list[i].remain);
}

static void add_strings(struct strbuf *out, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_addf(out, "%zu:%s\n", strlen(list[i]), list[i]);
}

void deed_digest(struct digest *out, const struct plan *p)
{
    struct strbuf bytes = STRBUF_INIT;
    for (size_t i = 0; i < p->count; i++) {
        const struct planned *c = &p->change[i];
        strbuf_addf(&bytes, "%s %lld %lld %lld\n", c->operation,
                    (long long)(c->before ? c->before->node : 0),
                    (long long)(c->before ? c->before->version : 0), (long long)c->undoes);
        add_state(&bytes, c->after);
    }
    add_consequences(&bytes, p->falls, p->fall_count);
    add_consequences(&bytes, p->weakened, p->weakened_count);
    strbuf_addf(&bytes, "%lld\n", (long long)p->descends);
    add_strings(&bytes, p->left, p->left_count);
    add_strings(&bytes, p->remarks, p->remark_count);
    digest_bytes(out, bytes.buf, bytes.len);
    if (bytes.failed) /* agrees with nothing */
        *out = (struct digest){{0}};
    strbuf_release(&bytes);
}
