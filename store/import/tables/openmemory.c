/* OpenMemory (mem0ai/mem0, openmemory/ until 2026-07): openmemory.db. */
#include "store/import/tables/tables.h"

/* clang-format off */

static const struct table_select selects[] = {
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

static const struct table_map map = {
    .ignored = "alembic_version configs access_controls archive_policies apps users categories "
               "memory_categories",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
};

const struct import_format openmemory_format = TABLE_FORMAT(
    &map, .name = "openmemory", .title = "a database of OpenMemory",
    .about = "A memory becomes a belief of its app", .counted = "memories:memory:memories",
    .file = "table:memories table:memory_status_history table:apps");
