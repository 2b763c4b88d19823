/* The table of questions. */
#include "store/questions/questions.h"

#include <string.h>
#include "store/db/reader.h"

const struct question *const questions[] = {
    [QUESTION_WHY] = &question_why,
    [QUESTION_BLAME] = &question_blame,
    [QUESTION_ROOTS] = &question_roots,
    [QUESTION_CONFIDENCE] = &question_confidence,
    [QUESTION_KEYSTONES] = &question_keystones,
    [QUESTION_TAINT] = &question_taint,
    [QUESTION_SUSPECTS] = &question_suspects,
    [QUESTION_FORENSICS] = &question_forensics,
    [QUESTION_WHY_NOT] = &question_why_not,
    [QUESTION_DUPLICATES] = &question_duplicates,
    [QUESTION_CONFLICTS] = &question_conflicts,
    [QUESTION_STALE] = &question_stale,
    [QUESTION_RESOLVE] = &question_resolve,
    [QUESTION_REPLACED] = &question_replaced,
    [QUESTION_EFFECTS] = &question_effects,
    NULL,
};

const struct question *question_find(const char *name)
{
    for (const struct question *const *q = questions; *q; q++)
        if (strcmp((*q)->name, name) == 0)
            return *q;
    return NULL;
}

int question_ask(struct report *p, const struct question *q, struct reader *r, struct arena *arena,
                 const struct asked *asked, struct error *e)
{
    *p = (struct report){.question = q,
                         .arena = arena,
                         .subject = q->of == ABOUT_MEMORY ? asked->row[0] : 0,
                         .text = q->of == ABOUT_TEXT ? arena_strdup(arena, asked->text) : NULL};
    if (reader_begin(r, e))
        return -1;
    int result = q->answer(p, r, asked, e);
    return reader_done(
        r, result || reader_check(r, e) ? -1 : 0); /* model/graph says nothing when it gives up */
}
