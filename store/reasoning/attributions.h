/*
 * The log of attributions: where an agent's information came from, one memory of kind attribution for each
 * retrieval. Its columns stand in the memory: attribution_id is the ref's id, agent_id the memory's
 * own, the others are members of the detail. Its text is the summary; without one it is the URI, else
 * the source type, and the detail's `content_summary` says what was given, until the text is corrected.
 */
#ifndef STEMMA_ATTRIBUTIONS_H
#define STEMMA_ATTRIBUTIONS_H

#include "model/json/json.h"
#include "store/ops/add.h"

/* As it is given. NULL, and a slice whose ptr is NULL: null. */
struct attribution {
    const char *agent_id, *source_type; /* neither empty nor, of the agent, blank */
    const char *source_uri;
    int64_t retrieval_timestamp; /* ms since the epoch */
    const char *content_summary;
    size_t summary_len;            /* it may hold a NUL or broken UTF-8, which is repaired */
    const char *full_content_hash; /* 64 hex digits */
    struct json_slice full_content_json;
    /* What it supports: each gets a justification, of role evidence, whose use is `use`. A memory that
     * had none gets an empty one with it, so that it is no easier to fall than before. */
    const char **supports;
    size_t support_count;
    const struct use *use;      /* NULL: none */
    struct json_slice citation; /* the same as it was given, for the detail */
};

/*
 * Logs it in a transaction that others share. ERROR_INVALID: a blank agent_id, an empty source_type, a hash
 * that is none, an ambiguous ref; ERROR_NOT_FOUND: it supports what is not there or no longer;
 * ERROR_REFUSED: that is another agent's, or a person's word stands against it (policy_objection). After an error
 * nothing may be kept.
 */
int attribution_add(struct txn *t, const struct actor *actor, const struct attribution *a,
                    struct arena *arena, struct added *out, struct error *e);

struct attribution_query {
    const char *agent_id;
    const char *source_type; /* exact; NULL or "": any */
    int64_t limit, offset;
    size_t row_max; /* bytes of a row beyond which its columns are begun; 0: none */
};

/*
 * Appends {"attributions":[…],"total":N}: all columns of those of that agent, the latest retrieval first,
 * equal ones by when they were logged, latest first. `total` counts all that match. Those that are
 * forgotten or deleted are left out. A row larger than row_max has the beginnings of its texts, null as
 * full_content_json, and "too_large": how many bytes it would take.
 */
int attributions_answer(struct reader *r, const struct attribution_query *q, struct strbuf *out,
                        struct error *e);

#endif
