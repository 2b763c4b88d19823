/*
 * The tables of a store of Kernle, schema 26: those with memories, and the audit. Kernle makes the others, the indexes
 * and the search tables itself when it opens the store.
 *
 * The columns stand in Kernle's order, since an import lists those of a detail in the order of the table. A column
 * that Kernle requires has "" where we know nothing. The last three of GONE are those of stores that older versions
 * made, the last one of the audit is that of schema 27; Kernle keeps both.
 */
#include "store/export/kernle_row.h"

/* clang-format off */
#define REQUIRED " TEXT NOT NULL DEFAULT ''"
#define OWNER    "(id TEXT PRIMARY KEY, stack_id TEXT NOT NULL, "
#define META(confidence)                                                                           \
    "created_at TEXT NOT NULL, confidence REAL DEFAULT " confidence ", "                           \
    "source_type TEXT DEFAULT 'direct_experience', source_episodes TEXT, derived_from TEXT, "      \
    "last_verified TEXT, verification_count INTEGER DEFAULT 0, confidence_history TEXT, "
#define FADING(is_protected)                                                                       \
    "times_accessed INTEGER DEFAULT 0, last_accessed TEXT, "                                       \
    "is_protected INTEGER DEFAULT " is_protected ", strength REAL DEFAULT 1.0, "
#define PRIVACY  "subject_ids TEXT, access_grants TEXT, consent_grants TEXT, "
#define SCOPE    "context TEXT, context_tags TEXT, source_entity TEXT, " PRIVACY "epoch_id TEXT, "
#define SYNC                                                                                       \
    "local_updated_at TEXT NOT NULL, cloud_synced_at TEXT, version INTEGER DEFAULT 1, "            \
    "deleted INTEGER DEFAULT 0"
#define GONE     SYNC ", is_forgotten INTEGER DEFAULT 0, forgotten_at TEXT, forgotten_reason TEXT"

const char *const kernle_schema[] = {
    "CREATE TABLE schema_version(version INTEGER PRIMARY KEY)",
    "INSERT INTO schema_version VALUES (26)",
    "CREATE TABLE raw_entries" OWNER "blob TEXT NOT NULL, captured_at TEXT NOT NULL, "
        "source TEXT DEFAULT 'unknown', processed INTEGER DEFAULT 0, processed_into TEXT, "
        "content TEXT, timestamp TEXT, tags TEXT, confidence REAL DEFAULT 1.0, "
        "source_type TEXT DEFAULT 'direct_experience', " PRIVACY SYNC ")",
    "CREATE TABLE episodes" OWNER "objective TEXT NOT NULL, outcome" REQUIRED ", "
        "outcome_type TEXT, lessons TEXT, tags TEXT, emotional_valence REAL DEFAULT 0.0, "
        "emotional_arousal REAL DEFAULT 0.0, emotional_tags TEXT, " META("0.8") FADING("0")
        "processed INTEGER DEFAULT 0, " SCOPE "repeat TEXT, avoid TEXT, " GONE ")",
    "CREATE TABLE beliefs" OWNER "statement TEXT NOT NULL, belief_type TEXT DEFAULT 'fact', "
        META("0.8") "supersedes TEXT, superseded_by TEXT, times_reinforced INTEGER DEFAULT 0, "
        "is_active INTEGER DEFAULT 1, " FADING("0") SCOPE "processed INTEGER DEFAULT 0, "
        "belief_scope TEXT DEFAULT 'world', source_domain TEXT, cross_domain_applications TEXT, "
        "abstraction_level TEXT DEFAULT 'specific', " GONE ")",
    "CREATE TABLE notes" OWNER "content TEXT NOT NULL, note_type TEXT DEFAULT 'note', "
        "speaker TEXT, reason TEXT, tags TEXT, " META("0.8") FADING("0")
        "processed INTEGER DEFAULT 0, " SCOPE GONE ")",
    "CREATE TABLE agent_values" OWNER "name" REQUIRED ", statement TEXT NOT NULL, "
        "priority INTEGER DEFAULT 50, " META("0.9") FADING("1") SCOPE GONE ")",
    "CREATE TABLE goals" OWNER "title TEXT NOT NULL, description TEXT, "
        "goal_type TEXT DEFAULT 'task', priority TEXT DEFAULT 'medium', "
        "status TEXT DEFAULT 'active', " META("0.8") FADING("0") SCOPE GONE ")",
    "CREATE TABLE drives" OWNER "drive_type TEXT NOT NULL, intensity REAL DEFAULT 0.5, "
        "focus_areas TEXT, updated_at TEXT NOT NULL, " META("0.8") FADING("1") SCOPE GONE ", "
        "UNIQUE(stack_id, drive_type))",
    "CREATE TABLE relationships" OWNER "entity_name TEXT NOT NULL, entity_type" REQUIRED ", "
        "relationship_type" REQUIRED ", notes TEXT, sentiment REAL DEFAULT 0.0, "
        "interaction_count INTEGER DEFAULT 0, last_interaction TEXT, " META("0.8") FADING("0")
        SCOPE GONE ", UNIQUE(stack_id, entity_name))",
    "CREATE TABLE memory_suggestions" OWNER "memory_type TEXT NOT NULL DEFAULT 'note', "
        "content TEXT NOT NULL, confidence REAL DEFAULT 0.5, source_raw_ids TEXT NOT NULL, "
        "status TEXT DEFAULT 'pending', created_at TEXT NOT NULL, resolved_at TEXT, "
        "resolution_reason TEXT, promoted_to TEXT, " SYNC ")",
    "CREATE TABLE memory_audit(id TEXT PRIMARY KEY, memory_type TEXT NOT NULL, "
        "memory_id TEXT NOT NULL, operation TEXT NOT NULL, details TEXT, actor TEXT NOT NULL, "
        "created_at TEXT NOT NULL, correlation_id TEXT)",
    NULL,
};
