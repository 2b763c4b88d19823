/*
 * Acting: what a person does to memories in the explorer, in their name and with one undo.
 *
 * No key waits for it. What is to be shown first is asked of the worker; what is to be done is handed to the
 * writer, which may have to wait for other programs, and comes back through a descriptor that wakes the
 * loop. What cannot be done keeps what was typed for it.
 */
#ifndef STEMMA_ACTING_H
#define STEMMA_ACTING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/session/session.h"
#include "tui/explorer/form.h"

struct acting {
    pthread_mutex_t lock;
    int wake[2];
    bool open;
    struct deed *answered, **answered_end; /* under the lock: what the writer has answered */
    /* The main thread's. */
    struct deed *submitted; /* with the writer */
    size_t waiting;         /* how many */
    struct deed *returned;  /* not done: it is shown why once nothing else is open */
    struct deed *asked;     /* about which the field that is open asks; NULL: none */
    struct deed *unsaved;   /* not done, and what was typed for them is kept: the newest first */
    char title[128];        /* of a popup */
};

/*
 * Does it, or asks first: where the operation asks for a confirmation what it would change is shown, and
 * it is done when the person agrees; with DEED_REASON why is asked for. The request is copied, `how` is
 * of enum deed_how.
 */
void acting_run(struct app *x, enum operation op, const struct request *q, unsigned how);
/* The same in words of its own, which are copied (struct deed); each may be NULL. */
void acting_run_told(struct app *x, enum operation op, const struct request *q, unsigned how,
                     const char *asks, const char *said);
/* The same for a deed, which is taken over. */
void acting_do(struct app *x, struct deed *d);
/* Hands it to the writer, whatever it would have to ask; taken over. */
void acting_commit(struct app *x, struct deed *d);

/* In whose name: the person, in the explorer. */
struct actor acting_actor(const struct app *x);
/* Why nothing can be changed here and now, or NULL. */
const char *acting_blocked(struct app *x);
/*
 * The marked memories, or else the one under the cursor, or the one in full: rows, in the arena. *marked: they
 * are the marked ones. NULL where there are none.
 */
const int64_t *acting_subjects(struct app *x, struct arena *arena, size_t *count, bool *marked);
/* The one memory that an act for one at a time is about: the marked one where one is marked, else the one
 * under the cursor, or in full; 0: none. */
int64_t acting_subject(struct app *x);
/* The words of a line. In the arena. */
const char **acting_words(struct arena *arena, const char *text, size_t *count);
/* Says in d->about what it is about. */
void acting_name(struct app *x, struct deed *d);
/* Opens a field that asks something about it, which it then finds in acting.asked; taken over. */
void acting_ask(struct app *x, struct deed *d, const struct prompt_ops *ops, const char *text);

/* Did this person do it in an explorer? */
bool acting_is_own(const struct app *x, const struct event *event);

/* ---- what was not done ---- */

/* It was refused, for d->error: that is shown when nothing else is open; taken over. */
void acting_return(struct app *x, struct deed *d);
/* Keeps it without a word; taken over. */
void acting_shelve(struct app *x, struct deed *d);
/* Keeps it, says why it was not done, and asks what is to become of it; taken over. */
void acting_offer(struct app *x, struct deed *d);
/* Asks what is to become of what was not saved. */
void acting_ask_unsaved(struct app *x);
/* Opens the form again that was left, or could not be saved, of the same operation (enum form_as), memory and kind;
 * false: none was. */
bool acting_reopen(struct app *x, enum form_as as, int64_t node, enum kind kind);

/* "saving… · 1 not saved" appended; nothing where all is done. */
void acting_add_chip(struct app *x, struct strbuf *out);

/* ---- for the loop ---- */

int acting_open(struct app *x, struct error *e);
/* Waits for what is with the writer. -1 where something was not done after all: the last of it is in `e`,
 * what came before it was said on standard error. */
int acting_close(struct app *x, struct error *e);
int acting_fd(const struct app *x);
/* Takes what the writer has answered; true where something may look different. */
bool acting_deliver(struct app *x);
/* Shows what came back, where nothing else is open by now. */
void acting_turn(struct app *x);
/* Says of what the writer has not done for a while that it waits, once; true where the status line may have changed. */
bool acting_tell_waiting(struct app *x);
/* Is nothing with the writer? */
bool acting_idle(const struct app *x);
/* Waits for an answer. */
void acting_wait(struct app *x);
/* Gives up what waits for other programs; false where nothing did. */
bool acting_cancel(struct app *x);

/*
 * A deed: one thing that a person wants done in the explorer, whole. It owns what it names, so that it can
 * wait for an answer, for a preview, or for a store that others hold, while the person does other things; and
 * what was typed for it is kept until it is done or let go.
 */
enum deed_how {
    DEED_REASON = 1, /* why is asked for, where nothing was said */
    DEED_MARKED = 2, /* it is about the marked ones, which are unmarked when it is done */
    DEED_TYPED = 4,  /* something was typed for it: where it cannot be done it is kept */
    DEED_SHOWN = 8,  /* it is shown before it is done, though the operation does not ask */
    DEED_WHAT_IF = 16, /* what it would change is asked first, also where nothing can be changed */
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

/* What is said of a deed that is done. */

/* "3 retracted · u undoes it" in the status line. */
void acting_say_done(struct app *x, const struct deed *d);
/* "verify of belief:54c5507f waits for the store; C-c gives it up", while something has waited so long that it was
 * said; else nothing is said. */
void acting_say_waiting(struct app *x);

#endif
