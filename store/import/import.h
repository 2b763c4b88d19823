/*
 * Importing a file or another store, once or again and again.
 *
 * A source that was imported before is known by its path or, if it was moved and has grown, by its first memories
 * (struct import_origin). A copy of a source that is still there is another source. What the source says now is
 * merged three ways with what it said last time and what the store has: where only the source changed, its version
 * is taken over; where both changed, ours stays and that is reported once. What another origin brought, or a person
 * wrote here, is not overwritten unless `replace` is set. Nothing is ever written to a source.
 *
 * Long work goes in slices of a transaction each: stopped between two, or killed in one, what was
 * committed stands, and running it again completes it.
 */
#ifndef STEMMA_IMPORT_H
#define STEMMA_IMPORT_H

#include "store/txn/writer.h"

struct import_options {
    const char *agent; /* kernle: only that agent; jsonl: of lines that name none; cot: of all */
    bool replace;      /* take the other origin's content where it differs */
    bool dry_run;      /* everything but the writing */
    const char *actor; /* the person at whose word it is done */
    /* A line for a person: what was not understood, a conflict, a ref that names nothing here. Clean
     * text is not promised. In the caller's thread, as is progress. */
    void (*report)(void *arg, const char *line);
    /* Now and then, in memories of a Kernle store and in bytes of a file; total 0: unknown. Non-zero
     * stops it between two slices. */
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
};

struct import_summary {
    bool empty;   /* cot: there is not even an empty list */
    int64_t read; /* memories the source has */
    int64_t added, updated, unchanged;
    int64_t conflicts; /* changed there and here: ours stayed */
    int64_t gone;      /* of its memories here: it says them no more; they are kept */
    int64_t refused;   /* another origin told it, with other content */
    int64_t repeated;  /* named twice in this source, with other content: the first counts */
    int64_t taken; /* entries under a name that another one has, here or earlier in this source */
    int64_t not_understood; /* what was told of lines, rows and columns that could not be read */
    int64_t by_kind[16];    /* of `read`; KIND_COUNT <= 16 */
    int64_t links;          /* of what was read */
    int64_t unresolved;     /* refs in it that name nothing here */
    char other_tables[512]; /* "sync_queue 5, trust_assessments 2": counted, not imported */
    char source_version[64];
};

/*
 * Before a store is made for it: can the source be read, and is it of that kind? 1: it is; 0: a file
 * of lines none of which says a memory; -1 with `e`. Standard input and pipes, which can be read once
 * only, are not looked at: 1.
 */
int import_jsonl_check(const char *path, struct error *e);
int import_cot_check(const char *path, struct error *e); /* 0: none of its values is a chain */

/* Exchange lines from `path` ("-": standard input), of at most 64 MiB each, in any order. Lines that
 * cannot be read are reported with their number and counted as not_understood; the others stand. */
int import_jsonl(struct store *s, const char *path, const struct import_options *options,
                 struct import_summary *summary, struct error *e);

/*
 * Chains of thought in the specification's shape (ChainOfThoughtOutput) from `path` ("-": standard
 * input): an object, a list of them, or objects on lines or one after the other, of at most 64 MiB
 * each. They are options->agent's (NULL: the actor's). Each chain is taken over whole or not at all:
 * one that cannot be read is reported by its number and line and counted as not_understood, and so is
 * a source that is refused, without which its step stands; where a source_summary differs from what
 * its steps say, that is reported. A chain is known again by what it says and whose it is, wherever
 * it is read; one that was taken back here comes again with options->replace alone. Counted are
 * chains and steps; `links` are what they rest on.
 */
int import_cot(struct store *s, const char *path, const struct import_options *options,
               struct import_summary *summary, struct error *e);

/*
 * For --follow: has the source changed since it was asked last, or since it was opened? Open it before
 * the first import, so that nothing falls between the two.
 */
struct import_watch;
struct import_watch *import_watch_open(const char *path, struct error *e);
int import_watch_fd(const struct import_watch *w); /* readable when it may have changed */
int import_watch_changed(struct import_watch *w);  /* 1 yes, 0 no, -1 it is gone */
void import_watch_close(struct import_watch *w);   /* NULL is allowed */

/* All memories but stubs, a line each, sorted by ref; `write` gets each line with its line end. */
int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e);

#endif
