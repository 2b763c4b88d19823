#include "tui/widget/places.h"

#include <time.h>
#include "model/base/array.h"
#include "model/base/map.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/query/list.h"
#include "store/record/get.h"
#include "tui/widget/ui.h"
#include "tui/text/match.h"
#include "tui/render/kind_fields.h"

void unplaced_add(struct unplaced *u, int64_t node, bool was_there)
{
    for (size_t i = u->count; i-- > 0;)
        if (u->node[i] == node) {
            u->was_there[i] |= was_there;
            return;
        }
    if (u->count == PLACES_MOST) {
        u->overflow = true;
        return;
    }
    u->node[u->count] = node;
    u->was_there[u->count++] = was_there;
}

/* ---- taking out ---- */

/* `was`: in which row each of them stood, or SIZE_MAX. */
static void take_out(const struct unplaced *u, int64_t *ids, size_t *count, struct moves *m,
                     size_t was[PLACES_MOST])
{
    struct map index = MAP_INIT; /* in `u`, of those that may be there */
    size_t kept = 0;
    for (size_t i = 0; i < u->count; i++) {
        was[i] = SIZE_MAX;
        if (u->was_there[i])
            *map_at(&index, u->node[i]) = (int64_t)i;
    }
    for (size_t i = 0; i < *count; i++) {
        const int64_t *at = map_find(&index, ids[i]);
        if (!at) {
            ids[kept++] = ids[i];
        } else if (m->out_count < PLACES_MOST) {
            was[*at] = kept;
            m->out[m->out_count++] = i;
        }
    }
    map_release(&index);
    *count = kept;
}

/* ---- putting in ---- */

struct newcomer {
    int64_t node;
    size_t place; /* among the rows that stayed */
    bool is_new;
};

struct newcomers {
    struct newcomer one[PLACES_MOST]; /* in their order */
    size_t count;
};

/* Those that go between the same two rows are ordered among each other. */
static int insert(const struct placing *p, struct newcomers *n, struct newcomer one)
{
    int64_t same[PLACES_MOST];
    size_t first = 0, last, place = 0;
    struct error e;
    bool matches;
    while (first < n->count && n->one[first].place < one.place)
        first++;
    for (last = first; last < n->count && n->one[last].place == one.place; last++)
        same[last - first] = n->one[last].node;
    if (last > first &&
        list_place(p->reader, p->query, same, last - first, one.node, &place, &matches, &e))
        return -1;
    memmove(&n->one[first + place + 1], &n->one[first + place],
            (n->count - first - place) * sizeof(one));
    n->one[first + place] = one;
    n->count++;
    return 0;
}

static int find_places(const struct placing *p, const struct unplaced *u, const int64_t *ids,
                       size_t count, const size_t was[PLACES_MOST], struct newcomers *n)
{
    for (size_t i = 0; i < u->count; i++) {
        struct newcomer one = {.node = u->node[i], .is_new = was[i] == SIZE_MAX};
        struct error e;
        bool matches;
        if (list_place(p->reader, p->query, ids, count, one.node, &one.place, &matches, &e))
            return -1;
        matches = matches && (!p->passes || p->passes(p->arg, one.node));
        if (!matches && one.node == p->keep && was[i] != SIZE_MAX) {
            one.place = was[i];
            matches = true;
        }
        if (matches && insert(p, n, one))
            return -1;
    }
    return 0;
}

/* From the end, so that each row moves once. */
static void put_in(const struct newcomers *n, int64_t **ids, size_t *alloc, size_t *count,
                   struct moves *m)
{
    size_t end = *count;
    ARRAY_ROOM(*ids, *count, *alloc, n->count);
    for (size_t i = n->count; i-- > 0;) {
        size_t place = n->one[i].place;
        memmove(*ids + place + i + 1, *ids + place, (end - place) * sizeof(**ids));
        (*ids)[place + i] = n->one[i].node;
        m->in[i] = place + i;
        m->is_new[i] = n->one[i].is_new;
        end = place;
    }
    m->in_count = n->count;
    *count += n->count;
}

int places_update(const struct placing *p, const struct unplaced *u, int64_t **ids, size_t *alloc,
                  size_t *count, struct moves *m)
{
    size_t was[PLACES_MOST];
    struct newcomers n;
    struct error e;
    n.count = m->in_count = m->out_count = 0;
    if (reader_begin(p->reader, &e))
        return -1;
    take_out(u, *ids, count, m, was);
    int failed = find_places(p, u, *ids, *count, was, &n);
    reader_end(p->reader);
    if (!failed)
        put_in(&n, ids, alloc, count, m);
    return failed;
}

#define SLOT_SCAN   0
#define SLICE_NANOS 20000000 /* after this long others get their turn */
#define TELL_NANOS                                                                                 \
    100000000 /* what was found is told this often, or every frame would be a new one */

struct scan_job {
    struct job job;
    int64_t *nodes;
    size_t count, at;
    char pattern[256];
    uint32_t *found;
    size_t found_count, found_alloc, delivered;
    int64_t told; /* when it was told last; 0: not yet */
    scan_found each;
    void *arg;
};

