/* Formats that are a few SELECTs each: LangGraph, mem0, Memori and OpenMemory. The formats to copy. */
#include "store/import/tables/tables.h"

/* clang-format off */

/* The SqliteStore of LangGraph (langgraph-checkpoint-sqlite): its items become entries of shared memory. Checkpoints
 * are msgpack, which is not decoded. */

static const struct table_select langgraph_selects[] = {
    {"store", "SELECT 'entry:' || make_id('langgraph', s.prefix, s.key) AS ref, 'langgraph' AS agent_id,"
     " entry_key(s.key) AS text,"
     " s.created_at AS created_at, s.updated_at AS updated_at, entry_namespace(s.prefix) AS \"detail.namespace\","
     " entry_key(s.key) AS \"detail.key\","
     " CAST(s.value AS TEXT) AS \"detail.value:json\", {s.expires_at} AS \"detail.expires_at:time\","
     " CASE WHEN entry_namespace(s.prefix) <> s.prefix THEN s.prefix END AS \"detail.original_namespace\","
     " CASE WHEN entry_key(s.key) <> s.key THEN s.key END AS \"detail.original_key\" FROM store s"},
    {"checkpoints", "SELECT NULL AS ref FROM checkpoints LIMIT 0"}, /* they are only counted, in a remark */
};

static const char *const langgraph_remarks[] = {
    "SELECT n || ' checkpoints of ' || threads || CASE threads WHEN 1 THEN ' thread'"
     " ELSE ' threads' END || ' are not decoded'"
    " FROM (SELECT count(*) AS n, count(DISTINCT thread_id) AS threads FROM checkpoints) WHERE n > 0",
    NULL,
};

/* clang-format on */

static const struct table_map langgraph_map = {
    .version = "SELECT max(v) FROM store_migrations",
    .ignored = "store_migrations vector_migrations store_vectors checkpoints writes cache",
    .selects = langgraph_selects,
    .count = sizeof(langgraph_selects) / sizeof(langgraph_selects[0]),
    .remarks = langgraph_remarks,
};

const struct import_format langgraph_format =
    TABLE_FORMAT(&langgraph_map, .name = "langgraph", .title = "a store of LangGraph",
                 .about = "An item becomes an entry of shared memory; checkpoints are only counted",
                 .counted = "store:item:items",
                 .file = "table:store table:store_migrations|column:checkpoints.thread_id "
                         "column:checkpoints.parent_checkpoint_id");

/* clang-format off */

/* mem0 (mem0ai/mem0): history.db has every change of every memory, and the last messages; the memories themselves
 * are in a vector store, so the present text is that of the last change. And OpenMemory, mem0's server until
 * 2026-07. */

