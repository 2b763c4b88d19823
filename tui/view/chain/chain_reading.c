#include "tui/view/chain/chain_reading.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/journal/journal.h"
#include "tui/text/seconds.h"
#include "tui/text/text.h"

static int digits(int64_t number)
{
    int count = 1;
    for (; number > 9; number /= 10)
        count++;
    return count;
}

static void widen(int *widest, size_t width)
{
    if ((int)width > *widest)
        *widest = (int)width;
}

/* Once, and not for every frame. */
static void measure(struct chain_reading *c)
{
    c->number_width = 1;
    for (size_t i = 0; i < c->chain.step_count; i++) {
        const struct chain_step *s = &c->chain.step[i];
        const char *question = s->question ? s->question : "";
        char time[24];
        seconds_text(time, s->execution_time);
        widen(&c->number_width, (size_t)digits(s->number));
        widen(&c->time_width, strlen(time));
        if (c->question_width < CHAIN_QUESTION_MOST)
            widen(&c->question_width,
                  text_width(question, strlen(question), CHAIN_QUESTION_MOST, 0));
    }
    if (c->question_width > CHAIN_QUESTION_MOST)
        c->question_width = CHAIN_QUESTION_MOST;
}

struct chain_reading *chain_reading_make(struct reader *r, int64_t node, struct error *e)
{
    struct chain_reading *c = xcalloc(1, sizeof(*c));
    c->arena = (struct arena)ARENA_INIT;
    c->references = 1;
    if (chain_read(r, &c->arena, node, &c->chain, e) ||
        matrix_make(&c->matrix, &c->arena, &c->chain, e)) {
        chain_reading_drop(c);
        return NULL;
    }
    measure(c);
    return c;
}

/* The chain's row, of itself or of a step; 0: it is neither. */
static int64_t chain_row(struct reader *r, struct arena *arena, int64_t node)
{
    struct memory_row row;
    struct error e;
    if (memory_row_read(r, arena, node, &row, &e))
        return 0;
    return row.ref.kind == KIND_CHAIN  ? node
           : row.ref.kind == KIND_STEP ? chain_of_step(r, node, &e)
                                       : 0;
}

struct chain_reading *chain_reading_at_once(struct reader *r, int64_t node)
{
    struct arena arena = ARENA_INIT;
    struct chain_brief brief;
    struct error e;
    int64_t chain = chain_row(r, &arena, node);
    bool small = chain > 0 && !chain_brief_read(r, &arena, chain, &brief, &e) &&
                 brief.steps <= CHAIN_STEPS_AT_ONCE && brief.sources <= CHAIN_SOURCES_AT_ONCE;
    arena_release(&arena);
    return small ? chain_reading_make(r, chain, &e) : NULL;
}

struct chain_reading *chain_reading_hold(struct chain_reading *c)
{
    c->references++;
    return c;
}

void chain_reading_drop(struct chain_reading *c)
{
    if (!c || --c->references > 0)
        return;
    arena_release(&c->arena);
    free(c);
}

size_t chain_step_of(const struct chain *c, int64_t node)
{
    for (size_t i = 0; i < c->step_count; i++)
        if (c->step[i].node == node)
            return i;
    return SIZE_MAX;
}

size_t chain_document_of(const struct chain *c, int64_t node)
{
    for (size_t i = 0; i < c->document_count; i++)
        if (c->document[i].node == node)
            return i;
    return SIZE_MAX;
}

static bool may_concern(const struct chain *c, struct reader *r, int64_t subject)
{
    struct arena arena = ARENA_INIT;
    struct memory_row row;
    struct error e;
    if (subject == c->node || chain_step_of(c, subject) != SIZE_MAX ||
        chain_document_of(c, subject) != SIZE_MAX)
        return true;
    bool read = !memory_row_read(r, &arena, subject, &row, &e);
    bool kind = read && (row.ref.kind == KIND_STEP || row.ref.kind == KIND_DOCUMENT);
    arena_release(&arena);
    return !read || kind;
}

bool chain_concerned(const struct chain *c, struct reader *r, const struct event *events,
                     size_t count)
{
    if (count > CHAIN_EVENTS_LOOKED_AT)
        return true;
    for (size_t i = 0; i < count; i++)
        if (events[i].subject > 0 && may_concern(c, r, events[i].subject))
            return true;
    return false;
}
