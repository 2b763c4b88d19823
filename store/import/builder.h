/*
 * Builds the JSON of one memory (model/format/memory_json.h), which import_run_take reads. Readers of formats use it:
 * first the members, then the lists and the detail in any order.
 *
 *   struct builder b = build_begin(out, &(struct build_head){.kind = "belief", .id = id, .text = text});
 *   build_text(&b, "tags", "work");
 *   build_relation(&b, "part_of", "episode:1", NULL);
 *   build_group(&b, &(struct build_group){.role = "derived_from", .reading = "any"});
 *   build_source(&b, "raw:2");
 *   json_pair(build_detail(&b), "model", model);
 *   return build_take(&b, run, line, e);
 *
 * Each call ends what the one before began, so an object is valid until the next call. The elements of a list are added
 * one after the other. Only for store/import.
 */
#ifndef STEMMA_BUILDER_H
#define STEMMA_BUILDER_H

#include <stdbool.h>
#include <stdint.h>
#include "model/base/error.h"
#include "model/json/json.h"

struct import_run;

/* What most memories have. Members that are NULL, 0 or false are left out. */
struct build_head {
    const char *kind,
        *id; /* of its ref; an id of any length: what cannot be one is reported when it is read */
    const char *agent, *text, *context, *source, *source_type, *source_entity;
    int64_t created_at, updated_at; /* ms since the epoch */
    bool is_protected;
    bool confidence_default; /* the source gives no confidence: the detail ends with saying so */
};

/* A justification. Without sources it is left out: a memory that is based on nothing has a build_premise. */
struct build_group {
    const char *role, *reading, *recorded, *reason;
    int64_t at; /* ms; 0: the time of the memory */
};

struct builder {
    struct json_object
        level[5];     /* the memory; a list or the detail; an element; its sources; a source */
    int depth;        /* the innermost that is open */
    const char *list; /* the name of level 1 */
    struct build_group group; /* of the next source, if `has_group` */
    bool has_group, confidence_default;
};

/* Clears `out`, which gets the JSON. */
struct builder build_begin(struct strbuf *out, const struct build_head *head);
/* The memory itself, for a member that build_head lacks. */
struct json_object *build_member(struct builder *b);
/* The text as bytes that need not be UTF-8: the reader of the JSON repairs them and keeps the original. */
void build_bytes(struct builder *b, const char *text, size_t len);
/* The detail; once. */
struct json_object *build_detail(struct builder *b);
/* Adds an element to the list of objects: "history", "marks", … */
struct json_object *build_item(struct builder *b, const char *list);
/* Adds to the list of texts: "tags" or "annotations". NULL and "" are none. */
void build_text(struct builder *b, const char *list, const char *text);
/* Returns the relation, for more members. `reason` may be NULL. */
struct json_object *build_relation(struct builder *b, const char *type, const char *to,
                                   const char *reason);
/* Begins a group; build_item(b, "justifications") begins one with any members. */
void build_group(struct builder *b, const struct build_group *group);
/* Adds a source to the group. A ref that is NULL is none; of one that is added twice the first counts. Returns the
 * source, for more members, or NULL. */
struct json_object *build_source(struct builder *b, const char *ref);
/* A fact of its own, such as a session: it is based on nothing, and not unsourced. */
void build_premise(struct builder *b, const char *role);
/* The detail of an attribution of `text`, got from `uri` by a source of that type. Returns it, for more members. */
struct json_object *build_retrieval(struct builder *b, const char *type, const char *uri,
                                    int64_t at, const char *text);

/* Ends the JSON, which stands in `out` then. */
void build_end(struct builder *b);
/* The same, and passes it to import_run_take. */
int build_take(struct builder *b, struct import_run *run, int64_t line, struct error *e);

#endif