static bool row_matches(const struct memory_row *row, const char *pattern)
{
    char ref[REF_ID_MAX + 32];
    snprintf(ref, sizeof(ref), "%s:%s", kind_name(row->ref.kind), row->ref.id);
    return match_text(row->text, pattern) || match_text(row->source, pattern) ||
           match_text(row->tags, pattern) || match_text(ref, pattern);
}

/* What lists of its kind show beside the text stands in its detail under these names. */
static const char *const beside[KIND_COUNT][3] = {
    [KIND_CHAIN] = {"final_answer"},
    [KIND_STEP] = {"intermediate_answer"},
    [KIND_DOCUMENT] = {"document_id", "uri"},
    [KIND_ATTRIBUTION] = {"source_uri", "source_type"},
    [KIND_CITATION] = {"document_name", "document_id", "section"},
    [KIND_ENTRY] = {"namespace", "key"},
};

static bool detail_matches(const struct memory *m, struct arena *arena, const char *pattern)
{
    for (size_t i = 0; i < 3 && beside[m->ref.kind][i]; i++)
        if (match_text(member_text(m, beside[m->ref.kind][i], arena), pattern))
            return true;
    return false;
}

/* As lists of entries show it. */
static bool value_matches(const struct memory *m, const char *pattern)
{
    struct json_slice value = member_of(m, "value");
    struct strbuf tidy = STRBUF_INIT;
    if (m->ref.kind != KIND_ENTRY || !value.ptr)
        return false;
    json_tidy(&tidy, value.ptr, value.len);
    bool matches = match_text(tidy.buf, pattern);
    strbuf_release(&tidy);
    return matches;
}

/* "page 12" */
static bool page_matches(const struct memory *m, const char *pattern)
{
    char page[32];
    int64_t number = m->ref.kind == KIND_CITATION ? member_int(m, "page", 0) : 0;
    snprintf(page, sizeof(page), "page %lld", (long long)number);
    return number > 0 && match_text(page, pattern);
}

/* A text that is longer than a row's is looked through to its end. */
static bool node_matches(struct reader *r, struct arena *arena, int64_t node, const char *pattern,
                         struct error *e)
{
    struct memory_row row;
    struct memory m;
    if (memory_row_read(r, arena, node, &row, e))
        return false;
    if (row_matches(&row, pattern))
        return true;
    if ((!row.text_cut && !*beside[row.ref.kind]) || memory_read(r, arena, node, &m, e))
        return false;
    return (row.text_cut && match_text(m.text, pattern)) || detail_matches(&m, arena, pattern) ||
           value_matches(&m, pattern) || page_matches(&m, pattern);
}

bool scan_matches(struct reader *r, int64_t node, const char *pattern)
{
    struct arena arena = ARENA_INIT;
    struct error e;
    bool matches = node_matches(r, &arena, node, pattern, &e);
    arena_release(&arena);
    return matches;
}

static int64_t nanos(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void keep(struct scan_job *j, size_t place)
{
    *ARRAY_ADD(j->found, j->found_count, j->found_alloc) = (uint32_t)place;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct scan_job *j = (struct scan_job *)job;
    struct arena arena = ARENA_INIT;
    int64_t begun = nanos();
    enum job_result result = JOB_DONE;
    if (reader_begin(r, e))
        return JOB_FAILED;
    for (; j->at < j->count; j->at++) {
        if (j->at % 64 == 63) {
            arena_clear(&arena);
            if (atomic_load(&job->cancelled) || nanos() - begun > SLICE_NANOS) {
                result = JOB_AGAIN;
                break;
            }
        }
        if (j->nodes[j->at] > 0 && node_matches(r, &arena, j->nodes[j->at], j->pattern, e))
            keep(j, j->at);
    }
    reader_end(r);
    arena_release(&arena);
    return result;
}

static void deliver(struct scan_job *j, bool complete)
{
    j->each(j->arg, j->found + j->delivered, j->found_count - j->delivered, complete);
    j->delivered = j->found_count;
}

static bool part(struct job *job)
{
    struct scan_job *j = (struct scan_job *)job;
    if (nanos() - j->told < TELL_NANOS)
        return false;
    j->told = nanos();
    deliver(j, false);
    return true;
}

static void done(struct job *job, const struct error *e)
{
    struct scan_job *j = (struct scan_job *)job;
    deliver(j, e->code == ERROR_NONE);
}

static void release(struct job *job)
{
    struct scan_job *j = (struct scan_job *)job;
    free(j->nodes);
    free(j->found);
    free(j);
}

static const struct job_ops job_ops = {
    .name = "looking through the list", .run = run, .part = part, .done = done, .release = release};

void scan_start(struct ui *ui, const void *owner, int64_t *nodes, size_t count, const char *pattern,
                scan_found found, void *arg)
{
    struct scan_job *j = xcalloc(1, sizeof(*j));
    j->nodes = nodes;
    j->count = count;
    j->each = found;
    j->arg = arg;
    snprintf(j->pattern, sizeof(j->pattern), "%s", pattern);
    worker_submit(&ui->data->worker, &j->job, &job_ops, owner, SLOT_SCAN);
}
