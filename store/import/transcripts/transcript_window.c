/* What led to a written memory file: the lines from the tool call up the tree of the transcript to the words of a
 * person, and the results of tools in between. */
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "model/base/array.h"
#include "store/import/transcripts/transcripts.h"

#define NOWHERE     UINT32_MAX
#define AGENT_DEPTH 8 /* of subagents that start others */

/* The tree of a file, and the way in it from a person's words down to a tool call. Another way shares the lines above
 * the place where it leaves this one, so finding the ways of all writes of a file takes O(lines). */
struct tree {
    uint32_t *parent; /* of each line, NOWHERE if it is not in the file */
    uint32_t *way;    /* from the words, or where the way ends, to the call */
    uint32_t *lowest; /* of the lines of the way down to there */
    uint32_t *place;  /* 1 + that of a line in the way; 0 if it is not on it */
    size_t steps;
    struct key_index paths;           /* of the memory files that were written */
    struct transcript_touch **latest; /* the latest write of each */
};

static void build_tree(struct transcripts *t, struct tree *tree, const struct transcript_file *f,
                       bool reports)
{
    AUTO(key_index) ids = KEY_INDEX_INIT;
    uint32_t *first = xcalloc(f->count + 1, sizeof(*first)); /* line of the id */
    size_t repeated = 0, first_repeated = 0;
    for (size_t i = 0; i < f->count; i++) {
        size_t known = ids.count;
        if (!line_id_is_set(f->line[i].id))
            continue;
        size_t number = key_index_add(&ids, (const char *)f->line[i].id, LINE_ID);
        if (number == known)
            first[number] = (uint32_t)i;
        else if (i >= f->fresh && repeated++ == 0)
            first_repeated = i;
    }
    tree->parent = xcalloc(f->count + 1, sizeof(*tree->parent));
    tree->way = xcalloc(f->count + 1, sizeof(*tree->way));
    tree->lowest = xcalloc(f->count + 1, sizeof(*tree->lowest));
    tree->place = xcalloc(f->count + 1, sizeof(*tree->place));
    tree->latest = xcalloc(f->touch_count + 1, sizeof(*tree->latest));
    for (size_t i = 0; i < f->count; i++) {
        size_t at = line_id_is_set(f->line[i].parent)
                        ? key_index_find(&ids, (const char *)f->line[i].parent, LINE_ID)
                        : ROW_NONE;
        tree->parent[i] = at == ROW_NONE ? NOWHERE : first[at];
    }
    if (repeated && reports)
        transcript_report(
            t, f->path, f->line[first_repeated].number, false,
            "has the id of an earlier line, which counts%s",
            repeated == 1 ? ""
                          : arena_format(&t->arena, "; so have %zu lines behind it", repeated - 1));
    free(first);
}

/* The words that a line below `parent` follows. */
static uint32_t words_at(const struct transcript_file *f, uint32_t parent)
{
    const struct transcript_line *line = &f->line[parent];
    return line->flags & (LINE_TEXT | LINE_PERSON) ? parent + 1 : line->before;
}

/* Makes the way to that line and sets the words that each line of it follows. Returns the line with the person's words,
 * or LINE_NONE. A loop ends. */
static size_t walk_up(struct tree *tree, struct transcript_file *f, size_t from)
{
    size_t fresh = 0, kept = 0;
    uint32_t at = (uint32_t)from;
    while (!tree->place[at]) {
        tree->place[at] = NOWHERE; /* until its place is known */
        fresh++;
        if ((f->line[at].flags & LINE_PERSON) || tree->parent[at] == NOWHERE)
            break;
        at = tree->parent[at];
    }
    if (tree->place[at] != NOWHERE)
        kept = tree->place[at];
    while (tree->steps > kept)
        tree->place[tree->way[--tree->steps]] = 0;
    tree->steps += fresh;
    at = (uint32_t)from;
    for (size_t i = tree->steps; i-- > kept; at = tree->parent[at])
        tree->way[i] = at;
    for (size_t i = kept; i < tree->steps; i++) {
        at = tree->way[i];
        tree->place[at] = (uint32_t)i + 1;
        tree->lowest[i] = i && tree->lowest[i - 1] < at ? tree->lowest[i - 1] : at;
        f->line[at].before = i ? words_at(f, tree->way[i - 1]) : 0;
    }
    return f->line[tree->way[0]].flags & LINE_PERSON ? tree->way[0] : LINE_NONE;
}

static bool is_on_way(const struct tree *tree, uint32_t line)
{
    return line != NOWHERE && tree->place[line];
}

/* Where the window of a write begins. Above an earlier write of the same memory file on the way, that one has what is
 * there; to list it again for each write would be quadratic. */
static size_t window_begin(struct tree *tree, struct transcript_touch *touch, size_t top)
{
    size_t path = key_index_add(&tree->paths, touch->path, strlen(touch->path));
    const struct transcript_touch *earlier = tree->latest[path];
    tree->latest[path] = touch;
    return earlier && earlier->is_new == touch->is_new && is_on_way(tree, (uint32_t)earlier->line)
               ? earlier->line + 1
               : top;
}

/* Tools that run at the same time have their results off the way, below their calls. */
static void take_window(struct transcript_file *f, const struct tree *tree,
                        struct transcript_touch *touch, size_t begin)
{
    for (size_t i = begin; i <= touch->line; i++) {
        struct transcript_line *line = &f->line[i];
        bool is_result = line->flags & LINE_RESULT, on_way = is_on_way(tree, (uint32_t)i);
        if (!on_way && !(is_result && is_on_way(tree, tree->parent[i])))
            continue;
        line->is_taken |=
            touch->is_new && (line->flags & (LINE_RESULT | LINE_PERSON | LINE_TEXT | LINE_THOUGHT));
        if (!on_way)
            line->before = words_at(f, tree->parent[i]);
        if (is_result)
            *ARRAY_ADD(touch->result, touch->result_count, touch->result_alloc) = i;
    }
}

