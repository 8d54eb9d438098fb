-- One look at the whole market's reports serves everyone, so processes agree on who makes it and on when the last one was.
create table market.report_looks (
  -- The providers that are asked together ("fmp+finnhub"): with other ones the last look says nothing.
  sources text primary key,
  -- Whoever takes the row makes the one look; a claim without an end is free again after two minutes.
  claimed_at timestamptz not null default now(),
  done_at timestamptz
);
comment on table market.report_looks is 'Server only, no policy: when the whole market''s reports were last looked through, and who is at it.';
alter table market.report_looks enable row level security;
grant select, insert, update, delete on market.report_looks to service_role;
