import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { listMemberRanges } from '../../../platform/identity/member-range-queries.ts';
import type { ConversationMessage } from '../contract.ts';

export type AssistantMessage = Extract<ConversationMessage, { role: 'assistant' }>;

export interface ConversationRow {
  id: string;
  title: string;
  symbol: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface MessageRow extends Pick<
  AssistantMessage,
  'parts' | 'reason' | 'failure' | 'links' | 'removed_links' | 'usage'
> {
  id: string;
  role: 'member' | 'assistant';
  created_at: Date;
  text: string | null;
  symbol: string | null;
  status: AssistantMessage['status'] | null;
  /** Whether no process has reported for a minute that it writes the answer. */
  orphaned: boolean;
}

/**
 * Seconds after which an answer without progress counts as interrupted. The process that writes an answer reports
 * progress every second.
 */
const ORPHANED_AFTER_SECONDS = 60;
export const RETENTION_DAYS = 30;
/** Maximum number of conversations of one member. A new conversation beyond it replaces the oldest. */
const MAX_CONVERSATIONS = 200;

const SELECT_CONVERSATIONS = `select c.id, c.title, c.symbol, c.created_at, c.updated_at
       from public.assistant_conversations c
      where c.idp_id = $1 and c.updated_at > now() - interval '${RETENTION_DAYS} days'`;

export const listConversations = (sql: MemberSql): Promise<ConversationRow[]> =>
  sql.query<ConversationRow>(`${SELECT_CONVERSATIONS} order by c.updated_at desc limit ${MAX_CONVERSATIONS}`, [
    sql.idpId,
  ]);

export async function readConversation(sql: MemberSql, id: string): Promise<ConversationRow | undefined> {
  const [row] = await sql.query<ConversationRow>(`${SELECT_CONVERSATIONS} and c.id = $2`, [sql.idpId, id]);
  return row;
}

/** Returns the newest 200 messages in chronological order. */
export async function readMessages(sql: MemberSql, conversationId: string): Promise<MessageRow[]> {
  const rows = await sql.query<MessageRow>(
    `select m.id, m.role, m.created_at, m.text, m.symbol, m.status, m.parts, m.reason, m.failure, m.links,
            m.removed_links, m.usage,
            coalesce(m.status = 'answering' and m.written_at < now() - interval '${ORPHANED_AFTER_SECONDS} s', false)
              as orphaned
       from public.assistant_messages m where m.idp_id = $1 and m.conversation_id = $2
      order by m.position desc limit 200`,
    [sql.idpId, conversationId],
  );
  return rows.toReversed();
}

/** Adds a conversation and returns its id. Deletes the member's oldest conversations beyond the limit. */
export async function insertConversation(
  sql: MemberSql,
  idpId: string,
  { title, symbol }: { title: string; symbol: string | null },
): Promise<string> {
  const [row] = await sql.query<{ id: string }>(
    `with inserted as (
       insert into public.assistant_conversations (idp_id, title, symbol) values ($1, $2, $3) returning id
     ), deleted as (
       delete from public.assistant_conversations c where c.idp_id = $1 and c.id in (
         select o.id from public.assistant_conversations o where o.idp_id = $1
          order by o.updated_at desc offset ${MAX_CONVERSATIONS - 1})
     )
     select id from inserted`,
    [idpId, title, symbol],
  );
  return row!.id;
}

/** Ends answers that no process writes anymore, so that the conversation can continue. */
export async function failOrphanedAnswers(sql: MemberSql, conversationId: string): Promise<void> {
  await sql.query(
    `update public.assistant_messages m
        set status = 'failed', failure = jsonb_build_object('code', 'INTERRUPTED', 'message', $3::text, 'retry', true)
      where m.idp_id = $1 and m.conversation_id = $2 and m.status = 'answering'
        and m.written_at < now() - interval '${ORPHANED_AFTER_SECONDS} s'`,
    [sql.idpId, conversationId, INTERRUPTED_MESSAGE],
  );
}

export const INTERRUPTED_MESSAGE = 'The answer was interrupted. Ask again.';

/** Deletes a completed answer and its question. */
export async function deleteExchange(sql: MemberSql, conversationId: string, answerId: string): Promise<void> {
  await sql.query(
    `with answer as (
       select m.position from public.assistant_messages m
        where m.idp_id = $1 and m.conversation_id = $2 and m.id = $3 and m.role = 'assistant' and m.status <> 'answering'
     )
     delete from public.assistant_messages m using answer a
      where m.idp_id = $1 and m.conversation_id = $2 and m.position in (a.position, (
        select max(q.position) from public.assistant_messages q
         where q.idp_id = $1 and q.conversation_id = $2 and q.position < a.position and q.role = 'member'))`,
    [sql.idpId, conversationId, answerId],
  );
}

/**
 * Adds a question and its pending answer. Throws a unique violation (23505) if the conversation already has a pending
 * answer.
 */
export async function insertExchange(
  sql: MemberSql,
  idpId: string,
  exchange: { conversationId: string; answerId: string; text: string; symbol: string | null },
): Promise<void> {
  const { conversationId, answerId, text, symbol } = exchange;
  await sql.query(
    `insert into public.assistant_messages (idp_id, conversation_id, role, text, symbol)
     values ($1, $2, 'member', $3, $4)`,
    [idpId, conversationId, text, symbol],
  );
  await sql.query(
    `insert into public.assistant_messages (idp_id, conversation_id, id, role, status)
     values ($1, $2, $3, 'assistant', 'answering')`,
    [idpId, conversationId, answerId],
  );
  await sql.query(`update public.assistant_conversations set updated_at = now() where idp_id = $1 and id = $2`, [
    idpId,
    conversationId,
  ]);
}

/** Saves the partial answer. Returns false if the row was deleted or the member requested a stop. */
export async function writeProgress(
  sql: MemberSql,
  answerId: string,
  { parts, usage }: Pick<AssistantMessage, 'parts' | 'usage'>,
): Promise<boolean> {
  const [row] = await sql.query<{ stop_requested: boolean }>(
    `update public.assistant_messages set parts = $3::jsonb, usage = $4::jsonb, written_at = now()
      where idp_id = $1 and id = $2 and status = 'answering' returning stop_requested`,
    [sql.idpId, answerId, JSON.stringify(parts), JSON.stringify(usage)],
  );
  return row?.stop_requested === false;
}

/** Saves the final state of an answer. Does nothing if the answer was deleted or has already ended. */
export async function writeFinalState(
  sql: MemberSql,
  answerId: string,
  answer: Pick<AssistantMessage, 'status' | 'parts' | 'reason' | 'failure' | 'links' | 'removed_links' | 'usage'>,
): Promise<void> {
  await sql.query(
    `update public.assistant_messages set status = $3, parts = $4::jsonb, reason = $5, failure = $6::jsonb,
            links = $7::jsonb, removed_links = $8, usage = $9::jsonb, written_at = now()
      where idp_id = $1 and id = $2 and status = 'answering'`,
    [
      sql.idpId,
      answerId,
      answer.status,
      JSON.stringify(answer.parts),
      answer.reason,
      answer.failure && JSON.stringify(answer.failure),
      JSON.stringify(answer.links),
      answer.removed_links,
      JSON.stringify(answer.usage),
    ],
  );
}

/**
 * Requests the end of the pending answer, in whichever process writes it. Returns its id, or `undefined` if no answer
 * is pending.
 */
export async function requestStop(sql: MemberSql, conversationId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }>(
    `update public.assistant_messages set stop_requested = true
      where idp_id = $1 and conversation_id = $2 and status = 'answering' returning id`,
    [sql.idpId, conversationId],
  );
  return row?.id;
}

