#include "tests/support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void golden_check(const struct script *s, const char *name, const char *frame)
{
    char path[256];
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
}

void golden_check_views(struct script *s, const struct golden_view *views, size_t count)
{
    for (size_t size = 0; size < FRAME_SIZES; size++) {
        frame_resize(s, size);
        for (size_t i = 0; i < count; i++)
            golden_check(s, views[i].name, script_run(s, views[i].keys));
    }
}
