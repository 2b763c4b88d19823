/* Memories that match a query. */
#include "store/query/matcher.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/memory/confidence.h"
#include "store/db/db.h"
#include "store/db/reader.h"
#include "store/guard/guard.h"
#include "store/lineage/effective.h"
#include "store/lineage/loaded.h"
#include "store/query/order.h"
#include "store/query/search_words.h"

/* ---- what the indexes of a list decide ---- */

/* No kind and no status: nothing matches. */
#define NO_BITS (UINT32_C(1) << 31)

static unsigned narrow_bits(unsigned bits, unsigned all, const struct query_term *t)
{
    bits = bits ? bits : all;
    bits &= t->negated ? ~t->bits : t->bits;
    return bits ? bits : NO_BITS;
}

/* A status that is asked for is listed although lists leave it out; so are ended memories. */
static unsigned statuses_asked(const struct query_terms *terms, unsigned statuses)
{
    const struct query_term *label = query_term(terms, QUERY_LABEL);
    bool ended = label && label->bits & 1u << LABEL_ENDED;
    bool usual = !statuses || statuses == STATUSES_LISTED;
    return query_term(terms, QUERY_STATUS) || (ended && usual) ? STATUSES_ALL : statuses;
}

/* Bounds outside of the numbers of ms that a time can have are none. */
#define TIME_MOST 9e15

static void narrow_range(struct list_range *range, const struct query_term *t)
{
    if (t->low > -TIME_MOST) {
        int64_t from = (int64_t)t->low + t->low_open;
        range->from = range->has_from && range->from > from ? range->from : from;
        range->has_from = true;
    }
    if (t->high < TIME_MOST) {
        int64_t to = (int64_t)t->high - t->high_open;
        range->to = range->has_to && range->to < to ? range->to : to;
        range->has_to = true;
    }
}

/* An agent by its whole name is found by the index. */
static bool narrow_agent(struct reader *r, const struct query_term *t, struct list_query *list)
{
    struct named_agent of = list_named_agent(r, t->text);
    if (list->agent || list->claimed || t->negated)
        return false;
    list->agent = of.agent;
    list->claimed = of.claimed;
    return true;
}

static int narrow(struct matcher *m, struct reader *r, size_t i, struct list_query *list,
                  struct error *e)
{
    const struct query_term *t = &m->terms->term[i];
    bool is = false;
    if (t->field == QUERY_AGENT && list_has_agent(r, t->text, &is, e))
        return -1;
    m->state[i] |= is ? TERM_EXACT : 0;
    switch (list ? t->field : QUERY_FIELDS) {
    case QUERY_KIND:
        list->kinds = narrow_bits(list->kinds, KINDS_ALL, t);
        break;
    case QUERY_STATUS:
        list->statuses = narrow_bits(list->statuses, STATUSES_LISTED, t);
        break;
    case QUERY_AGENT:
        if (!is || !narrow_agent(r, t, list))
            return 0;
        break;
    case QUERY_CLAIMS:
        if (t->negated || list->claimed)
            return 0;
        list->claimed = t->text;
        break;
    case QUERY_CREATED:
    case QUERY_UPDATED:
        if (t->negated)
            return 0;
        narrow_range(t->field == QUERY_CREATED ? &list->created : &list->updated, t);
        break;
    default:
        return 0;
    }
    m->state[i] |= TERM_DONE;
    return 0;
}

/* ---- what arrays over all rows decide ---- */

/* The bit of what lists show in their column of flags; 0 for "none", -1 for another flag. */
static int row_flag_of(const struct query_term *t)
{
    for (int i = 0; t->field == QUERY_FLAG && i <= ROW_FLAGS; i++)
        if (!strcmp(row_flag_name(i), t->folded))
            return i < ROW_FLAGS ? 1 << i : 0;
    return -1;
}

static bool is_of_array(const struct query_term *t)
{
    enum query_field field = t->field;
    if (field == QUERY_FLAG)
        return row_flag_of(t) < 0;
    return field == QUERY_LABEL || field == QUERY_ROOTS || field == QUERY_USES;
}

/* Memories that have the node in a justification. The justifications of a memory stand together. */
static uint32_t count_uses(const struct graph *g, uint32_t node)
{
    uint32_t count = 0, last = NODE_NONE;
    for (uint32_t i = g->use_first[node]; i < g->use_first[node + 1]; i++) {
        uint32_t user = g->just_node[g->use_just[i]];
        count += user != last;
        last = user;
    }
    return count;
}

/* `k` is read for roots. */
static bool node_has(const struct loaded *l, const struct keystones *k, const struct query_term *t,
                     uint32_t node)
{
    switch (t->field) {
    case QUERY_LABEL:
        return t->bits >> l->labels.label[node] & 1;
    case QUERY_USES:
        return term_has(t, count_uses(&l->graph, node));
    default:
        return term_has(t, reliance_roots(k->independent[node]));
    }
}

