/*
 * The schema `stemma`. It holds that nobody but its owner (and a superuser) writes a table: all
 * changes go through functions that run as the owner and look at session_user, the role that
 * logged in. Reading is by SELECT, under row policies: a role sees the teams that admit it. A role
 * that no team admits has no USAGE of the schema, so what PUBLIC may do here is nothing to it.
 */
#include "store/team/postgres_schema.h"

#include <stddef.h>

#define AS_OWNER " SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$ "
#define END      " $body$"

/*
 * Who appends or locks waits for its turn. The row of `head` keeps the order right, but who comes
 * when it is released may pass by those who wait for it; this lock is given to the first of them.
 */
#define QUEUE " PERFORM pg_advisory_xact_lock(hashtextextended(p_store::text, 0));"

/* Texts of an event that are larger are rows of `body`. */
#define LARGE "1048576"

/* Up to which event an event erases the bodies of its memory; the same as erased_up_to in segments.c. */
#define ERASES                                                                                     \
    " CASE WHEN j->>'erases' IS NOT NULL THEN least((j->>'erases')::bigint, p_seq + n)"            \
    " WHEN j->>'operation' = 'purge' AND j->>'class' = 'person'"                                   \
    " OR j->>'operation' IN ('expire', 'evict') AND j->>'ref' LIKE 'entry:%' THEN p_seq + n - 1"   \
    " END "

