/* mcp-memory-service (doobidoo/mcp-memory-service): sqlite_vec.db up to migration 011. Its vectors are in a virtual
 * table, which is not touched. */
#include "store/import/tables/tables.h"

/* clang-format off */

/* The types of its ontology that are conclusions, and those that are records of what happened. */
#define BELIEFS \
    "'decision', 'architecture', 'tool_choice', 'approach', 'configuration', 'learning', 'insight', 'best_practice'," \
    " 'anti_pattern', 'gotcha', 'pattern', 'recurring_issue', 'code_smell', 'design_pattern', 'workflow', 'finding'," \
    " 'hypothesis', 'recommendation', 'comparison', 'assumption', 'risk', 'constraint', 'mistake'"
#define RECORDS \
    "'conversation', 'conversation_turn', 'session', 'command', 'code_edit', 'file_access', 'search', 'document'," \
    " 'source', 'email_summary', 'chat_summary', 'minutes', 'request', 'response'"
#define META(t, member)  "json_extract(json_map(" t ".metadata), '$." member "')"
#define SUPERSEDED_BY(t) "coalesce(nullif({" t ".superseded_by}, ''), nullif(" META(t, "superseded_by") ", ''))"
/* The rest of the tag "user:NAME", and of it what stands before the next comma. */
#define AFTER_USER(t) \
    "substr(replace(" t ".tags, ' ', '') || ',', nullif(instr(',' || replace(" t ".tags, ' ', ''), ',user:'), 0) + 5)"
#define USER(t)       "substr(" AFTER_USER(t) ", 1, instr(" AFTER_USER(t) ", ',') - 1)"
/* The other ends of a memory's edges. */
#define GRAPH(end, edges) \
    "{(SELECT json_group_array(x.ref) FROM memory_graph g JOIN r x ON x.hash = g." end " WHERE " edges ")}"

static const struct table_select selects[] = {
    {"memories", "WITH r(hash, ref) AS NOT MATERIALIZED (SELECT content_hash, CASE WHEN memory_type IN (" BELIEFS ")"
     " THEN 'belief:' WHEN memory_type IN (" RECORDS ")"
     "  THEN 'raw:' ELSE 'note:' END || content_hash FROM memories),"
     " old(new, refs) AS (SELECT CAST(" SUPERSEDED_BY("o") " AS TEXT), json_group_array(r.ref) FROM memories o"
     " JOIN r ON r.hash = o.content_hash GROUP BY 1)"
     " SELECT (SELECT r.ref FROM r WHERE r.hash = m.content_hash) AS ref, coalesce(nullif(" META("m", "agent_id") ","
     " ''), nullif(" USER("m") ", ''),"
     " nullif(" META("m", "hostname") ", ''), 'mcp-memory-service') AS agent_id,"
     " m.content AS text, coalesce(m.created_at, m.created_at_iso) AS created_at, coalesce(m.updated_at,"
     " m.updated_at_iso) AS updated_at, m.tags AS tags,"
     " {m.confidence} AS confidence, {m.version} AS \"detail.version\", m.memory_type AS \"detail.type\","
     " json_map(m.metadata) AS \"detail.metadata:json\","
     " {m.last_accessed} AS \"detail.last_accessed:time\", " META("m", "source") " AS source,"
     " CASE WHEN {m.deleted_at} IS NOT NULL THEN 'forgotten' WHEN " SUPERSEDED_BY("m") " IS NOT NULL"
     " THEN 'superseded' END AS status,"
     " {CASE WHEN m.deleted_at IS NOT NULL THEN json_array(json_object('at', ms(m.deleted_at), 'operation', 'forget',"
     " 'origin', 'mcp-memory-service')) END} AS history,"
     " {(SELECT p.ref FROM r p WHERE p.hash = m.parent_id)} AS derived_from,"
     " (SELECT json_group_array(x.ref) FROM json_each(json_list(" META("m", "source_memory_hashes") ")) h"
     " JOIN r x ON x.hash = h.value) AS derived_from,"
     " " GRAPH("source_hash", "g.target_hash = m.content_hash AND g.relationship_type = 'supports'") " AS evidence,"
     " " GRAPH("target_hash", "g.source_hash = m.content_hash"
     " AND g.relationship_type = 'contradicts'") " AS contradicts,"
     " {(SELECT json_group_array(json_object('ref', x.ref, 'reason', coalesce(g.relationship_type, 'related')))"
     "  FROM memory_graph g JOIN r x ON x.hash = g.target_hash WHERE g.source_hash = m.content_hash"
     "  AND coalesce(g.relationship_type, 'related') NOT IN ('supports', 'contradicts'))} AS related_to,"
     " old.refs AS supersedes"
     " FROM memories m LEFT JOIN old ON old.new = m.content_hash"},
};

static const char *const remarks[] = {
    "SELECT n || CASE n WHEN 1 THEN ' kind' ELSE ' kinds' END || ' of record shown as notes'"
     " FROM (SELECT count(DISTINCT memory_type) AS n"
    " FROM memories WHERE memory_type NOT IN (" BELIEFS ", " RECORDS ", 'note', 'observation')) WHERE n > 0",
    NULL,
};

/* clang-format on */

static const struct table_map map = {
    .ignored = "metadata schema_migrations memory_embeddings* memory_content_fts* oauth_*",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
    .remarks = remarks,
};

const struct import_format mcp_memory_service_format = TABLE_FORMAT(
    &map, .name = "mcp-memory-service", .title = "a database of mcp-memory-service",
    .about = "A memory becomes a belief, a note or a raw entry by its type",
    .counted = "memories:memory:memories",
    .file = "table:memories column:memories.content_hash column:memories.memory_type",
    .places = "$MCP_MEMORY_SQLITE_PATH|~/.local/share/mcp-memory/sqlite_vec.db|~/Library/"
              "Application Support/mcp-memory/sqlite_vec.db");