/* Adds 2 to the byte of each row with the flag, or with a part of its name if no flag has it whole. */
static int find_flagged(struct matcher *m, struct reader *r, const struct query_term *t,
                        struct error *e)
{
    int64_t whole = 0;
    if (db_int(reader_db(r), &whole, 0, e, "SELECT EXISTS (SELECT 1 FROM mark WHERE mark = ?)", "s",
               t->text))
        return -1;
    struct query rows = db_query(reader_db(r), e,
                                 whole ? "SELECT memory FROM mark WHERE mark = ?"
                                       : "SELECT memory FROM mark WHERE instr(lower(mark), ?)",
                                 "s", whole ? t->text : t->folded);
    while (db_next(&rows)) {
        size_t row = (size_t)sqlite3_column_int64(rows.stmt, 0);
        if (row >= 1 && row <= m->byte_count)
            m->byte[row - 1] |= 2;
    }
    return db_end(&rows);
}

static int keep_flagged(struct matcher *m, struct reader *r, const struct query_term *t,
                        struct error *e)
{
    if (find_flagged(m, r, t, e))
        return -1;
    for (size_t i = 0; i < m->byte_count; i++)
        m->byte[i] = m->byte[i] == (t->negated ? 1 : 3);
    return 0;
}

static int keep_nodes(struct matcher *m, struct reader *r, const struct loaded *l,
                      const struct query_term *t, struct error *e)
{
    const struct keystones *k = t->field == QUERY_ROOTS ? loaded_keystones(l, r, e) : NULL;
    if (t->field == QUERY_ROOTS && !k)
        return -1;
    for (size_t i = 0; i < m->byte_count; i++)
        m->byte[i] &= i < l->rows && node_has(l, k, t, (uint32_t)i) != t->negated;
    return 0;
}

/* Bytes that the list had already stay a condition. */
static void keep_bytes(struct matcher *m, const struct list_query *list)
{
    for (size_t i = 0; list && list->bytes && i < m->byte_count; i++)
        m->byte[i] &= i < list->byte_count && list->bytes[i] == list->byte;
}

static int fill(struct matcher *m, struct reader *r, const struct loaded *l, struct error *e)
{
    for (size_t i = 0; i < m->terms->count; i++) {
        const struct query_term *t = &m->terms->term[i];
        if (!is_of_array(t))
            continue;
        m->state[i] |= TERM_DONE;
        if (t->field == QUERY_FLAG ? keep_flagged(m, r, t, e) : keep_nodes(m, r, l, t, e))
            return -1;
    }
    return 0;
}

static int make_bytes(struct matcher *m, struct reader *r, struct list_query *list, struct error *e)
{
    const struct loaded *l = NULL;
    bool arrays = false, labels = false, graph = false;
    int64_t rows = 0;
    for (size_t i = 0; i < m->terms->count; i++) {
        enum query_field field = m->terms->term[i].field;
        arrays |= is_of_array(&m->terms->term[i]);
        labels |= field == QUERY_LABEL;
        graph |= field == QUERY_ROOTS || field == QUERY_USES;
    }
    if (!arrays)
        return 0;
    if ((labels || graph) && !(l = graph ? loaded_get(r, e) : loaded_labels_get(r, e)))
        return -1;
    if (!l && db_int(reader_db(r), &rows, 0, e, "SELECT max(id) FROM memory", ""))
        return -1;
    m->byte_count = l ? l->rows : (size_t)rows;
    m->byte = xmalloc(m->byte_count + 1);
    memset(m->byte, 1, m->byte_count);
    keep_bytes(m, list);
    int result = fill(m, r, l, e);
    loaded_release(l);
    if (!list)
        return result;
    list->bytes = m->byte;
    list->byte_count = m->byte_count;
    list->byte = 1;
    return result;
}

/* What is read of each row for the terms that are not decided yet. */
static void choose_reads(struct matcher *m)
{
    m->words = m->texts = m->rows = false;
    for (size_t i = 0; i < m->terms->count; i++) {
        enum query_field field = m->terms->term[i].field;
        if (m->state[i] & TERM_DONE)
            continue;
        bool words = field == QUERY_TEXT || field == QUERY_REGEX;
        m->words |= words;
        m->texts |= words || field == QUERY_TAG || field == QUERY_SOURCE || field == QUERY_TOLD;
        m->rows |= field != QUERY_TAG && field != QUERY_TOLD && field != QUERY_CONFIDENCE;
    }
}

