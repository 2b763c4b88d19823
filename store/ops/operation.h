/*
 * Every operation on memories: one implementation each, for the explorer, the commands and MCP. A request
 * says what is wanted; a preview answers with the plan of it, a commit carries the plan out.
 *
 * What each means is in one of the files op_*.c.
 */
#ifndef STEMMA_OPERATION_H
#define STEMMA_OPERATION_H

#include "store/ops/plan.h"

enum operation {
    OPERATION_EDIT = 0,
    OPERATION_PROCESS,
    OPERATION_REINFORCE,
    OPERATION_SUPERSEDE,
    OPERATION_REVISE,
    OPERATION_CONSOLIDATE,
    OPERATION_SEED,
    OPERATION_VERIFY,
    OPERATION_PROTECT,
    OPERATION_UNPROTECT,
    OPERATION_RETRACT,
    OPERATION_RESTORE,
    OPERATION_FORGET,
    OPERATION_PURGE,
    OPERATION_PROPAGATE,
    OPERATION_FIX_PROVENANCE,
    OPERATION_MARK,
    OPERATION_UNMARK,
    OPERATION_UNDO,
    OPERATION_REDO,
    OPERATION_COUNT
};

/*
 * A request: the values of an operation's parameters. Absent: NULL, 0, NAN. Which of them an operation takes, what they
 * are called and what they mean, its parameter table says (operation.c); a member is found there by its offset, so
 * that a caller who decodes JSON, options or a form needs no code for any operation: op_set_text and its like.
 *
 * Refs are as a person or a tool gives them (ref_resolve), each counted once.
 */
struct seed {
    const char *text;
    size_t len;
    double confidence; /* NAN: the kind's own */
    const char **tags;
    size_t tag_count;
};

struct request {
    const char **refs;
    size_t ref_count;
    const int64_t *nodes; /* the same as rows, in place of refs or next to them */
    size_t node_count;
    const char *text;
    size_t text_len;
    double confidence;
    const char **tags;
    size_t tag_count;
    bool tags_given;    /* else they stay */
    const char *fields; /* a JSON object: members of the detail to set, null takes one away */
    const char *source, *agent;
    enum kind as;
    const char **evidence;
    size_t evidence_count;
    const char **contradicts;
    size_t contradict_count;
    const char *date;
    const struct add_request *provenance; /* its source, context, tags and refs; NULL: none */
    const struct seed *seeds;
    size_t seed_count;
    const char **statements;
    size_t statement_count;
    const char *mark, *value;
    const int64_t *seqs;
    size_t seq_count;
    const char *reason;
    int64_t expected_version; /* 0: whichever it is */
    int64_t created_at;       /* ms; 0: it stays */
};
#define REQUEST_INIT                                                                               \
    {                                                                                              \
        .confidence = NAN, .as = KIND_COUNT                                                        \
    }

/* ---- the table ---- */

enum param_type {
    PARAM_END = 0,
    PARAM_REFS, /* memories, by their refs; the first such parameter names what the operation is about */
    PARAM_TEXT,       /* a string of one line */
    PARAM_BODY,       /* a string with its length: line breaks, any bytes */
    PARAM_LIST,       /* strings; `most` 1: one string */
    PARAM_TAGS,       /* strings; an empty list says that there are none */
    PARAM_NUMBER,     /* from `min` to `max` */
    PARAM_INTEGER,    /* from `min` to `max` */
    PARAM_TIME,       /* ms since 1970 */
    PARAM_KIND,       /* one of `kinds` */
    PARAM_FIELDS,     /* a JSON object: members of the detail to set, null takes one away */
    PARAM_EVENTS,     /* numbers of events */
    PARAM_STATEMENTS, /* strings; a command takes them from a file, one a line */
    PARAM_SEEDS,      /* struct seed: the caller makes them */
    PARAM_PROVENANCE, /* struct add_request: the caller makes it */
};

/* Who takes a parameter. Nothing set: all of them. */
enum param_use {
    PARAM_OF_TOOL = 1,
    PARAM_OF_COMMAND = 2,
    PARAM_OF_FORM = 4,
};

