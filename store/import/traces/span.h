/*
 * Spans of traces, whatever dialect they came in: OTLP/JSON with the gen_ai or the OpenInference
 * attributes, or an export of Langfuse. Only for this room.
 */
#ifndef STEMMA_SPAN_H
#define STEMMA_SPAN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/map.h"
#include "model/json/json.h"

struct import_format;

enum span_kind {
    SPAN_OTHER = 0,  /* says nothing that becomes a memory: a request, an embedding */
    SPAN_STEP,       /* a model, an agent or a part of a chain at work */
    SPAN_RETRIEVAL,  /* what was found, or recalled from a memory */
    SPAN_TOOL,       /* a call of a tool */
    SPAN_REMEMBERING /* a memory was made, changed or removed */
};

struct found_document {
    const char *id, *title, *content; /* NULL if absent */
    double score;                     /* NAN if there is none */
    int64_t rank;                     /* in its list, from 1 */
};

struct evaluation {
    const char *name, *label, *explanation, *actor; /* NULL if absent */
    double score;                                   /* NAN if there is none */
    bool by_model;
};

/* Strings are in the arena of the list; NULL means absent. */
struct span {
    const char *trace, *id, *parent, *name;
    enum span_kind kind;
    int64_t start, end; /* ms since the epoch; 0 if unknown */
    double seconds;     /* NAN if unknown */
    const char *agent, *model, *session, *operation;
    const char *input, *output;
    int64_t tokens_in, tokens_out; /* -1 if unknown */
    const char *tool, *error;
    const char *store, *record; /* of a memory: its store and its id there */
    struct found_document *document;
    size_t document_count, document_alloc;
    struct evaluation *evaluation;
    size_t evaluation_count, evaluation_alloc;
};

struct span_list {
    struct arena arena;
    struct span *span;
    size_t count, alloc;
    /* of the span that is read: the elements of flattened lists, by the part of their keys that names them, and where
     * each stands in its list */
    struct key_index flat;
    size_t *place;
    size_t place_alloc;
};

/* Adds an empty span. Valid until the next one is added. */
struct span *span_add(struct span_list *list);
struct found_document *span_add_document(struct span_list *list, struct span *s);
struct evaluation *span_add_evaluation(struct span_list *list, struct span *s);
/* Where the element of the last span stands that a flattened key names: `next` if the key is new in that span. */
size_t span_place(struct span_list *list, const char *key, size_t len, size_t next);
void span_list_release(struct span_list *list);

/* The text of a string, or another value as JSON, in the arena; NULL if absent or null. */
const char *span_text(struct span_list *list, struct json_slice value);
/* Of a JSON list of messages the text of the last: what was asked last, or answered. Of a JSON string its text. Another
 * text as it is. */
const char *span_last_message(struct span_list *list, const char *text);
/* The documents of a JSON list of {content, id, score, metadata}. */
void span_take_documents(struct span_list *list, struct span *s, struct json_slice documents);

/* Each reads one checked JSON value. Returns the number of spans; 0 if the value is not of that dialect. */
size_t otlp_read(struct span_list *list, struct json_slice value);
size_t langfuse_read(struct span_list *list, struct json_slice value);

extern const struct import_format traces_format;

#endif
