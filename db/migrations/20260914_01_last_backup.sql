-- The last backup that "tally backup" completed, for the metric and the operator.
create table tally.last_backup (
  only_row boolean primary key default true check (only_row),
  succeeded_at timestamptz not null,
  table_count integer not null,
  row_count bigint not null
);
comment on table tally.last_backup is 'Server only, no policy: time and size of the last complete backup.';
alter table tally.last_backup enable row level security;
