#!/usr/bin/env bash
# prepare-cluster.sh: creates what deploy/kubernetes expects of a cluster, for the nightly workflow: PostgreSQL, Redis, a
# certificate, a file for the secret tally-files, and the two files of secrets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../deploy/kubernetes"
password=$(openssl rand -hex 32)
kubectl create deployment postgres --image=docker.io/library/postgres:18-bookworm
kubectl set env deployment/postgres POSTGRES_DB=tally POSTGRES_PASSWORD="$password"
kubectl expose deployment postgres --port=5432
kubectl create deployment redis --image=docker.io/library/redis:7-bookworm
kubectl expose deployment redis --port=6379
kubectl rollout status --timeout=5m deployment/postgres
kubectl rollout status --timeout=5m deployment/redis
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=tally.example.com -keyout privkey.pem -out fullchain.pem
cp fullchain.pem ca.pem
sed -e "s|^DB_URL=.*|DB_URL=postgres://authenticator:$(openssl rand -hex 32)@postgres.default:5432/tally|" \
  -e 's|^REDIS_URL=.*|REDIS_URL=redis://redis.default:6379|' secret.env.example >secret.env
bash ../../test/deploy/fill-secrets.sh secret.env
echo "DB_OWNER_URL=postgres://postgres:$password@postgres.default:5432/tally" >owner.env
