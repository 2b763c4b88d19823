/*
 * The log of attributions: where an agent's information came from. Each retrieval is one memory of
 * kind attribution. attribution_id is the id of its ref, agent_id is the memory's agent, the other
 * columns are members of the detail. The text is the summary. Without a summary it is the URI, or
 * else the source type; then the detail's `content_summary` keeps what was given, until the text is
 * edited.
 */
#ifndef STEMMA_ATTRIBUTIONS_H
#define STEMMA_ATTRIBUTIONS_H

#include "model/json/json.h"
#include "store/ops/add.h"

/* The columns as given. NULL, or a slice with ptr NULL, means null. */
struct attribution {
    const char *agent_id, *source_type; /* not empty; agent_id not blank */
    const char *source_uri;
    int64_t retrieval_timestamp; /* ms since 1970 */
    const char *content_summary;
    size_t summary_len; /* the summary may contain NUL or invalid UTF-8, which is repaired */
    const char *full_content_hash; /* 64 hex digits */
    struct json_slice full_content_json;
    /*
     * Memories that it supports. Each gets a justification of role evidence with `use`. A memory
     * without justifications also gets an empty one, so that it does not come to depend on this one
     * (plan_add_support).
     */
    const char **supports;
    size_t support_count;
    const struct use *use;      /* NULL if none */
    struct json_slice citation; /* the use as given, for the detail */
};

/*
 * Logs a retrieval inside a running transaction. ERROR_INVALID for a blank agent_id, an empty
 * source_type, an invalid hash or an ambiguous ref; ERROR_NOT_FOUND if it supports a memory that
 * does not exist or was deleted; ERROR_REFUSED if that is another agent's or a person decided
 * against it (policy_objection). After an error the transaction must be rolled back.
 */
int attribution_add(struct txn *t, const struct actor *actor, const struct attribution *a,
                    struct arena *arena, struct added *out, struct error *e);

struct attribution_query {
    const char *agent_id;
    const char *source_type; /* exact match; NULL or "" for any */
    int64_t limit, offset;
    size_t row_max; /* larger rows are truncated to this many bytes; 0 for no limit */
};

/*
 * Appends {"attributions":[…],"total":N}: all columns of an agent's attributions, sorted by
 * retrieval time, then by logging, newest first. `total` counts all matches. Forgotten and deleted
 * ones are left out. A row larger than row_max has truncated texts, null for full_content_json, and
 * "too_large" with its full size in bytes.
 */
int attributions_answer(struct reader *r, const struct attribution_query *q, struct strbuf *out,
                        struct error *e);

#endif
