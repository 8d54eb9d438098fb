#!/bin/sh
# test/slow/build-citus.sh [source folder]: builds Citus from its public source for the PostgreSQL that pg_config
# names (PG_CONFIG, else the one in PATH) and installs it there. Without a folder it fetches the source with git from
# CITUS_REPOSITORY, by default the public one. On Debian and Ubuntu it needs, with the version of PostgreSQL:
#   apt-get install postgresql-15 postgresql-server-dev-15 build-essential git ca-certificates \
#     libicu-dev libkrb5-dev liblz4-dev libssl-dev libzstd-dev
set -eu
version=v13.2.2
config=${PG_CONFIG:-pg_config}
for command in "$config" cc make cpp; do
  command -v "$command" >/dev/null && continue
  echo "There is no $command: install the packages that this script's head lists. PG_CONFIG names another pg_config." >&2
  exit 1
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then
  cp -R "$1" "$work/citus"
else
  git clone --quiet --depth 1 --branch "$version" \
    "${CITUS_REPOSITORY:-https://github.com/citusdata/citus.git}" "$work/citus"
fi
cd "$work/citus"
# A copy may have a configure older than its source, and make would then ask for autoconf.
touch configure
# PostgreSQL exports a function of this name since the releases of 2026, which Citus $version defines for itself.
if grep -q have_createdb_privilege "$("$config" --includedir-server)/commands/dbcommands.h" 2>/dev/null; then
  grep -rl have_createdb_privilege src/backend src/include |
    xargs sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
fi
PG_CONFIG=$config ./configure --quiet --without-libcurl
make -s -j"$(getconf _NPROCESSORS_ONLN)" install
echo "Installed Citus $version into $("$config" --pkglibdir)."
