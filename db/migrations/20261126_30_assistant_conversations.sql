-- What members ask the assistant and what it answers, kept for 30 days; and how many tokens that took.

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
revoke all on public.assistant_conversations from service_role;
grant select, insert, delete on public.assistant_conversations to authenticated;
grant update (updated_at) on public.assistant_conversations to authenticated;
grant select, delete on public.assistant_conversations to service_role;

create table public.assistant_messages (
  idp_id text not null,
  conversation_id uuid not null,
  id uuid not null default gen_random_uuid(),
  place bigint generated always as identity,
  role text not null check (role in ('member', 'assistant')),
  created_at timestamptz not null default now(),
  -- A question.
  text text check (char_length(text) <= 2000),
  symbol text check (char_length(symbol) <= 32),
  -- An answer: its state, its parts in order (texts and tool calls), why it ended, what it may link to, its tokens.
  status text check (status in ('answering', 'done', 'failed')),
  parts jsonb not null default '[]' check (jsonb_typeof(parts) = 'array' and octet_length(parts::text) <= 2000000),
  reason text,
  failure jsonb,
  links jsonb not null default '[]',
  removed_links integer not null default 0,
  usage jsonb not null default '{"counted": 0, "input": null, "output": 0, "calls": 0}',
  stop_requested boolean not null default false,
  -- When the process that writes the answer last said that it is at work.
  written_at timestamptz not null default now(),
  primary key (idp_id, id),
  foreign key (idp_id, conversation_id) references public.assistant_conversations (idp_id, id) on delete cascade,
  constraint assistant_messages_role check ((role = 'member') = (text is not null) and (role = 'assistant') = (status is not null))
);
comment on table public.assistant_messages is 'Questions and answers; an answer is written while it comes, so that the member can leave and come back.';
create index assistant_messages_order on public.assistant_messages (idp_id, conversation_id, place);
create unique index assistant_messages_one_answering on public.assistant_messages (idp_id, conversation_id)
  where status = 'answering';
alter table public.assistant_messages enable row level security;
create policy assistant_messages_own on public.assistant_messages for all to authenticated
  using (idp_id = public.member_id()) with check (idp_id = public.member_id());
revoke all on public.assistant_messages from service_role;
grant select, delete on public.assistant_messages to authenticated;
grant insert (idp_id, conversation_id, id, role, text, symbol, status) on public.assistant_messages to authenticated;
grant update (status, parts, reason, failure, links, removed_links, usage, stop_requested, written_at)
  on public.assistant_messages to authenticated;
grant select, delete on public.assistant_messages to service_role;

create table public.assistant_usage (
  idp_id text not null references public.all_users (idp_id) on delete cascade,
  answer_id uuid not null,
  day date not null,
  -- Tokens of calls that have ended, and those set aside for the one under way until it expires.
  spent bigint not null default 0 check (spent >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  expires_at timestamptz not null,
  primary key (idp_id, answer_id)
);
comment on table public.assistant_usage is 'Server only, no policy: tokens by answer. Kept when a conversation is deleted, so that deleting brings no tokens back.';
create index assistant_usage_day on public.assistant_usage (day);
alter table public.assistant_usage enable row level security;
revoke all on public.assistant_usage from service_role;
grant select, insert, update, delete on public.assistant_usage to service_role;

-- What a day has taken: a reservation counts until it is settled or has expired, and an answer with nothing of either does not count.
create function public.assistant_usage_of(p_day date, p_idp_id text)
returns table (answers bigint, tokens bigint)
language plpgsql stable set search_path = '' as $$
begin
  return query
  select count(*) filter (where u.spent + u.held > 0), coalesce(sum(u.spent + u.held), 0)::bigint
    from (select s.spent, case when s.expires_at > clock_timestamp() then s.reserved else 0 end as held
            from public.assistant_usage s where s.day = p_day and (p_idp_id is null or s.idp_id = p_idp_id)) u;
end
$$;
comment on function public.assistant_usage_of(date, text) is 'Answers and tokens of a day, of one member or of all.';
revoke execute on function public.assistant_usage_of(date, text) from public;
grant execute on function public.assistant_usage_of(date, text) to service_role;

-- Sets tokens aside for one call of the model, or says which limit stands against it. One caller at a time, so that two at once cannot
-- both take what is left.
create function public.reserve_assistant_tokens(
  p_idp_id text, p_answer_id uuid, p_tokens bigint, p_most_answers bigint, p_most_tokens bigint, p_most_of_all bigint, p_seconds integer
) returns text
language plpgsql set search_path = '' as $$
declare
  today date;
  own record;
  everyone record;
  begun boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('assistant-usage', 0));
  today := (clock_timestamp() at time zone 'UTC')::date;
  -- An answer has one call at a time: what it had set aside before is over.
  update public.assistant_usage u set reserved = 0 where u.idp_id = p_idp_id and u.answer_id = p_answer_id;
  begun := exists (select from public.assistant_usage u where u.idp_id = p_idp_id and u.answer_id = p_answer_id and u.day = today and u.spent > 0);
  select * into own from public.assistant_usage_of(today, p_idp_id);
  select * into everyone from public.assistant_usage_of(today, null);
  if not begun and own.answers >= p_most_answers then
    return 'answers';
  elsif own.tokens + p_tokens > p_most_tokens then
    return 'tokens';
  elsif everyone.tokens + p_tokens > p_most_of_all then
    return 'installation';
  end if;
  insert into public.assistant_usage as u (idp_id, answer_id, day, reserved, expires_at)
  values (p_idp_id, p_answer_id, today, p_tokens, clock_timestamp() + make_interval(secs => p_seconds))
  on conflict (idp_id, answer_id) do update set reserved = excluded.reserved, expires_at = excluded.expires_at;
  return 'ok';
end
$$;
comment on function public.reserve_assistant_tokens(text, uuid, bigint, bigint, bigint, bigint, integer) is
  'ok, or the limit that stands against it: answers, tokens, installation.';
revoke execute on function public.reserve_assistant_tokens(text, uuid, bigint, bigint, bigint, bigint, integer) from public;
grant execute on function public.reserve_assistant_tokens(text, uuid, bigint, bigint, bigint, bigint, integer) to service_role;
