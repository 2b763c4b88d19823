/* The SqliteStore of LangGraph (langgraph-checkpoint-sqlite): its items become entries of shared memory. Checkpoints
 * are msgpack, which is not decoded. */
#include "store/import/tables/tables.h"

/* clang-format off */

static const struct table_select selects[] = {
    {"store", "SELECT 'entry:' || make_id('langgraph', s.prefix, s.key) AS ref, 'langgraph' AS agent_id,"
     " entry_key(s.key) AS text,"
     " s.created_at AS created_at, s.updated_at AS updated_at, entry_namespace(s.prefix) AS \"detail.namespace\","
     " entry_key(s.key) AS \"detail.key\","
     " CAST(s.value AS TEXT) AS \"detail.value:json\", {s.expires_at} AS \"detail.expires_at:time\","
     " CASE WHEN entry_namespace(s.prefix) <> s.prefix THEN s.prefix END AS \"detail.original_namespace\","
     " CASE WHEN entry_key(s.key) <> s.key THEN s.key END AS \"detail.original_key\" FROM store s"},
    {"checkpoints", "SELECT NULL AS ref FROM checkpoints LIMIT 0"}, /* they are only counted, in a remark */
};

static const char *const remarks[] = {
    "SELECT n || ' checkpoints of ' || threads || CASE threads WHEN 1 THEN ' thread'"
     " ELSE ' threads' END || ' are not decoded'"
    " FROM (SELECT count(*) AS n, count(DISTINCT thread_id) AS threads FROM checkpoints) WHERE n > 0",
    NULL,
};

/* clang-format on */

static const struct table_map map = {
    .version = "SELECT max(v) FROM store_migrations",
    .ignored = "store_migrations vector_migrations store_vectors checkpoints writes cache",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
    .remarks = remarks,
};

const struct import_format langgraph_format =
    TABLE_FORMAT(&map, .name = "langgraph", .title = "a store of LangGraph",
                 .about = "An item becomes an entry of shared memory; checkpoints are only counted",
                 .counted = "store:item:items",
                 .file = "table:store table:store_migrations|column:checkpoints.thread_id "
                         "column:checkpoints.parent_checkpoint_id");
