/*
 * The operations on memories. Each has one implementation, which the explorer, the commands and MCP
 * share. A request says what to do. A preview returns the plan without changing anything; a commit
 * makes the plan and carries it out.
 *
 * The files op_*.c implement the operations.
 */
#ifndef STEMMA_OPERATION_H
#define STEMMA_OPERATION_H

#include "store/ops/plan.h"

enum operation {
    OPERATION_EDIT = 0,
    OPERATION_PROMOTE,
    OPERATION_REINFORCE,
    OPERATION_REPLACE,
    OPERATION_RESOLVE,
    OPERATION_REVISE,
    OPERATION_CONSOLIDATE,
    OPERATION_SEED,
    OPERATION_APPROVE,
    OPERATION_LOCK,
    OPERATION_UNLOCK,
    OPERATION_RETRACT,
    OPERATION_RESTORE,
    OPERATION_FORGET,
    OPERATION_PURGE,
    OPERATION_CAP_CONFIDENCE,
    OPERATION_REPAIR_ORIGINS,
    OPERATION_FLAG,
    OPERATION_UNFLAG,
    OPERATION_UNDO,
    OPERATION_REDO,
    OPERATION_QUARANTINE,
    OPERATION_RELEASE,
    OPERATION_MERGE,
    OPERATION_COUNT
};

/* A belief that OPERATION_SEED adds. */
struct seed {
    const char *text;
    size_t len;
    double confidence; /* NAN for the default of the kind */
    const char **tags;
    size_t tag_count;
};

/*
 * The values of an operation's parameters. An absent value is NULL, 0 or NAN. The parameter tables
 * in operation.c say which members an operation uses, how they are called and what they mean. A
 * table names a member by its offset, so code that decodes JSON, options or a form calls
 * op_set_text and its siblings and needs nothing for a single operation.
 *
 * Refs are given as a person or a tool writes them (ref_resolve). Repeated refs count once.
 */
#define DEPENDANTS_LEAVE      "leave"
#define DEPENDANTS_REVIEW     "review"
#define DEPENDANTS_RETRACT    "retract"
#define DEPENDANTS_QUARANTINE "quarantine" /* of a quarantine only */

struct request {
    const char **refs;
    size_t ref_count;
    const int64_t *nodes; /* rows; in place of refs or in addition to them */
    size_t node_count;
    const char *text;
    size_t text_len;
    double confidence;
    const char **tags;
    size_t tag_count;
    bool tags_given; /* if false, tags stay unchanged */
    /* refs or annotations in place of what it was made from; not NULL with no elements: nothing */
    const char **derived;
    size_t derived_count;
    /* JSON object: members of the detail to set; null removes a member */
    const char *fields;
    const char *source, *agent;
    enum kind as;
    const char **evidence;
    size_t evidence_count;
    const char **contradicts;
    size_t contradict_count;
    const char *date;
    const char *into;                     /* of a merge: the ref of the one that stays */
    const struct add_request *provenance; /* source, context, tags and refs; NULL if none */
    const struct seed *seeds;
    size_t seed_count;
    const char **statements;
    size_t statement_count;
    const char *flag, *value;
    const int64_t *seqs;
    size_t seq_count;
    const char *dependants; /* of a retraction: DEPENDANTS_…; NULL for review */
    int64_t session;        /* of a quarantine: all that it wrote; 0 for none */
    const char *reason;
    int64_t expected_version; /* 0 for any version */
    int64_t created_at;       /* ms; 0 leaves it unchanged */
};
#define REQUEST_INIT                                                                               \
    {                                                                                              \
        .confidence = NAN, .as = KIND_COUNT                                                        \
    }

/* ---- the table ---- */

enum param_type {
    PARAM_END = 0,
    PARAM_REFS,       /* memories by their refs; the first such parameter is the subject */
    PARAM_TEXT,       /* a string of one line */
    PARAM_BODY,       /* a string with a length; may contain line breaks and any bytes */
    PARAM_LIST,       /* strings; one string if `most` is 1 */
    PARAM_TAGS,       /* strings; an empty list removes all tags */
    PARAM_NUMBER,     /* from `min` to `max` */
    PARAM_INTEGER,    /* from `min` to `max` */
    PARAM_TIME,       /* ms since 1970 */
    PARAM_KIND,       /* one of `kinds` */
    PARAM_FIELDS,     /* JSON object: members of the detail to set; null removes a member */
    PARAM_EVENTS,     /* event numbers */
    PARAM_STATEMENTS, /* strings; a command reads them from a file, one per line */
    PARAM_SEEDS,      /* struct seed, built by the caller */
    PARAM_PROVENANCE, /* struct add_request, built by the caller */
};

