#!/bin/sh
# Mosquitto with the accounts that the console writes: takes them over whenever there are others, and
# lets Mosquitto read them again, which ends the connections of accounts that are gone.
set -eu
from=${ACCOUNTS_FROM:-/devices}
to=${ACCOUNTS:-/mosquitto/accounts}
config=${1:-/mosquitto/config/mosquitto.conf}
certificates=${CERTIFICATES:-/mosquitto/config/certificates.conf}

version() { cat "$from/version" 2>/dev/null || true; }
listeners() { ls "$to/listeners" 2>/dev/null || true; }

take() {
    mkdir -p "$to/listeners"
    for file in passwords acl ca.crt ca.crl; do
        if [ -f "$from/$file" ]; then
            cp "$from/$file" "$to/.$file"
            chmod 600 "$to/.$file"
            mv "$to/.$file" "$to/$file"
        fi
    done
    # Before the console has written any: nobody is let in.
    for file in passwords acl; do
        [ -f "$to/$file" ] || (umask 077 && : >"$to/$file")
    done
    if [ -f "$to/ca.crl" ]; then
        cp "$certificates" "$to/listeners/certificates.conf"
    fi
    if [ "$(id -u)" = 0 ]; then
        chown -R mosquitto:mosquitto "$to"
    fi
}

start() {
    mosquitto -c "$config" &
    broker=$!
}

stop() {
    kill -TERM "$broker" 2>/dev/null || true
    wait "$broker" || true
}

trap 'stop; exit 0' TERM INT
seen=$(version)
take
start
while kill -0 "$broker" 2>/dev/null; do
    sleep 1 &
    wait $! || true
    now=$(version)
    if [ "$now" = "$seen" ]; then
        continue
    fi
    seen=$now
    before=$(listeners)
    take
    if [ "$(listeners)" = "$before" ]; then
        kill -HUP "$broker"
    else
        stop # a listener that is new is opened at a start only
        start
    fi
done
wait "$broker"