static const struct table_select mem0_selects[] = {
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

static const struct table_map mem0_map = {
    .selects = mem0_selects,
    .count = sizeof(mem0_selects) / sizeof(mem0_selects[0]),
};

const struct import_format mem0_format =
    TABLE_FORMAT(&mem0_map, .name = "mem0", .title = "a history of mem0",
                 .about = "A memory becomes a belief with the text of its last change",
                 .counted = "history:change:changes",
                 .file = "table:history column:history.old_memory column:history.new_memory",
                 .places = "$MEM0_DIR/history.db|~/.mem0/history.db");

/* clang-format off */

/* Memori (GibsonAI/memori): the SQLite database of its storage, schema version 1. */

static const struct table_select memori_selects[] = {
    {"memori_conversation", "SELECT 'episode:' || c.uuid AS ref, 1 AS premise, coalesce(p.external_id,"
     " 'memori') AS agent_id,"
     " coalesce(nullif(c.summary, ''), 'conversation') AS text,"
     " c.date_created AS created_at, c.date_updated AS updated_at, 'human:' || e.external_id AS source_entity"
     " FROM memori_conversation c"
     " LEFT JOIN memori_session s ON s.id = c.session_id LEFT JOIN memori_process p ON p.id = s.process_id LEFT"
     " JOIN memori_entity e ON e.id = s.entity_id"},
    {"memori_conversation_message", "SELECT 'raw:' || m.uuid AS ref, coalesce(p.external_id, 'memori') AS agent_id,"
     " m.content AS text, m.date_created AS created_at,"
     " CASE m.role WHEN 'user' THEN 'told_by_human' ELSE 'told_by_agent' END AS source_type,"
     " m.role AS \"detail.role\", m.type AS \"detail.type\","
     " 'episode:' || c.uuid AS part_of FROM memori_conversation_message m LEFT"
     " JOIN memori_conversation c ON c.id = m.conversation_id"
     " LEFT JOIN memori_session s ON s.id = c.session_id LEFT JOIN memori_process p ON p.id = s.process_id"},
    {"memori_entity_fact", "SELECT 'belief:' || f.uuid AS ref, 'memori' AS agent_id, 'inference' AS source_type,"
     " f.content AS text, f.date_created AS created_at, f.date_last_time AS updated_at,"
     " f.num_times AS \"detail.times_reinforced\", 'human:' || e.external_id AS source_entity"
     " FROM memori_entity_fact f LEFT JOIN memori_entity e ON e.id = f.entity_id"},
    {"memori_process_attribute", "SELECT 'belief:' || a.uuid AS ref, coalesce(p.external_id, 'memori') AS agent_id,"
     " a.content AS text, a.date_created AS created_at,"
     " a.date_last_time AS updated_at, a.num_times AS \"detail.times_reinforced\" FROM memori_process_attribute a"
     " LEFT JOIN memori_process p ON p.id = a.process_id"},
    {"memori_knowledge_graph", "SELECT 'belief:' || g.uuid AS ref, 'memori' AS agent_id, 'inference' AS source_type,"
     " s.name || ' ' || p.content || ' ' || o.name AS text, g.date_created AS created_at,"
     " g.date_last_time AS updated_at, g.num_times AS \"detail.times_reinforced\", s.type AS \"detail.subject_type\","
     " o.type AS \"detail.object_type\","
     " 'human:' || e.external_id AS source_entity FROM memori_knowledge_graph g"
     " JOIN memori_subject s ON s.id = g.subject_id"
     " JOIN memori_predicate p ON p.id = g.predicate_id JOIN memori_object o ON o.id = g.object_id LEFT"
     " JOIN memori_entity e ON e.id = g.entity_id"},
};

/* clang-format on */

static const struct table_map memori_map = {
    .version = "SELECT max(num) FROM memori_schema_version",
    .selects = memori_selects,
    .count = sizeof(memori_selects) / sizeof(memori_selects[0]),
};

const struct import_format memori_format = TABLE_FORMAT(
    &memori_map, .name = "memori", .title = "a database of Memori",
    .about = "A fact becomes a belief, a message a raw entry, a conversation an episode",
    .counted = "memori_entity_fact:fact:facts", .file = "table:memori_entity_fact");

/* clang-format off */

/* OpenMemory (mem0ai/mem0, openmemory/ until 2026-07): openmemory.db. */

static const struct table_select openmemory_selects[] = {
    {"memories", "SELECT 'belief:' || m.id AS ref, coalesce((SELECT a.name FROM apps a WHERE a.id = m.app_id),"
     " 'openmemory') AS agent_id, m.content AS text,"
     " m.created_at AS created_at, m.updated_at AS updated_at, CASE m.state WHEN 'deleted'"
     " THEN 'forgotten' END AS status, m.state AS \"detail.state\","
     " json_map(m.metadata) AS \"detail.metadata:json\", 'human:' || (SELECT u.user_id FROM users u"
     " WHERE u.id = m.user_id) AS source_entity,"
     " {(SELECT json_group_array(c.name) FROM memory_categories x JOIN categories c ON c.id = x.category_id"
     " WHERE x.memory_id = m.id)} AS tags,"
     " {(SELECT json_group_array(json_object('at', ms(h.changed_at), 'operation', h.new_state, 'actor',"
     " (SELECT u.user_id FROM users u WHERE u.id = h.changed_by),"
     "  'reason', 'was ' || h.old_state, 'origin', 'openmemory')) FROM (SELECT * FROM memory_status_history x"
     " WHERE x.memory_id = m.id ORDER BY x.changed_at) h)} AS history,"
     " {(SELECT nullif(count(*), 0) FROM memory_access_logs l WHERE l.memory_id = m.id)} AS \"detail.retrievals\","
     " {(SELECT max(l.accessed_at) FROM memory_access_logs l"
     " WHERE l.memory_id = m.id)} AS \"detail.last_retrieved:time\" FROM memories m"},
};

/* clang-format on */

static const struct table_map openmemory_map = {
    .ignored = "alembic_version configs access_controls archive_policies apps users categories "
               "memory_categories",
    .selects = openmemory_selects,
    .count = sizeof(openmemory_selects) / sizeof(openmemory_selects[0]),
};

const struct import_format openmemory_format = TABLE_FORMAT(
    &openmemory_map, .name = "openmemory", .title = "a database of OpenMemory",
    .about = "A memory becomes a belief of its app", .counted = "memories:memory:memories",
    .file = "table:memories table:memory_status_history table:apps");