/** Deletes one conversation, or all of the member's if no id is given. Returns the number of deleted conversations. */
export async function deleteConversations(sql: MemberSql, id?: string): Promise<number> {
  const deleted = await sql.query(
    `delete from public.assistant_conversations c
      where c.idp_id = $1 and ($2::uuid is null or c.id = $2) returning c.id`,
    [sql.idpId, id ?? null],
  );
  return deleted.length;
}

/** Average number of conversations that one statement deletes with their messages. */
const EXPIRY_BATCH = 1_000;

/** Average number of members whose usage one statement deletes. */
const USAGE_BATCH = 10_000;

/** Deletes expired conversations and the usage of earlier days, for the nightly job. */
export async function deleteExpired(sql: ServiceSql): Promise<void> {
  await deleteInBatches(
    sql,
    {
      statement: `delete from public.assistant_conversations where updated_at <= now() - interval '${RETENTION_DAYS} days'`,
      time: 'updated_at',
      id: 'id',
    },
    EXPIRY_BATCH,
  );
  for (const { after, until } of await listMemberRanges(sql, USAGE_BATCH))
    await sql.query(
      `delete from public.assistant_usage
        where idp_id > $1 and idp_id <= $2 and day < (now() at time zone 'UTC')::date - 7`,
      [after, until],
    );
}

