-- Secrets that several processes must have in common, in a database that is not the embedded one.
create table tally.shared_secrets (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
comment on table tally.shared_secrets is 'Server only, no policy: secrets of the installation for which there is no setting, made by the first process that needs them.';
alter table tally.shared_secrets enable row level security;
revoke all on tally.shared_secrets from public;
grant select, insert on tally.shared_secrets to service_role;