int matcher_make(struct matcher *m, struct reader *r, const struct query_terms *terms,
                 struct list_query *list, struct error *e)
{
    *m = (struct matcher){
        .terms = terms, .arena = ARENA_INIT, .state = xcalloc(terms->count + 1, 1)};
    if (list)
        list->statuses = statuses_asked(terms, list->statuses);
    for (size_t i = 0; i < terms->count; i++)
        if (narrow(m, r, i, list, e))
            return -1;
    if (make_bytes(m, r, list, e))
        return -1;
    choose_reads(m);
    return 0;
}

void matcher_words_found(struct matcher *m)
{
    for (size_t i = 0; i < m->terms->count; i++) {
        const struct query_term *t = &m->terms->term[i];
        if (t->field == QUERY_TEXT && !t->negated && !strpbrk(t->text, " \t\n"))
            m->state[i] |= TERM_DONE;
    }
    choose_reads(m);
}

bool matcher_is_done(const struct matcher *m)
{
    for (size_t i = 0; i < m->terms->count; i++)
        if (!(m->state[i] & TERM_DONE))
            return false;
    return true;
}

void matcher_release(struct matcher *m)
{
    free(m->byte);
    free(m->state);
    ranks_release(m->ranks);
    arena_release(&m->arena);
    *m = (struct matcher){.arena = ARENA_INIT};
}

/* ---- what is checked for each row ---- */

struct checked {
    struct reader *r;
    int64_t row;
    struct memory_row shown;
    struct memory
        parts; /* text, tags, source, source_entity, context, detail as the caller may search them */
};

static bool has_tag(const struct query_term *t, const struct memory *m)
{
    AUTO_STRBUF tag = STRBUF_INIT;
    bool found = m->tag_count == 0 && !strcmp(t->folded, QUERY_NONE);
    for (size_t i = 0; i < m->tag_count && !found; i++) {
        strbuf_clear(&tag);
        fold_text(&tag, m->tags[i], strlen(m->tags[i]));
        found = !strcmp(tag.buf, t->folded);
    }
    return found;
}

/* The class of where the memory itself comes from, such as web or agent. */
static bool is_of_class(const struct query_term *t, const struct checked *c, const char *retrieved)
{
    struct trust_source from = {
        .type = c->shown.source_type ? source_type_from_name(c->shown.source_type) : -1,
        .entity = c->parts.source_entity,
        .retrieved = c->shown.ref.kind == KIND_ATTRIBUTION ? retrieved : NULL,
    };
    return !strcmp(t->folded, trust_class_name(trust_class_of(&from)));
}

static bool has_source(const struct query_term *t, struct matcher *m, const struct checked *c)
{
    static const char *const members[] = {"source_type", "source_uri", "uri", "document_name"};
    const char *type = c->shown.source_type, *member[sizeof(members) / sizeof(*members)] = {NULL};
    bool found = term_in(t, type) || (type && term_in(t, source_type_label(type))) ||
                 term_in(t, c->parts.source) || term_in(t, c->parts.source_entity);
    for (size_t i = 0; i < sizeof(members) / sizeof(*members) && !found; i++) {
        detail_text(&c->parts, members[i], &m->arena, &member[i]);
        found = term_in(t, member[i]);
    }
    return found || is_of_class(t, c, member[0]);
}

/* A ref begins with the value, or its id does. */
static bool is_memory(const struct query_term *t, const struct checked *c)
{
    AUTO_STRBUF ref = STRBUF_INIT;
    size_t len = strlen(t->text);
    ref_add(&ref, c->shown.ref);
    return !strncmp(ref.buf, t->text, len) || !strncmp(c->shown.ref.id, t->text, len);
}

/* Errors count as no. */
static bool claims(struct reader *r, int64_t row, const char *name)
{
    struct error ignored;
    int64_t found = 0;
    uint8_t key[LOOKUP_KEY_SIZE];
    lookup_key(key, LOOKUP_CLAIMED, name);
    return !db_int(reader_db(r), &found, 0, &ignored,
                   "SELECT 1 FROM lookup WHERE memory = ? AND field = ? AND key = ?", "iib", row,
                   (int64_t)LOOKUP_CLAIMED, (const void *)key, (size_t)LOOKUP_KEY_SIZE) &&
           found;
}

static bool has_agent(const struct matcher *m, size_t i, const struct checked *c)
{
    const struct query_term *t = &m->terms->term[i];
    return m->state[i] & TERM_EXACT ? c->shown.agent_id && !strcmp(c->shown.agent_id, t->text)
                                    : term_in(t, c->shown.agent);
}

/* The confidence that lists show; NAN if nobody stated one. One by one it costs little for a few rows, and more than
 * that of all rows for many. */
#define ONE_BY_ONE 500

