/*
 * Questions that only the graph answers: why, whom to blame, how independent, what to trust. Each is an entry of the
 * table in report.c and a function that fills a report. The command (tui/commands/cmd_questions.c), the tool of the
 * set `review` (store/mcp/tools/tools_questions.c) and the explorer's view add only words.
 */
#ifndef STEMMA_QUESTIONS_H
#define STEMMA_QUESTIONS_H

#include "store/questions/report.h"

/* What is asked about. */
enum question_about {
    ABOUT_MEMORY, /* one memory */
    ABOUT_ALL,    /* all memories, or the given ones */
    ABOUT_PAIR,   /* two memories; with one and no `text` it finds the other */
    ABOUT_TEXT,   /* a text */
};

struct asked {
    const int64_t *row; /* [count] distinct; for ABOUT_MEMORY one */
    size_t count;
    const char *text; /* for ABOUT_PAIR, with one row: the ref of the other */
    size_t limit;     /* rows of a list, at most; 0 for all */
};

/* Is the row among those asked about? */
static inline bool asked_for(const struct asked *asked, int64_t row)
{
    bool found = asked->count == 0;
    for (size_t i = 0; i < asked->count && !found; i++)
        found = asked->row[i] == row;
    return found;
}

struct question {
    const char *name; /* of the command and the view; the tool is memory_NAME */
    enum question_about of;
    const struct report_part *parts; /* at most REPORT_PARTS, ended by {0} */
    /* Fills the report, whose strings are in its arena. The reader is in a transaction. */
    int (*answer)(struct report *p, struct reader *r, const struct asked *asked, struct error *e);
};

/* The places in `questions`. */
enum {
    QUESTION_WHY,
    QUESTION_BLAME,
    QUESTION_ROOTS,
    QUESTION_CONFIDENCE,
    QUESTION_KEYSTONES,
    QUESTION_TAINT,
    QUESTION_SUSPECTS,
    QUESTION_FORENSICS,
    QUESTION_WHY_NOT,
    QUESTION_DUPLICATES,
    QUESTION_CONFLICTS,
    QUESTION_STALE,
    QUESTION_RESOLVE,
    QUESTION_REPLACED,
    QUESTION_EFFECTS
};
extern const struct question *const questions[]; /* ended by NULL */
/* NULL if there is none of that name. */
const struct question *question_find(const char *name);

/* Asks: fills *p, whose strings are in the arena. */
int question_ask(struct report *p, const struct question *q, struct reader *r, struct arena *arena,
                 const struct asked *asked, struct error *e);

/* A word of a shell's command line, to be pasted: an id from an import may hold anything. May be in the arena. */
const char *shell_word(struct arena *arena, const char *text);

/* Each is defined in the file of its subject. */
extern const struct question question_why, question_blame, question_roots, question_confidence,
    question_keystones, question_taint, question_suspects, question_forensics, question_why_not,
    question_duplicates, question_conflicts, question_stale, question_resolve, question_replaced,
    question_effects;

#endif
