#include "tui/text/suggest.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include "model/base/error.h"
#include "model/base/strbuf.h"
#include "model/graph/graph.h"
#include "model/memory/memory.h"
#include "store/query/list.h"

/* Three rows of the matrix are enough: an exchange of neighbours looks back two. */

#define LONGEST 32 /* no name that we have is longer; longer words are near none */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int fold(char c)
{
    return tolower((unsigned char)c);
}

/* Optimal string alignment; both are at most LONGEST long. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= b_len; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t change = fold(a[i - 1]) != fold(b[j - 1]);
            now[j] = least(least(last[j] + 1, now[j - 1] + 1), last[j - 1] + change);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[a_len % 3][b_len];
}

void suggest_consider(struct suggestion *s, const char *name)
{
    size_t len = strlen(s->word), name_len = strlen(name);
    if (len == 0 || len > LONGEST || name_len > LONGEST)
        return;
    size_t d = distance(s->word, len, name, name_len);
    size_t near = name_len / 3 + 1;
    if (len >= 3 && len < name_len && strncasecmp(s->word, name, len) == 0)
        d = least(d, 1);
    if (d <= near && d < least(len, name_len) && d < s->distance) {
        s->name = name;
        s->distance = d;
    }
}

/* The model knows its own names; here they are only handed to the parser of options. */

const char *choice_kind(int i)
{
    return i < KIND_COUNT ? kind_name((enum kind)i) : NULL;
}

const char *choice_status(int i)
{
    return i < STATUS_MISSING ? status_name((enum status)i) : i == STATUS_MISSING ? "all" : NULL;
}

const char *choice_label(int i)
{
    return i < LABEL_COUNT ? label_name((enum label)i) : NULL;
}

const char *choice_order(int i)
{
    return i < ORDER_COUNT ? order_name((enum list_order)i) : NULL;
}

static int no_such_kind(const char *word, const char *other, struct error *e)
{
    struct suggestion near = SUGGESTION_INIT(word);
    struct strbuf todo = STRBUF_INIT, names = STRBUF_INIT;
    for (int k = 0; k < KIND_COUNT; k++) {
        strbuf_addf(&names, "%s%s", k ? ", " : "", kind_name((enum kind)k));
        suggest_consider(&near, kind_name((enum kind)k));
        suggest_consider(&near, kind_spec((enum kind)k)->plural);
    }
    if (near.name)
        strbuf_addf(&todo, "Did you mean %s?", near.name);
    else
        strbuf_addf(&todo, "It is one of: %s%s%s", other ? other : "", other ? ", " : "",
                    names.buf);
    error_set(e, ERROR_USAGE, todo.buf, "there is no kind of memory '%.80s'", word);
    strbuf_release(&todo);
    strbuf_release(&names);
    return -1;
}

int choice_kind_typed(const char *word, const char *other, struct error *e)
{
    int kind = kind_from_word(word);
    if (kind < 0 && other && strcmp(word, other) == 0)
        return KIND_COUNT;
    return kind >= 0 ? kind : no_such_kind(word, other, e);
}
