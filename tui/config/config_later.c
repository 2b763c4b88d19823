#include "tui/config/config_later.h"

#include <string.h>
#include "model/json/json.h"
#include "model/base/strbuf.h"

static bool is_read_once(const struct setting *s)
{
    return s->type == SETTING_PART ? !strcmp(s->name, "keys")
                                   : s->offset != offsetof(struct config, permissions.share);
}

static void add_keys(const struct config *c, struct strbuf *out)
{
    for (size_t i = 0; i < c->key_count; i++) {
        json_add_string(out, c->keys[i].action);
        for (size_t k = 0; k < c->keys[i].count; k++) {
            strbuf_addch(out, ' ');
            json_add_string(out, c->keys[i].keys[k]);
        }
        strbuf_addch(out, ';');
    }
}

static void add_value(const struct config *c, const struct setting *s, struct strbuf *out)
{
    const void *member = (const char *)c + s->offset;
    switch (s->type) {
    case SETTING_TEXT:
    case SETTING_PATH:
        json_add_string(out, *(const char *const *)member);
        break;
    case SETTING_BOOL:
        json_add_int(out, *(const bool *)member);
        break;
    case SETTING_CHOICE:
    case SETTING_INT:
        json_add_int(out, *(const int *)member);
        break;
    case SETTING_PART:
        add_keys(c, out);
        break;
    }
}

void config_later_add(const struct config *c, struct strbuf *out)
{
    size_t count;
    const struct setting *s = config_settings(&count);
    for (size_t i = 0; i < count; i++) {
        if (!is_read_once(&s[i]))
            continue;
        strbuf_addf(out, "%s ", s[i].name);
        add_value(c, &s[i], out);
        strbuf_addch(out, '\n');
    }
}

void config_later_names(const char *before, const char *now, struct strbuf *out)
{
    bool any = false;
    while (*before && *now) {
        size_t was = strcspn(before, "\n"), is = strcspn(now, "\n");
        if (was != is || memcmp(before, now, was) != 0) {
            strbuf_addstr(out, any ? ", " : "");
            strbuf_add(out, now, strcspn(now, " "));
            any = true;
        }
        before += was + 1;
        now += is + 1;
    }
}
