/* claude-mem (thedotmack/claude-mem): ~/.claude-mem/claude-mem.db, schema versions 4 to 52, and the tables of its
 * server mode. docs/formats/tables.md says what becomes of each table. */
#include "store/import/tables/tables.h"

/* clang-format off */

/* Rows have no ids but their numbers, which another machine's store has as well: the time of a row tells them apart. */
#define ROW(kind, t)   "make_id('claude-mem', '" kind "', " t ".id, " t ".created_at_epoch)"
#define OBSERVATION(t) \
    "CASE WHEN " t ".type IN ('decision', 'discovery') THEN 'belief:' ELSE 'note:' END || " ROW("observation", t)
#define PROMPT(t)      "'raw:' || " ROW("prompt", t)
#define SUMMARY(t)     "'episode:' || " ROW("summary", t)
#define SESSION(t) \
    "'episode:' || make_id('claude-mem', 'session', coalesce(nullif({" t ".platform_source}, ''), 'claude')," \
    " " t ".content_session_id)"
#define TOOL_USE(t) \
    "'attribution:' || make_id('claude-mem', 'tool', " t ".content_session_id, " t ".tool_use_id)"
#define DOCUMENT(project, path) "'document:' || make_id('claude-mem', 'file', " project ", " path ")"
#define ITEM(t) \
    "CASE " t ".kind WHEN 'summary' THEN 'episode:' WHEN 'prompt' THEN 'raw:' ELSE 'note:' END || " t ".id"

/* The platform 'claude' is Claude Code; a subagent follows it. */
#define PLATFORM(t) \
    "CASE coalesce(nullif({" t ".platform_source}, ''), 'claude') WHEN 'claude' THEN 'claude-code' ELSE" \
    " {" t ".platform_source} END"
#define AGENT(t) \
    "coalesce((SELECT " PLATFORM("p") " FROM sdk_sessions p WHERE p.memory_session_id = " t ".memory_session_id)," \
    " 'claude-mem')"
#define SUBAGENT(t)    "coalesce('/' || nullif({" t ".agent_type}, ''), '')"
#define DOCUMENTS(t) \
    "(SELECT json_group_array(" DOCUMENT(t ".project", "f.value") ") FROM json_each(json_list({" t ".files_read}))" \
    " f WHERE f.value <> '')"
#define PART_OF(t) \
    "(SELECT " SESSION("p") " FROM sdk_sessions p WHERE p.memory_session_id = " t ".memory_session_id) AS part_of"

