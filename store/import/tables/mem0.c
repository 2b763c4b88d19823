/* mem0 (mem0ai/mem0): history.db has every change of every memory, and the last messages; the memories themselves
 * are in a vector store, so the present text is that of the last change. And OpenMemory, mem0's server until
 * 2026-07. */
#include "store/import/tables/tables.h"

/* clang-format off */

static const struct table_select selects[] = {
    {"messages", "SELECT 'raw:' || m.id AS ref, 'mem0' AS agent_id, m.content AS text, m.created_at AS created_at,"
     " CASE m.role WHEN 'user' THEN 'human:' || coalesce(nullif(m.name, ''), 'user') ELSE coalesce(nullif(m.name,"
     " ''), m.role) END AS source_entity,"
     " CASE m.role WHEN 'user' THEN 'told_by_human' ELSE 'told_by_agent' END AS source_type,"
     " m.role AS \"detail.role\", m.session_scope AS \"detail.session_scope\""
     " FROM messages m"},
    /* The messages of a call are saved at its end, all with one time: a memory's are those of the first time within
     * a minute. */
    {"history", "WITH h AS (SELECT memory_id, old_memory, new_memory, upper(event) AS event, {actor_id} AS actor_id,"
     " {role} AS role, rowid AS n,"
     "  coalesce({updated_at}, created_at) AS at FROM history),"
     " e AS (SELECT memory_id, event, coalesce(new_memory, old_memory) AS text, actor_id, role, at,"
     " row_number() OVER (PARTITION BY memory_id ORDER BY n DESC) AS back,"
     "  first_value(ms(at)) OVER every AS begun, json_group_array(json_object('at', ms(at), 'operation',"
     " lower(event), 'actor', coalesce(actor_id, role),"
     "  'reason', 'was: ' || old_memory, 'origin', 'mem0')) OVER every AS history"
     "  FROM h WINDOW every AS (PARTITION BY memory_id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING"
     " AND UNBOUNDED FOLLOWING)),"
     " m(at, id) AS (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]')"
     "  FROM json_each(json_list({(SELECT json_group_array(json_array(ms(created_at), id)) FROM messages)}))),"
     " calls(at, refs) AS (SELECT at, json_group_array('raw:' || id) FROM m GROUP BY at),"
     " f AS (SELECT *, min(CASE WHEN is_message THEN begun END) OVER (ORDER BY begun DESC,"
     " is_message DESC ROWS UNBOUNDED PRECEDING) AS next FROM"
     "  (SELECT 0 AS is_message, memory_id, event, text, actor_id, role, at, begun, history FROM e WHERE back = 1"
     "  UNION ALL SELECT 1, NULL, NULL, NULL, NULL, NULL, NULL, at, NULL FROM m))"
     " SELECT 'belief:' || f.memory_id AS ref, 'mem0' AS agent_id, 'inference' AS source_type, f.text AS text,"
     " f.begun AS created_at, f.at AS updated_at,"
     " f.actor_id AS \"detail.actor_id\", f.role AS source, CASE f.event WHEN 'DELETE'"
     " THEN 'forgotten' END AS status, f.history AS history,"
     " calls.refs AS \"derived_from:guessed\" FROM f LEFT JOIN calls ON calls.at = f.next"
     " AND calls.at <= f.begun + 60000 WHERE NOT f.is_message"},
};

/* clang-format on */

static const struct table_map map = {
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
};

const struct import_format mem0_format =
    TABLE_FORMAT(&map, .name = "mem0", .title = "a history of mem0",
                 .about = "A memory becomes a belief with the text of its last change",
                 .counted = "history:change:changes",
                 .file = "table:history column:history.old_memory column:history.new_memory",
                 .places = "$MEM0_DIR/history.db|~/.mem0/history.db");
