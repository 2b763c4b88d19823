CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT, created_at DATETIME);
INSERT INTO history VALUES
('h1','m1',NULL,'Likes tea','ADD','2026-08-01T10:00:00+00:00',NULL,0,NULL,NULL),
('h2','m1','Likes tea','Likes green tea','UPDATE','2026-08-01T10:00:00+00:00','2026-08-02T10:00:00+00:00',0,'sean','user'),
('h3','m2',NULL,'Has a dog','ADD','2026-08-01T10:00:01+00:00',NULL,0,NULL,NULL),
('h4','m2','Has a dog',NULL,'DELETE','2026-08-01T10:00:01+00:00','2026-08-03T10:00:00+00:00',1,NULL,NULL);
INSERT INTO messages VALUES('x1','user_id=sean','user','I like tea',NULL,'2026-08-01T10:00:03+00:00'),('x2','user_id=sean','assistant','Noted',NULL,'2026-08-01T10:00:03+00:00'),('x3','user_id=sean','user','Bye','sean','2026-08-05T10:00:03+00:00');
