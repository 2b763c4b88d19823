#include "tests/support/masked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "model/base/strbuf.h"
#include "tests/support/frame.h"
#include "tests/support/has.h"
#include "tests/support/scratch.h"

int masked_set_up(void **state, const char *const *lines, size_t count)
{
    struct script *s = calloc(1, sizeof(*s));
    char *path = scratch_path("masked.db");
    struct store *store = scratch_store(path);
    for (size_t i = 0; i < count; i++)
        scratch_put(store, lines[i]);
    script_open(s, store);
    free(path);
    *state = s;
    return 0;
}

void masked_hides(struct script *s, const char *keys, const char *const *personal, size_t count,
                  bool says_so)
{
    struct strbuf typed = STRBUF_INIT;
    for (size_t i = 0; i < 2; i++) {
        strbuf_clear(&typed);
        strbuf_addf(&typed, i ? "%s:mask<Enter>" : ":mask<Enter>%s", keys);
        const char *frame = script_run(s, typed.buf), *found = frame_finds(frame, personal, count);
        if (found)
            fail_msg("%s shows %s:\n%s", typed.buf, found, frame);
        if (says_so)
            assert_has(frame, "masked");
    }
    strbuf_release(&typed);
}
