import { createHash, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { MemberRef } from '../../../platform/identity/member.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { normalizeSymbol } from '../../../market-data/domain/normalize-symbol.ts';
import type { AskRequest, StreamEvent } from '../contract.ts';
import {
  type DailyLimits,
  deleteExchange,
  failOrphanedAnswers,
  insertConversation,
  insertExchange,
  readConversation,
  readMessages,
  reserveTokens,
  recordTokenUsage,
} from '../conversations/queries.ts';
import type { Model, ModelBody } from '../model/connect-model.ts';
import type { createToolContextFactory } from '../tools/tool-context.ts';
import { toModelHistory, toUserMessage } from './history.ts';
import { persistAnswer } from './persist-answer.ts';
import type { AnswerRegistry } from './answer-registry.ts';
import { type AnswerContext, countFirstRequest, MAX_OUTPUT_TOKENS } from './write-answer.ts';

export interface AskDependencies {
  database: Pick<Database, 'asMember' | 'service'>;
  logger: Logger;
  model: Model;
  /** Returns the tokens of a request, as counted by our own counter. */
  count: (body: ModelBody) => number;
  limits: DailyLimits;
  answerRegistry: AnswerRegistry;
  getToolContext: ReturnType<typeof createToolContextFactory>;
  now: () => Date;
}

type AskResult =
  | { ok: true; conversationId: string; answerId: string }
  | { ok: false; reason: 'not_found' | 'busy' }
  | { ok: false; reason: 'limit'; exceeded: 'answers' | 'tokens' | 'installation' };

/** Lifetime of a token reservation in seconds, in case the process that made it is killed. */
const RESERVATION_TTL_SECONDS = 180;
const MAX_TITLE_LENGTH = 80;
/** SQLSTATE of a unique violation. */
const UNIQUE_VIOLATION = '23505';

/**
 * Stores a question and starts its answer in the background. Passes the events of the answer to the listener. Stores
 * nothing if the day's limits do not allow the first call. `reserve_assistant_tokens` checks the limits under a lock.
 */
export async function ask(
  deps: AskDependencies,
  member: MemberRef,
  question: AskRequest,
  onEvent: (event: StreamEvent) => void,
): Promise<AskResult> {
  const { database, model, limits } = deps;
  const sql = database.asMember({ sub: member.idpId, sid: member.sessionId });
  const { conversation_id: existingId, retry_of: retryOf, text } = question;
  const symbol = question.symbol === undefined ? null : (normalizeSymbol(question.symbol) ?? null);
  const previousMessages = existingId === undefined ? [] : await readPreviousMessages(existingId);
  if (!previousMessages) return { ok: false, reason: 'not_found' };
  const { messages, links } = toModelHistory(previousMessages.filter(({ id }) => id !== retryOf));
  messages.push(toUserMessage(text, symbol, deps.now()));

  const answerId = randomUUID();
  const usageKey = { idpId: member.idpId, answerId };
  const reserve = (tokens: number) =>
    reserveTokens(database.service, { ...usageKey, tokens, seconds: RESERVATION_TTL_SECONDS }, limits);
  const recordUsage = (tokens: number) => recordTokenUsage(database.service, { ...usageKey, tokens });
  const reservation = await reserve(countFirstRequest(deps, messages) + MAX_OUTPUT_TOKENS);
  if (reservation !== 'ok') return { ok: false, reason: 'limit', exceeded: reservation };

  const conversationId = await storeExchange().catch(async (error: unknown) => {
    await recordUsage(0);
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return undefined;
    throw error;
  });
  if (conversationId === undefined) return { ok: false, reason: 'busy' };
  const context: Omit<AnswerContext, 'signal'> = {
    model,
    count: deps.count,
    tools: deps.getToolContext(member),
    recordUsage,
    user: toOpaqueUserId(member.idpId),
    async reserve(tokens) {
      const result = await reserve(tokens);
      return result === 'ok'
        ? undefined
        : { code: 'DAILY_LIMIT_REACHED', message: LIMIT_MESSAGES[result], retry: false };
    },
  };
  onEvent({ type: 'start', conversation_id: conversationId, message_id: answerId, model: model.id });
  deps.answerRegistry.run(answerId, onEvent, (answer) =>
    persistAnswer(
      { sql, logger: deps.logger, context, answerRegistry: deps.answerRegistry },
      { answerId, messages, links },
      answer,
    ),
  );
  return { ok: true, conversationId, answerId };

  async function readPreviousMessages(id: string) {
    if (!(await readConversation(sql, id))) return undefined;
    await failOrphanedAnswers(sql, id);
    return readMessages(sql, id);
  }

  function storeExchange(): Promise<string> {
    return sql.transaction(async (tx) => {
      if (existingId !== undefined && retryOf !== undefined) await deleteExchange(tx, existingId, retryOf);
      const storedId = existingId ?? (await insertConversation(tx, member.idpId, { title: toTitle(text), symbol }));
      await insertExchange(tx, member.idpId, { conversationId: storedId, answerId, text, symbol });
      return storedId;
    });
  }
}

export const LIMIT_MESSAGES = {
  answers: 'You have reached today’s answer limit.',
  tokens: 'You do not have enough tokens left today for this question.',
  installation: 'The assistant has reached its daily limit for all members.',
} as const;

function toTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TITLE_LENGTH ? line : `${line.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…`;
}

/** Returns a stable, opaque name of the member for the model's provider. */
const toOpaqueUserId = (idpId: string): string =>
  createHash('sha256').update(`assistant:${idpId}`).digest('hex').slice(0, 32);
