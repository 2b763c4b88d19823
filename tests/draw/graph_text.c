#include "tests/draw/graph_text.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"

#define BLANKS " \t\r\v\f"

static bool is_blank(char c)
{
    return c != '\0' && strchr(BLANKS, c);
}

char *next_word(char **at)
{
    char *word = *at + strspn(*at, BLANKS);
    char *end = word + strcspn(word, BLANKS);
    if (word == end)
        return NULL;
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

/* Returns a line without trailing blanks, and its length, since it may have NULs. NULL at the end of the text. */
static char *next_line(struct text_lines *lines, size_t *len)
{
    char *line = lines->at;
    if (line >= lines->end)
        return NULL;
    char *end = memchr(line, '\n', (size_t)(lines->end - line));
    lines->at = end ? end + 1 : lines->end;
    if (!end)
        end = lines->end;
    while (end > line && is_blank(end[-1]))
        end--;
    *end = '\0';
    *len = (size_t)(end - line);
    lines->number++;
    return line;
}

/* `rest` is the text after the word `node`. */
static int read_node(struct graph_text *g, char *rest, const char *end, size_t line,
                     struct error *e)
{
    const char *id = next_word(&rest);
    if (!id)
        return error_set(e, ERROR_USAGE, "", "line %zu: a node needs an id", line);
    rest += strspn(rest, BLANKS);
    bool named = rest < end;
    *ARRAY_ADD(g->node, g->nodes, g->node_alloc) =
        (struct given_node){.id = id,
                            .label = named ? rest : id,
                            .label_len = named ? (size_t)(end - rest) : strlen(id),
                            .line = line};
    return 0;
}

/* -1 if there is none */
static int stroke_from_name(const char *name)
{
    for (int i = 0; i < STROKE_COUNT; i++)
        if (strcmp(stroke_name((enum stroke)i), name) == 0)
            return i;
    return -1;
}

static int read_edge(struct graph_text *g, char *rest, const char *end, size_t line,
                     struct error *e)
{
    const char *from = next_word(&rest), *to = next_word(&rest), *kind = next_word(&rest);
    if (!kind || rest < end)
        return error_set(e, ERROR_USAGE, "", "line %zu: an edge is `edge FROM TO KIND`", line);
    int stroke = stroke_from_name(kind);
    if (stroke < 0)
        return error_set(e, ERROR_USAGE, "", "line %zu: there is no kind of edge “%s”", line, kind);
    *ARRAY_ADD(g->edge, g->edges, g->edge_alloc) =
        (struct given_edge){.from_id = from, .to_id = to, .stroke = (enum stroke)stroke};
    return 0;
}

static int compare_nodes(const void *a, const void *b)
{
    const struct given_node *x = a, *y = b;
    int by_id = strcmp(x->id, y->id);
    return by_id ? by_id : (x->line > y->line) - (x->line < y->line);
}

/* Keeps each id once, in order. A given node comes before one that is only named. */
static int keep_each_once(struct graph_text *g, struct error *e)
{
    size_t kept = 0;
    if (g->nodes > 1)
        qsort(g->node, g->nodes, sizeof(*g->node), compare_nodes);
    for (size_t i = 0; i < g->nodes; i++) {
        const struct given_node *n = &g->node[i], *before = kept ? &g->node[kept - 1] : NULL;
        if (!before || strcmp(n->id, before->id) != 0) {
            g->node[kept++] = *n;
            continue;
        }
        if (n->label_len != before->label_len || memcmp(n->label, before->label, n->label_len) != 0)
            return error_set(e, ERROR_USAGE, "",
                             "line %zu: the node “%s” stands in line %zu with another label",
                             n->line, n->id, before->line);
    }
    g->nodes = kept;
    return 0;
}

static struct given_node *find_node(const struct graph_text *g, size_t nodes, const char *id)
{
    struct given_node key = {.id = id};
    size_t low = 0, high = nodes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(key.id, g->node[middle].id);
        if (order == 0)
            return &g->node[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* Adds nodes that only edges name, after the others. */
static int add_ghosts(struct graph_text *g, struct error *e)
{
    size_t given = g->nodes;
    for (size_t i = 0; i < 2 * g->edges; i++) {
        const char *id = i % 2 ? g->edge[i / 2].to_id : g->edge[i / 2].from_id;
        if (find_node(g, given, id))
            continue;
        *ARRAY_ADD(g->node, g->nodes, g->node_alloc) =
            (struct given_node){.id = id, .label = id, .label_len = strlen(id), .ghost = true};
    }
    return keep_each_once(g, e);
}

static int resolve(struct graph_text *g, struct error *e)
{
    if (keep_each_once(g, e) || add_ghosts(g, e))
        return -1;
    if (g->nodes >= PICTURE_NONE)
        return error_set(e, ERROR_INVALID, "", "the graph has too many nodes");
    for (size_t i = 0; i < g->edges; i++) {
        struct given_edge *edge = &g->edge[i];
        edge->from = (uint32_t)(find_node(g, g->nodes, edge->from_id) - g->node);
        edge->to = (uint32_t)(find_node(g, g->nodes, edge->to_id) - g->node);
        if (edge->from == edge->to)
            g->node[edge->from].loop = true;
    }
    return 0;
}

int graph_text_read(struct graph_text *g, struct text_lines *lines, char **draw, struct error *e)
{
    size_t len;
    char *line;
    *g = (struct graph_text){.node = NULL};
    *draw = NULL;
    while (!*draw && (line = next_line(lines, &len))) {
        const char *end = line + len, *word = next_word(&line);
        int result = 0;
        if (!word && line == end)
            continue;
        if (word && strcmp(word, "node") == 0)
            result = read_node(g, line, end, lines->number, e);
        else if (word && strcmp(word, "edge") == 0)
            result = read_edge(g, line, end, lines->number, e);
        else if (word && strcmp(word, "draw") == 0)
            *draw = line;
        else
            result = error_set(e, ERROR_USAGE, "", "line %zu begins with neither node nor edge",
                               lines->number);
        if (result)
            return -1;
    }
    return resolve(g, e);
}

void graph_text_release(struct graph_text *g)
{
    free(g->node);
    free(g->edge);
    *g = (struct graph_text){.node = NULL};
}
