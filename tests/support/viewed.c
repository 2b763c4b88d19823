#include "tests/support/viewed.h"

#include <stdlib.h>
#include "model/base/alloc.h"
#include "tests/support/frame.h"

struct viewed *viewed_open(void)
{
    struct viewed *v = xcalloc(1, sizeof(*v));
    fixture_open(&v->fixture);
    script_open(&v->script, v->fixture.store);
    v->script.person = "sean";
    return v;
}

const char *viewed_shows(struct viewed *v, const char *keys, const char *text)
{
    return frame_after(&v->script, keys, text);
}

int viewed_close(void **state)
{
    struct viewed *v = *state;
    script_close(&v->script);
    fixture_close(&v->fixture);
    free(v);
    return 0;
}
