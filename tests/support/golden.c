#include "tests/support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "tests/support/frame.h"
#include "tests/support/scratch.h"

/* Returns how the text differs from the file, as diff says it: each hunk with its lines and, in a file that has
 * sections, the line "== NAME" before it. */
static char *difference(const char *path, const char *made)
{
    char *other = scratch_path("made"), block[4096];
    struct strbuf out = STRBUF_INIT;
    scratch_write(other, made, strlen(made));
    char *command =
        xformat("diff -aN -U0 -F '^== ' --label %s --label made %s %s", path, path, other);
    FILE *diff = popen(command, "r");
    assert_non_null(diff);
    for (size_t n; (n = fread(block, 1, sizeof(block), diff)) > 0;)
        strbuf_add(&out, block, n);
    pclose(diff);
    free(command);
    free(other);
    return strbuf_detach(&out, NULL);
}

void golden_compare(const char *path, const char *made)
{
    AUTO_FREE char *kept = scratch_read(path, NULL);
    if (!kept && !getenv("GENERATE"))
        fail_msg("there is no %s; GENERATE=1 makes it", path);
    if (!kept || strcmp(kept, made) != 0) {
        char *hunks = difference(path, made), *rest = hunks;
        if (!getenv("GENERATE"))
            fail_msg("GENERATE=1 writes what is expected anew\n%s", hunks);
        scratch_write(path, made, strlen(made));
        for (const char *line; (line = strsep(&rest, "\n"));)
            if (!strncmp(line, "@@", 2))
                print_message("GENERATED %s %s\n", path, line);
        free(hunks);
    }
}

/* Replaces the id of this process, since it and its length differ from run to run. */
static char *without_process(const char *frame)
{
    struct strbuf out = STRBUF_INIT;
    char own[24];
    size_t len = (size_t)snprintf(own, sizeof(own), "by process %ld", (long)getpid());
    for (const char *at; (at = strstr(frame, own));) {
        size_t blanks = strspn(at + len, " ");
        bool last =
            at[len + blanks] == '\n' || !at[len + blanks]; /* lines have no trailing blanks */
        strbuf_add(&out, frame, (size_t)(at - frame));
        strbuf_addf(&out, "by process N%*s", last ? 0 : (int)(blanks + len - 12), "");
        frame = at + len + blanks;
    }
    strbuf_addstr(&out, frame);
    return strbuf_detach(&out, NULL);
}

void golden_check(const struct script *s, const char *name, const char *shown)
{
    char path[256], *frame = without_process(shown);
    snprintf(path, sizeof(path), "tests/tui/golden/%s-%dx%d.txt", name, s->columns, s->rows);
    golden_compare(path, frame);
    free(frame);
}

bool golden_is_kept(const struct script *s, const char *name)
{
    /* The scenes that are compared at each size: one for each view. */
    static const char *const each_size[] = {
        "audit",
        "based-on",
        "beliefs",
        "chain",
        "charts-activity",
        "charts-confidence",
        "charts-histogram",
        "charts-live",
        "compare",
        "diff",
        "docs-document",
        "docs-retrievals",
        "docs-strategies",
        "edit",
        "entries",
        "failed-call",
        "graph-both",
        "graph-lr",
        "graph-outline",
        "graph-tb",
        "health",
        "help",
        "history",
        "list-columns",
        "live",
        "memory",
        "namespaces",
        "palette",
        "permissions",
        "review",
        "search",
        "sessions",
        "step",
        "talk",
        "usage",
        "what-if",
    };
    if (s->columns == 120)
        return true;
    for (size_t i = 0; i < sizeof(each_size) / sizeof(each_size[0]); i++)
        if (strcmp(each_size[i], name) == 0)
            return true;
    return false;
}

void golden_check_views(struct script *s, const struct golden_view *views, size_t count)
{
    bool no_colour = s->no_colour;
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        s->no_colour = no_colour || size == 0; /* no information depends on colour alone */
        for (size_t i = 0; i < count; i++) {
            const char *frame = script_run(s, views[i].keys);
            if (golden_is_kept(s, views[i].name))
                golden_check(s, views[i].name, frame);
        }
    }
    s->no_colour = no_colour;
}
