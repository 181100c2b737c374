#!/bin/sh
# Makes the roles of the database and the database, when the cluster is made; run again, it gives
# the roles that are there these passwords and limits, and takes off all other settings. What each role may do says
# settlement/database_roles/grants.py; `manage.py grant_roles` brings it into force. How much of the server each
# may take says settlement/database_roles/limits.py, which functions of PostgreSQL they lose says
# settlement/database_roles/server_functions.py, and the same stands here: only the administrator may.
# By hand: run it as PostgreSQL's administrator (PGHOST, PGUSER ...) with the same variables.
set -eu
# Beside this one as in the project; docker-compose.yml mounts it so, too. The database's image may
# read this script instead of running it: bash then says where it is.
marks=$(dirname "${BASH_SOURCE:-$0}")/../settlement/database_roles/password_marks.sql

secret() { # name of a variable; where it is empty the one with _FILE names a file
    eval "value=\${$1:-} file=\${$1_FILE:-}"
    [ -n "$value" ] || [ -z "$file" ] || value=$(cat "$file")
    [ -n "$value" ] || { echo "Set $1 or $1_FILE." >&2; exit 1; }
    printf %s "$value"
}

role() { # name, variable with its password, connections (-1: no limit)
    password=$(secret "$2")
    # By the environment: arguments of programs can be read by everybody on the machine.
    ROLE_PASSWORD=$password psql -v ON_ERROR_STOP=1 -v name="$1" -v connections="$3" -d postgres <<'SQL'
\getenv password ROLE_PASSWORD
SELECT format('CREATE ROLE %I', :'name')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE
    CONNECTION LIMIT :connections PASSWORD :'password';
-- What it may have set for itself, on the server and in each database.
ALTER ROLE :"name" RESET ALL;
SELECT format('ALTER ROLE %I IN DATABASE %I RESET ALL', :'name', d.datname)
FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
JOIN pg_roles r ON r.oid = s.setrole WHERE r.rolname = :'name' \gexec
SQL
}

export PGUSER="${PGUSER:-${POSTGRES_USER:-postgres}}"
role jackpot_owner JACKPOT_OWNER_PASSWORD -1
role jackpot_intake JACKPOT_INTAKE_PASSWORD 10
role jackpot_poster JACKPOT_POSTER_PASSWORD 12
role jackpot_worker JACKPOT_WORKER_PASSWORD 16
role jackpot_web JACKPOT_WEB_PASSWORD 44
role jackpot_reporting JACKPOT_REPORTING_PASSWORD 6
# Who copies the server's files for base backups, where the house gives a password: it reads no table.
if [ -n "${JACKPOT_BACKUP_PASSWORD:-}${JACKPOT_BACKUP_PASSWORD_FILE:-}" ]; then
    role jackpot_backup JACKPOT_BACKUP_PASSWORD 3
    psql -v ON_ERROR_STOP=1 -d postgres -c "ALTER ROLE jackpot_backup REPLICATION"
    # In PostgreSQL's own container, whose pg_hba.conf lets nobody copy from elsewhere.
    line="host replication jackpot_backup all scram-sha-256"
    if [ -w "${PGDATA:-/nowhere}/pg_hba.conf" ] && ! grep -qxF "$line" "$PGDATA/pg_hba.conf"; then
        echo "$line" >> "$PGDATA/pg_hba.conf"
        psql -v ON_ERROR_STOP=1 -d postgres -c "SELECT pg_reload_conf()"
    fi
fi
psql -v ON_ERROR_STOP=1 -d postgres <<'SQL'
ALTER ROLE jackpot_worker SET statement_timeout = '10min';
ALTER ROLE jackpot_worker SET lock_timeout = '30s';
ALTER ROLE jackpot_worker SET idle_in_transaction_session_timeout = '2min';
ALTER ROLE jackpot_web SET statement_timeout = '1min';
ALTER ROLE jackpot_web SET lock_timeout = '10s';
ALTER ROLE jackpot_web SET idle_in_transaction_session_timeout = '1min';
ALTER ROLE jackpot_reporting SET default_transaction_read_only = on;
ALTER ROLE jackpot_reporting SET statement_timeout = '15min';
ALTER ROLE jackpot_reporting SET lock_timeout = '30s';
ALTER ROLE jackpot_reporting SET idle_in_transaction_session_timeout = '5min';
SELECT 'CREATE DATABASE jackpot OWNER jackpot_owner'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'jackpot') \gexec
REVOKE ALL ON DATABASE jackpot FROM PUBLIC;
GRANT CONNECT ON DATABASE jackpot
    TO jackpot_intake, jackpot_poster, jackpot_worker, jackpot_web, jackpot_reporting;
SQL
psql -v ON_ERROR_STOP=1 -d jackpot <<'SQL'
DO $$
DECLARE taken regprocedure;
BEGIN
    FOR taken IN
        SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~
            '^(lo_.*|loread|lowrite|pg_terminate_backend|pg_cancel_backend|pg_logical_emit_message|pg_(try_)?advisory_.*|pg_stat_get_activity|pg_stat_get_backend_activity)$'
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', taken);
    END LOOP;
END
$$;
-- Functions of set-up say who acts, for their own run alone.
GRANT SET ON PARAMETER jackpot.given_by, jackpot.given_until TO jackpot_owner;
-- Guards that act as the owner take turns.
GRANT EXECUTE ON FUNCTION pg_advisory_xact_lock(bigint), pg_advisory_xact_lock(integer, integer),
    pg_advisory_xact_lock_shared(bigint), pg_advisory_xact_lock_shared(integer, integer),
    pg_try_advisory_xact_lock(bigint), pg_try_advisory_xact_lock(integer, integer)
    TO jackpot_owner;
GRANT EXECUTE ON FUNCTION pg_terminate_backend(integer, bigint) TO jackpot_poster;
GRANT EXECUTE ON FUNCTION pg_stat_get_activity(integer) TO jackpot_poster;
GRANT EXECUTE ON FUNCTION pg_try_advisory_lock(bigint) TO jackpot_intake;
GRANT EXECUTE ON FUNCTION pg_advisory_unlock(bigint) TO jackpot_intake;
GRANT EXECUTE ON FUNCTION pg_advisory_xact_lock(integer, integer) TO jackpot_web, jackpot_worker;
SQL
psql -v ON_ERROR_STOP=1 -d jackpot -f "$marks"
