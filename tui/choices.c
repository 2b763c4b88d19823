#include "choices.h"

#include <stddef.h>
#include "../model/graph.h"
#include "../model/kind.h"
#include "../model/memory.h"
#include "../store/list.h"

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
