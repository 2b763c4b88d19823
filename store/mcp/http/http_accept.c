/* What Accept says of a media type (RFC 9110, 12.5.1). */
#include "store/mcp/http/http_state.h"

#include <strings.h>

/* A part of a header's value; `at` NULL: there is no more. */
struct part {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* What stands before the next `mark` that is in no quotes, without the blanks around it; `rest` goes behind that. */
static struct part next_part(struct part *rest, char mark)
{
    struct part found = *rest;
    bool quoted = false;
    const char *at = rest->at;
    for (; at < rest->end && (quoted || *at != mark); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (quoted && *at == '\\' && at + 1 < rest->end)
            at++;
    }
    found.end = at;
    rest->at = at < rest->end ? at + 1 : NULL;
    while (found.at < found.end && is_blank(*found.at))
        found.at++;
    while (found.at < found.end && is_blank(found.end[-1]))
        found.end--;
    return found;
}

static bool is_text(struct part p, const char *text, size_t len)
{
    return (size_t)(p.end - p.at) == len && strncasecmp(p.at, text, len) == 0;
}

/* Is it the weight 0, by which a range is not wanted? What is no weight says nothing. */
static bool is_no_weight(struct part p)
{
    static const char none[] = "q=0.000";
    size_t len = (size_t)(p.end - p.at);
    return len >= 3 && len < sizeof(none) && strncasecmp(p.at, none, len) == 0;
}

/* How closely a range names a type: 3 by its name, 2 as one of its sort, 1 as any; 0: not at all. */
static int nearness(struct part range, const char *type)
{
    size_t sort = strcspn(type, "/") + 1;
    if (is_text(range, type, strlen(type)))
        return 3;
    if (range.end - range.at == (ptrdiff_t)sort + 1 && strncasecmp(range.at, type, sort) == 0 &&
        range.at[sort] == '*')
        return 2;
    return is_text(range, "*/*", 3);
}

static void take_range(struct http_wish *w, const char *type, struct part element)
{
    int near = nearness(next_part(&element, ';'), type);
    bool wanted = true;
    while (element.at)
        wanted &= !is_no_weight(next_part(&element, ';'));
    if (near > w->near)
        *w = (struct http_wish){.near = near, .wanted = wanted};
    else if (near && near == w->near)
        w->wanted |= wanted;
}

void http_accept(struct http_wish *w, const char *type, const char *value)
{
    struct part rest = {value, value + strlen(value)};
    while (rest.at)
        take_range(w, type, next_part(&rest, ','));
}
