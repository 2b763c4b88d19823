/*
 * Pending operations: what a person wants done to memories in the explorer, in their name and with one undo.
 *
 *     begun → asked why → planned and shown → committed → answered, or failed
 *
 * One owns all that it names, so that it can wait for a prompt, for its plan, or for a store that others hold, while the
 * person does other things. No key waits for it: the worker plans it, the writer commits it, and the answer wakes the
 * loop through a descriptor. It is committed exactly as it was shown. What was typed is kept until it is committed or
 * dropped.
 */
#ifndef STEMMA_PENDING_H
#define STEMMA_PENDING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "store/ops/add.h"
#include "store/ops/operation.h"
#include "store/session/session.h"
#include "tui/explorer/form.h"

enum pending_how {
    PENDING_REASON = 1,   /* why is asked for, where nothing was said */
    PENDING_MARKED = 2,   /* it is about the marked ones, which are unmarked when it is done */
    PENDING_TYPED = 4,    /* something was typed for it: it is kept where it cannot be done */
    PENDING_SHOWN = 8,    /* its plan is shown first, though the operation does not ask */
    PENDING_WHAT_IF = 16, /* and before anything else, also where nothing can be changed */
    PENDING_STALE = 32,   /* an edit of what was changed since it was read: its plan is shown */
};

enum pending_state {
    PENDING_HELD = 0,  /* by a prompt, a view or whoever makes it; the others are in the list */
    PENDING_COMMITTED, /* with the writer */
    PENDING_UNSAVED,   /* what was typed is kept */
    PENDING_STATES
};

struct pending {
    struct app *app;
    struct arena arena;
    enum operation op; /* OPERATION_COUNT: it adds a memory, or decides about a session */
    const char *name;  /* "retract", "add", "read-only" */
    unsigned how;      /* enum pending_how */
    struct request q;  /* in the arena, as all below */
    struct add_request add;
    size_t add_len;
    int64_t session; /* that it decides about; 0: about none */
    enum session_verdict verdict;
    const char *about; /* "belief:54c5507f", "3 memories", or ""; NULL: not known yet */
    int64_t node;      /* the one that it is about; 0: several, or none */
    const char *asks;  /* "B relevant to step 1", what why is asked of; NULL: as its request says */
    const char *said;  /* "B judged relevant in step 1", once it is done; NULL: likewise */
    struct form *form; /* what it was typed into; owned, or NULL */

    enum pending_state state;
    struct pending *next; /* in the list */
    bool confirmed;       /* `shown` was shown, and agreed to */
    bool word_given;      /* the word was typed that is asked for what cannot be undone */
    struct arena shown_arena;
    struct plan shown;

    /* The writer's while it is committed; the plan is the worker's while it is read. */
    struct store_job job;
    _Atomic int64_t until;
    struct arena answers;
    struct plan plan; /* in `answers` */
    struct added added;
    bool differs; /* the plan was another one by then: nothing was done */
    bool scrubs; /* it is done, and a thread of its own removes what it left in the store's files */
    pthread_t thread;
    struct error error;
};

struct pending_list {
    int wake[2]; /* the writer sends those that it has answered */
    bool open;
    struct pending *first; /* oldest first */
    size_t count[PENDING_STATES];
    struct pending *asked;   /* about which the open field asks; NULL: none */
    struct pending *offered; /* that the popup asks about: others may fail while it is open */
    char title[128];         /* of a popup */
};

/* One that its caller completes, with strings in its arena. pending_do, pending_free it. */
struct pending *pending_new(struct app *x, enum operation op, unsigned how);
void pending_free(struct pending *p); /* NULL is allowed */

/* All these take it over. */

/* Does it, or asks and shows first what has to be. */
void pending_do(struct pending *p);
/* The same on the refs of a `:` line, else on the marked memories, else on the one here. */
void pending_do_on(struct pending *p, const char *argument);
/* Hands it to the writer, whatever it would have to ask. */
void pending_commit(struct pending *p);
/* Opens a field that asks something about it, which it then finds in pending.asked. */
void pending_ask(struct pending *p, const struct prompt_ops *ops);
struct pending *pending_take_asked(struct app *x);
/* It is not done: what was typed for it is kept. NULL is allowed. */
void pending_leave(struct pending *p);
/* Opens the form again that it was typed into. */
void pending_edit_again(struct pending *p);

/* "retract of belief:54c5507f", "read-only for session 5" appended. */
void pending_add_title(const struct pending *p, struct strbuf *out);
/* What its plan says was shown, and is agreed to: it is done as it was shown, or not at all. */
void pending_agree(struct pending *p);

/* In whose name: the person, in the explorer. */
struct actor pending_actor(const struct app *x);
/* Did this person do it in an explorer? */
bool pending_is_own(const struct app *x, const struct event *event);
/* Why nothing can be changed here and now, or NULL. */
const char *pending_blocked(struct app *x);
/*
 * The marked memories, or else the one under the cursor, or the one in full: rows, in the arena. *marked: they
 * are the marked ones. NULL where there are none.
 */
const int64_t *pending_subjects(struct app *x, struct arena *arena, size_t *count, bool *marked);
/* The one memory that an act for one at a time is about: the marked one where one is marked, else the one
 * under the cursor, or in full; 0: none. */
int64_t pending_subject(struct app *x);
/* The words of a line. In the arena. */
const char **pending_words(struct arena *arena, const char *text, size_t *count);

/* ---- what was not done ---- */

/* Asks what is to become of what was not saved. */
void pending_ask_unsaved(struct app *x);
/* Opens the form again that was left, or could not be saved, of the same operation (enum form_as), memory and kind;
 * false: none was. */
bool pending_reopen(struct app *x, enum form_as as, int64_t node, enum kind kind);

/* ---- what is said (pending_said.c) ---- */

/* "3 retracted · u undoes it" in the status line. */
void pending_say_done(const struct pending *p);
/* "verify of belief:54c5507f waits for the store; C-c gives it up", while the writer has something. */
void pending_say_waiting(struct app *x);
/* "saving… · 1 not saved" appended; nothing where all is done. */
void pending_add_chip(struct app *x, struct strbuf *out);

/* ---- for the loop ---- */

int pending_open(struct app *x, struct error *e);
/* Waits for what is with the writer. -1 where something was not done after all: the last of it is in `e`,
 * what came before it was said on standard error. */
int pending_close(struct app *x, struct error *e);
int pending_fd(const struct app *x);
/* Takes what the writer has answered; true where something may look different. */
bool pending_deliver(struct app *x);
/* Waits for an answer. */
void pending_wait(struct app *x);
/* Gives up what waits for other programs; false where nothing did. */
bool pending_cancel(struct app *x);

#endif
