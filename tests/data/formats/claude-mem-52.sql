-- A database that claude-mem 13.25.3 (npm) made: its schema, and rows written by its SessionStore.
CREATE TABLE schema_versions (
        id INTEGER PRIMARY KEY,
        version INTEGER UNIQUE NOT NULL,
        applied_at TEXT NOT NULL
      );
INSERT INTO schema_versions VALUES(1,4,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(2,5,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(3,6,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(4,7,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(5,8,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(6,9,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(7,10,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(8,11,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(9,16,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(10,17,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(11,20,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(12,21,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(13,22,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(14,23,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(15,24,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(16,26,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(17,27,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(18,29,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(19,30,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(20,31,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(21,28,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(22,32,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(23,33,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(24,34,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(25,35,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(26,39,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(27,41,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(28,42,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(29,44,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(30,45,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(31,46,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(32,47,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(33,48,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(34,49,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(35,50,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(36,51,'2026-06-21T00:00:00.000Z');
INSERT INTO schema_versions VALUES(37,52,'2026-06-21T00:00:00.000Z');
CREATE TABLE sdk_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_session_id TEXT NOT NULL,
        memory_session_id TEXT UNIQUE,
        project TEXT NOT NULL,
        platform_source TEXT NOT NULL DEFAULT 'claude',
        user_prompt TEXT,
        started_at TEXT NOT NULL,
        started_at_epoch INTEGER NOT NULL,
        completed_at TEXT,
        completed_at_epoch INTEGER,
        status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active'
      , worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT, observed_model TEXT, observed_billing TEXT);
INSERT INTO sdk_sessions VALUES(1,'11111111-2222-4333-8444-555555555555','mem-1','loom','claude','fix the parser','2026-06-21T00:00:00.000Z',1782000000000,NULL,NULL,'active',NULL,0,NULL,NULL,NULL);
CREATE TABLE IF NOT EXISTS "session_summaries" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        request TEXT,
        investigated TEXT,
        learned TEXT,
        completed TEXT,
        next_steps TEXT,
        files_read TEXT,
        files_edited TEXT,
        notes TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
      );
INSERT INTO session_summaries VALUES(1,'mem-1','loom','fix the parser','the lexer','The lexer stops one token early','fixed','a test','["src/lex.c"]','[]',NULL,1,'2026-06-21T00:00:00.000Z',1782000009000,100,NULL,NULL,NULL,NULL,'1');
CREATE TABLE IF NOT EXISTS "observations" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        text TEXT,
        type TEXT NOT NULL,
        title TEXT,
        subtitle TEXT,
        facts TEXT,
        narrative TEXT,
        concepts TEXT,
        files_read TEXT,
        files_modified TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT, relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
      );
INSERT INTO observations VALUES(1,'mem-1','loom',NULL,'discovery','Parser drops the last token','off by one','["The loop ends at len - 1","lex.c has the loop"]','The lexer stops early.','["how-it-works"]','["src/lex.c"]','[]',1,'2026-06-21T00:00:00.000Z',1782000005000,100,'d9e0903691d86ff3','claude-x',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1');
INSERT INTO observations VALUES(2,'mem-1','loom',NULL,'bugfix','Loop bound corrected',NULL,'[]','The bound is len now.','[]','["src/lex.c"]','["src/lex.c"]',2,'2026-06-21T00:00:00.000Z',1782000006000,50,'6917b26fe772567a','claude-x',0,NULL,'Explore','a1',NULL,NULL,NULL,NULL,'1');
INSERT INTO observations VALUES(3,'mem-1','loom',NULL,'decision','Every parser bug gets a test',NULL,'["A test per bug"]','','["pattern"]','[]','[]',2,'2026-06-21T00:00:00.000Z',1782000007000,50,'b305fa414c1bd904','claude-x',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1');
CREATE TABLE pending_messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_db_id INTEGER NOT NULL,
        content_session_id TEXT NOT NULL,
        message_type TEXT NOT NULL CHECK(message_type IN ('observation', 'summarize')),
        tool_name TEXT,
        tool_input TEXT,
        tool_response TEXT,
        cwd TEXT,
        last_user_message TEXT,
        last_assistant_message TEXT,
        prompt_number INTEGER,
        status TEXT NOT NULL DEFAULT 'pending' CHECK(status IN ('pending', 'processing')),
        created_at_epoch INTEGER NOT NULL, agent_type TEXT, agent_id TEXT, tool_use_id TEXT,
        FOREIGN KEY (session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE
      );
CREATE TABLE IF NOT EXISTS "user_prompts" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_db_id INTEGER,
        content_session_id TEXT NOT NULL,
        prompt_number INTEGER NOT NULL,
        prompt_text TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE
      );
INSERT INTO user_prompts VALUES(1,1,'11111111-2222-4333-8444-555555555555',1,'fix the parser bug','2026-06-21T00:00:00.000Z',1782000001000,NULL,NULL,NULL,'1');
INSERT INTO user_prompts VALUES(2,1,'11111111-2222-4333-8444-555555555555',2,'add a test','2026-06-21T00:00:00.000Z',1782000002000,NULL,NULL,NULL,'1');
CREATE TABLE sync_state (
        k TEXT PRIMARY KEY,
        v TEXT
      );
CREATE TABLE tool_uses (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      tool_use_id TEXT NOT NULL,
      content_session_id TEXT NOT NULL,
      memory_session_id TEXT,
      session_db_id INTEGER,
      project TEXT NOT NULL,
      platform_source TEXT NOT NULL DEFAULT 'claude',
      tool_name TEXT NOT NULL,
      tool_input TEXT,
      tool_response TEXT,
      cwd TEXT,
      prompt_number INTEGER,
      agent_type TEXT,
      agent_id TEXT,
      observation_id INTEGER,
      or_generation_id TEXT,
      or_session_id TEXT,
      content_hash TEXT,
      created_at TEXT NOT NULL,
      created_at_epoch INTEGER NOT NULL,
      UNIQUE(content_session_id, tool_use_id)
    );
INSERT INTO tool_uses VALUES(1,'toolu_01','11111111-2222-4333-8444-555555555555','mem-1',1,'loom','claude','Read','{"file_path":"/w/loom/src/lex.c"}','{"content":"for (i = 0; i < len - 1; i++)"}','/w/loom',1,NULL,NULL,1,NULL,NULL,'3a82399e0281830c','2026-06-21T00:00:00.000Z',1782000003000);
INSERT INTO tool_uses VALUES(2,'toolu_02','11111111-2222-4333-8444-555555555555','mem-1',1,'loom','claude','Bash','{"command":"make test"}','1 failed','/w/loom',2,'Explore','a1',NULL,NULL,NULL,'d75721bd80237e91','2026-06-21T00:00:00.000Z',1782000004000);
CREATE TABLE telegram_wrapups (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        platform_source TEXT NOT NULL,
        content_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        route_key TEXT NOT NULL,
        summary_created_at_epoch INTEGER NOT NULL,
        status TEXT NOT NULL CHECK(status IN ('claimed', 'sent')),
        claimed_at_epoch INTEGER NOT NULL,
        sent_at_epoch INTEGER,
        UNIQUE(platform_source, content_session_id, project, route_key)
      );
CREATE VIRTUAL TABLE user_prompts_fts USING fts5(prompt_text, content='user_prompts', content_rowid='id');
