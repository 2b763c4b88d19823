#include "store/guard/clean.h"

#include <string.h>
#include "model/base/utf8.h"

void clean_add(struct strbuf *out, const char *s, size_t count)
{
    size_t len = strlen(s), at = 0, shown = 0;
    bool gap = false;
    while (at < len && shown < count) {
        uint32_t c;
        int n = utf8_decode(s + at, len - at, &c);
        bool space = n && (c == ' ' || utf8_is_control(c));
        bool plain = n && !space && !utf8_is_bidi(c);
        if (!space || !gap) {
            strbuf_add(out,
                       space   ? " "
                       : plain ? s + at
                               : "\xef\xbf\xbd",
                       space   ? 1
                       : plain ? (size_t)n
                               : 3);
            shown++;
        }
        gap = space;
        at += n ? (size_t)n : 1;
    }
    if (at < len)
        strbuf_addstr(out, "…");
}