struct transcript_file *transcript_of_session(struct transcripts *t, const char *session)
{
    size_t at = key_index_find(&t->sessions, session, strlen(session));
    return at == ROW_NONE ? NULL : &t->file[t->session_file[at]];
}

static void free_tree(struct tree *tree)
{
    FREE_ALL(tree->parent, tree->way, tree->lowest, tree->place, tree->latest);
    key_index_release(&tree->paths);
}

/* Is the file, "…/agent-ID.jsonl", that of the subagent? */
static bool is_of_agent(const struct transcript_file *f, const char *id)
{
    const char *name = strrchr(f->path, '/') + 1;
    size_t len = strlen(id);
    return f->is_agent && strncmp(name, "agent-", 6) == 0 && strncmp(name + 6, id, len) == 0 &&
           name[6 + len] == '.';
}

/* Where the subagent's result is: *from is NULL if there is none. */
static int find_result(struct transcripts *t, const struct transcript_file *agent,
                       struct transcript_file **from, size_t *line, struct error *e)
{
    *from = NULL;
    for (size_t i = 0; i < t->count && !*from; i++) {
        struct transcript_file *f = &t->file[i];
        if (f == agent || !f->touch_count || strcmp(f->session, agent->session) != 0)
            continue;
        if (transcript_load(t, f, e))
            return -1;
        for (size_t k = 0; k < f->touch_count && !*from; k++) {
            if (f->touch[k].kind != TOUCH_AGENT || !is_of_agent(agent, f->touch[k].path))
                continue;
            *from = f;
            *line = f->touch[k].line;
        }
    }
    return 0;
}

/* From the subagent's result up to the words in its session; a subagent may have been started by another one. */
static int find_agent_cause(struct transcripts *t, struct transcript_file *f,
                            struct transcript_touch *touch, struct error *e)
{
    for (int depth = 0; depth < AGENT_DEPTH && f->is_agent; depth++) {
        struct transcript_file *from;
        struct tree tree = {.steps = 0};
        size_t line;
        if (find_result(t, f, &from, &line, e))
            return -1;
        if (!from)
            return 0;
        build_tree(t, &tree, from, false);
        touch->cause = walk_up(&tree, from, line);
        free_tree(&tree);
        touch->cause_file = f = from;
        if (touch->cause == LINE_NONE)
            continue;
        f->line[touch->cause].is_taken |= touch->is_new;
        return 0;
    }
    return 0;
}

/* If the tree does not lead to a person (a subagent, a compaction, a parent that is missing), the latest words before
 * in the session are a guess. A session has several files if its file was replaced. */
static int guess_cause(struct transcripts *t, struct transcript_file *f,
                       struct transcript_touch *touch, size_t top, struct error *e)
{
    struct transcript_line *found = NULL;
    for (size_t k = 0; k < t->count; k++) {
        struct transcript_file *main = &t->file[k];
        if (main->is_agent || strcmp(main->session, f->session) != 0)
            continue;
        if (transcript_load(t, main, e))
            return -1;
        for (size_t i = 0; i < main->count; i++) {
            struct transcript_line *line = &main->line[i];
            if (!(line->flags & LINE_PERSON) || !line->at || line->at > f->line[top].at ||
                (found && line->at < found->at))
                continue;
            found = line;
            touch->cause_file = main;
            touch->cause = i;
            touch->is_guessed = true;
        }
    }
    if (found)
        found->is_taken |= touch->is_new;
    return 0;
}

/* What led to a write, whose way was made. What the tree does not tell is the same for all writes below one line. */
static int find_cause(struct transcripts *t, struct transcript_file *f,
                      struct transcript_touch *touch, size_t top,
                      const struct transcript_touch *last, size_t last_top, struct error *e)
{
    if (touch->cause != LINE_NONE)
        return 0;
    if (!last || last_top != top)
        return failed_if(find_agent_cause(t, f, touch, e) ||
                         (touch->cause == LINE_NONE && guess_cause(t, f, touch, top, e)));
    touch->cause_file = last->cause_file;
    touch->cause = last->cause;
    touch->is_guessed = last->is_guessed;
    if (touch->cause != LINE_NONE)
        touch->cause_file->line[touch->cause].is_taken |= touch->is_new;
    return 0;
}

static int find_windows(struct transcripts *t, struct transcript_file *f, struct tree *tree,
                        struct error *e)
{
    const struct transcript_touch *last = NULL; /* whose cause the tree does not tell */
    size_t last_top = 0;
    for (size_t k = 0; k < f->touch_count; k++) {
        struct transcript_touch *touch = &f->touch[k];
        if (touch->kind != TOUCH_WRITE)
            continue;
        touch->cause = walk_up(tree, f, touch->line);
        touch->cause_file = f;
        size_t top = tree->lowest[tree->steps - 1];
        bool told = touch->cause != LINE_NONE;
        take_window(f, tree, touch, window_begin(tree, touch, top));
        if (find_cause(t, f, touch, top, last, last_top, e))
            return -1;
        last = told ? last : touch;
        last_top = told ? last_top : top;
    }
    return 0;
}

int windows_find(struct transcripts *t, struct error *e)
{
    for (size_t i = 0; i < t->count; i++) {
        struct transcript_file *f = &t->file[i];
        struct tree tree = {.steps = 0};
        if (!f->is_read || (!f->touch_count && !f->is_changed))
            continue;
        build_tree(t, &tree, f, true);
        int result = find_windows(t, f, &tree, e);
        free_tree(&tree);
        if (result)
            return -1;
    }
    return 0;
}