/** Deletes the assistant data of a deleted member. */
export async function deleteAssistantData(sql: ServiceSql, idpId: string): Promise<void> {
  await sql.query('delete from public.assistant_conversations where idp_id = $1', [idpId]);
  await sql.query('delete from public.assistant_usage where idp_id = $1', [idpId]);
}

// Usage

export interface DailyLimits {
  /** Limits of one member per day (UTC): answers and tokens. */
  answers: number;
  tokens: number;
  /** Limit of tokens of all members per day. */
  installationTokens: number;
}

/** Reserves tokens for one call. A reservation left by a killed process expires after `seconds`. */
export async function reserveTokens(
  sql: ServiceSql,
  reservation: { idpId: string; answerId: string; tokens: number; seconds: number },
  { answers, tokens, installationTokens }: DailyLimits,
): Promise<'ok' | 'answers' | 'tokens' | 'installation'> {
  const [row] = await sql.query<{ outcome: 'ok' | 'answers' | 'tokens' | 'installation' }>(
    'select public.reserve_assistant_tokens($1, $2, $3, $4, $5, $6, $7) as outcome',
    [
      reservation.idpId,
      reservation.answerId,
      reservation.tokens,
      answers,
      tokens,
      installationTokens,
      reservation.seconds,
    ],
  );
  return row!.outcome;
}

/** Replaces the reservation of a call with its actual usage. */
export async function recordTokenUsage(
  sql: ServiceSql,
  { idpId, answerId, tokens }: { idpId: string; answerId: string; tokens: number },
): Promise<void> {
  await sql.query(
    `update public.assistant_usage set spent = spent + $3, reserved = 0 where idp_id = $1 and answer_id = $2`,
    [idpId, answerId, tokens],
  );
}

export async function readUsageToday(sql: ServiceSql, idpId: string): Promise<{ answers: number; tokens: number }> {
  const [row] = await sql.query<{ answers: number; tokens: number }>(
    `select answers::int, tokens::float8 as tokens
       from public.get_assistant_usage((now() at time zone 'UTC')::date, $1)`,
    [idpId],
  );
  return row!;
}

/** Use of the assistant by all members. Days are in UTC, newest first, of the last eight days. */
export interface AssistantUse {
  days: { day: string; members: number; answers: number; tokens: number }[];
  /** Stored conversations with a message in the last 30 days. */
  conversations: number;
  /** Stored questions in them. */
  questions: number;
}

/** Returns counts and tokens of all members. It reads no text. */
export async function readAssistantUse(sql: ServiceSql): Promise<AssistantUse> {
  const days = await sql.query<AssistantUse['days'][number]>(
    `select day::text, count(distinct idp_id)::int as members, count(*)::int as answers, sum(spent)::float8 as tokens
       from public.assistant_usage where spent > 0 group by day order by day desc limit 8`,
  );
  const [stored] = await sql.query<Pick<AssistantUse, 'conversations' | 'questions'>>(
    `select count(distinct (c.idp_id, c.id))::int as conversations, count(m.id)::int as questions
       from public.assistant_conversations c
       left join public.assistant_messages m
         on m.idp_id = c.idp_id and m.conversation_id = c.id and m.role = 'member'
      where c.updated_at > now() - interval '${RETENTION_DAYS} days'`,
  );
  return { days, ...stored! };
}
