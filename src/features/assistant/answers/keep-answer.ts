import type Anthropic from '@anthropic-ai/sdk';
import type { Logger } from 'pino';
import type { MemberSql } from '../../../platform/database/roles.ts';
import type { SourceLink } from '../contract.ts';
import { writeEnd, writeProgress } from '../conversations/queries.ts';
import { createAnswerDraft } from './answer-draft.ts';
import type { LiveAnswer, LiveAnswers } from './live-answers.ts';
import { type AnswerContext, type AnswerEnd, writeAnswer } from './write-answer.ts';

/** How often what there is of an answer is stored, and looked whether the member wants it stopped. */
const STORE_MS = 1_000;

interface Keeping {
  sql: MemberSql;
  logger: Logger;
  live: Pick<LiveAnswers, 'stop'>;
  context: Omit<AnswerContext, 'signal'>;
}

/**
 * Writes an answer and stores it while it grows, so that a member who leaves comes back to it. Its end is stored before
 * it is told.
 */
export async function keepAnswer(
  { sql, logger, live, context }: Keeping,
  {
    answerId,
    messages,
    links,
  }: { answerId: string; messages: readonly Anthropic.MessageParam[]; links: readonly SourceLink[] },
  { signal, emit }: LiveAnswer,
): Promise<void> {
  const draft = createAnswerDraft(emit, links);
  let storing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    storing = storing
      .then(() => writeProgress(sql, answerId, draft.snapshot()))
      .then((goOn) => void (goOn || live.stop(answerId)))
      .catch((err: unknown) => logger.warn({ err }, 'an answer could not be stored while it grows'));
  }, STORE_MS);
  const end = await writeAnswer({ ...context, signal }, draft, messages).catch((err: unknown): AnswerEnd => {
    logger.error({ err }, 'an answer failed');
    return {
      ok: false,
      failure: { code: 'INTERNAL', message: 'Something went wrong on our side. Ask again.', retry: true },
    };
  });
  clearInterval(timer);
  await storing;
  if (!end.ok) logger.warn({ code: end.failure.code, calls: draft.usage.calls }, 'an answer ended with a failure');
  const state = draft.snapshot();
  await writeEnd(sql, answerId, {
    ...{ ...state, status: end.ok ? 'done' : 'failed' },
    ...(end.ok ? { reason: end.reason, failure: null } : { reason: null, failure: end.failure }),
  }).catch((err: unknown) => logger.error({ err }, 'the end of an answer could not be stored'));
  const { usage, links: allowed, removed_links: removed } = state;
  if (end.ok) emit({ type: 'done', reason: end.reason, links: allowed, removed_links: removed, usage });
  else emit({ type: 'error', ...end.failure });
}
