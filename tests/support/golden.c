#include "tests/support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/frame.h"
#include "tests/support/scratch.h"

static void report_difference(const char *path, const char *wanted, const char *got)
{
    int line = 1;
    while (*wanted && *wanted == *got) {
        line += *wanted == '\n';
        wanted++;
        got++;
    }
    fail_msg("%s, line %d: wanted …%.100s… and got …%.100s…", path, line, wanted, got);
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
    size_t len;
    snprintf(path, sizeof(path), "tests/tui/golden/%s-%dx%d.txt", name, s->columns, s->rows);
    if (getenv("GENERATE"))
        scratch_write(path, frame, strlen(frame));
    char *golden = scratch_read(path, &len);
    if (!golden)
        fail_msg("there is no %s; GENERATE=1 makes it", path);
    if (strcmp(golden, frame) != 0)
        report_difference(path, golden, frame);
    free(golden);
    free(frame);
}

bool golden_is_kept(const struct script *s, const char *name)
{
    /* The scenes that are compared at each size: one for each view. */
    static const char *const each_size[] = {
        "audit",
        "beliefs",
        "chain",
        "diff",
        "docs-document",
        "docs-retrievals",
        "docs-strategies",
        "edit",
        "entries",
        "graph-both",
        "graph-lr",
        "graph-outline",
        "graph-tb",
        "health",
        "help",
        "history",
        "live",
        "memory",
        "namespaces",
        "palette",
        "permissions",
        "based-on",
        "review",
        "search",
        "sessions",
        "step",
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
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        for (size_t i = 0; i < count; i++) {
            const char *frame = script_run(s, views[i].keys);
            if (golden_is_kept(s, views[i].name))
                golden_check(s, views[i].name, frame);
        }
    }
}