static const char *const version_1[] = {
    "CREATE SCHEMA stemma",
    "CREATE TABLE stemma.version(version int NOT NULL);"
    "INSERT INTO stemma.version VALUES(0)",

    /* A row for each team: the end of its journal. Who appends locks it, so no number is left out. */
    "CREATE TABLE stemma.head("
    " store uuid PRIMARY KEY, seq bigint NOT NULL, hash bytea NOT NULL, format int NOT NULL,"
    " creator name NOT NULL)",

    /* The roles that may read a team's journal and join it. */
    "CREATE TABLE stemma.member("
    " store uuid NOT NULL, role name NOT NULL, PRIMARY KEY(store, role))",

    "CREATE TABLE stemma.machine("
    " store uuid NOT NULL, number int NOT NULL, name text NOT NULL, role name NOT NULL,"
    " applied bigint NOT NULL DEFAULT 0, seen_at timestamptz NOT NULL DEFAULT now(),"
    " left_at timestamptz, PRIMARY KEY(store, number), UNIQUE(store, name))",

    /*
     * `canonical` is the hashed text, and the columns up to `ref` repeat it for people and
     * queries. What a purge erases is NULL: salt, patch, line. patch_at, line_at: the text is the
     * body of that hash. bytes: of all texts. erases: up to which event of `ref` it erases.
     */
    "CREATE TABLE stemma.event("
    " store uuid NOT NULL, seq bigint NOT NULL, id uuid NOT NULL, machine int NOT NULL,"
    " session bigint, actor text NOT NULL, at bigint NOT NULL, base bigint NOT NULL,"
    " op text NOT NULL, ref text, canonical text NOT NULL, salt bytea, patch text, line text,"
    " patch_at bytea, line_at bytea, bytes bigint NOT NULL, erases bigint, prev bytea NOT NULL,"
    " hash bytea NOT NULL, PRIMARY KEY(store, seq), UNIQUE(store, id),"
    " CONSTRAINT event_continues_the_chain"
    "  CHECK (hash = sha256(prev || convert_to(canonical, 'UTF8'))),"
    " CONSTRAINT event_has_its_number CHECK ((canonical::json->>'seq')::bigint = seq),"
    " CONSTRAINT event_can_be_read CHECK (octet_length(salt) = 16 AND bytes <= 67108864))",
    "CREATE INDEX event_ref ON stemma.event(store, ref) WHERE ref IS NOT NULL;"
    "CREATE INDEX event_erases ON stemma.event(store, seq) WHERE erases IS NOT NULL;"
    "CREATE INDEX event_large ON stemma.event(store)"
    " WHERE coalesce(patch_at, line_at) IS NOT NULL",
    "CREATE TABLE stemma.body("
    " store uuid NOT NULL, hash bytea NOT NULL, content text NOT NULL, PRIMARY KEY(store, hash))",

    /* pulse: counts the changes of sessions, one at a time. */
    "CREATE TABLE stemma.pulse(store uuid PRIMARY KEY, changed bigint NOT NULL);"
    "CREATE TABLE stemma.session("
    " store uuid NOT NULL, id bigint NOT NULL, machine int NOT NULL, changed bigint NOT NULL,"
    " row text NOT NULL, PRIMARY KEY(store, id));"
    "CREATE INDEX session_changed ON stemma.session(store, changed)",

    /* latest: the snapshot that is there; parts 0: none. */
    "CREATE TABLE stemma.latest("
    " store uuid PRIMARY KEY, seq bigint NOT NULL, parts int NOT NULL);"
    "CREATE TABLE stemma.snapshot("
    " store uuid NOT NULL, seq bigint NOT NULL, part int NOT NULL, data bytea NOT NULL,"
    " PRIMARY KEY(store, seq, part));"
    "ALTER TABLE stemma.snapshot ALTER data SET STORAGE EXTERNAL",

    "DO $do$ DECLARE t text; BEGIN"
    " FOREACH t IN ARRAY '{head,machine,event,body,pulse,session,latest,snapshot}'::text[] LOOP"
    "  EXECUTE format('ALTER TABLE stemma.%I ENABLE ROW LEVEL SECURITY', t);"
    "  EXECUTE format('CREATE POLICY of_members ON stemma.%I FOR SELECT USING"
    "   (store IN (SELECT m.store FROM stemma.member m WHERE m.role = session_user))', t);"
    " END LOOP; END $do$;"
    /* What a purge made useless is hidden until drop_parts has removed it. */
    "CREATE POLICY is_latest ON stemma.snapshot AS RESTRICTIVE FOR SELECT USING ((store, seq) IN"
    " (SELECT l.store, l.seq FROM stemma.latest l WHERE l.parts > 0));"
    "ALTER TABLE stemma.member ENABLE ROW LEVEL SECURITY;"
    "CREATE POLICY of_members ON stemma.member FOR SELECT USING (role = session_user);"
    "GRANT SELECT ON ALL TABLES IN SCHEMA stemma TO PUBLIC",

    /* ---- who may do what ---- */

    "CREATE FUNCTION stemma.check_member(p_store uuid) RETURNS void LANGUAGE plpgsql" AS_OWNER
    "BEGIN"
    " IF NOT EXISTS (SELECT FROM stemma.member"
    "  WHERE store = p_store AND role = session_user) THEN"
    "  RAISE EXCEPTION 'team % does not admit role %', p_store, session_user"
    "   USING ERRCODE = '42501';"
    " END IF; END" END,

    "CREATE FUNCTION stemma.check_machine(p_store uuid, p_machine int) RETURNS void"
    " LANGUAGE plpgsql" AS_OWNER "BEGIN"
    " IF NOT EXISTS (SELECT FROM stemma.machine WHERE store = p_store AND number = p_machine"
    "  AND role = session_user AND left_at IS NULL) THEN"
    "  RAISE EXCEPTION 'role % is not machine % of team %', session_user, p_machine, p_store"
    "   USING ERRCODE = '42501';"
    " END IF; END" END,

    /* Only the creator of the team and the owner of the schema may. */
    "CREATE FUNCTION stemma.check_creator(p_store uuid) RETURNS void LANGUAGE plpgsql" AS_OWNER
    "BEGIN"
    " IF NOT pg_has_role(session_user, current_user, 'MEMBER') AND NOT EXISTS (SELECT"
    "  FROM stemma.head WHERE store = p_store AND creator = session_user) THEN"
    "  RAISE EXCEPTION 'role % did not create team %', session_user, p_store"
    "   USING ERRCODE = '42501';"
    " END IF; END" END,

    "CREATE FUNCTION stemma.allow(p_store uuid, p_role name) RETURNS void LANGUAGE plpgsql" AS_OWNER
    "BEGIN"
    " PERFORM stemma.check_creator(p_store);"
    " EXECUTE format('GRANT USAGE ON SCHEMA stemma TO %I', p_role);"
    " INSERT INTO stemma.member VALUES(p_store, p_role) ON CONFLICT DO NOTHING;"
    "END" END,

    "CREATE FUNCTION stemma.disallow(p_store uuid, p_role name) RETURNS void LANGUAGE "
    "plpgsql" AS_OWNER "BEGIN"
    " PERFORM stemma.check_creator(p_store);"
    " DELETE FROM stemma.member WHERE store = p_store AND role = p_role;"
    " UPDATE stemma.machine SET left_at = now() WHERE store = p_store AND role = p_role;"
    "END" END,

    /* The owner grants EXECUTE of it to those who may begin a team. */
    "CREATE FUNCTION stemma.create(p_store uuid, p_seq bigint, p_hash bytea, p_format int)"
    " RETURNS void LANGUAGE plpgsql" AS_OWNER "BEGIN"
    " IF current_setting('server_encoding') <> 'UTF8' THEN"
    "  RAISE EXCEPTION 'the encoding of the database must be UTF8' USING ERRCODE = '22021';"
    " END IF;"
    " INSERT INTO stemma.head VALUES(p_store, p_seq, p_hash, p_format, session_user)"
    "  ON CONFLICT DO NOTHING;"
    " IF NOT FOUND THEN"
    "  RAISE EXCEPTION 'there is a team % already', p_store USING ERRCODE = '23505';"
    " END IF;"
    " INSERT INTO stemma.pulse VALUES(p_store, 0);"
    " INSERT INTO stemma.latest VALUES(p_store, 0, 0);"
    " PERFORM stemma.allow(p_store, session_user);"
    "END" END ";REVOKE ALL ON FUNCTION stemma.create FROM PUBLIC",

    /* ---- machines and sessions ---- */

    "CREATE FUNCTION stemma.join(p_store uuid, p_name text) RETURNS int LANGUAGE plpgsql" AS_OWNER
    "DECLARE m stemma.machine; BEGIN"
    " PERFORM stemma.check_member(p_store);"
    " PERFORM FROM stemma.head WHERE store = p_store FOR UPDATE;"
    " SELECT * INTO m FROM stemma.machine WHERE store = p_store AND name = p_name;"
    " IF m.role <> session_user AND m.left_at IS NULL THEN"
    "  RAISE EXCEPTION 'machine % is of role %', p_name, m.role USING ERRCODE = '42501';"
    " END IF;"
    " IF m.number IS NULL THEN"
    "  INSERT INTO stemma.machine SELECT p_store, coalesce(max(number) + 1, 0), p_name,"
    "   session_user FROM stemma.machine WHERE store = p_store RETURNING * INTO m;"
    " ELSE"
    "  UPDATE stemma.machine SET role = session_user, left_at = NULL"
    "   WHERE store = p_store AND number = m.number;"
    " END IF;"
    " RETURN m.number; END" END,

    "CREATE FUNCTION stemma.leave(p_store uuid, p_machine int) RETURNS void LANGUAGE "
    "plpgsql" AS_OWNER "BEGIN"
    " IF NOT EXISTS (SELECT FROM stemma.machine WHERE store = p_store AND number = p_machine"
    "  AND role = session_user) THEN PERFORM stemma.check_creator(p_store); END IF;"
    " UPDATE stemma.machine SET left_at = now() WHERE store = p_store AND number = p_machine;"
    "END" END,

    "CREATE FUNCTION stemma.report(p_store uuid, p_machine int, p_applied bigint, p_ids bigint[],"
    " p_rows text[]) RETURNS void LANGUAGE plpgsql" AS_OWNER "DECLARE c bigint; BEGIN"
    " PERFORM stemma.check_machine(p_store, p_machine);"
    " UPDATE stemma.machine SET applied = p_applied, seen_at = now()"
    "  WHERE store = p_store AND number = p_machine;"
    " IF cardinality(p_ids) > 0 THEN"
    "  UPDATE stemma.pulse SET changed = changed + 1 WHERE store = p_store RETURNING changed INTO "
    "c;"
    "  INSERT INTO stemma.session AS s SELECT p_store, u.id, p_machine, c, u.row"
    "   FROM unnest(p_ids, p_rows) AS u(id, row)"
    "   ON CONFLICT (store, id) DO UPDATE SET changed = c, row = excluded.row"
    "   WHERE s.machine = p_machine;"
    " END IF; END" END,

    /* ---- the journal ---- */

    "CREATE FUNCTION stemma.lock(p_store uuid) RETURNS void LANGUAGE plpgsql" AS_OWNER "BEGIN"
    " PERFORM stemma.check_member(p_store);" QUEUE "END" END,

    /* False if the journal does not end at p_seq with p_hash. The table checks the chain. */
    "CREATE FUNCTION stemma.append(p_store uuid, p_machine int, p_seq bigint, p_hash bytea,"
    " p_canonical text[], p_hashes bytea[], p_salts bytea[], p_patches text[], p_lines text[])"
    " RETURNS boolean LANGUAGE plpgsql" AS_OWNER "DECLARE gone record; BEGIN"
    " PERFORM stemma.check_machine(p_store, p_machine);"
    " IF EXISTS (SELECT FROM stemma.head WHERE store = p_store AND seq > p_seq) THEN"
    "  RETURN false; END IF;" /* without waiting */
    QUEUE
    " PERFORM FROM stemma.head WHERE store = p_store AND seq = p_seq AND hash = p_hash FOR UPDATE;"
    " IF NOT FOUND THEN RETURN false; END IF;"
    " INSERT INTO stemma.event SELECT p_store, p_seq + n, encode(substr(hash, 1, 16), 'hex')::uuid,"
    "  p_machine, (j->>'session')::bigint, j->>'actor', coalesce((j->>'at')::bigint, 0), p_seq,"
    "  j->>'operation', j->>'ref', canonical, salt,"
    "  CASE WHEN octet_length(patch) <= " LARGE " THEN patch END,"
    "  CASE WHEN octet_length(line) <= " LARGE " THEN line END,"
    "  CASE WHEN octet_length(patch) > " LARGE " THEN sha256(convert_to(patch, 'UTF8')) END,"
    "  CASE WHEN octet_length(line) > " LARGE " THEN sha256(convert_to(line, 'UTF8')) END,"
    "  octet_length(canonical) + coalesce(octet_length(patch), 0)"
    "   + coalesce(octet_length(line), 0)," ERASES ", prev, hash"
    "  FROM (SELECT u.*, u.canonical::json AS j,"
    "    coalesce(lag(u.hash) OVER (ORDER BY u.n), CASE WHEN p_seq > 0 THEN p_hash ELSE '' END)"
    "    AS prev"
    "   FROM unnest(p_canonical, p_hashes, p_salts, p_patches, p_lines) WITH ORDINALITY"
    "    AS u(canonical, hash, salt, patch, line, n)) AS e;"
    " IF pg_column_size(p_patches) + pg_column_size(p_lines) > " LARGE " THEN"
    "  INSERT INTO stemma.body SELECT p_store, sha256(convert_to(t, 'UTF8')), t"
    "   FROM (SELECT unnest(p_patches) UNION ALL SELECT unnest(p_lines)) AS u(t)"
    "   WHERE octet_length(t) > " LARGE " ON CONFLICT DO NOTHING;"
    " END IF;"
    " FOR gone IN SELECT e.ref, e.erases FROM stemma.event e"
    "  WHERE e.store = p_store AND e.seq > p_seq AND e.erases IS NOT NULL LOOP"
    "  UPDATE stemma.event SET salt = NULL, patch = NULL, line = NULL, patch_at = NULL,"
    "   line_at = NULL WHERE store = p_store AND ref = gone.ref AND seq <= gone.erases;"
    " END LOOP;"
    " IF FOUND THEN"
    "  UPDATE stemma.latest SET parts = 0 WHERE store = p_store;"
    "  DELETE FROM stemma.body WHERE store = p_store AND hash NOT IN (SELECT h.hash"
    "   FROM stemma.event e, unnest(ARRAY[e.patch_at, e.line_at]) AS h(hash)"
    "   WHERE e.store = p_store AND coalesce(e.patch_at, e.line_at) IS NOT NULL"
    "   AND h.hash IS NOT NULL);"
    " END IF;"
    " UPDATE stemma.head SET seq = p_seq + cardinality(p_hashes),"
    "  hash = p_hashes[cardinality(p_hashes)] WHERE store = p_store;"
    " PERFORM pg_notify('stemma_' || p_store, '');"
    " RETURN true; END" END,

    /* ---- snapshots: begin, the parts, end, in one transaction ---- */

    /* False if there is one that is not older. */
    "CREATE FUNCTION stemma.begin_snapshot(p_store uuid, p_seq bigint) RETURNS boolean"
    " LANGUAGE plpgsql" AS_OWNER "BEGIN"
    " PERFORM stemma.check_member(p_store);"
    " PERFORM FROM stemma.latest WHERE store = p_store FOR UPDATE;"
    " IF EXISTS (SELECT FROM stemma.latest WHERE store = p_store AND seq >= p_seq AND parts > 0)"
    "  THEN RETURN false; END IF;"
    " UPDATE stemma.latest SET seq = p_seq, parts = 0 WHERE store = p_store;"
    " RETURN true; END" END,

    /*
     * Removes some parts that are of no use any more; false if there are none. A snapshot has gigabytes, so
     * no statement removes all: it would be given up.
     */
    "CREATE FUNCTION stemma.drop_parts(p_store uuid) RETURNS boolean LANGUAGE plpgsql" AS_OWNER
    "BEGIN"
    " PERFORM stemma.check_member(p_store);"
    " DELETE FROM stemma.snapshot WHERE ctid = ANY(ARRAY(SELECT s.ctid FROM stemma.snapshot s"
    "  WHERE s.store = p_store AND NOT EXISTS (SELECT FROM stemma.latest l"
    "   WHERE l.store = s.store AND l.seq = s.seq AND l.parts > 0) LIMIT 16));"
    " RETURN FOUND; END" END,

    "CREATE FUNCTION stemma.put_part(p_store uuid, p_seq bigint, p_part int, p_data bytea)"
    " RETURNS void LANGUAGE plpgsql" AS_OWNER "BEGIN"
    " PERFORM stemma.check_member(p_store);"
    " INSERT INTO stemma.snapshot VALUES(p_store, p_seq, p_part, p_data);"
    "END" END,

    /* False if something was erased meanwhile that the snapshot may still have. */
    "CREATE FUNCTION stemma.end_snapshot(p_store uuid, p_seq bigint, p_parts int) RETURNS boolean"
    " LANGUAGE plpgsql" AS_OWNER "BEGIN"
    " PERFORM stemma.check_member(p_store);"
    " PERFORM FROM stemma.head WHERE store = p_store FOR SHARE;"
    " IF EXISTS (SELECT FROM stemma.event"
    "  WHERE store = p_store AND seq > p_seq AND erases IS NOT NULL) THEN RETURN false; END IF;"
    " UPDATE stemma.latest SET parts = p_parts WHERE store = p_store AND seq = p_seq;"
    " RETURN true; END" END,
    NULL};

const char *const *const postgres_steps[POSTGRES_VERSION] = {version_1};
