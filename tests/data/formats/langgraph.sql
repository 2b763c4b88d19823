CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value text NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, expires_at TIMESTAMP, ttl_minutes REAL, PRIMARY KEY (prefix, key));
CREATE TABLE store_migrations (v INTEGER PRIMARY KEY);
INSERT INTO store_migrations VALUES(0),(4);
INSERT INTO store VALUES('memories.user-1','k1',CAST('{"kind":"Memory","content":{"content":"likes tea"}}' AS BLOB),'2026-08-01 10:00:00','2026-08-02 10:00:00',NULL,NULL),
('memories.sean@x y','a key with blanks',CAST('{"a":1}' AS BLOB),'2026-08-01 10:00:00','2026-08-02 10:00:00','2027-08-01 10:00:00+00:00',60.0),
('memories.user-1','gone',CAST('{"a":2}' AS BLOB),'2026-08-01 10:00:00','2026-08-02 10:00:00','2026-08-03 10:00:00+00:00',60.0),
('memories.user-1','broken','not json','2026-08-01 10:00:00','2026-08-02 10:00:00',NULL,NULL);
CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
INSERT INTO checkpoints VALUES('t1','','c1',NULL,'msgpack',x'80',x'80'),('t1','','c2','c1','msgpack',x'80',x'80');