struct param {
    const char *name; /* in JSON and in a form: "expected_version" */
    const char
        *option; /* on the command line: "expected-version"; NULL: its name. A command takes what is
                           `positional` as its words, in the order of the table */
    const char *argument; /* its value in usage: "REF…" */
    enum param_type type;
    const char *about;
    bool required, positional;
    unsigned use;   /* enum param_use */
    unsigned kinds; /* bits: PARAM_KIND which are offered, PARAM_REFS which can be named; 0: any */
    double min, max;
    size_t most; /* elements of a list; 0: no bound */
    size_t value,
        length; /* where it stands in struct request; length: count or length, where it has one */
};

/* Plans all of it; what is asked of each memory that is named; what is to be said of all of them before, and what
 * follows from them all. */
typedef int (*operation_run)(struct plan *p, const struct request *q, struct error *e);
typedef int (*operation_each)(struct plan *p, int64_t node, const struct request *q,
                              struct error *e);
typedef int (*operation_check)(struct plan *p, const struct request *q, size_t count,
                               struct error *e);
typedef int (*operation_then)(struct plan *p, const int64_t *rows, size_t count, struct error *e);

struct op_spec {
    const char *name;   /* "retract": of the command and the event, mostly */
    const char *done;   /* "retracted": "3 retracted" */
    const char *about;  /* one line, for help and menus */
    bool asks;          /* a person sees the preview and confirms */
    bool person;        /* never an agent's */
    bool destructive;   /* an agent's only where the configuration turns it on */
    bool many;          /* takes several refs */
    bool undone;        /* can be taken back */
    bool adds;          /* makes a memory, whose ref is the answer */
    operation_run plan; /* NULL: by `each`, between `check` and `then`, which may be NULL */
    operation_each each;
    operation_check check;
    operation_then then;
    bool falls;                 /* the plan says what becomes of what rests on them */
    const struct param *params; /* up to PARAM_END; the last is the reason */
};
const struct op_spec *op_spec(enum operation op);
int operation_from_name(const char *name); /* -1: none is called so */

/* The parameter of that name, NULL: it has none. */
const struct param *op_param(const struct op_spec *spec, const char *name);

/* Set the value of a parameter of a fitting type. Strings and lists stay the caller's; a list of one is made in
 * `arena`. */
void op_set_text(const struct param *p, struct request *q, struct arena *arena, const char *text,
                 size_t len);
void op_set_list(const struct param *p, struct request *q, const char **list, size_t count);
void op_set_number(const struct param *p, struct request *q, double number);
void op_set_integer(const struct param *p, struct request *q, int64_t integer);
void op_set_kind(const struct param *p, struct request *q, enum kind kind);

/* ---- running ---- */

/*
 * What it would do, by reading alone. `p` and all in it live in `arena`. ERROR_REFUSED, ERROR_NOT_FOUND,
 * ERROR_INVALID, ERROR_CONFLICT as the commit would answer.
 */
int operation_preview(struct reader *r, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p,
                      struct error *e);
/* Does it in a transaction of others, in the writer's thread. After -1 the job must fail. */
int operation_in(struct txn *t, const struct actor *actor, enum operation op,
                 const struct request *q, struct arena *arena, struct plan *p, struct error *e);
/* Does it, and waits until it is durable. */
int operation_run_now(struct store *s, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p,
                      struct error *e);

/*
 * A plan that a person was shown and confirmed: it is carried out as it was shown, or not at all. What was
 * stored may have changed while the person read.
 */

/*
 * Do both plans change the same memories in the same way, with the same consequences? Their own times
 * and the ids of what they add may differ. O(what they change), in the exchange form.
 */
bool plan_same(const struct plan *a, const struct plan *b);

/*
 * As operation_run_now, of what was shown. ERROR_CONFLICT: by now it would be another plan; then nothing
 * was changed, and `p` is that plan (p->reader is NULL otherwise).
 */
int operation_run_shown(struct store *s, const struct actor *actor, enum operation op,
                        const struct request *q, struct arena *arena, const struct plan *shown,
                        struct plan *p, struct error *e);

#endif
