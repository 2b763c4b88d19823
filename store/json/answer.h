/*
 * Answers as JSON: what the commands print with --json and what MCP's tools answer, one implementation
 * for both.
 */
#ifndef STEMMA_ANSWER_H
#define STEMMA_ANSWER_H

#include "model/format/exchange.h"
#include "model/base/strbuf.h"
#include "store/lineage/orphans.h"

/*
 * Where an answer is written. A command's may be far larger than memory should be: `flush` is called
 * after each element and may take away what `out` holds so far. NULL: it is wanted in one piece.
 */
struct answer {
    struct strbuf *out;
    int (*flush)(void *arg, struct error *e);
    void *arg;
    struct reader *reader; /* of a plan: what its caller does not see is left out; NULL: nothing */
    bool brief;  /* of a trace: long texts are begun, and say that they are ("text_cut": true) */
    size_t most; /* of a trace: bytes that it may have, but for its end; 0: all is told */
};

/* As memory_read, of one that was written. ERROR_NOT_FOUND: a stub. */
int answer_read(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                struct error *e);
/* Appends the memory in the exchange form, with its label. Stubs as above. */
int answer_memory(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                  struct error *e);
/* The same as the reader's caller may see it: thinned, or no more than whose it is. ERROR_NOT_FOUND: also one that the
 * caller may not know of. */
int answer_form(struct reader *r, struct arena *arena, int64_t node, enum label label,
                struct strbuf *out, struct error *e);

/*
 * `show --trace`: {"nodes","links","cut","nodes_more"?,"cycles","cycles_more"?}. Where it has an end (`most`) the
 * first of the walk are told, with the links among them, and the circles that there is room for; `cut` counts the
 * other nodes too, and the members with ? how many of each there was no room for.
 */
int answer_trace(const struct answer *to, struct reader *r, const struct trace *t, struct error *e);
/* The same of what is loaded here, in brief, in `most` bytes: however large a text is, and however much rests on one
 * memory, the answer can be sent. */
int answer_lineage(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t most, struct strbuf *out, struct error *e);

/* How much of each list is told: so many elements (0: all), and as many as the answer has bytes for. */
struct answer_room {
    size_t count, bytes;
};
/* `whatif`: {"falls","falls_more"?,"weakened","weakened_more"?,"descends"}, of which the members with ? say how many
 * more there are than there was room for. `room` NULL: all are told. */
int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      const struct answer_room *room, struct error *e);

/*
 * What an operation would do, or did (`done`): {"operation","done","changes":[{"ref","operation","event","version",
 * "reason","before","after"}],"falls","weakened","descends","left","remarks","unresolved"?}. A change's before and
 * after are the members of the exchange form that differ (exchange_diff), version and time left out; one that is
 * added has null before, one that is taken back null after; `event` only what is done has.
 */
struct plan;
int answer_plan(const struct answer *to, const char *operation, const struct plan *p, bool done,
                struct error *e);

/* `log`, `history`: {"seq","at","actor","class","agent","origin","session","operation","ref","before","after",
 * "reason","correlation"}, each null where it has none; and "undoes" where it takes another event back. */
struct event;
void answer_event(struct strbuf *out, const struct event *event);

/* `history`: the same with "version" (none: it was taken back), "undone_by"? and "changes" [{"field","before",
 * "after"}], as memory_difference says them, masked as for the reader's caller (NULL: a person); guard_revision took away what he may
 * not see. `arena` is cleared first. */
struct revision;
/* How much is told: so many code points of each text, and changes until they take so many bytes. */
struct answer_bounds {
    size_t characters, bytes;
};
/* `bounds` NULL: whole. */
int answer_revision(struct reader *r, struct strbuf *out, const struct revision *revision,
                    const struct answer_bounds *bounds, struct arena *arena, struct error *e);

/* `diff`: {"ref","event","before","after","events"}: the members of the exchange form that differ
 * (exchange_diff), and the numbers of the last event on it in between and of all of them. */
struct changed;
void answer_changed(struct strbuf *out, const struct changed *changed);

/* One problem: {"ref","problem","field","target"}. */
void answer_orphan(struct strbuf *out, const struct orphan *orphan);

/*
 * A trace as lines of clean text, for who reads rather than computes: a line for each memory with its
 * ref, label, confidence and the beginning of what it says, indented under what leads to it. A memory
 * that is reached again is referred to. It says what lies deeper than `depth`, and where there are
 * more than `max_lines`.
 */
int answer_outline(struct reader *r, int64_t node, enum direction direction, uint32_t depth,
                   size_t max_lines, struct strbuf *out, struct error *e);

#endif
