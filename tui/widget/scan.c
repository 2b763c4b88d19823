#include "tui/widget/scan.h"

#include <stdlib.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "store/guard/guard.h"
#include "store/lineage/loaded.h"
#include "store/record/get.h"
#include "tui/widget/ui.h"
#include "tui/widget/view.h"
#include "tui/text/match.h"
#include "tui/render/kind_fields.h"

#define SLOT_SCAN 0
#define SLICE_MS  20  /* ms until other jobs get their turn */
#define REPORT_MS 100 /* ms between reports, so that not every match causes a frame */

struct scan_job {
    struct job job;
    int64_t *nodes;
    size_t count, at;
    char pattern[256];
    uint32_t *found;
    size_t found_count, found_alloc, delivered;
    int64_t reported_at; /* ms of the last report; 0 for none yet */
    struct view *view;
};

static bool row_matches(const struct memory_row *row, const char *pattern)
{
    char ref[REF_ID_MAX + 32];
    snprintf(ref, sizeof(ref), "%s:%s", kind_name(row->ref.kind), row->ref.id);
    return match_text(row->text, pattern) || match_text(row->source, pattern) ||
           match_text(row->tags, pattern) || match_text(ref, pattern) ||
           match_text(row->agent, pattern) ||
           (row->status != STATUS_ACTIVE && match_text(status_word(row->status), pattern)) ||
           (row->source_type && match_text(source_type_label(row->source_type), pattern));
}

/* Members of the detail that lists of a kind show next to the text. */
static const char *const shown_fields[KIND_COUNT][3] = {
    [KIND_EPISODE] = {"outcome_type"},
    [KIND_NOTE] = {"note_type"},
    [KIND_CHAIN] = {"final_answer", "strategy"},
    [KIND_STEP] = {"intermediate_answer"},
    [KIND_DOCUMENT] = {"document_id", "uri"},
    [KIND_ATTRIBUTION] = {"source_uri", "source_type"},
    [KIND_CITATION] = {"document_name", "document_id", "section"},
    [KIND_ENTRY] = {"namespace", "key"},
};

static bool detail_matches(const struct memory *m, struct arena *arena, const char *pattern)
{
    for (size_t i = 0; i < 3 && shown_fields[m->ref.kind][i]; i++)
        if (match_text(member_text(m, shown_fields[m->ref.kind][i], arena), pattern))
            return true;
    return false;
}

/* Compares the value in the form that lists of entries show. */
static bool value_matches(const struct memory *m, const char *pattern)
{
    struct json_slice value = member_of(m, "value");
    AUTO_STRBUF tidy = STRBUF_INIT;
    if (m->ref.kind != KIND_ENTRY || !value.ptr)
        return false;
    json_tidy(&tidy, value.ptr, value.len);
    return match_text(tidy.buf, pattern);
}

/* "page 12" */
static bool page_matches(const struct memory *m, const char *pattern)
{
    char page[32];
    int64_t number = m->ref.kind == KIND_CITATION ? member_int(m, "page", 0) : 0;
    snprintf(page, sizeof(page), "page %lld", (long long)number);
    return number > 0 && match_text(page, pattern);
}

const char *scan_take_field(struct arena *arena, const char *name, const char **filter)
{
    size_t len = strlen(name);
    const char *word = *filter;
    for (size_t end; (end = strcspn(word, " ")) > 0 && memchr(word, ':', end);) {
        const char *after = word + end + strspn(word + end, " ");
        if (end > len && !memcmp(word, name, len) && word[len] == ':') {
            const char *value = arena_strndup(arena, word + len + 1, end - len - 1);
            AUTO_STRBUF rest = STRBUF_INIT;
            strbuf_addf(&rest, "%.*s%s", (int)(word - *filter), *filter, after);
            *filter = arena_strdup(arena, rest.buf);
            return value;
        }
        word = after;
    }
    return NULL;
}

int scan_status(const char *name)
{
    for (int i = 0; choice_status(i); i++)
        if (!strcmp(choice_status(i), name))
            return i == STATUS_MISSING ? STATUS_COUNT : i;
    return status_from_name(name);
}

static bool is_told_and_flagged(struct reader *r, struct arena *arena, int64_t node,
                                const char *told, const char *flag)
{
    struct memory m;
    struct error unread;
    bool flagged = !flag;
    if (memory_read(r, arena, node, &m, &unread) || (told && !match_text(m.source_entity, told)))
        return false;
    for (size_t i = 0; i < m.flag_count && !flagged; i++)
        flagged = match_text(m.flags[i].name, flag);
    return flagged;
}

