/* cognee (topoteretes/cognee): the ledger of provenance in its relational database. The graph itself is not in it. */
#include "store/import/tables/tables_internal.h"

/* clang-format off */

#define META(t, member) "json_extract(json_map(" t ".metadata), '$." member "')"
#define REF(t) \
    "CASE " t ".entity_type WHEN 'document' THEN 'document:' WHEN 'chunk' THEN 'raw:' WHEN 'relationship'" \
    " THEN 'belief:' ELSE 'note:' END || " t ".entity_id"
/* An id that the ledger does not have is no ref, so it becomes an annotation. */
#define REF_OF(id) \
    "coalesce((SELECT " REF("x") " FROM provenance_entries x WHERE x.entity_id = " id "), 'cognee:' || " id ")"
#define USED(at) "json_extract(json_list(e.used_entities), '$[" at "]')"
#define NAME_OF(at) \
    "coalesce((SELECT " META("x", "name") " FROM provenance_entries x WHERE x.entity_id = " USED(at) "), " USED(at) ")"

static const struct table_select selects[] = {
    {"provenance_entries", "SELECT " REF("e") " AS ref, coalesce(nullif(e.agent_id, ''), 'cognee') AS agent_id,"
     " CASE e.entity_type WHEN 'document' THEN 'external' WHEN 'chunk' THEN 'observation'"
     " ELSE 'inference' END AS source_type,"
     " coalesce(CASE e.entity_type WHEN 'relationship'"
     " THEN " NAME_OF("0") " || ' ' || " META("e", "relationship_name") " || ' ' || " NAME_OF("1") " END,"
     " " META("e", "name") ","
     "  nullif(e.source_quote, ''), nullif(e.source_document, '') || coalesce(' #' || e.start_index, ''),"
     " e.entity_id) AS text,"
     " coalesce(e.first_seen, e.timestamp) AS created_at, coalesce(e.invalidated_at_time,"
     " e.last_updated) AS updated_at, e.confidence AS confidence,"
     " nullif(e.source_document, '') AS source, CASE WHEN e.invalidated THEN 'retracted'"
     " WHEN e.valid_until IS NOT NULL OR instr(e.entity_id, ':v:' || e.last_updated) THEN 'superseded' END AS status,"
     " CASE WHEN e.invalidated THEN json_array(json_object('at', ms(e.invalidated_at_time), 'operation',"
     " 'invalidate', 'actor', e.invalidated_by, 'reason', e.invalidation_reason,"
     "  'origin', 'cognee')) END AS history,"
     " CASE WHEN e.derived_from_id IS NOT NULL THEN json_array(json_object('ref', " REF_OF("e.derived_from_id") ","
     " 'excerpt', nullif(e.source_quote, ''),"
     "  'section', nullif(e.source_location, ''))) END AS derived_from,"
     " (SELECT json_group_array(" REF_OF("u.value") ") FROM json_each(json_list(e.used_entities)) u"
     " WHERE u.value <> coalesce(e.previous_version_id, '')"
     "  AND u.value <> coalesce(e.derived_from_id, '')) AS derived_from,"
     " CASE WHEN e.supersedes IS NOT NULL THEN " REF_OF("e.supersedes") " END AS supersedes,"
     " CASE WHEN e.previous_version_id IS NOT NULL THEN " REF_OF("e.previous_version_id") " END AS supersedes,"
     " CASE e.entity_type WHEN 'document' THEN e.entity_id END AS \"detail.document_id\", CASE e.entity_type"
     " WHEN 'document' THEN nullif(e.source_document, '') END AS \"detail.uri\","
     " e.entity_type AS \"detail.entity_type\", e.activity_id AS \"detail.activity_id\", e.role AS \"detail.role\","
     " e.source_ref_key AS \"detail.source_ref_key\", e.bundle_id AS \"detail.bundle_id\","
     " e.source_location AS \"detail.source_location\", e.source_quote AS \"detail.source_quote\","
     " e.credibility AS \"detail.credibility\", e.acted_on_behalf_of AS \"detail.acted_on_behalf_of\","
     " e.revision_type AS \"detail.revision_type\", e.valid_from AS \"detail.valid_from:time\","
     " e.valid_until AS \"detail.valid_until:time\", e.start_index AS \"detail.start_index\","
     " e.end_index AS \"detail.end_index\", e.sequence_id AS \"detail.sequence_id\","
     " e.checksum AS \"detail.checksum\", json_map(e.metadata) AS \"detail.metadata:json\""
     " FROM provenance_entries e"},
};

/* clang-format on */

static const struct table_map map = {
    .ignored = "alembic_version",
    .selects = selects,
    .count = sizeof(selects) / sizeof(selects[0]),
    .verify = cognee_chain_verify,
};

const struct import_format cognee_format = TABLE_FORMAT(
    &map, .name = "cognee", .title = "a database of cognee with its ledger of provenance",
    .about = "An entry of the ledger becomes a note, a belief, a raw entry or a document; "
             "its chain of checksums is verified",
    .counted = "provenance_entries:entry:entries", .file = "table:provenance_entries",
    .places = "$SYSTEM_ROOT_DIRECTORY/databases/cognee_db");
