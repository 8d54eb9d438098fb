#!/usr/bin/env bash
# npm run lab -- image [yes|no]: builds deploy/Dockerfile with buildah (as root, without a container engine) and runs
# what it holds: as uid 10001, on a root that cannot be written, with the signals of its own init. "yes" (default) is
# the image with the embedded PostgreSQL: its first start, a count, a stop. "no" is the one without: migrate, two
# servers and a worker on a PostgreSQL, a Redis and an haproxy of this machine.
# BASE names another base image than one that is made here from Debian's packages and the pinned Node.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
embedded=${1:-yes}
for program in buildah unshare setpriv; do
  command -v "$program" >/dev/null && continue
  echo "There is no $program here: install it, and run this as root." >&2
  exit 1
done
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
work=$(mktemp -d)
made=()
finish() {
  for container in "${made[@]}"; do buildah rm "$container" >/dev/null 2>&1 || true; done
  rm -rf "$work"
}
trap finish EXIT

# A base as Debian's slim one with Node and npm, from what this machine may reach.
make_base() {
  command -v debootstrap >/dev/null || { echo "Set BASE, or install debootstrap." >&2; exit 1; }
  local container mount mirror
  container=$(buildah from scratch)
  made+=("$container")
  mount=$(buildah mount "$container")
  mirror=$(cat /etc/apt/sources.list.d/* /etc/apt/sources.list 2>/dev/null \
    | sed -nE 's/^(URIs:|deb) +(http[^ ]*debian)\/?( .*)?$/\2/p' | head -1) || true
  [ -n "$mirror" ] || { echo "Set BASE: no mirror of Debian is named in /etc/apt." >&2; exit 1; }
  debootstrap --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$mount" "$mirror" \
    >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2; exit 1; }
  cp -L node_modules/node/bin/node "$mount/usr/local/bin/node"
  mkdir -p "$mount/usr/local/lib/node_modules"
  cp -r "$(npm root -g)/npm" "$mount/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$mount/usr/local/bin/npm"
  # How this machine reaches its registries; it stays in the base, which goes nowhere.
  cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$mount/etc/apt/"
  cp --remove-destination -L /etc/ssl/certs/ca-certificates.crt "$mount/etc/ssl/certs/"
  [ ! -f ~/.npmrc ] || cp ~/.npmrc "$mount/root/.npmrc"
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
  buildah umount "$container" >/dev/null
  buildah commit --quiet "$container" localhost/tally-base >/dev/null
}
base=${BASE:-}
if [ -z "$base" ]; then
  base=localhost/tally-base
  buildah images --quiet "$base" >/dev/null 2>&1 || make_base
fi

buildah bud --quiet --pull-never --format docker --build-arg "BASE=$base" --build-arg "EMBEDDED=$embedded" \
  --file deploy/Dockerfile --tag "localhost/tally:$embedded" . >"$work/build.log" 2>&1 \
  || { tail -20 "$work/build.log" >&2; exit 1; }
container=$(buildah from --pull-never "localhost/tally:$embedded")
made+=("$container")
root=$(buildah mount "$container")
echo "built localhost/tally:$embedded, $(du -sm "$root" | cut -f1) MB with its base"
facts='{{with .Docker.Config}}{{.User}} {{.Entrypoint}} {{.Cmd}} {{.Healthcheck.Test}}{{end}}'
buildah inspect --type image --format "$facts" "localhost/tally:$embedded"
node_modules/.bin/node --import ./bin/pinned.mjs scripts/try-image.ts "$root" "$embedded"
