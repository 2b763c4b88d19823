/*
 * What becomes of a memory that a source says, given what the store has and what the source said
 * last time. For store/ alone.
 *
 * `imported` keeps for each memory the origin that told it, the hash of what it told last, and the
 * event that took it over. The source has changed where the hash differs; the store has where the
 * memory's last event is another one.
 */
#ifndef STEMMA_IMPORT_MERGE_H
#define STEMMA_IMPORT_MERGE_H

#include <pthread.h>
#include "model/base/arena.h"
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "model/memory/memory.h"
#include "store/db/db.h"
#include "store/import/import.h"
#include "store/record/load.h"

struct import_item;
struct import_source;

/*
 * Which source is it: one that was imported before, or a new one? For store/ alone.
 *
 * A source is known by the path it had last, which is its real one. One at a new path, moved and
 * perhaps grown since, and standard input, are known by their first memories, unless another file
 * stands at the path that the source had:
 *   a Kernle store where more than half of those of them that are here were made by it (same ref,
 *   same creation time) and at least one is unchanged;
 *   a file of lines where more than half of all of them are here from it, unchanged.
 * What such a source and the store say differently is merged; what an unknown one says differently
 * is refused, so a source that is not recognised changes nothing.
 */

#define ORIGIN_SAMPLE 64 /* memories that are looked at */

struct import_origin {
    int64_t row; /* 0: it is new */
    const struct import_source *source;
    char *path;     /* real; NULL: standard input */
    char *identity; /* set once the first memories are known, or by the path */
    bool moved;     /* it was known by its memories: its path is to be noted */
    char *was;      /* the path it had before it moved; NULL: none that is known */
};

/* -1 where the path leads nowhere. import_origin_release frees it. */
int import_origin_init(struct import_origin *o, const struct import_source *source,
                       const char *path, struct error *e);
void import_origin_release(struct import_origin *o);

/* By its path. */
int import_origin_find(struct import_origin *o, struct db *db, struct error *e);
/* By its first `count` memories. */
struct slice_entry;
int import_origin_recognise(struct import_origin *o, struct db *db,
                            const struct slice_entry *entries, size_t count, struct error *e);

/* In a write transaction: makes its row where it is new. */
int import_origin_insert(struct import_origin *o, struct db *db, int64_t now, struct error *e);
/* The same, and notes its path, the time and what came of it. */
int import_origin_record(struct import_origin *o, struct db *db, int64_t now, const char *summary,
                         struct error *e);

struct import_item {
    struct memory memory;
    struct digest hash; /* of what the source says */
    bool is_gone;       /* it was imported before, and taken back here */
    bool undated;       /* the source says no creation time: one that is there stays */
    int64_t line;       /* of the file; 0: none */
    int64_t number;     /* of a chain of thought in its source, from 1; 0: it is none */
    const struct chain_given *chain; /* that chain, of which `memory` has the ref alone */
    size_t steps;                    /* of it, which are memories too */
};

enum verdict {
    VERDICT_ADD,      /* not here, or only named */
    VERDICT_UPDATE,   /* only the source changed, or it is to be replaced */
    VERDICT_SAME,     /* nothing to do */
    VERDICT_ALREADY,  /* here is what the source says now: only that is to be noted */
    VERDICT_CONFLICT, /* both changed: ours stays */
    VERDICT_REFUSED,  /* another origin has it, with other content */
    VERDICT_TAKEN,    /* an entry under a name that another living one has here */
};

/* What the store knows of a ref. */
struct standing {
    int64_t node; /* 0: never named */
    int64_t event;
    enum status status;
    int64_t origin; /* 0: it was not imported */
    int64_t imported_event;
    struct digest hash;
};

/*
 * The hash of a memory's content: SHA-256 of its exchange form with version 1, for a version counts
 * the changes here and says nothing of the content. Of a first version it keeps the form in
 * the arena as m->form, for the writer: nothing of the memory may be changed after that.
 */
void import_hash_form(struct memory *m, struct arena *arena, struct digest *out);

/* Was its addition, which that origin had brought, undone here? Then it is added again by --replace alone:
 * that it is gone is ours. */
bool import_taken_back(const struct standing *known, int64_t origin);

int import_standing(struct db *db, struct ref ref, struct standing *out, struct error *e);

/*
 * Decides by `known`; reads ours where it matters, into `arena` (*ours is then filled, and its node
 * is not 0).
 */
int import_decide(struct db *db, struct arena *arena, int64_t origin, bool replace,
                  const struct import_item *item, const struct standing *known,
                  enum verdict *verdict, struct memory *ours, struct error *e);

/*
 * A slice of an import: the memories that one job writes. For store/ alone.
 *
 * The caller's thread fills it, submits it and waits for it; between those only the writer's thread
 * touches it. A memory that the store does not take fails alone.
 */

struct slice_entry {
    struct import_item item;
    enum verdict verdict;
    bool cannot;    /* the store does not take it, for the reason that was told */
    size_t refused; /* parts of it that only writing it refused, for reasons that were told */
};

struct slice;
/* Writes an entry, in the writer's thread. */
typedef int slice_write(struct slice *s, struct txn *t, struct slice_entry *entry, struct error *e);
slice_write slice_write_memory;

struct slice {
    /* for all slices of a run */
    struct store *store;
    const struct import_options *options;
    const struct actor *actor;
    slice_write *write;
    struct bulk *bulk; /* takes the jobs while it is open; NULL: none ever is */

    struct arena arena; /* of the memories */
    struct slice_entry *entries;
    size_t count, alloc;
    struct import_origin origin; /* borrowed; its row is made where the run's source is new */
    struct strbuf lines;         /* what is to be told, each with its NUL */
    bool queued;
    bool loaded; /* by a bulk load: its antecedents have no nodes */

    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool answered;      /* under `lock` */
    struct error error; /* of the job */
    size_t at;          /* the entry that it came to */
    bool again;         /* the job's own: it tries those again whose name was taken */
};

void slice_init(struct slice *s, struct store *store, const struct import_options *options,
                const struct actor *actor, slice_write *write, struct bulk *bulk);
/* Waits for its job. */
void slice_release(struct slice *s);
void slice_clear(struct slice *s);
struct slice_entry *slice_add(struct slice *s, const struct import_item *item);

/* "line 3: belief:ID: what", or "chain 2 (line 3): what", to be told. A ref with the id NULL is left out. */
void slice_say(struct slice *s, const struct import_item *item, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of an error: "line 3: belief:ID: what is wrong. What to do." */
void slice_say_error(struct slice *s, const struct import_item *item, const struct error *wrong);
/* Tells what there is to tell. */
void slice_tell(struct slice *s);

/* Who an import is done by, as `channel` in the journal; its correlation, 48 bits of chance, stands in each event. */
struct actor import_actor(struct store *s, const struct import_options *options,
                          const char *channel, char correlation[13]);

/* Hands it to the writer, as of that origin. */
int slice_submit(struct slice *s, const struct import_origin *origin, struct error *e);
/* Waits until it is written (within a bulk load: not committed yet): each entry that is not `cannot`
 * then has its verdict and its node, and origin.row is set. At once where it was not submitted. */
int slice_wait(struct slice *s, struct error *e);

#endif