/* Whether so many of its derivations are independent: "0", "1", "2+". The graph is loaded once. */
static bool has_roots(struct reader *r, int64_t node, const char *roots)
{
    struct error unread;
    const struct loaded *all = loaded_get(r, &unread);
    const struct keystones *k = all ? loaded_keystones(all, r, &unread) : NULL;
    bool has = k && node <= (int64_t)all->rows &&
               reliance_roots(k->independent[node - 1]) == (*roots <= '1' ? *roots - '0' : 2);
    loaded_release(all);
    return has;
}

/* Takes the fields from the front of a pattern. False if they exclude the memory. */
static bool take_fields(struct reader *r, const struct memory_row *row, struct arena *arena,
                        const char **pattern)
{
    const char *agent = scan_take_field(arena, "agent", pattern),
               *told = scan_take_field(arena, "told", pattern),
               *flag = scan_take_field(arena, "flag", pattern),
               *roots = scan_take_field(arena, "roots", pattern),
               *name = scan_take_field(arena, "status", pattern);
    told = told && *told ? told : NULL;
    flag = flag && *flag ? flag : NULL;
    int status = name && *name ? scan_status(name) : STATUS_COUNT;
    return (!agent || !*agent || match_text(row->agent, agent)) &&
           (status == STATUS_COUNT || status == (int)row->status) &&
           (!roots || !*roots || has_roots(r, row->node, roots)) &&
           ((!told && !flag) || is_told_and_flagged(r, arena, row->node, told, flag));
}

/* Searches the whole text, also beyond the part that a row has. */
bool scan_matches(struct reader *r, struct arena *arena, int64_t node, const char *pattern)
{
    struct memory_row row;
    struct memory m;
    struct error unread, *e = &unread;
    if (memory_row_read(r, arena, node, &row, e))
        return false;
    if (row_matches(&row, pattern))
        return true;
    if (!take_fields(r, &row, arena, &pattern))
        return false;
    if (!*pattern || row_matches(&row, pattern))
        return true;
    if ((!row.text_cut && !*shown_fields[row.ref.kind]) || memory_read(r, arena, node, &m, e))
        return false;
    return (row.text_cut && match_text(m.text, pattern)) || detail_matches(&m, arena, pattern) ||
           value_matches(&m, pattern) || page_matches(&m, pattern);
}

/* ---- searching the lines of a view ---- */

static void found_line(struct search *s, size_t line)
{
    *ARRAY_ADD(s->line, s->count, s->alloc) = line;
}

/* The index of the first match at or after `line`; s->count if there is none. */
static size_t match_after(const struct search *s, size_t line)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Shows a match even if its line cannot be selected. */
static void go_to(struct view *v, size_t line)
{
    view_show_line(v, line);
    v->search.shown = line;
    v->search.top = v->top;
}

/* Where the search for the next match starts: the cursor, else the match that is shown. */
static size_t place_of(const struct view *v)
{
    const struct search *s = &v->search;
    if (v->cursor != LINE_NONE)
        return v->cursor;
    return s->top == v->top && s->shown >= v->top ? s->shown : v->top;
}

static void jump_wanted(struct view *v)
{
    struct search *s = &v->search;
    size_t index = match_after(s, s->origin);
    bool asked = !v->ui->prompt.ops; /* a key started it; a prompt shows the result itself */
    if (!s->wanted || (index == s->count && !s->complete))
        return;
    s->wanted = false;
    if (s->count == 0) {
        if (asked)
            ui_message(v->ui, "no match here for \"%s\"; S searches all texts", s->pattern);
        return;
    }
    bool wrapped = index == s->count;
    index = wrapped ? 0 : index;
    go_to(v, s->line[index]);
    if (asked)
        ui_message(v->ui, "match %zu of %zu%s%s", index + 1, s->count, s->complete ? "" : " so far",
                   wrapped ? ", continued from the top" : "");
}

/* Continues after the lines that were already searched. */
static void search_to(struct view *v, size_t end)
{
    AUTO_STRBUF text = STRBUF_INIT;
    for (; v->search.seen < end; v->search.seen++) {
        struct match_place found;
        strbuf_clear(&text);
        v->ops->text(v, v->search.seen, &text);
        if (match_find(text.buf, text.len, 0, v->search.pattern, &found))
            found_line(&v->search, v->search.seen);
    }
}

