/* Memori (GibsonAI/memori): the SQLite database of its storage, schema version 1. */
#include "store/import/tables/tables.h"

/* clang-format off */

static const struct table_select selects[] = {
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

static const struct table_map map = {
    .version = "SELECT max(num) FROM memori_schema_version",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
};

const struct import_format memori_format = TABLE_FORMAT(
    &map, .name = "memori", .title = "a database of Memori",
    .about = "A fact becomes a belief, a message a raw entry, a conversation an episode",
    .counted = "memori_entity_fact:fact:facts", .file = "table:memori_entity_fact");