static int find_confidence(struct matcher *m, struct reader *r, int64_t row, double *out,
                           struct error *e)
{
    struct row_label label;
    if (m->asked++ == ONE_BY_ONE && !(m->ranks = ranks_get(r, RANKED_BY_EFFECTIVE, e)))
        return -1;
    if (m->ranks && (uint64_t)row <= m->ranks->rows && m->ranks->value[row - 1] > 0) {
        *out = m->ranks->value[row - 1];
        return 0;
    }
    if (effective_of_rows(r, &row, 1, &label, e))
        return -1;
    *out = effective_shown(&label);
    return 0;
}

static int has_confidence(struct matcher *m, const struct query_term *t, const struct checked *c,
                          struct error *e)
{
    double confidence;
    return find_confidence(m, c->r, c->row, &confidence, e) ? -1 : term_has(t, confidence);
}

/* 1 or 0; the text terms are checked together. */
static int has(struct matcher *m, size_t i, const struct checked *c, struct error *e)
{
    const struct query_term *t = &m->terms->term[i];
    switch (t->field) {
    case QUERY_KIND:
        return t->bits >> c->shown.ref.kind & 1;
    case QUERY_STATUS:
        return t->bits >> c->shown.status & 1;
    case QUERY_AGENT:
        return has_agent(m, i, c);
    case QUERY_CONFIDENCE:
        return has_confidence(m, t, c, e);
    case QUERY_TAG:
        return has_tag(t, &c->parts);
    case QUERY_SOURCE:
        return has_source(t, m, c);
    case QUERY_TOLD:
        return term_in(t, c->parts.source_entity);
    case QUERY_CLAIMS:
        return claims(c->r, c->row, t->text);
    case QUERY_CREATED:
        return term_has(t, (double)c->shown.created_at);
    case QUERY_UPDATED:
        return term_has(t, (double)c->shown.updated_at);
    case QUERY_MEMORY:
        return is_memory(t, c);
    case QUERY_FLAG:
        return row_flag_of(t) ? (c->shown.flags & (unsigned)row_flag_of(t)) != 0 : !c->shown.flags;
    default:
        return !t->negated;
    }
}

/* A page and the value of an entry may be numbers, which are no words of the search text. */
static void add_numbers(const struct checked *c, struct strbuf *out)
{
    struct json_slice detail = detail_json(c->parts.detail), page = {NULL, 0};
    if (detail.ptr && c->shown.ref.kind == KIND_CITATION)
        page = json_member(detail.ptr, detail.len, "page");
    if (page.ptr)
        strbuf_addf(out, "\npage %.*s", (int)page.len, page.ptr);
    if (detail.ptr && c->shown.ref.kind == KIND_ENTRY)
        strbuf_add(out, detail.ptr, detail.len);
}

/* What words are searched in: the text of the full-text search, and what lists show of a memory. */
static int match_texts(const struct matcher *m, const struct checked *c, struct error *e)
{
    AUTO_STRBUF raw = STRBUF_INIT, folded = STRBUF_INIT;
    const struct memory_row *row = &c->shown;
    memory_search_text(&c->parts, &raw);
    ref_add(&raw, row->ref);
    strbuf_addf(&raw, "\n%s\n%s\n%s", row->agent ? row->agent : "",
                row->source_type ? source_type_label(row->source_type) : "",
                row->status == STATUS_ACTIVE ? "" : status_word(row->status));
    add_numbers(c, &raw);
    if (m->also)
        strbuf_addf(&raw, "\n%s", m->also);
    fold_text(&folded, raw.buf, raw.len);
    struct query_text text = {raw.buf, folded.buf, raw.len};
    return query_matches_text(m->terms, &text, e);
}

static int read_texts(struct matcher *m, struct checked *c, struct error *e)
{
    bool same;
    struct query row = db_query(
        reader_db(c->r), e, "SELECT " SEARCH_TEXT_COLUMNS " FROM memory WHERE id = ?", "i", c->row);
    if (db_next(&row))
        search_parts_of(&c->parts, &m->arena, row.stmt, 0);
    return db_end(&row) ? -1 : search_parts_matchable(&c->parts, c->r, &m->arena, c->row, &same, e);
}

int matcher_passes(struct matcher *m, struct reader *r, int64_t row, struct error *e)
{
    struct checked c = {.r = r, .row = row};
    int result = 1;
    if (m->byte && ((uint64_t)row > m->byte_count || !m->byte[row - 1]))
        return 0;
    if (matcher_is_done(m))
        return 1;
    arena_clear(&m->arena);
    if ((m->rows && memory_row_read(r, &m->arena, row, &c.shown, e)) ||
        (m->texts && read_texts(m, &c, e)))
        return e->code == ERROR_NOT_FOUND ? 0 : -1;
    for (size_t i = 0; i < m->terms->count && result == 1; i++) {
        if (m->state[i] & TERM_DONE)
            continue;
        result = has(m, i, &c, e);
        result = result < 0 ? -1 : (bool)result != m->terms->term[i].negated;
    }
    return result == 1 && m->words ? match_texts(m, &c, e) : result;
}
