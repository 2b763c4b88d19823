/*
 * A prompt asks for a memory: words find it, or its ref names it. What the worker found are the choices, memories of
 * the kind of the one that is asked about first. While nothing is typed they are those that share its longest words.
 */
#include "tui/view/views.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "store/search/search.h"
#include "tui/explorer/app.h"

#define CHOICES_MOST 50

struct pick_job {
    struct job job;
    struct app *app;
    char *typed;
    int64_t node; /* the one that is asked about: no choice itself */
    int64_t found[CHOICES_MOST];
    size_t count;
};

static int take(void *arg, int64_t node, bool exact)
{
    struct pick_job *j = arg;
    (void)exact;
    bool known = node == j->node;
    for (size_t i = 0; i < j->count && !known; i++)
        known = j->found[i] == node;
    if (!known && j->count < CHOICES_MOST)
        j->found[j->count++] = node;
    return j->count == CHOICES_MOST || atomic_load(&j->job.cancelled);
}

static int find(struct pick_job *j, struct reader *r, const char *words, unsigned kinds,
                struct error *e)
{
    const struct search_query query = {.words = words, .kinds = kinds};
    return search_run(r, &query, take, j, e) < 0 ? -1 : 0;
}

static size_t word_length(const char *text)
{
    size_t len = 0;
    while (isalnum((unsigned char)text[len]) || (unsigned char)text[len] > 0x7f)
        len++;
    return len;
}

/* Appends the longest word that is not `other`, which may be NULL. Returns it. */
static const char *add_longest(struct strbuf *out, const char *text, const char *other)
{
    const char *longest = NULL;
    size_t most = 0;
    for (size_t len; *text; text += len ? len : 1) {
        len = word_length(text);
        if (text != other && len > most) {
            longest = text;
            most = len;
        }
    }
    if (longest)
        strbuf_add(out, longest, most);
    strbuf_addch(out, ' ');
    return longest;
}

/* What has both, then what has the longest, then the newest. */
static int find_near(struct pick_job *j, struct reader *r, const struct memory_row *row,
                     struct error *e)
{
    AUTO_STRBUF words = STRBUF_INIT;
    unsigned kind = KIND_BIT(row->ref.kind);
    const char *text = row->text ? row->text : "", *longest = add_longest(&words, text, NULL);
    AUTO_STRBUF both = STRBUF_INIT;
    strbuf_addstr(&both, words.buf);
    add_longest(&both, text, longest);
    return find(j, r, both.buf, kind, e) || find(j, r, words.buf, kind, e) ||
                   find(j, r, "", kind, e)
               ? -1
               : 0;
}

static enum job_result run(struct job *job, struct reader *r, struct error *e)
{
    struct pick_job *j = (struct pick_job *)job;
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    if (j->node <= 0)
        return find(j, r, j->typed, 0, e) ? JOB_FAILED : JOB_DONE;
    if (memory_row_read(r, &arena, j->node, &row, e))
        return JOB_FAILED;
    int failed = *j->typed
                     ? find(j, r, j->typed, KIND_BIT(row.ref.kind), e) || find(j, r, j->typed, 0, e)
                     : find_near(j, r, &row, e);
    return failed ? JOB_FAILED : JOB_DONE;
}

static void offer(struct app *x, int64_t node, int score)
{
    const struct memory_row *row = details_row(x, node);
    AUTO_STRBUF ref = STRBUF_INIT;
    if (!row)
        return;
    details_ref(x, row, &ref);
    prompt_offer(&x->ui, ref.buf, row->text ? row->text : "", NULL, score);
    x->ui.prompt.offers.named = true;
}

static void done(struct job *job, const struct error *e)
{
    struct pick_job *j = (struct pick_job *)job;
    struct app *x = j->app;
    const struct prompt_ops *asks = x->ui.prompt.ops;
    if (!asks || asks->changed != pick_memory_changed || strcmp(x->ui.prompt.line.text, j->typed))
        return;
    for (size_t i = 0; i < j->count && !e->code; i++)
        offer(x, j->found[i], 1 + (int)i);
}

static void release(struct job *job)
{
    struct pick_job *j = (struct pick_job *)job;
    free(j->typed);
    free(j);
}

static const struct job_ops pick_ops = {
    .name = "looking for a memory", .run = run, .done = done, .release = release, .quiet = true};

void pick_memory_changed(struct app *x, const char *text)
{
    struct error e;
    int64_t named = strchr(text, ':') ? ref_resolve(x->data.reader, text, &e) : 0;
    struct pick_job *j = xcalloc(1, sizeof(*j));
    prompt_offer_none(&x->ui);
    if (named > 0)
        offer(x, named, 0);
    j->app = x;
    j->node = view_memory(x->nav.top);
    j->typed = xstrdup(text);
    worker_submit(&x->data.worker, &j->job, &pick_ops, &pick_ops, 0);
}

bool pick_memory_key(struct app *x, const struct input_event *event)
{
    const struct offers *o = &x->ui.prompt.offers;
    if (event->key != KEY_TABULATOR || o->count == 0)
        return prompt_choose(&x->ui, event->key);
    char ref[PROMPT_MAX]; /* a copy: the text that is set has other choices */
    snprintf(ref, sizeof(ref), "%s", o->item[o->selected].word);
    prompt_set(&x->ui, ref);
    return true;
}

const char *pick_memory_taken(const struct app *x, const char *text)
{
    const struct offers *o = &x->ui.prompt.offers;
    return o->count ? o->item[o->selected].word : text;
}

void pick_memory_note(struct app *x, struct strbuf *out)
{
    bool looks = worker_has(&x->data.worker, &pick_ops, 0);
    if (!x->ui.prompt.offers.count)
        strbuf_addstr(out, looks ? "looking" : "no match");
}
