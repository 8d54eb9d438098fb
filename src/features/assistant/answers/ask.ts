import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ReadingMember } from '../../../platform/identity/member.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { normaliseSymbol } from '../../../market-data/domain/normalise-symbol.ts';
import type { AskRequest, StreamEvent } from '../contract.ts';
import {
  type DailyLimits,
  deleteExchange,
  endAbandoned,
  insertConversation,
  insertExchange,
  readConversation,
  readMessages,
  reserveTokens,
  settleTokens,
} from '../conversations/queries.ts';
import type { Model, ModelBody } from '../model/connect-model.ts';
import type { bindTools } from '../tools/tool-context.ts';
import { historyOf, questionOf } from './history.ts';
import { keepAnswer } from './keep-answer.ts';
import type { LiveAnswers } from './live-answers.ts';
import { type AnswerContext, firstCall, MOST_OUTPUT_TOKENS } from './write-answer.ts';

export interface AskDependencies {
  database: Pick<Database, 'asMember' | 'service'>;
  logger: Logger;
  model: Model;
  /** Tokens of a request, by our own counter. */
  count: (body: ModelBody) => number;
  limits: DailyLimits;
  live: LiveAnswers;
  toolsOf: ReturnType<typeof bindTools>;
  now: () => Date;
}

type AskOutcome =
  | { ok: true; conversationId: string; answerId: string }
  | { ok: false; reason: 'not_found' | 'busy' }
  | { ok: false; reason: 'limit'; of: 'answers' | 'tokens' | 'installation' };

/** Seconds after which what was set aside for a call counts no more, should its process be killed. */
const RESERVED_SECONDS = 180;
const TITLE = 80;

/**
 * Stores a question and begins its answer, which goes on by itself; `listen` hears of it. Nothing is stored where the
 * day's limits stand against its first call, which `reserve_assistant_tokens` of the database compares under a lock.
 */
export async function ask(
  deps: AskDependencies,
  member: ReadingMember,
  question: AskRequest,
  listen: (event: StreamEvent) => void,
): Promise<AskOutcome> {
  const { database, model, limits } = deps;
  const sql = database.asMember({ sub: member.idpId, sid: member.sessionId });
  const { conversation_id: known, retry_of: retryOf, text } = question;
  const symbol = question.symbol === undefined ? null : (normaliseSymbol(question.symbol) ?? null);
  const earlier = known === undefined ? [] : await readEarlier(known);
  if (!earlier) return { ok: false, reason: 'not_found' };
  const { messages, links } = historyOf(earlier.filter(({ id }) => id !== retryOf));
  messages.push(questionOf(text, symbol, deps.now()));

  const answerId = randomUUID();
  const of = { idpId: member.idpId, answerId };
  const reserve = (tokens: number) =>
    reserveTokens(database.service, { ...of, tokens, seconds: RESERVED_SECONDS }, limits);
  const settle = (tokens: number) => settleTokens(database.service, { ...of, tokens });
  const outcome = await reserve(firstCall(deps, messages) + MOST_OUTPUT_TOKENS);
  if (outcome !== 'ok') return { ok: false, reason: 'limit', of: outcome };

  const stored = await store().catch(async (error: unknown) => {
    await settle(0);
    if ((error as { code?: string }).code === '23505') return 'busy' as const;
    throw error;
  });
  if (stored === 'busy') return { ok: false, reason: 'busy' };
  const context: Omit<AnswerContext, 'signal'> = {
    ...{ model, count: deps.count, tools: deps.toolsOf(member), settle, user: opaque(member.idpId) },
    async reserve(tokens) {
      const found = await reserve(tokens);
      return found === 'ok' ? undefined : { code: 'DAILY_LIMIT_REACHED', message: LIMIT_WORDS[found], retry: false };
    },
  };
  listen({ type: 'start', conversation_id: stored, message_id: answerId, model: model.id });
  deps.live.run(answerId, listen, (answer) =>
    keepAnswer({ sql, logger: deps.logger, context, live: deps.live }, { answerId, messages, links }, answer),
  );
  return { ok: true, conversationId: stored, answerId };

  async function readEarlier(id: string) {
    if (!(await readConversation(sql, id))) return undefined;
    await endAbandoned(sql, id);
    return readMessages(sql, id);
  }

  function store(): Promise<string> {
    return sql.transaction(async (tx) => {
      if (known !== undefined && retryOf !== undefined) await deleteExchange(tx, known, retryOf);
      const conversationId = known ?? (await insertConversation(tx, member.idpId, { title: titleOf(text), symbol }));
      await insertExchange(tx, member.idpId, { conversationId, answerId, text, symbol });
      return conversationId;
    });
  }
}

export const LIMIT_WORDS = {
  answers: 'Your answers of today are used up.',
  tokens: 'What the assistant may read and write for you today is used up, or this question needs more than is left.',
  installation: 'The assistant has answered as much as it may today, for all members together.',
} as const;

function titleOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= TITLE ? line : `${line.slice(0, TITLE - 1).trimEnd()}…`;
}

/** A name for the model's provider that says nothing of the member and stays the same. */
const opaque = (idpId: string): string => createHash('sha256').update(`assistant:${idpId}`).digest('hex').slice(0, 32);
