import type Anthropic from '@anthropic-ai/sdk';
import type { Logger } from 'pino';
import type { MemberSql } from '../../../platform/database/roles.ts';
import type { SourceLink } from '../contract.ts';
import { writeFinalState, writeProgress } from '../conversations/queries.ts';
import { createAnswerDraft } from './answer-draft.ts';
import type { RunningAnswer, AnswerRegistry } from './answer-registry.ts';
import { type AnswerContext, type AnswerResult, writeAnswer } from './write-answer.ts';

/** Interval in ms at which the partial answer is saved and the stop flag is checked. */
const SAVE_INTERVAL_MS = 1_000;

interface PersistenceContext {
  sql: MemberSql;
  logger: Logger;
  answerRegistry: Pick<AnswerRegistry, 'stop'>;
  context: Omit<AnswerContext, 'signal'>;
}

/**
 * Writes an answer and saves it repeatedly, so that a member who leaves can resume it. The final state is stored before
 * the final event is emitted.
 */
export async function persistAnswer(
  { sql, logger, answerRegistry, context }: PersistenceContext,
  {
    answerId,
    messages,
    links,
  }: { answerId: string; messages: readonly Anthropic.MessageParam[]; links: readonly SourceLink[] },
  { signal, emit }: RunningAnswer,
): Promise<void> {
  const draft = createAnswerDraft(emit, links);
  let pendingSave: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pendingSave = pendingSave
      .then(() => writeProgress(sql, answerId, draft.snapshot()))
      .then((shouldContinue) => {
        if (!shouldContinue) answerRegistry.stop(answerId);
      })
      .catch((err: unknown) => logger.warn({ err }, 'failed to save the partial answer'));
  }, SAVE_INTERVAL_MS);
  const result = await writeAnswer({ ...context, signal }, draft, messages).catch((err: unknown): AnswerResult => {
    logger.error({ err }, 'failed to write the answer');
    return {
      ok: false,
      failure: { code: 'INTERNAL', message: 'Something went wrong on our side. Ask again.', retry: true },
    };
  });
  clearInterval(timer);
  await pendingSave;
  if (!result.ok) logger.warn({ code: result.failure.code, calls: draft.usage.calls }, 'answer ended with a failure');
  // Members cannot mend this, so only the log names the settings.
  if (!result.ok && result.failure.code === 'NOT_CONFIGURED')
    logger.error('the model API rejects this service: check ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and ASSISTANT_MODEL');
  const state = draft.snapshot();
  await writeFinalState(sql, answerId, {
    ...state,
    status: result.ok ? 'done' : 'failed',
    ...(result.ok ? { reason: result.reason, failure: null } : { reason: null, failure: result.failure }),
  }).catch((err: unknown) => logger.error({ err }, 'failed to save the final answer'));
  const { usage, links: allowed, removed_links: removed } = state;
  if (result.ok) emit({ type: 'done', reason: result.reason, links: allowed, removed_links: removed, usage });
  else emit({ type: 'error', ...result.failure });
}
