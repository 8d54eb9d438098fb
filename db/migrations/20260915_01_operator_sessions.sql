-- Sessions of the operator's page, in the database so that each process knows them.
create table tally.operator_sessions (
  -- HMAC of the random id with OPERATOR_TOKEN as key, so that a new token ends every session.
  id_hash bytea primary key,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
comment on table tally.operator_sessions is 'Server only, no policy: sessions of the operator, which end after 15 idle minutes.';
alter table tally.operator_sessions enable row level security;
