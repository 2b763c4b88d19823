#include "store/mcp/protocol/own_forms.h"

#include <string.h>
#include "model/base/clock.h"
#include "store/record/entry_key.h"

#define PATH_MOST 8 /* members on the way to one */

static const struct field *find_field(const struct field *fields, struct json_slice name)
{
    for (; fields && fields->name; fields++)
        if (strlen(fields->name) == name.len && memcmp(fields->name, name.ptr, name.len) == 0)
            return fields;
    return NULL;
}

static const struct field *field_at(const struct field *fields, const struct pii_place *place)
{
    struct json_slice names[PATH_MOST];
    const struct field *f = NULL;
    int count = pii_place_names(place, names, PATH_MOST);
    if (count > PATH_MOST)
        return NULL;
    for (int i = 0; i < count; i++) {
        f = find_field(i ? f->fields : fields, names[i]);
        if (!f)
            return NULL;
    }
    return f;
}

/* Both kinds are encrypted, which makes them at least as long as this, and written in the URL-safe base 64. */
#define CURSOR_LEAST 22

static bool is_cursor(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t len = strlen(text);
    return len >= CURSOR_LEAST && strspn(text, digits) == len;
}

static bool is_time(const char *text)
{
    char again[32];
    int64_t ms;
    if (clock_parse_iso(text, &ms))
        return false;
    clock_format_iso(again, sizeof(again), ms);
    return strcmp(again, text) == 0;
}

static bool is_choice(const struct field *f, const char *text)
{
    for (int i = 0; f->choice && f->choice(i); i++)
        if (strcmp(f->choice(i), text) == 0)
            return true;
    return false;
}

bool own_form_at(const struct field *fields, const struct pii_place *place, const char *self,
                 const char *text)
{
    int64_t shown;
    const struct field *f = place ? field_at(fields, place) : NULL;
    return f && ((f->flags & FIELD_CURSOR && is_cursor(text)) ||
                 (f->flags & FIELD_TIME && is_time(text)) ||
                 (f->flags & FIELD_SHOWN_KEY && entry_shown_read(text, &shown)) ||
                 (f->flags & FIELD_SELF && self && strcmp(self, text) == 0) || is_choice(f, text));
}