static const struct table_select selects[] = {
    {"sdk_sessions", "SELECT " SESSION("s") " AS ref, " PLATFORM("s") " AS agent_id,"
     " coalesce(nullif({s.custom_title}, ''), nullif(s.user_prompt, ''), s.project) AS text,"
     " s.started_at_epoch AS created_at,"
     " s.completed_at_epoch AS updated_at, s.content_session_id AS \"detail.session_id\","
     " CASE coalesce(nullif({s.platform_source}, ''), 'claude') WHEN 'claude' THEN 'episode:' || s.content_session_id"
     " END AS copy_of, 1 AS premise,"
     " s.project AS \"detail.project\", s.status AS \"detail.state\", {s.observed_model} AS \"detail.model\""
     " FROM sdk_sessions s"},
    {"user_prompts", "SELECT " PROMPT("u") " AS ref, " PLATFORM("p") " AS agent_id, u.prompt_text AS text,"
     " u.created_at_epoch AS created_at,"
     " 'told_by_human' AS source_type, u.prompt_number AS \"detail.prompt_number\","
     " u.content_session_id AS \"detail.session_id\","
     " CASE WHEN p.id IS NOT NULL THEN " SESSION("p") " END AS part_of FROM user_prompts u LEFT JOIN sdk_sessions p"
     " ON p.id = coalesce({u.session_db_id}, (SELECT min(id) FROM sdk_sessions"
     " WHERE content_session_id = u.content_session_id))"},
    {"tool_uses", "SELECT " TOOL_USE("t") " AS ref, " PLATFORM("t") " || " SUBAGENT("t") " AS agent_id,"
     " coalesce(nullif(substr(t.tool_response, 1, 500), ''), t.tool_name) AS text, t.created_at_epoch AS created_at,"
     " t.tool_name AS \"detail.source_type\","
     " coalesce('file:' || json_extract(json_map(t.tool_input), '$.file_path'), json_extract(json_map(t.tool_input),"
     " '$.url'), 'tool:' || t.tool_name) AS \"detail.source_uri\","
     " t.created_at_epoch AS \"detail.retrieval_timestamp:time\","
     " sha256(t.tool_response) AS \"detail.full_content_hash\", t.tool_input AS \"detail.input:json\","
     " t.tool_use_id AS \"detail.tool_use_id\", t.content_session_id AS \"detail.session_id\","
     " (SELECT json_group_array(" PROMPT("u") ") FROM user_prompts u"
     " WHERE u.content_session_id = t.content_session_id AND u.prompt_number = t.prompt_number) AS derived_from"
     " FROM tool_uses t"},
    {"observations", "SELECT " DOCUMENT("o.project", "f.value") " AS ref, 'claude-code' AS agent_id,"
     " 'external' AS source_type, f.value AS text, min(o.created_at_epoch) AS created_at,"
     " f.value AS \"detail.document_id\", 'file:' || f.value AS \"detail.uri\", o.project AS \"detail.project\""
     " FROM observations o, json_each(json_list({o.files_read})) f WHERE f.value <> '' GROUP BY o.project, f.value"},
    {"observations", "SELECT " OBSERVATION("o") " AS ref, " AGENT("o") " || " SUBAGENT("o") " AS agent_id,"
     " 'observation' AS source_type,"
     " lines({o.title}, {o.subtitle}, {o.narrative}, o.text) AS text, o.created_at_epoch AS created_at,"
     " {o.concepts} AS tags, o.type AS \"detail.type\","
     " {o.generated_by_model} AS \"detail.model\", {o.agent_id} AS \"detail.subagent_id\","
     " o.project AS \"detail.project\", {o.files_modified} AS \"detail.files_modified:json\","
     " {o.content_hash} AS \"detail.content_hash\", {o.metadata} AS \"detail.metadata:json\","
     " nullif({o.discovery_tokens}, 0) AS \"detail.tokens\","
     " {(SELECT json_group_array(" TOOL_USE("t") ") FROM tool_uses t WHERE t.observation_id = o.id)} AS derived_from,"
     " {(SELECT json_group_array(" PROMPT("u") ") FROM user_prompts u"
     " JOIN sdk_sessions p ON p.content_session_id = u.content_session_id"
     "  WHERE p.memory_session_id = o.memory_session_id AND u.prompt_number = o.prompt_number)} AS derived_from,"
     " " DOCUMENTS("o") " AS derived_from, " PART_OF("o") " FROM observations o"},
    {"observations", "SELECT 'belief:' || make_id('claude-mem', 'fact', o.id, o.created_at_epoch, f.key) AS ref,"
     " " AGENT("o") " || " SUBAGENT("o") " AS agent_id, 'inference' AS source_type, f.value AS text,"
     " o.created_at_epoch AS created_at,"
     " {o.concepts} AS tags, {o.generated_by_model} AS \"detail.model\", " OBSERVATION("o") " AS derived_from"
     " FROM observations o, json_each(json_list({o.facts})) f WHERE f.value <> ''"},
    {"session_summaries", "SELECT " SUMMARY("s") " AS ref, " AGENT("s") " AS agent_id,"
     " lines(s.request, s.investigated) AS text, s.created_at_epoch AS created_at, s.request AS \"detail.objective\","
     " s.completed AS \"detail.outcome\","
     " json_list(s.learned) AS \"detail.lessons:json\", s.next_steps AS \"detail.next_steps\","
     " s.notes AS \"detail.notes\", s.project AS \"detail.project\","
     " (SELECT json_group_array(" OBSERVATION("o") ") FROM observations o"
     " WHERE o.memory_session_id = s.memory_session_id"
     "  AND ({s.prompt_number} IS NULL OR {o.prompt_number} = {s.prompt_number})) AS \"derived_from:guessed\","
     " " PART_OF("s") ""
     " FROM session_summaries s"},
    {"session_summaries", "SELECT 'belief:' || " ROW("learned", "s") " AS ref, " AGENT("s") " AS agent_id,"
     " 'consolidation' AS source_type, s.learned AS text, s.created_at_epoch AS created_at,"
     " " SUMMARY("s") " AS derived_from FROM session_summaries s WHERE trim(s.learned) <> ''"},
    {"memory_items", "SELECT " ITEM("m") " AS ref, coalesce((SELECT " PLATFORM("s") " FROM server_sessions s"
     " WHERE s.id = m.server_session_id), 'claude-mem') AS agent_id,"
     " lines(m.title, m.subtitle, m.narrative, m.text) AS text, m.created_at_epoch AS created_at,"
     " m.updated_at_epoch AS updated_at, m.concepts AS tags,"
     " m.type AS \"detail.type\", json_map(m.metadata) AS \"detail.metadata:json\","
     " m.files_modified AS \"detail.files_modified:json\", m.facts AS \"detail.facts:json\","
     " {(SELECT " OBSERVATION("o") " FROM observations o WHERE o.id = m.legacy_observation_id)} AS copy_of,"
     " {(SELECT json_group_array(CASE x.legacy_table WHEN 'observations' THEN (SELECT " OBSERVATION("o") ""
     " FROM observations o WHERE o.id = x.legacy_id)"
     "  WHEN 'user_prompts' THEN (SELECT " PROMPT("u") " FROM user_prompts u WHERE u.id = x.legacy_id)"
     "  WHEN 'session_summaries' THEN (SELECT " SUMMARY("s") " FROM session_summaries s WHERE s.id = x.legacy_id)"
     " ELSE x.source_uri END)"
     "  FROM memory_sources x WHERE x.memory_item_id = m.id)} AS derived_from FROM memory_items m"},
};

static const char *const remarks[] = {
    "SELECT n || CASE n WHEN 1 THEN ' kind' ELSE ' kinds' END || ' of record shown as notes'"
    " FROM (SELECT count(DISTINCT type) AS n FROM observations WHERE type NOT IN ('decision', 'discovery'))"
     " WHERE n > 0",
    NULL,
};

/* clang-format on */

static const struct table_map map = {
    .version = "SELECT max(version) FROM schema_versions",
    .ignored = "schema_versions sync_* pending_messages telegram_wrapups projects teams "
               "team_members api_keys",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
    .remarks = remarks,
};

const struct import_format claude_mem_format = TABLE_FORMAT(
    &map, .name = "claude-mem", .title = "a claude-mem database",
    .about = "An observation becomes a note, or a belief if it is a decision or a discovery; each "
             "of its facts a belief",
    .counted = "observations:observation:observations|sdk_sessions:session:sessions|memory_items:"
               "item:items",
    .file = "table:sdk_sessions table:observations|table:memory_items table:memory_sources",
    .places = "$CLAUDE_MEM_DATA_DIR/claude-mem.db|~/.claude-mem/claude-mem.db");
