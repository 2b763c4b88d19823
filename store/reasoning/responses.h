/*
 * What responses cited: conversations, their responses, and the citations of each, with the document of each
 * citation, its logged retrieval and its quality, and checks of the response against them. One struct for the view, the
 * command and its JSON.
 */
#ifndef STEMMA_RESPONSES_H
#define STEMMA_RESPONSES_H

#include "model/reasoning/citation.h"
#include "store/reasoning/document.h"

/* A rating of the document itself. */
struct source_rating {
    const char *value, *actor; /* of one line; NULL if there is none */
    enum judge judge;
};

/* How good a source turned out to be. */
struct source_quality {
    int64_t citations, steps; /* that use it now */
    int64_t relevant[JUDGES],
        irrelevant[JUDGES];       /* ratings of its uses: the latest of each rater and use */
    struct source_rating *rating; /* the newest, the latest of each rater */
    size_t rating_count;
    bool more_ratings;
    enum status status;
    int64_t ended_at;     /* when it was retracted, ms; 0 if it was not */
    const char *ended_by; /* NULL if unknown */
};
/* Everything is in the arena. Counts at most 5000 users of each kind. */
int source_quality_read(struct reader *r, struct arena *arena, int64_t document,
                        struct source_quality *out, struct error *e);
/* Appends "cited 3 times, used by 2 steps, rated relevant 1 time, rated irrelevant 5 times by agents, rated 0.2 by
 * sean, retracted 2026-11-20 by sean". */
void source_quality_add(struct strbuf *out, const struct source_quality *q);
void source_quality_write(struct json_object *o, const struct source_quality *q);

/* Whether the passage that was cited is in the logged content of the document. */
enum passage_state {
    PASSAGE_UNKNOWN,  /* no content was logged, or no passage was cited */
    PASSAGE_FOUND,    /* in the newest content */
    PASSAGE_OUTDATED, /* in an older one only */
    PASSAGE_NEVER,    /* in none */
};

struct response_citation {
    int64_t node;
    struct ref ref;
    struct cited_work work; /* texts of one line each; the snippet as it is */
    int64_t document;       /* its row; 0 if it has none, or a hidden one */
    struct ref document_ref;
    struct source_quality quality;
    int64_t retrieval; /* the newest logged retrieval of the document; 0 if none */
    int64_t retrieved_at;
    struct ref retrieval_ref;
    enum retrieval_match match;
    enum status retrieval_status;
    enum status linked_status; /* of the one that the document is linked to: citation_retrieval */
    enum passage_state passage;
    int64_t passage_at;         /* when the content that has it was retrieved */
    enum status passage_status; /* of that retrieval */
};

/* Two citations of a response that contradict each other; indexes from 0. */
struct response_conflict {
    size_t a, b;
    bool recorded; /* a relation says so; otherwise the same words have other numbers */
};

struct response {
    const char *conversation, *message, *agent; /* the former two "" if not given */
    int64_t at;
    struct response_citation *citation; /* in their order */
    size_t count;
    enum uncertainty uncertainty;
    bool has_text;        /* its text was given */
    const char **uncited; /* sentences without a citation */
    size_t uncited_count;
    struct response_conflict *conflict;
    size_t conflict_count;
};

struct responses {
    struct arena arena;
    struct response
        *response; /* conversation by conversation, the last active first; by time within */
    size_t count;
    bool more; /* older citations were not read */
};
/*
 * Reads the responses of a conversation, or if there is none the response of a message, with exactly the id `of`; or
 * NULL for the newest `limit` citations of all. Free with responses_free. Returns NULL and sets *e on failure.
 */
struct responses *responses_read(struct reader *r, const char *of, size_t limit, struct error *e);
/* The response that a citation belongs to, or nothing if the row is no citation. */
struct responses *responses_of(struct reader *r, int64_t citation, struct error *e);
void responses_free(void *responses); /* accepts NULL */

/* Appends {"responses":[…],"more"}. */
void responses_write(struct strbuf *out, const struct responses *all);

/* What a style needs of a citation; names as the reader may see them. `m` is the citation's memory. */
int cited_work_read(struct reader *r, struct arena *arena, const struct memory *m,
                    struct cited_work *out, struct error *e);
/* Fills author, year and uri from the document, and puts name and section on one line. */
int cited_work_of_document(struct reader *r, struct arena *arena, int64_t document,
                           struct cited_work *out, struct error *e);

#endif
