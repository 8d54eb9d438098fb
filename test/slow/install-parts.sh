#!/usr/bin/env bash
# test/slow/install-parts.sh: installs what tests need beyond `npm ci`; without it they are skipped. Fails if an
# installation fails. test/slow/build-citus.sh builds Citus.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PATH="$PATH:/usr/sbin"
missing=()

# Programs, each with its package on Debian and Ubuntu. They are installed by root, or with sudo that asks for nothing.
packages=()
for part in fail2ban-regex:fail2ban haproxy:haproxy nginx:nginx pgbouncer:pgbouncer promtool:prometheus psql:postgresql-client redis-server:redis-server systemd-analyze:systemd; do
  command -v "${part%:*}" >/dev/null || packages+=("${part#*:}")
done
if [ ${#packages[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  install=(env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${packages[@]}")
  "${as_root[@]}" apt-get update --quiet && "${as_root[@]}" "${install[@]}" || missing+=("${packages[@]}")
fi

# Packages of npm: peers of the benchmarks, generators of API clients, clients of the Messages API, schemas of deploy/.
for folder in bench test/api-clients test/counting-clients test/deploy; do
  npm ci --prefix "$folder" --loglevel=error || missing+=("$folder")
done

[ ${#missing[@]} -eq 0 ] || echo "Not installed: ${missing[*]}. The tests that need them are skipped." >&2
[ ${#missing[@]} -eq 0 ]
