-- Keeps what a member said about the columns of files with the same header.

create table public.import_columns (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  -- SHA-256 of the header's texts.
  header_key text not null check (header_key ~ '^[0-9a-f]{64}$'),
  -- Meaning of each column, or null if the header and the rows say it.
  columns text[] check (cardinality(columns) between 1 and 200),
  -- Null if the rows say it.
  kind text check (kind in ('positions', 'transactions')),
  -- The time of the statement, so that imports at once have an order.
  changed_at timestamptz not null default clock_timestamp(),
  primary key (idp_id, header_key)
);
comment on table public.import_columns is
  'Server only, no policy: columns of imported files by header, at most 50 headers of a member.';
alter table public.import_columns enable row level security;
