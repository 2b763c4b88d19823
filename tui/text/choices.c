/* The model knows its own names; here they are only handed to the parser of options. */
#include "tui/text/choices.h"

#include <stddef.h>
#include <string.h>
#include "model/base/error.h"
#include "model/graph/graph.h"
#include "model/memory/memory.h"
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "tui/text/suggest.h"

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
