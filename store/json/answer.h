/* Answers as JSON, shared by the option --json of commands and by the MCP tools. */
#ifndef STEMMA_ANSWER_H
#define STEMMA_ANSWER_H

#include "model/format/memory_json.h"
#include "model/base/strbuf.h"
#include "store/lineage/orphans.h"
#include "store/history/history.h"
#include "store/lineage/subgraph.h"

struct changed;
struct event;
struct plan;
struct revision;

/* Where to write an answer. A command's answer may be larger than memory: `flush` is called after
 * each element and may empty `out`. NULL if the answer is wanted in one piece. */
struct answer {
    struct strbuf *out;
    int (*flush)(void *arg, struct error *e);
    void *arg;
    struct reader *reader; /* for a plan: its caller's guard applies; NULL to leave nothing out */
};

/* As memory_read, but ERROR_NOT_FOUND for a stub. */
int answer_read(struct reader *r, struct arena *arena, int64_t node, struct memory *m,
                struct error *e);
/* Appends a memory in its JSON form with its label and its effective confidence. ERROR_NOT_FOUND for
 * a stub. */
int answer_memory(struct reader *r, struct arena *arena, int64_t node, struct strbuf *out,
                  struct error *e);
/* As answer_memory, for the reader's caller: filtered, or only ref and owner. ERROR_NOT_FOUND also
 * for a memory that the caller may not know of. */
int answer_form(struct reader *r, struct arena *arena, int64_t node, const struct row_label *label,
                struct strbuf *out, struct error *e);
/* Adds what is known of its support to the object at the end of `out`: "label","effective","trust"?,"class"?,"why"?
 * (why_add). */
int answer_support(struct reader *r, struct arena *arena, const struct memory *m,
                   const struct row_label *label, struct strbuf *out, struct error *e);

/* `show --trace`: {"nodes","links","cut","cycles"}. */
int answer_trace(const struct answer *to, struct reader *r, const struct trace *t, struct error *e);
/* Which part of a lineage an answer for agents has. */
#define OUTLINE_LINE 160
struct lineage_part {
    enum direction direction;
    uint32_t depth;
    size_t offset; /* nodes or lines before it, which earlier answers had */
    size_t lines;  /* of an outline, at most */
    /* bytes, at most; 0 for no limit of JSON. OUTLINE_LINE for each node or line, and 8,000 for fewer than fifty */
    size_t most;
};
/*
 * A lineage for agents: {"nodes":[{"ref","depth","text","effective","label","status"?,"missing"?}, or {"ref","depth",
 * "agent_id","withheld"}],"links":[{"from","to":[ref],"role"?,"reading"?,"recorded"?}],"cut","nodes_more"?,"cycles"?,
 * "cycles_more"?,"next"?,"todo"?}. A link has what was given together; `role` is not named where it is derived_from,
 * nor `reading` where it is any. It has the nodes of the walk from part->offset on that fit with the beginnings of
 * their texts, the links between them and to those before, and, at the beginning, the cycles that fit; texts are cut to
 * 160 characters, and further where there is no room. Members with _more say how many did not fit; `cut` counts the
 * nodes that did not, too; `next` is the offset that goes on. *full, if not NULL, is an estimate of what the same takes
 * in full form.
 */
int answer_lineage(struct reader *r, int64_t node, const struct lineage_part *part,
                   struct strbuf *out, size_t *full, struct error *e);

/* Limits: number of elements of each list (0 for all), bytes of the answer, and how many elements of both lists
 * together are passed over. */
struct answer_room {
    size_t count, bytes, offset;
};
/* `whatif`: {"loses_all_support","loses_all_support_more"?,"weakened","weakened_more"?,"descends","next"?,"todo"?}.
 * Members with _more say how many elements did not fit, `next` is the offset that goes on. `room` NULL for no limit and
 * whole refs; an agent gets short ones. */
int answer_retraction(const struct answer *to, struct reader *r, const struct retraction *q,
                      const struct answer_room *room, struct error *e);

/* The same as lines of text, for agents that read rather than compute: each with a ref and the start of the text, as
 * long as they fit inside a JSON string of room->bytes. */
int answer_retraction_text(struct reader *r, const struct retraction *q,
                           const struct answer_room *room, struct strbuf *out, struct error *e);

/*
 * The effect of an operation, planned or `done`:
 * {"operation","done","changes":[{"ref","operation","event","version",
 * "reason","before","after"}],"loses_all_support","weakened","descends","left","remarks","unresolved"?}. before
 * and after hold the members that differ (memory_json_diff), without version and time. before is null
 * for an addition, after is null for an undone addition. `event` is present only if done.
 */
int answer_plan(const struct answer *to, const char *operation, const struct plan *p, bool done,
                struct error *e);

/*
 * `log`, `history`:
 * {"seq","at","actor","class","agent","origin","session","operation","ref","before","after",
 * "reason","correlation"}, with null for absent values; class is "person", "agent" or "stemma"; and "undoes" if the
 * event takes another one back.
 */
void answer_event(struct strbuf *out, const struct event *event);

/* Limits of a revision. */
struct answer_bounds {
    size_t characters; /* code points of each text */
    size_t bytes;      /* of all changes */
};
/*
 * `history`: the same with "version" (absent if the addition was undone), "undone_by"? and
 * "changes" [{"field","before","after"}] as memory_difference gives them, masked for the reader's
 * caller, with short refs (reader NULL for a person, with whole ones). guard_revision must have removed what the caller
 * may not see. `bounds` is NULL for no limits. Clears `arena` first.
 */
int answer_revision(struct reader *r, struct strbuf *out, const struct revision *revision,
                    const struct answer_bounds *bounds, struct arena *arena, struct error *e);

/* `diff`: {"ref","event","before","after","events"}: the members that differ (memory_json_diff), the
 * last event on the memory in between, and all events. */
void answer_changed(struct strbuf *out, const struct changed *changed);

/* A problem: {"ref","problem","field","target"}, and "fix" if it is given. */
void answer_orphan(struct strbuf *out, const struct orphan *orphan, const char *fix);

/*
 * A trace as lines of clean text, for agents that read rather than compute: a heading that says
 * which way to read it, then one line for each memory with ref, label, effective confidence and the
 * start of its text, indented under the memory that leads to it. What else leads to it is named by
 * ref on the line of the other. Notes how many memories at least lie deeper than part->depth, how
 * many are left out, and the offset that goes on. The bytes are those inside a JSON string. `full`
 * is as in answer_lineage.
 */
int answer_outline(struct reader *r, int64_t node, const struct lineage_part *part,
                   struct strbuf *out, size_t *full, struct error *e);

/* Why a memory does not stand, in one sentence for agents. */
/* Whether it is still told as valid: it was not replaced, did not expire or end, and has its support. */
static inline bool memory_holds(enum status status, enum label label)
{
    return label_stands(label) && status == STATUS_ACTIVE;
}

/*
 * Appends "unsupported: its source was retracted on 2026-11-20 by sean", "retracted on …",
 * "superseded by belief:1b2c3d4e on …" or "circular: …", as the reader's caller may see it; nothing for a memory that
 * holds. The text is not masked.
 */
int why_add(struct reader *r, struct arena *arena, int64_t row, enum status status,
            enum label label, struct strbuf *out, struct error *e);
/* The nearest memory whose end took the support of this one away, of several the one that ended last: its row, or 0 if
 * none ended. `author` is who ended it, in the arena, as far as the caller may know it. */
int why_source(struct reader *r, struct arena *arena, int64_t row, int64_t *source,
               struct author *author, struct error *e);

#endif
