#include "tui/view/memory/facts_entry.h"

#include <stdio.h>
#include <string.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"
#include "tui/render/permission_table.h"
#include "tui/text/member.h"

#define FIELD 14

static void new_line(struct strbuf *out, int depth)
{
    strbuf_addch(out, '\n');
    strbuf_addchars(out, ' ', (size_t)(depth < 20 ? depth : 20) * 2);
}

/* The string that begins there, quotes and all. */
static size_t string_length(const char *at, size_t len)
{
    size_t i = 1;
    while (i < len && at[i] != '"')
        i += at[i] == '\\' ? 2 : 1;
    return i + 1 < len ? i + 1 : len;
}

void json_indent(struct strbuf *out, const char *json, size_t len)
{
    int depth = 0;
    for (size_t i = 0; i < len; i++) {
        char c = json[i];
        bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
        if (c == '"') {
            size_t string = string_length(json + i, len - i);
            strbuf_add(out, json + i, string);
            i += string - 1;
            continue;
        }
        if (opens && i + 1 < len && (json[i + 1] == '}' || json[i + 1] == ']')) {
            strbuf_add(out, json + i++, 2);
            continue;
        }
        if (closes)
            new_line(out, --depth);
        strbuf_addch(out, c);
        if (opens)
            depth++;
        if (opens || c == ',')
            new_line(out, depth);
        if (c == ':')
            strbuf_addch(out, ' ');
    }
}

static void put(struct sheet *s, const struct facts_look *look, const char *name, const char *value)
{
    int room = look->width - FIELD - 1;
    if (!value || !*value || !sheet_line(s))
        return;
    sheet_put(s, 1, FIELD - 2, STYLE_FIELD, name);
    sheet_put(s, FIELD, room > 1 ? room : 1, STYLE_TEXT, value);
}

static void put_expiry(struct sheet *s, const struct memory *m, const struct facts_look *look)
{
    struct facts_look exact = {.exact_times = true};
    int64_t at = member_int(m, "expires_at", 0);
    char when[48];
    if (at <= 0) {
        put(s, look, "expires", "never");
        return;
    }
    facts_when(when, 32, at, &exact);
    size_t len = strlen(when);
    snprintf(when + len, sizeof(when) - len, "%s", at <= look->now ? ", expired" : "");
    put(s, look, "expires", when);
}

void facts_put_entry(struct sheet *s, const struct facts *f, const struct facts_look *look,
                     size_t most)
{
    const struct memory *m = &f->memory;
    struct arena arena = ARENA_INIT;
    struct strbuf text = STRBUF_INIT, tidy = STRBUF_INIT;
    struct json_slice value = member_of(m, "value");
    int64_t expires = member_int(m, "expires_at", 0);
    bool over = m->status == STATUS_EXPIRED || (expires > 0 && expires <= look->now);
    char size[24] = "";
    put(s, look, "namespace", member_text(m, "namespace", &arena));
    put(s, look, "key", member_text(m, "key", &arena));
    put_expiry(s, m, look);
    if (over)
        snprintf(size, sizeof(size), "gone");
    if (value.ptr) {
        bytes_say(size, sizeof(size), f->value_bytes);
        json_tidy(&tidy, value.ptr, value.len); /* what was imported may be all escapes */
        json_indent(&text, tidy.buf, tidy.len);
    } else {
        strbuf_addstr(&text, over ? "it expired: nothing of its value is kept"
                                  : "there is none: it was never given, or has expired since");
    }
    sheet_rule(s, "value", size);
    sheet_line(s);
    sheet_wrap(s, 3, look->width > 8 ? look->width - 4 : 4, value.ptr ? STYLE_TEXT : STYLE_DIM,
               text.buf, most, true);
    strbuf_release(&tidy);
    strbuf_release(&text);
    arena_release(&arena);
}
