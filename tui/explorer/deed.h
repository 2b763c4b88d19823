/*
 * A deed: one thing that a person wants done in the explorer, whole. It owns what it names, so that it can
 * wait for an answer, for a preview, or for a store that others hold, while the person does other things; and
 * what was typed for it is kept until it is done or let go.
 */
#ifndef STEMMA_DEED_H
#define STEMMA_DEED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/session/session.h"

struct app;
struct form;
struct strbuf;

enum deed_how {
    DEED_REASON = 1, /* why is asked for, where nothing was said */
    DEED_MARKED = 2, /* it is about the marked ones, which are unmarked when it is done */
    DEED_TYPED = 4,  /* something was typed for it: where it cannot be done it is kept */
    DEED_FIRST = 16, /* before why is asked: is there anything to change at all? */
    DEED_SHOWN = 8,  /* it is shown before it is done, though the operation does not ask */
};

struct deed {
    struct arena arena;
    enum operation op; /* OPERATION_COUNT: it adds a memory, or decides about a session */
    unsigned how;      /* enum deed_how */
    struct request q;  /* in the arena, as all below */
    struct add_request add;
    size_t add_len;
    int64_t session; /* that it decides about; 0: about none */
    enum session_verdict verdict;
    const char *about; /* "belief:54c5507f", "3 memories", or "" */
    int64_t node;      /* the one that it is about; 0: several, or none */
    const char *asks;  /* "B relevant to step 1", what why is asked of; NULL: as its request says */
    const char *said;  /* "B judged relevant in step 1", once it is done; NULL: likewise */

    struct form *form; /* what it was typed into; owned, or NULL */

    bool confirmed; /* `shown` was shown, and agreed to */
    bool sworn;     /* the word was typed that is asked for what cannot be undone */
    struct arena shown_arena;
    struct plan shown;

    /* The writer's, until it is handed back. */
    struct store_job job;
    _Atomic int64_t until;
    struct arena answers;
    struct plan plan; /* in `answers` */
    struct added added;
    bool differs; /* the plan was another one by then: nothing was done */
    bool scrubs; /* it is done, and a thread of its own removes what it left in the store's files */
    pthread_t thread;
    struct error error;
    struct app *app;
    struct deed *next;  /* answered */
    struct deed *shelf; /* in a list of the main thread's */
    int64_t since;      /* monotonic ms: the writer has it, and that was said */
    bool waits;         /* so long that it was said */
};

/* A deed of its own copy of the request; what `how` says as well. deed_free it. */
struct deed *deed_new(enum operation op, const struct request *q, unsigned how);
/* The same for an addition. */
struct deed *deed_new_addition(const struct add_request *add, size_t text_len, unsigned how);
/* The same for a decision about a session, which is called `about`; `said` once it is done. */
struct deed *deed_new_decision(int64_t session, enum session_verdict verdict, const char *about,
                               const char *said);
void deed_free(struct deed *d); /* NULL is allowed */

/* "retract", "add", "read-only". */
const char *deed_name(const struct deed *d);
/* "retract of belief:54c5507f", "read-only for session 5" appended. */
void deed_add_title(const struct deed *d, struct strbuf *out);
const struct op_spec *deed_entry(const struct deed *d); /* NULL: an addition */
/* What its plan says was shown, and is agreed to: it is done as it was shown, or not at all. */
void deed_agree(struct deed *d);

#endif
