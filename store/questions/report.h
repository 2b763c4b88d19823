/*
 * The answer to a question about the graph (questions.h): parts, each with rows of typed cells. An answer is gathered
 * once. The JSON of commands and tools (report_json) and the page of commands and views (tui/render/report_page.h) are
 * made from it and from the question's table of parts.
 */
#ifndef STEMMA_REPORT_H
#define STEMMA_REPORT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/base/arena.h"
#include "model/base/error.h"
#include "model/base/strbuf.h"

struct reader;

enum report_type {
    REPORT_REF,    /* a memory, by its row */
    REPORT_REFS,   /* several */
    REPORT_TEXT,   /* stored text: hostile */
    REPORT_WORD,   /* a word of stemma's own */
    REPORT_NUMBER, /* a probability or a share; three decimals on a page */
    REPORT_COUNT,
    REPORT_TIME, /* ms since the epoch */
    REPORT_YES,  /* yes or no */
};

struct report_column {
    const char *key; /* its member in the JSON; NULL: the row is this value alone */
    /* on the page; NULL: it is not shown there. Of REPORT_YES the words for yes and no: "recorded|candidate" */
    const char *heading;
    enum report_type type;
};

enum part_shape {
    PART_MEMBERS, /* one row, whose cells are members of the answer itself */
    PART_LIST,    /* "key": [row, …] */
    PART_GROUPS,  /* "key": [[row, …], …] */
    PART_LINES,   /* each row is an answer of its own: one a line */
};

struct report_part {
    const char *key, *title; /* without a title its rows follow those before */
    enum part_shape shape;
    const struct report_column *columns; /* ended by {0} */
    const char *group_name;              /* of groups: "derivation" */
    const char *none;                    /* on a page without rows; NULL: the part is left out */
};

/* A cell whose value is not known has `known` false: it is left out of the JSON. */
struct cell {
    bool known;
    union {
        double number;
        int64_t integer;
        const char *text;
        struct {
            const int64_t *row;
            size_t count;
        } refs;
    } is;
};

static inline void cell_int(struct cell *c, int64_t value)
{
    *c = (struct cell){.known = true, .is.integer = value};
}
static inline void cell_number(struct cell *c, double value) /* NAN: not known */
{
    *c = (struct cell){.known = !isnan(value), .is.number = value};
}
static inline void cell_text(struct cell *c, const char *text) /* NULL: not known */
{
    *c = (struct cell){.known = text != NULL, .is.text = text};
}
static inline void cell_refs(struct cell *c, const int64_t *rows, size_t count)
{
    *c = (struct cell){.known = true, .is.refs = {rows, count}};
}

struct report_row {
    uint32_t group; /* of PART_GROUPS, from 0 */
    struct cell *cell;
};

struct report_rows {
    struct report_row *row;
    size_t count, alloc;
    uint32_t columns;
};

#define REPORT_PARTS 6

struct report {
    const struct question *question;
    struct arena *arena;
    int64_t subject;  /* the row of the memory that it is about; 0 for none */
    const char *text; /* or the text that it is about, in the arena */
    struct report_rows part[REPORT_PARTS];
    const char *summary; /* a sentence above the page, of what its parts tell; NULL for none */
    size_t more;         /* rows of a list that a limit left out */
    /* A sentence below the page: what is not exact, and what was left out; NULL for nothing. */
    const char *note;
};

/* Adds a row and returns its cells, in the order of the part's columns, none of which is known yet. */
struct cell *report_add(struct report *p, size_t part, uint32_t group);
size_t report_columns(const struct report_part *part);

/* Of a list the rows that a limit leaves out are counted in p->more. True if this row is one of them. */
bool report_is_full(struct report *p, size_t limit);

/* Which part of an answer is written, and for whom. */
struct report_bounds {
    bool
        agent; /* refs are the shortest, texts masked, and memories of which it may not know left out */
    size_t from; /* of PART_LINES: the first row */
    size_t most; /* bytes, about; 0: no limit. The JSON is whole all the same */
    size_t next; /* set: of PART_LINES the row that goes on; 0: there are no more */
    size_t left; /* set: how many rows of other parts, or refs in a row, had no room */
};
/*
 * Appends the answer as JSON: an object, or for PART_LINES an object for each row, then {"next":N} if there are more;
 * each ends with a line feed.
 */
int report_json(const struct report *p, struct reader *r, struct report_bounds *bounds,
                struct strbuf *out, struct error *e);

#endif
