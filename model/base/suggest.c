#include "model/base/suggest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Three rows of the matrix suffice, since an exchange of adjacent characters looks back two rows. */

#define LONGEST 32 /* bytes; no name is longer, and longer words match none */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int fold(char c)
{
    return tolower((unsigned char)c);
}

/* Optimal string alignment distance. Both lengths are at most LONGEST. */
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
    size_t near = name_len < 6 ? 1 : name_len / 3;
    if (len >= 3 && len < name_len && strncasecmp(s->word, name, len) == 0)
        d = least(d, 1);
    if (d <= near && d < least(len, name_len) && d < s->distance) {
        s->name = name;
        s->distance = d;
    }
}
