/*
 * Pending operations: changes that the person requests, made in their name, each with one undo.
 *
 * begun → reason asked → planned and shown → committed → answered, or failed
 *
 * An operation owns its arguments, so it can wait for a prompt, for its plan or for a busy store without blocking the
 * UI. The worker plans it, the writer commits it, and the answer wakes the loop through a descriptor. It is committed
 * exactly as it was shown. Typed text is kept until the operation is committed or dropped.
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

struct explorer_options;

enum pending_how {
    PENDING_REASON = 1, /* ask for a reason unless one was given, if the person asked to be asked */
    PENDING_SELECTED = 2, /* on the selected memories; unselects them when it is done */
    PENDING_TYPED = 4,    /* has typed text, which is kept if it fails */
    PENDING_SHOWN = 8,    /* show its plan first, even if the operation does not require it */
    PENDING_WHAT_IF = 16, /* show its plan before asking, even if nothing can be changed */
    PENDING_ALONE = 64,   /* shows its plan only if other memories change or lose support with it */
    PENDING_STALE = 32,   /* an edit of a version that is out of date: its plan is shown */
};

enum pending_state {
    PENDING_HELD = 0,  /* owned by a prompt, a view or its creator; not in the list */
    PENDING_COMMITTED, /* in the list, with the writer */
    PENDING_UNSAVED,   /* in the list; failed or put away; typed text is kept */
    PENDING_STATES
};

struct pending {
    struct app *app;
    struct arena arena;
    enum operation op; /* OPERATION_COUNT for an addition or a decision about a session */
    const char *name;  /* "retract", "add", "read-only" */
    unsigned how;      /* enum pending_how */
    struct request q;  /* in the arena, as everything below */
    struct add_request add;
    size_t add_len;
    int64_t session; /* the session that it decides about; 0 for none */
    enum session_verdict verdict;
    const char *about; /* subject: "belief:54c5507f", "3 memories", or ""; NULL if not known yet */
    int64_t node;      /* the subject if it is one memory; else 0 */
    /* subject of the question for a reason, "B relevant to step 1"; NULL for the default */
    const char *question;
    /* message when it is done, "B judged relevant in step 1"; NULL for the default */
    const char *message;
    struct form *form; /* the form with its text; owned, or NULL */

    enum pending_state state;
    struct pending *next; /* in the list */
    bool confirmed;       /* the person agreed to `shown` */
    bool word_given; /* the person typed the confirmation for an operation that cannot be undone */
    struct arena shown_arena;
    struct plan shown;

    /* Owned by the writer during the commit; the plan belongs to the worker while it is read. */
    struct store_job job;
    _Atomic int64_t until; /* of `job`: INT64_MAX, or 0 to stop waiting for other programs */
    struct arena answers;
    struct plan plan; /* in `answers` */
    struct added added;
    bool differs; /* the plan had changed, so nothing was done */
    bool vacuums; /* done; a thread erases remains in the store's files */
    pthread_t thread;
    struct error error;
};

struct pending_list {
    int wake[2]; /* pipe: the writer sends the operations that it has answered */
    bool open;
    struct pending *first; /* oldest first */
    size_t count[PENDING_STATES];
    struct pending *asked; /* the operation that the open prompt asks about; or NULL */
    bool with_reason;      /* the next operation that may have a reason asks for it */
    bool shows_first;      /* operations that begin now show their plan first */
    /* the operation that the popup asks about, since others may fail meanwhile */
    struct pending *offered;
    char title[128]; /* of a popup */
};

/* Creates an operation, which the caller completes with strings in its arena and passes to pending_do. Else release
 * it with pending_free. */
struct pending *pending_new(struct app *x, enum operation op, unsigned how);
void pending_free(struct pending *p); /* NULL is allowed */

/* The following take ownership of the operation. */

/* Starts it: commits it, or first asks and shows what is required. */
void pending_do(struct pending *p);
/* As pending_do, on the refs of a `:` line, else on the selected memories, else on the current one. */
void pending_do_on(struct pending *p, const char *argument);
/* Passes it to the writer without asking. */
void pending_commit(struct pending *p);
/* Opens a prompt about it. The prompt gets it with pending_take_asked. */
void pending_ask(struct pending *p, const struct prompt_ops *ops);
struct pending *pending_take_asked(struct pending_list *pending);
/* Cancels it; typed text is kept. Accepts NULL. */
void pending_put_away(struct pending *p);
/* Opens its form again. */
void pending_edit_again(struct pending *p);

/* Appends "retract of belief:54c5507f", "read-only for session 5". */
void pending_add_title(const struct pending *p, struct strbuf *out);
/* The person agreed to the plan: commits it exactly as shown, or not at all. */
void pending_agree(struct pending *p);

/* The actor of operations: the person, in the explorer. */
struct actor pending_actor(const struct explorer_options *options);
/* Whether this person did it in an explorer. */
bool pending_is_own(const struct explorer_options *options, const struct event *event);
/* The reason why nothing can be changed now, or NULL. */
const char *pending_blocked(struct app *x);
/*
 * The rows that an action applies to, in the arena: the selected memories (then sets *selected), else the one under the
 * cursor or on the page. NULL if there are none.
 */
const int64_t *pending_subjects(struct app *x, struct arena *arena, size_t *count, bool *selected);
/* As pending_subjects, for actions on a single memory: the only selected one, else the one under the cursor or on the
 * page; 0 for none. */
int64_t pending_subject(struct app *x);
/* Splits a line into words, in the arena. */
const char **pending_words(struct arena *arena, const char *text, size_t *count);

/* ---- unsaved operations ---- */

/* Asks what to do with unsaved text. */
void pending_ask_unsaved(struct app *x);
/* Opens the form that was put away for the same purpose, memory and kind. Returns false if there is none. */
bool pending_reopen(struct app *x, enum form_as as, int64_t node, enum kind kind);

/* ---- messages (pending_messages.c) ---- */

/* Shows "3 retracted · u undoes it" in the status line. */
void pending_report_done(const struct pending *p);
/* Shows "verify of belief:54c5507f waits for the store; C-c gives it up" while the writer has an operation. */
void pending_report_waiting(struct app *x);
/* Appends "saving… · 1 not saved"; nothing if all is done. */
void pending_add_chip(struct app *x, struct strbuf *out);

/* ---- for the loop ---- */

int pending_open(struct pending_list *pending, struct error *e);
/* Waits for operations that the writer has. If any fails, returns -1 and sets *e for the last one; earlier ones are
 * reported on stderr. */
int pending_close(struct app *x, struct error *e);
int pending_fd(const struct app *x);
/* Handles answers of the writer. Returns true if something may have to be drawn. */
bool pending_deliver(struct app *x);
/* Waits for an answer. */
void pending_wait(struct app *x);
/* Cancels operations that wait for other programs. Returns false if there were none. */
bool pending_cancel(struct pending_list *pending);

#endif
