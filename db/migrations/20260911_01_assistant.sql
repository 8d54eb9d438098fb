-- The assistant: members' conversations, the tokens that answers use, and the access tokens of MCP clients.

create table public.assistant_conversations (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  title text not null check (char_length(title) between 1 and 120),
  symbol text check (char_length(symbol) <= 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (idp_id, id)
);
comment on table public.assistant_conversations is 'Deleted by a nightly job 30 days after the last message.';
create index assistant_conversations_newest on public.assistant_conversations (idp_id, updated_at desc);
create index assistant_conversations_updated_at on public.assistant_conversations (updated_at);
alter table public.assistant_conversations enable row level security;
create policy assistant_conversations_own on public.assistant_conversations for all to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
grant select, insert, delete on public.assistant_conversations to authenticated;
grant update (updated_at) on public.assistant_conversations to authenticated;
-- Conversations and messages are written only with the member's rights. A nightly job deletes old ones.
revoke insert, update on public.assistant_conversations from service_role;

create table public.assistant_messages (
  idp_id text not null,
  conversation_id uuid not null,
  id uuid not null default gen_random_uuid(),
  position bigint generated always as identity,
  role text not null check (role in ('member', 'assistant')),
  created_at timestamptz not null default now(),
  -- Columns of a question.
  text text check (char_length(text) <= 2000),
  symbol text check (char_length(symbol) <= 32),
  -- Columns of an answer. "parts" are texts and tool calls in order, "reason" is why the answer ended.
  status text check (status in ('answering', 'done', 'failed')),
  parts jsonb not null default '[]' check (jsonb_typeof(parts) = 'array' and octet_length(parts::text) <= 2000000),
  reason text,
  failure jsonb,
  links jsonb not null default '[]',
  removed_links integer not null default 0,
  usage jsonb not null default '{"counted": 0, "input": null, "output": 0, "calls": 0}',
  stop_requested boolean not null default false,
  -- When the process that writes the answer last reported that it is running.
  written_at timestamptz not null default now(),
  primary key (idp_id, id),
  foreign key (idp_id, conversation_id) references public.assistant_conversations (idp_id, id) on delete cascade,
  constraint assistant_messages_role check ((role = 'member') = (text is not null) and (role = 'assistant') = (status is not null))
);
comment on table public.assistant_messages is 'Questions and answers. An answer is stored while it is generated, so that the member can close the page and return.';
create index assistant_messages_order on public.assistant_messages (idp_id, conversation_id, position);
-- A conversation has one answer at a time that is being written.
create unique index assistant_messages_one_answering on public.assistant_messages (idp_id, conversation_id)
  where status = 'answering';
alter table public.assistant_messages enable row level security;
create policy assistant_messages_own on public.assistant_messages for all to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
grant select, delete on public.assistant_messages to authenticated;
grant insert (idp_id, conversation_id, id, role, text, symbol, status) on public.assistant_messages to authenticated;
grant update (status, parts, reason, failure, links, removed_links, usage, stop_requested, written_at)
  on public.assistant_messages to authenticated;
revoke insert, update on public.assistant_messages from service_role;

create table public.assistant_usage (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  answer_id uuid not null,
  day date not null,
  -- Tokens of finished calls, and tokens reserved for the current call until the reservation expires.
  spent bigint not null default 0 check (spent >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  expires_at timestamptz not null,
  primary key (idp_id, answer_id)
);
comment on table public.assistant_usage is 'Server only, no policy: tokens of each answer. Kept when a conversation is deleted, so that a deletion does not reset the daily limit.';
create index assistant_usage_day on public.assistant_usage (day);
alter table public.assistant_usage enable row level security;

-- A reservation counts until its call ends or it expires. Answers without tokens and reservation do not count.
create function public.get_assistant_usage(p_day date, p_idp_id text) returns table (answers bigint, tokens bigint)
  language plpgsql stable set search_path = '' as $$
begin
  return query
  select count(*) filter (where u.spent + u.pending > 0), coalesce(sum(u.spent + u.pending), 0)::bigint
    from (select s.spent, case when s.expires_at > clock_timestamp() then s.reserved else 0 end as pending
            from public.assistant_usage s where s.day = p_day and (p_idp_id is null or s.idp_id = p_idp_id)) u;
end
$$;
comment on function public.get_assistant_usage(date, text) is 'Answers and tokens of one day, for one member or all members.';

-- Reserves tokens for one call of the model, or returns the limit that is reached.
-- One caller at a time, so that two at once cannot both take what is left.
create function public.reserve_assistant_tokens(
  p_idp_id text, p_answer_id uuid, p_tokens bigint, p_max_answers bigint, p_max_tokens bigint, p_max_total_tokens bigint, p_seconds integer
) returns text
  language plpgsql set search_path = '' as $$
declare
  today date;
  member_usage record;
  total_usage record;
  has_started boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('assistant-usage', 0));
  today := (clock_timestamp() at time zone 'UTC')::date;
  -- An answer has one call at a time, so its earlier reservation has ended.
  update public.assistant_usage u set reserved = 0 where u.idp_id = p_idp_id and u.answer_id = p_answer_id;
  has_started := exists (select from public.assistant_usage u where u.idp_id = p_idp_id and u.answer_id = p_answer_id and u.day = today and u.spent > 0);
  select * into member_usage from public.get_assistant_usage(today, p_idp_id);
  select * into total_usage from public.get_assistant_usage(today, null);
  if not has_started and member_usage.answers >= p_max_answers then
    return 'answers';
  elsif member_usage.tokens + p_tokens > p_max_tokens then
    return 'tokens';
  elsif total_usage.tokens + p_tokens > p_max_total_tokens then
    return 'installation';
  end if;
  insert into public.assistant_usage as u (idp_id, answer_id, day, reserved, expires_at)
  values (p_idp_id, p_answer_id, today, p_tokens, clock_timestamp() + make_interval(secs => p_seconds))
  on conflict (idp_id, answer_id) do update set reserved = excluded.reserved, expires_at = excluded.expires_at;
  return 'ok';
end
$$;
comment on function public.reserve_assistant_tokens(text, uuid, bigint, bigint, bigint, bigint, integer) is
  'ok, or the limit that is reached: answers, tokens or installation.';

create table public.assistant_tokens (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  -- SHA-256 of the token, which is not stored. Tokens have 256 random bits, so no unique index is needed.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  hint text not null check (char_length(hint) = 4),
  scopes text[] not null check (cardinality(scopes) between 1 and 2 and scopes <@ array['reports', 'sql']),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (isfinite(expires_at)),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (idp_id, id)
);
comment on table public.assistant_tokens is 'Hashes of members'' tokens for MCP clients. A token has read-only access within its scopes.';
create index assistant_tokens_hash on public.assistant_tokens (token_hash);
alter table public.assistant_tokens enable row level security;
create policy assistant_tokens_read_own on public.assistant_tokens for select to authenticated using (idp_id = public.member_id());
create policy assistant_tokens_add_own on public.assistant_tokens for insert to authenticated with check (idp_id = public.member_id());
create policy assistant_tokens_revoke_own on public.assistant_tokens for update to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
-- Members never read hashes, and can change nothing but the revocation.
grant select (idp_id, id, name, hint, scopes, created_at, expires_at, last_used_at, revoked_at) on public.assistant_tokens to authenticated;
grant insert (idp_id, name, token_hash, hint, scopes, expires_at) on public.assistant_tokens to authenticated;
grant update (revoked_at) on public.assistant_tokens to authenticated;

create function public.revoke_assistant_tokens(p_idp_id text) returns void
  language plpgsql set search_path = '' as $$
begin
  update public.assistant_tokens t set revoked_at = now() where t.idp_id = p_idp_id and t.revoked_at is null;
end
$$;

-- API keys and access tokens of a member end in the transaction that changes the password.
create function public.revoke_credentials(p_idp_id text) returns void
  language plpgsql set search_path = '' as $$
begin
  perform public.revoke_api_keys(p_idp_id);
  perform public.revoke_assistant_tokens(p_idp_id);
end
$$;
