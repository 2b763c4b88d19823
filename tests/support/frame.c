#include "tests/support/frame.h"

#include <string.h>
#include "tests/support/scratch.h"

const struct frame_size frame_sizes[FRAME_SIZES] = {{24, 80}, {36, 120}, {50, 200}};

void frame_resize(struct script *s, size_t size)
{
    s->rows = frame_sizes[size].rows;
    s->columns = frame_sizes[size].columns;
}

const char *frame_finds(const char *frame, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(frame, texts[i]))
            return texts[i];
    return NULL;
}

const char *frame_after(struct script *s, const char *keys, const char *text)
{
    const char *frame = script_run(s, keys);
    if (!strstr(frame, text))
        fail_msg("after %s there is no \"%s\" in\n%s", keys, text, frame);
    return frame;
}
