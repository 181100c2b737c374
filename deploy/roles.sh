#!/bin/sh
# Makes the roles of the database and the database, once, when the cluster is made. What each role
# may do says settlement/grants.py; `manage.py grant_roles` brings it into force.
# By hand: run it as PostgreSQL's administrator (PGHOST, PGUSER ...) with the same variables.
set -eu

role() { # name, password
    psql -v ON_ERROR_STOP=1 -v name="$1" -v password="$2" -d postgres <<'SQL'
CREATE ROLE :"name" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SQL
}

export PGUSER="${PGUSER:-${POSTGRES_USER:-postgres}}"
role jackpot_owner "$JACKPOT_OWNER_PASSWORD"
role jackpot_intake "$JACKPOT_INTAKE_PASSWORD"
role jackpot_poster "$JACKPOT_POSTER_PASSWORD"
role jackpot_worker "$JACKPOT_WORKER_PASSWORD"
role jackpot_web "$JACKPOT_WEB_PASSWORD"
role jackpot_reporting "$JACKPOT_REPORTING_PASSWORD"
psql -v ON_ERROR_STOP=1 -d postgres <<'SQL'
ALTER ROLE jackpot_reporting SET default_transaction_read_only = on;
CREATE DATABASE jackpot OWNER jackpot_owner;
REVOKE ALL ON DATABASE jackpot FROM PUBLIC;
GRANT CONNECT ON DATABASE jackpot
    TO jackpot_intake, jackpot_poster, jackpot_worker, jackpot_web, jackpot_reporting;
SQL