/* Which interfaces offer a parameter; 0 means all of them. */
enum param_use {
    PARAM_OF_TOOL = 1,
    PARAM_OF_COMMAND = 2,
    PARAM_OF_FORM = 4,
};

struct param {
    const char *name; /* name in JSON and in forms: "expected_version" */
    /* Name on the command line, "expected-version"; NULL if the same as `name`. A command takes
     * `positional` parameters as words, in the order of the table. */
    const char *option;
    /* Placeholder in usage texts: "REF". If it ends with "…", it takes all remaining words. */
    const char *argument;
    enum param_type type;
    const char *about;
    bool required, positional;
    unsigned use; /* enum param_use */
    /* bits of enum kind: offered (PARAM_KIND) or accepted (PARAM_REFS); 0 for any */
    unsigned kinds;
    double min, max;
    size_t most; /* maximum number of elements; 0 for no limit */
    /* offsets into struct request; `length` is that of a count or length, if there is one */
    size_t value, length;
};

/*
 * operation_run plans a whole operation. operation_each plans the change of one named memory.
 * operation_check runs before these and validates the request; operation_then runs after them and
 * adds what follows from all of the changes.
 */
typedef int (*operation_run)(struct plan *p, const struct request *q, struct error *e);
typedef int (*operation_each)(struct plan *p, int64_t node, const struct request *q,
                              struct error *e);
typedef int (*operation_check)(struct plan *p, const struct request *q, size_t count,
                               struct error *e);
typedef int (*operation_then)(struct plan *p, const struct request *q, const int64_t *rows,
                              size_t count, struct error *e);

struct op_spec {
    const char *name;  /* in the journal and in requests; never changes. People read display_name */
    const char *done;  /* past participle for "3 retracted" */
    const char *about; /* one line, for help and menus */
    bool asks;         /* a person sees a preview and confirms it */
    bool person;       /* refused to agents */
    bool many;         /* accepts several refs */
    bool undoable;     /* `undo` reverts it */
    bool adds;         /* makes a memory, whose ref is the result */
    /* If `plan` is NULL: `check`, then `each` per memory, then `then`; check and then may be NULL. */
    operation_run plan;
    operation_each each;
    operation_check check;
    operation_then then;
    bool shows_consequences;    /* the plan lists the memories that lose support */
    const struct param *params; /* ends with PARAM_END; the last one before it is the reason */
};
const struct op_spec *op_spec(enum operation op);
/* Also from its display name; -1 if there is no such operation. */
int operation_from_name(const char *name);

/* Returns the parameter with that name, or NULL. */
const struct param *op_param(const struct op_spec *spec, const char *name);

/* Set the value of a parameter, which must have a matching type. Strings and lists remain the
 * caller's; op_set_text allocates the list for a list parameter in `arena`. */
void op_set_text(const struct param *p, struct request *q, struct arena *arena, const char *text,
                 size_t len);
void op_set_list(const struct param *p, struct request *q, const char **list, size_t count);
void op_set_number(const struct param *p, struct request *q, double number);
void op_set_integer(const struct param *p, struct request *q, int64_t integer);
void op_set_kind(const struct param *p, struct request *q, enum kind kind);

/* ---- running ---- */

/*
 * Makes the plan without changing anything. `p` and all it points to live in `arena`. Fails with
 * the error that the commit would return: ERROR_REFUSED, ERROR_NOT_FOUND, ERROR_INVALID or
 * ERROR_CONFLICT.
 */
int operation_preview(struct reader *r, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p,
                      struct error *e);
/* Runs the operation inside a transaction of the caller's. Call it in the writer thread. After -1
 * the job must fail. */
int operation_in(struct txn *t, const struct actor *actor, enum operation op,
                 const struct request *q, struct arena *arena, struct plan *p, struct error *e);
/* Runs the operation in a transaction of its own and waits until it is durable. */
int operation_run_now(struct store *s, const struct actor *actor, enum operation op,
                      const struct request *q, struct arena *arena, struct plan *p,
                      struct error *e);

/*
 * A plan that a person confirmed is carried out exactly as shown, or not at all: the store may have
 * changed while the person read the preview. Returns true if both plans change the same memories in
 * the same way with the same consequences. Ignores the time of planning and the ids of added
 * memories. Compares the JSON form of all changed memories.
 */
bool plan_same(const struct plan *a, const struct plan *b);

/*
 * As operation_run_now, but only if the plan still equals `shown`. Otherwise returns
 * ERROR_CONFLICT, changes nothing and leaves the new plan in `p`. After any other error p->reader
 * is NULL.
 */
int operation_run_shown(struct store *s, const struct actor *actor, enum operation op,
                        const struct request *q, struct arena *arena, const struct plan *shown,
                        struct plan *p, struct error *e);

#endif
