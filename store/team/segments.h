/* The files of a team's folder. Only for the transport of a folder. */
#ifndef STEMMA_SEGMENTS_H
#define STEMMA_SEGMENTS_H

#include "model/base/strbuf.h"
#include "store/team/transport_internal.h"

struct segments {
    struct transport base;
    char *dir;
    int folder; /* DIR/STORE; -1 while there is none */
    int lock;   /* the open lock file; -1 */
    bool locked;
    struct watcher *watcher;
};

struct segments *segments_of(struct transport *t);
bool segments_exists(struct segments *s);
/* Opens another folder in the place of DIR/STORE. */
int segments_open_folder(struct segments *s, const char *path, struct error *e);
/* The path of a file of the folder, for people. */
const char *segments_path(const struct segments *s, struct arena *arena, const char *name);
/* An error of the system (errno) about a file of the folder. */
int segments_failed(const struct segments *s, const char *name, struct error *e);

/* ---- names ---- */

struct numbers {
    int64_t *item;
    size_t count, alloc;
};
#define AUTO_NUMBERS __attribute__((cleanup(numbers_release))) struct numbers
void numbers_release(struct numbers *n);

/* A kind of files that have a number in their names. What is in `machines` wakes nobody. */
struct segments_family {
    const char *dir, *before, *after;
    int digits;
};
extern const struct segments_family segment_files, snapshot_files, machine_files, session_files;

struct segments_name {
    char text[64];
};
struct segments_name segments_name(const struct segments_family *f, int64_t number);
/* The numbers of the files that are there, in order. */
int segments_list(struct segments *s, const struct segments_family *f, struct numbers *out,
                  struct error *e);

/* ---- reading and placing ---- */

/* Returns other than 0 to end: 1, or -1 with `e`. */
typedef int line_function(void *arg, const char *line, size_t len, struct error *e);
/* Calls `each` for each line. Returns its result, 0 also if there is no such file. */
int segments_each_line(struct segments *s, const char *name, line_function *each, void *arg,
                       struct error *e);
/* Opens a file of the folder, which anybody may have put there. -1 with errno. */
int segments_open_file(struct segments *s, const char *name);
/* A name for a file that is then placed as `name`, in the same directory. */
struct segments_name segments_new_name(const char *name);
/* Gives the synced file `from` its name. Returns 0 if that is taken and not to be replaced. */
int segments_place(struct segments *s, const char *from, const char *name, bool replace,
                   struct error *e);
/* The same for a new file of this text. */
int segments_put(struct segments *s, const char *name, const struct strbuf *text, bool replace,
                 struct error *e);

/*
 * Waits for who has the lock; who has stalled is passed by. Where a folder has no locks all go on
 * without: names decide who comes first.
 */
int segments_take(struct segments *s, struct error *e);
/* What transport_lock took stays. */
void segments_release(struct segments *s);

/* ---- segments.c ---- */

void segment_add_event(struct strbuf *out, const struct team_event *v);
/* The line is a checked object. */
int segment_read_event(struct team_event *out, struct arena *arena, const char *line, size_t len,
                       struct error *e);
int segments_fetch(struct transport *t, int64_t after, size_t limit, struct arena *arena,
                   struct team_event **out, size_t *count, struct error *e);

/* ---- segments_erase.c: the caller has the lock ---- */

/* An event that erases the bodies of `ref` up to event `to`. */
struct erasure {
    int64_t seq, to;
    struct digest hash;
    const char *ref;
};
struct erasures {
    struct arena arena;
    struct erasure *item;
    size_t count, alloc;
};
/* Adds what the event erases, if it does. */
void erasure_find(struct erasures *all, const struct team_event *v);
/* Writes down what the events erase, for whoever finds it after a crash. */
int erasures_put(struct segments *s, struct erasures *all, const struct team_event *events,
                 size_t count, struct error *e);
int erasures_carry_out(struct segments *s, const struct erasures *all, struct error *e);
/* Goes on with what a crash interrupted. */
int erasures_finish(struct segments *s, struct error *e);
int segments_remove_snapshots(struct segments *s, int64_t before, struct error *e);

/* ---- segments_machines.c ---- */

struct machine {
    struct arena *arena;
    struct team_machine m;
    bool found, left;
};
/* ERROR_REFUSED if it left. */
int segments_live_machine(struct segments *s, struct arena *arena, int number, struct machine *out,
                          struct error *e);
int segments_join(struct transport *t, const char *machine, int *number, struct error *e);
int segments_leave(struct transport *t, int machine, struct error *e);
int segments_machines(struct transport *t, struct arena *arena, struct team_machine **out,
                      size_t *count, struct error *e);
int segments_report(struct transport *t, int machine, int64_t applied,
                    const struct team_session *sessions, size_t count, struct error *e);
int segments_sessions(struct transport *t, int64_t changed, struct arena *arena,
                      struct team_session **out, size_t *count, struct error *e);

#endif
