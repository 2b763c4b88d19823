/* The question why-not: why something is not believed. */
#include <string.h>
#include "store/db/store.h"
#include "store/guard/guard.h"
#include "store/history/history.h"
#include "store/json/answer.h"
#include "store/lineage/subgraph.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "store/search/search.h"
#include "store/questions/questions.h"

enum {
    NOT_NEAREST,
    NOT_FALLEN,
    NOT_OTHERS
};

static const struct report_column columns[] = {{"ref", "memory", REPORT_REF},
                                               {"cause", "why not", REPORT_TEXT},
                                               {"event", "event", REPORT_COUNT},
                                               {0}};
static const struct report_column refs[] = {{NULL, "memory", REPORT_REF}, {0}};
static const struct report_part parts[] = {
    [NOT_NEAREST] = {.shape = PART_MEMBERS, .columns = columns},
    [NOT_FALLEN] = {.key = "fallen",
                    .title = "the nearest source that ended or is missing",
                    .shape = PART_LIST,
                    .columns = refs},
    [NOT_OTHERS] = {.key = "others",
                    .title = "others that say something like it",
                    .shape = PART_LIST,
                    .columns = columns},
    {0},
};

#define FOUND_MOST 6

struct finding {
    int64_t row[FOUND_MOST];
    size_t count;
};

static int take(void *arg, int64_t node, bool exact)
{
    struct finding *f = arg;
    (void)exact;
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i] == node)
            return 0;
    f->row[f->count++] = node;
    return f->count == FOUND_MOST;
}

/* Memories that have all of the words, or all but the shortest ones, until some have. */
static int find(struct finding *f, struct reader *r, struct arena *arena, const char *text,
                struct error *e)
{
    struct search_query query = {.words = text, .statuses = STATUSES_ALL};
    char *words = arena_strdup(arena, text);
    while (search_has_words(words)) {
        char *shortest = NULL;
        size_t least = SIZE_MAX;
        query.words = words;
        if (search_run(r, &query, take, f, e))
            return -1;
        if (f->count)
            return 0;
        for (char *at = words; *at;) {
            size_t blank = strspn(at, " "), len = strcspn(at + blank, " ");
            if (len && len < least)
                shortest = at + blank, least = len;
            at += blank + len;
        }
        if (!shortest)
            return 0;
        memset(shortest, ' ', least);
    }
    return 0;
}

/* "it is believed", or what ended it or took its support away. */
static int add_cause(struct report *p, struct reader *r, size_t part, int64_t row, struct error *e)
{
    struct memory_row m;
    struct row_label label;
    struct author author = {.seq = 0};
    AUTO_STRBUF cause = STRBUF_INIT;
    int64_t source = 0;
    if (memory_row_read(r, p->arena, row, &m, e) || labels_of_rows(r, &row, 1, &label, e) ||
        why_add(r, p->arena, row, m.status, label.label, &cause, e) ||
        (label.label == LABEL_UNSUPPORTED && why_source(r, p->arena, row, &source, &author, e)) ||
        (!STATUS_LIVES(m.status) && history_ended_by(r, p->arena, row, m.status, &author, e)))
        return -1;
    if (cause.len == 0)
        strbuf_addstr(&cause, label.label == LABEL_UNSOURCED
                                  ? "it is believed, but nobody said what it is based on"
                                  : "it is believed");
    if (author.reason && *author.reason)
        strbuf_addf(&cause, ": %s", author.reason);
    struct cell *c = report_add(p, part, 0);
    cell_int(&c[0], row);
    cell_text(&c[1], arena_take(p->arena, &cause));
    if (author.seq)
        cell_int(&c[2], author.seq);
    if (source && part == NOT_NEAREST)
        cell_int(report_add(p, NOT_FALLEN, 0), source);
    return 0;
}

/* A ref is the memory itself, if the caller may see it. */
static int find_named(struct finding *f, struct reader *r, const char *text, struct error *e)
{
    struct error unknown;
    enum visibility visibility;
    int64_t row = ref_resolve(r, text, &unknown);
    if (row < 0)
        return 0;
    if (guard_visibility(r, row, &visibility, e))
        return -1;
    return visibility == VISIBLE_WHOLE ? take(f, row, true), 0 : 0;
}

static int answer_why_not(struct report *p, struct reader *r, const struct asked *asked,
                          struct error *e)
{
    struct finding f = {.count = 0};
    if (find_named(&f, r, asked->text, e) ||
        (f.count == 0 && find(&f, r, p->arena, asked->text, e)))
        return -1;
    for (size_t i = 0; i < f.count; i++)
        if (add_cause(p, r, i == 0 ? NOT_NEAREST : NOT_OTHERS, f.row[i], e))
            return -1;
    if (f.count)
        return 0;
    struct cell *c = report_add(p, NOT_NEAREST, 0);
    cell_text(&c[1], "no memory says this: it was never recorded, or purged");
    return 0;
}

const struct question question_why_not = {
    .name = "why-not", .of = ABOUT_TEXT, .parts = parts, .answer = answer_why_not};
