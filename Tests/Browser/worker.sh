#!/bin/bash
# Runs the live map's browser test against a real worker, with a private broker, database, routing engine, Prometheus and
# proxy. Leaves nothing running.
#
#     Tests/Browser/worker.sh [--picture FILE] [--screenshots FOLDER]
#
# FILE becomes a picture of the page; the README's is Tests/Browser/live-map.png. Needs chromium, nginx, openssl and
# prometheus, and what deploy/demo and Tests/Browser/python need.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../deploy/common.sh"

options=()
while [ $# -gt 0 ]; do
    case $1 in
    --picture | --screenshots) options+=("$1" "$(realpath "${2:?$1 needs a path}")"); shift ;;
    *) die "unknown option '$1': see the head of $0" ;;
    esac
    shift
done

begin browser
cd "$root"
swift build --product waygate > "$scratch/build.log" 2>&1 || { tail -20 "$scratch/build.log" >&2; die "the build failed"; }
waygate=$(swift build --show-bin-path)/waygate
deploy/engines .build/engines > "$scratch/engines.log" 2>&1 || { tail -5 "$scratch/engines.log" >&2; die "there is no routing engine"; }

router_port=$(free_port)
background "$scratch/osrm.log" deploy/engines .build/engines serve osrm liechtenstein "$router_port"
wait_for 30 osrm-routed "$scratch/osrm.log" bash -c "exec 3<> /dev/tcp/127.0.0.1/$router_port"
start_postgres
start_mosquitto
http_port=$(free_port)
cat > "$scratch/waygate.json5" << END
{
  mqtt: { url: "$mqtt_url" },
  database: { url: "$database_url" },
  spool: { folder: "$scratch/spool" },
  planner: { kind: "osrm", url: "http://127.0.0.1:$router_port" },
  http: {
    listen: "127.0.0.1:$http_port", command_token: "demo",
    map: "planner", tiles_attribution: "Roads © OpenStreetMap contributors",
  },
  tracking: { deviation_distance_m: 150, arrival_radius_m: 30 },
}
END
export WAYGATE_CONFIG=$scratch/waygate.json5
"$waygate" migrate > /dev/null

prometheus_port=$(free_port)
cat > "$scratch/prometheus.yml" << END
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [$root/deploy/alerts.yml]
scrape_configs:
  - job_name: waygate
    static_configs: [{ targets: ["127.0.0.1:$http_port"] }]
END
background "$scratch/prometheus.log" prometheus --config.file="$scratch/prometheus.yml" \
    --storage.tsdb.path="$scratch/prometheus" --web.listen-address="127.0.0.1:$prometheus_port"

# The proxy has the README's own `location`, with a file of passwords for ops, whose password is ops.
proxy_port=$(free_port)
printf 'ops:%s\n' "$(openssl passwd -apr1 ops)" > "$scratch/fleet.htpasswd"
location=$(sed -n '/^ *location \/fleet\//,/^ *}/p' README.md | sed "s|/etc/nginx/fleet.htpasswd|$scratch/fleet.htpasswd|; s|8088|$http_port|")
cat > "$scratch/nginx.conf" << END
daemon off;
pid $scratch/nginx.pid;
error_log stderr;
events {}
http {
    access_log off;
    client_body_temp_path $scratch/nginx-body;
    proxy_temp_path $scratch/nginx-proxy;
    server {
        listen 127.0.0.1:$proxy_port;
$location
    }
}
END
background "$scratch/nginx.log" nginx -c "$scratch/nginx.conf"
wait_for 10 nginx "$scratch/nginx.log" bash -c "exec 3<> /dev/tcp/127.0.0.1/$proxy_port"

cd "$scratch"
"$root/Tests/Browser/python" "$root/Tests/Browser/live_worker.py" "http://127.0.0.1:$http_port/" "$waygate" \
    --broker "$mqtt_port" --prometheus "http://127.0.0.1:$prometheus_port" --proxy "http://127.0.0.1:$proxy_port/fleet/" \
    "${options[@]}" || { tail -n 20 worker.log >&2; exit 1; }