void view_search_here(struct view *v)
{
    search_to(v, v->count);
    v->search.complete = !view_is_partial(v);
    jump_wanted(v);
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct scan_job *j = (struct scan_job *)job;
    AUTO_ARENA arena = ARENA_INIT;
    int64_t begun = monotonic_ms();
    enum job_result result = JOB_DONE;
    if (reader_begin(r, e))
        return JOB_FAILED;
    for (; j->at < j->count; j->at++) {
        if (j->at % 64 == 63) {
            arena_clear(&arena);
            if (atomic_load(&job->cancelled) || monotonic_ms() - begun > SLICE_MS) {
                result = JOB_AGAIN;
                break;
            }
        }
        if (j->nodes[j->at] > 0 && scan_matches(r, &arena, j->nodes[j->at], j->pattern))
            *ARRAY_ADD(j->found, j->found_count, j->found_alloc) = (uint32_t)j->at;
    }
    reader_end(r);
    return result;
}

static void deliver(struct scan_job *j, bool complete)
{
    for (; j->delivered < j->found_count; j->delivered++)
        found_line(&j->view->search, j->found[j->delivered]);
    j->view->search.complete = complete;
    jump_wanted(j->view);
}

static bool part(struct job *job)
{
    struct scan_job *j = (struct scan_job *)job;
    if (monotonic_ms() - j->reported_at < REPORT_MS)
        return false;
    j->reported_at = monotonic_ms();
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

/* At most 2^32 lines. A new search replaces the one before. */
static void search_rows(struct view *v)
{
    struct scan_job *j = xcalloc(1, sizeof(*j));
    j->view = v;
    j->count = v->count;
    j->nodes = xmalloc((v->count ? v->count : 1) * sizeof(*j->nodes));
    for (size_t i = 0; i < v->count; i++)
        j->nodes[i] = view_node_at(v, i);
    snprintf(j->pattern, sizeof(j->pattern), "%s", v->search.pattern);
    worker_submit(&v->ui->data->worker, &j->job, &job_ops, &v->search, SLOT_SCAN);
}

void view_search_again(struct view *v)
{
    struct search *s = &v->search;
    worker_cancel_owner(&v->ui->data->worker, s);
    s->count = s->seen = 0;
    s->complete = !*s->pattern;
    if (!*s->pattern)
        return;
    if (v->ops->text)
        view_search_here(v);
    else if (v->ops->subject)
        search_rows(v);
}

void view_search_above(struct view *v, size_t came, size_t end)
{
    struct search *s = &v->search, before = *s;
    if (!*s->pattern)
        return;
    s->line = NULL;
    s->count = s->alloc = s->seen = 0;
    search_to(v, end);
    for (size_t i = match_after(&before, end - came); i < before.count; i++)
        found_line(s, before.line[i] + came);
    s->seen = before.seen + came;
    free(before.line);
    jump_wanted(v);
}

void view_search_begin(struct view *v)
{
    v->search.origin = v->cursor == LINE_NONE ? v->top : v->cursor;
}

void view_search(struct view *v, const char *pattern)
{
    snprintf(v->search.pattern, sizeof(v->search.pattern), "%s", pattern);
    v->search.wanted = *pattern != '\0';
    view_search_again(v);
}

void view_search_abandon(struct view *v)
{
    size_t origin = v->search.origin;
    view_search(v, "");
    view_select(v, origin);
}

void view_search_next(struct view *v, int direction)
{
    struct search *s = &v->search;
    size_t from = place_of(v);
    size_t index = match_after(s, direction > 0 ? from + 1 : from);
    if (s->count == 0 && s->complete) {
        ui_message(v->ui, "no match here for \"%s\"; S searches all texts", s->pattern);
        return;
    }
    if (!s->complete && (s->count == 0 || (direction > 0 && index == s->count))) {
        s->origin = direction > 0 ? from + 1 : s->origin;
        s->wanted = true;
        ui_message(v->ui, "still searching for \"%s\"; any key stops it", s->pattern);
        return;
    }
    bool wrapped = direction > 0 ? index == s->count : index == 0;
    index = direction > 0 ? (wrapped ? 0 : index) : (wrapped ? s->count : index) - 1;
    go_to(v, s->line[index]);
    ui_message(v->ui, "match %zu of %zu%s%s", index + 1, s->count, s->complete ? "" : " so far",
               !wrapped        ? ""
               : direction > 0 ? ", continued from the top"
                               : ", continued from the bottom");
}
