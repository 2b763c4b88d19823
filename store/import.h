/* Taking over what another store or a file says, again and again. */
#ifndef STEMMA_IMPORT_H
#define STEMMA_IMPORT_H

#include "writer.h"

struct import_options {
    const char *agent;  /* kernle: only that agent; jsonl: of lines that name none */
    bool replace;       /* take the other origin's content where it differs */
    bool dry_run;       /* everything but the writing */
    const char *actor;  /* the person at whose word it is done */
    /* A line for a person: what was not understood, or a conflict. Clean text is not promised. */
    void (*report)(void *arg, const char *line);
    /* Now and then; total 0: unknown. Non-zero stops it between two slices. */
    int (*progress)(void *arg, int64_t done, int64_t total);
    void *arg;
};

struct import_summary {
    int64_t read;      /* memories the source has */
    int64_t added, updated, unchanged, conflicts, refused, not_understood;
    int64_t by_kind[16]; /* of `read`; KIND_COUNT <= 16 */
    int64_t links;
    int64_t unresolved;  /* refs that name nothing here */
    char other_tables[512]; /* "sync_queue 5, trust_assessments 2": counted, not imported */
    char source_version[64];
};

/* A Kernle store, schemas 12 to 27. The source is never changed. */
int import_kernle(struct store *s, const char *path, const struct import_options *options,
                  struct import_summary *summary, struct error *e);
/* Exchange lines from `path` ("-": standard input). Lines that cannot be read are reported with
 * their number and counted as not_understood; the others stand. */
int import_jsonl(struct store *s, const char *path, const struct import_options *options,
                 struct import_summary *summary, struct error *e);

/* Has the source changed since the last import? For --follow: 1 yes, 0 no, -1 gone. */
struct import_watch;
struct import_watch *import_watch_open(const char *path, struct error *e);
int import_watch_fd(const struct import_watch *w);      /* readable when it may have changed */
int import_watch_timeout(const struct import_watch *w); /* ms between polls; -1: none needed */
int import_watch_changed(struct import_watch *w);
void import_watch_close(struct import_watch *w);

/* All memories but stubs, a line each, sorted by ref; `write` gets each line with its line end. */
int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e);

#endif
