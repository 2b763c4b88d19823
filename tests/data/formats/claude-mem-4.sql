-- A database of claude-mem of schema version 4, from before observations had titles and sessions a platform.
CREATE TABLE schema_versions(id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_versions VALUES(1,4,'2025-11-01T00:00:00.000Z');
CREATE TABLE sdk_sessions(id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL, memory_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active');
INSERT INTO sdk_sessions VALUES(1,'22222222-2222-4333-8444-555555555555','mem-2','loom','write the lexer','2025-11-01T00:00:00.000Z',1761955200000,NULL,NULL,'completed');
CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL, type TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
INSERT INTO observations VALUES(1,'mem-2','loom','A lexer without a table','decision','2025-11-01T00:00:00.000Z',1761955201000);
CREATE TABLE session_summaries(id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
INSERT INTO session_summaries VALUES(1,'mem-2','loom','a lexer','flex','Tables are not faster here','done','',NULL,NULL,NULL,'2025-11-01T00:00:00.000Z',1761955202000);
