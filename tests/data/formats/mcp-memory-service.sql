CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE memories(id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL, tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT, deleted_at REAL DEFAULT NULL, parent_id TEXT, version INTEGER DEFAULT 1, confidence REAL DEFAULT 1.0, last_accessed INTEGER, superseded_by TEXT);
CREATE TABLE memory_graph(source_hash TEXT NOT NULL, target_hash TEXT NOT NULL, similarity REAL NOT NULL, connection_types TEXT NOT NULL, metadata TEXT, created_at REAL NOT NULL, relationship_type TEXT DEFAULT 'related', PRIMARY KEY(source_hash, target_hash));
CREATE INDEX idx_graph_target ON memory_graph(target_hash);
INSERT INTO memories(content_hash, content, tags, memory_type, metadata, created_at, updated_at, confidence, superseded_by, deleted_at) VALUES
 ('a1','Deploys on Friday fail','proj:loom, user:ash','learning','{"hostname":"box"}',1782000000.25,1782000100.5,0.6,'a2',NULL),
 ('a2','Deploys on Friday after noon fail','proj:loom,user:ash','learning','{}',1782000200.0,1782000200.0,0.9,NULL,NULL),
 ('a3','It failed on Friday','user:claire','observation','not json',1782000000.0,1782000000.0,1.0,NULL,NULL),
 ('a4','Friday is fine','', 'decision',NULL,1782000000.0,1782000000.0,0.5,NULL,1782000300.0),
 ('a5','Cluster of two','source:auto','pattern','{"source_memory_hashes":["a1","a3"]}',1782000400.0,1782000400.0,0.8,NULL,NULL),
 ('a6','say hi',NULL,'conversation_turn','{"superseded_by":"a5"}',1782000400.0,1782000400.0,NULL,NULL,NULL);
INSERT INTO memory_graph VALUES('a3','a2',0.8,'["causal"]','{}',1782000000,'supports'),('a2','a4',0.8,'[]','{}',1782000000,'contradicts'),('a4','a2',0.8,'[]','{}',1782000000,'contradicts'),('a3','a1',0.5,'[]','{}',1,'causes'),('a3','a5',0.5,'[]','{}',1,'related');
