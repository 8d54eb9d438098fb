-- Questions to a market-data provider that one process asks for all.
create table market.questions (
  name text primary key,
  leased_until timestamptz not null,
  answer jsonb,
  answered_at timestamptz
);
comment on table market.questions is 'Server only, no policy: what a provider is being asked, or answered of late; old rows go with the next question.';
create index questions_leased_until on market.questions (leased_until);
alter table market.questions enable row level security;
revoke all on market.questions from public;
grant select, insert, update, delete on market.questions to service_role;
