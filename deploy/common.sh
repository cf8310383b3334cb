# Sourced by deploy/test and deploy/demo: packages, private servers, and leaving nothing behind.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pg_bin=/usr/lib/postgresql/15/bin
pids=()
scratch=

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# Ends everything that `background` started, newest first, and removes the scratch folder.
clean_up() {
    local status=$? index
    trap - EXIT
    trap '' INT TERM HUP
    for ((index = ${#pids[@]} - 1; index >= 0; index--)); do
        end "${pids[index]}"
    done
    # What a killed test had started is in groups of its own.
    for index in $(marked); do end "$index"; done
    if [ -n "$scratch" ]; then rm -rf "$scratch"; fi
    exit "$status"
}

# Asks a process and its group to end, and ends them if they have not after ten seconds.
end() {
    local pid=$1 tries=0
    kill -TERM -- "-$pid" 2>/dev/null || kill -TERM "$pid" 2>/dev/null || true
    while kill -0 "$pid" 2>/dev/null && [ $((tries += 1)) -le 100 ]; do sleep 0.1; done
    kill -KILL -- "-$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}

# Prints the ids of the processes that this run has started and that are still there: all inherit its mark.
marked() {
    local file pid
    for file in /proc/[0-9]*/environ; do
        pid=${file//[!0-9]/}
        if grep -qzxF "WAYGATE_RUN=$WAYGATE_RUN" "$file" 2> /dev/null; then say "$pid"; fi
    done
}

# To be called first: from here on, whatever happens ends in clean_up. The folder is open to user postgres.
begin() {
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    scratch=$(mktemp -d "/tmp/waygate-$1.XXXXXX")
    chmod 755 "$scratch"
    export WAYGATE_RUN=$scratch
}

# background LOG COMMAND...: runs a command in a session of its own, which Ctrl-C does not reach; its pid is in $!.
background() {
    local log=$1
    shift
    setsid "$@" > "$log" 2>&1 < /dev/null &
    pids+=("$!")
}

# Installs Debian packages that are missing; does nothing, and needs no rights, where none is.
need_packages() {
    local missing=() name sudo=() policy=/usr/sbin/policy-rc.d
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        command -v sudo > /dev/null || die "as root: apt-get install ${missing[*]}"
        sudo=(sudo)
    fi
    say "installing ${missing[*]}"
    # The packages' own servers need not run: this script starts private ones.
    if [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee $policy > /dev/null
        "${sudo[@]}" chmod 755 $policy
    else
        policy=
    fi
    "${sudo[@]}" apt-get -qq update > "$scratch/apt.log" 2>&1 &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get -qq install -y --no-install-recommends "${missing[@]}" >> "$scratch/apt.log" 2>&1 ||
        { [ -z "$policy" ] || "${sudo[@]}" rm -f $policy; tail -5 "$scratch/apt.log" >&2; die "apt-get failed"; }
    [ -z "$policy" ] || "${sudo[@]}" rm -f $policy
}

all_packages() { grep -v '^#' "$root/deploy/packages.txt"; }

# Prints a TCP port on which nobody listens.
free_port() {
    local port
    while :; do
        port=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
        (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null || break
    done
    say "$port"
}

# wait_for SECONDS WHAT LOG COMMAND...: tries a command until it succeeds.
wait_for() {
    local tries=$(($1 * 10)) what=$2 log=$3
    shift 3
    until "$@" > /dev/null 2>&1; do
        if [ $((tries -= 1)) -le 0 ]; then
            tail -20 "$log" >&2 || true
            die "$what did not come up"
        fi
        sleep 0.1
    done
}

# start_postgres [OPTION...]: starts a private PostgreSQL with a database `fleet`; its URL is in $database_url, its port in
# $database_port. Without options it saves what a test needs not: syncing. PostgreSQL refuses to run as root.
start_postgres() {
    [ $# -gt 0 ] || set -- -c fsync=off -c full_page_writes=off
    local as=() folder=$scratch/postgres
    database_port=$(free_port)
    mkdir "$folder"
    if [ "$(id -u)" = 0 ]; then
        chown postgres: "$folder"
        as=(setpriv --reuid postgres --regid postgres --init-groups)
    fi
    (cd "$folder" && "${as[@]}" $pg_bin/initdb -D data -A trust -U postgres -E UTF8 --locale=C.UTF-8 --no-sync) \
        > "$scratch/initdb.log" 2>&1 || { tail -5 "$scratch/initdb.log" >&2; die "initdb failed"; }
    background "$scratch/postgres.log" "${as[@]}" $pg_bin/postgres -D "$folder/data" -p "$database_port" \
        -c listen_addresses=127.0.0.1 -c "unix_socket_directories=$folder" "$@"
    wait_for 30 PostgreSQL "$scratch/postgres.log" $pg_bin/pg_isready -q -h 127.0.0.1 -p "$database_port"
    $pg_bin/createdb -h 127.0.0.1 -p "$database_port" -U postgres fleet
    database_url=postgresql://postgres@127.0.0.1:$database_port/fleet
}

# Starts a private mosquitto; its URL is in $mqtt_url, its port in $mqtt_port.
start_mosquitto() {
    local folder=$scratch/mosquitto
    mqtt_port=$(free_port)
    mkdir "$folder"
    cat > "$folder/mosquitto.conf" << END
listener $mqtt_port 127.0.0.1
allow_anonymous true
max_queued_messages 0
END
    # As root it would drop to user mosquitto; it needs nothing but the port.
    background "$scratch/mosquitto.log" /usr/sbin/mosquitto -c "$folder/mosquitto.conf"
    wait_for 10 mosquitto "$scratch/mosquitto.log" bash -c "exec 3<> /dev/tcp/127.0.0.1/$mqtt_port"
    mqtt_url=mqtt://127.0.0.1:$mqtt_port
}
