-- The tables that the server mode of claude-mem (src/storage/sqlite/schema.ts, version 33) adds to claude-mem-52.sql, with rows.
CREATE TABLE projects (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      slug TEXT UNIQUE,
      root_path TEXT UNIQUE,
      metadata TEXT NOT NULL DEFAULT '{}',
      created_at_epoch INTEGER NOT NULL,
      updated_at_epoch INTEGER NOT NULL
    );
INSERT INTO projects VALUES('p1','loom',NULL,NULL,'{}',1782000000000,1782000000000);
CREATE TABLE server_sessions (
      id TEXT PRIMARY KEY,
      project_id TEXT NOT NULL,
      content_session_id TEXT,
      memory_session_id TEXT,
      platform_source TEXT NOT NULL DEFAULT 'claude',
      title TEXT,
      status TEXT NOT NULL DEFAULT 'active' CHECK(status IN ('active', 'completed', 'failed')),
      metadata TEXT NOT NULL DEFAULT '{}',
      started_at_epoch INTEGER NOT NULL,
      completed_at_epoch INTEGER,
      updated_at_epoch INTEGER NOT NULL,
      FOREIGN KEY(project_id) REFERENCES projects(id) ON DELETE CASCADE
    );
INSERT INTO server_sessions VALUES('ss1','p1','11111111-2222-4333-8444-555555555555',NULL,'claude',NULL,'active','{}',1782000000000,NULL,1782000000000);
CREATE TABLE agent_events (
      id TEXT PRIMARY KEY,
      project_id TEXT NOT NULL,
      server_session_id TEXT,
      source_type TEXT NOT NULL CHECK(source_type IN ('hook', 'worker', 'provider', 'server', 'api')),
      event_type TEXT NOT NULL,
      payload TEXT NOT NULL DEFAULT '{}',
      content_session_id TEXT,
      memory_session_id TEXT,
      occurred_at_epoch INTEGER NOT NULL,
      created_at_epoch INTEGER NOT NULL,
      FOREIGN KEY(project_id) REFERENCES projects(id) ON DELETE CASCADE,
      FOREIGN KEY(server_session_id) REFERENCES server_sessions(id) ON DELETE SET NULL
    );
INSERT INTO agent_events VALUES('ev1','p1','ss1','hook','tool','{}',NULL,NULL,1782000000000,1782000000000);
CREATE TABLE memory_items (
      id TEXT PRIMARY KEY,
      project_id TEXT NOT NULL,
      server_session_id TEXT,
      legacy_observation_id INTEGER,
      kind TEXT NOT NULL CHECK(kind IN ('observation', 'summary', 'prompt', 'manual')),
      type TEXT NOT NULL,
      title TEXT,
      subtitle TEXT,
      text TEXT,
      narrative TEXT,
      facts TEXT NOT NULL DEFAULT '[]',
      concepts TEXT NOT NULL DEFAULT '[]',
      files_read TEXT NOT NULL DEFAULT '[]',
      files_modified TEXT NOT NULL DEFAULT '[]',
      metadata TEXT NOT NULL DEFAULT '{}',
      created_at_epoch INTEGER NOT NULL,
      updated_at_epoch INTEGER NOT NULL,
      FOREIGN KEY(project_id) REFERENCES projects(id) ON DELETE CASCADE,
      FOREIGN KEY(server_session_id) REFERENCES server_sessions(id) ON DELETE SET NULL
    );
INSERT INTO memory_items VALUES('0b3c4f6e-0000-4000-8000-000000000001','p1','ss1',2,'observation','bugfix','Loop bound corrected',NULL,NULL,'The bound is len now.','[]','["bounds"]','[]','[]','{}',1782000007000,1782000008000);
INSERT INTO memory_items VALUES('0b3c4f6e-0000-4000-8000-000000000002','p1',NULL,NULL,'manual','note',NULL,NULL,'Ask before a release',NULL,'[]','[]','[]','[]','{}',1782000007000,1782000007000);
CREATE TABLE memory_sources (
      id TEXT PRIMARY KEY,
      memory_item_id TEXT NOT NULL,
      source_type TEXT NOT NULL CHECK(source_type IN ('observation', 'session_summary', 'user_prompt', 'manual', 'import')),
      legacy_table TEXT,
      legacy_id INTEGER,
      source_uri TEXT,
      metadata TEXT NOT NULL DEFAULT '{}',
      created_at_epoch INTEGER NOT NULL,
      FOREIGN KEY(memory_item_id) REFERENCES memory_items(id) ON DELETE CASCADE
    );
INSERT INTO memory_sources VALUES('s1','0b3c4f6e-0000-4000-8000-000000000001','user_prompt','user_prompts',2,NULL,'{}',1782000000000);
INSERT INTO memory_sources VALUES('s2','0b3c4f6e-0000-4000-8000-000000000002','manual',NULL,NULL,'https://wiki.example/releases','{}',1782000000000);
