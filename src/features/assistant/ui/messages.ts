import type { RouteErrorBody } from '../../../ui/shell/api/api-routes.ts';
import { formatCount } from '../../../ui/kit/format-count.ts';
import { formatInteger, formatMoment } from '../../../ui/kit/formats.ts';
import type { EndReason, ReportKind, ToolCall } from '../contract.ts';
import type { AssistantStatus } from './queries.ts';
import type { AnswerEntry } from './thread.ts';

/** Explanation of each end reason, or null for a complete answer. */
export const endMessages: Readonly<Record<EndReason, string | null>> = {
  complete: null,
  stopped: 'You stopped this answer.',
  too_long: 'The answer reached the maximum length.',
  too_many_tools: 'The answer reached the limit for look-ups.',
  refused: 'The model declined to answer.',
  timed_out: 'The answer reached the time limit.',
};

/** Returns the status of a look-up in a word or two. */
export function formatCallStatus(call: ToolCall): string {
  switch (call.status) {
    case 'running':
      return 'looking up';
    case 'refused':
      return 'rejected';
    case 'ok':
      return `${call.result.truncated ? 'the first ' : ''}${formatCount(call.result.rows.length, 'row')}`;
  }
}

/** Returns the usage of an answer so far, or null before the first call. */
export function formatUsage({ usage }: Pick<AnswerEntry, 'usage'>): string | null {
  if (!usage || usage.calls === 0) return null;
  const calls = usage.calls === 1 ? '' : ` in ${usage.calls} calls`;
  return `${formatCount(usage.counted, 'token')} counted before sending${calls}, ${formatInteger(usage.output)} written`;
}

/** Returns the usage of the day. */
export const formatQuota = ({ used, limit }: AssistantStatus): string =>
  `Today: ${formatInteger(used.answers)} of ${formatCount(limit.answers, 'answer')}, ` +
  `${formatInteger(used.tokens)} of ${formatCount(limit.tokens, 'token')}`;

const formatRetryTime = (reset: string): string =>
  `You can ask again from ${formatMoment(reset)}; reports are still available.`;

/** Returns the message that the day's limit is reached, with the reset time. */
export function formatLimitReached({ used, limit, resets_at: reset }: AssistantStatus): string {
  const usedQuota =
    used.answers >= limit.answers ? `all ${formatCount(limit.answers, 'answer')} for today` : 'today’s tokens';
  return `You have used ${usedQuota}. ${formatRetryTime(reset)}`;
}

type LimitError = RouteErrorBody<'POST /api/assistant/messages', 'DAILY_LIMIT_REACHED'>;

const limitMessages: Readonly<Record<LimitError['of'], string>> = {
  answers: 'You have reached today’s answer limit.',
  tokens: 'You do not have enough tokens left today for this question.',
  installation: 'The assistant has reached its daily limit for all members.',
};

/** Returns the message for a question that exceeds a daily limit, from the body of the error. */
export const formatLimitError = ({ of, resets_at: reset }: LimitError): string =>
  `${limitMessages[of]} ${formatRetryTime(reset)}`;

/** Returns whether another question would exceed a daily limit. */
export const hasUsedUpQuota = ({ used, limit }: Pick<AssistantStatus, 'used' | 'limit'>): boolean =>
  used.answers >= limit.answers || used.tokens >= limit.tokens;

/** Returns the title of a plain report, phrased as a question. */
export function formatReportTitle(kind: ReportKind, symbol: string | null): string {
  switch (kind) {
    case 'why_moving':
      return `Why is ${symbol ?? 'it'} moving?`;
    case 'whats_new':
      return symbol === null ? 'What’s new?' : `What’s new with ${symbol}?`;
    case 'position':
      return symbol === null ? 'How is my position doing?' : `How is my position in ${symbol} doing?`;
    case 'list_today':
      return 'How did my watchlist do today?';
    case 'reports_ahead':
      return 'Which earnings are upcoming?';
    case 'net_worth_change':
      return 'How has my net worth changed?';
  }
}

/** Says why no question can be typed, by the reason that no model answers the member. */
export const unavailableTexts: Readonly<Record<NonNullable<AssistantStatus['unavailable_because']>, string>> = {
  not_configured: 'You cannot type a question, because this server has no language model.',
  demo: 'You cannot type a question in the demo. An account of your own can, where a language model is connected.',
};

/** Suggested first questions. */
export const suggestions: readonly string[] = [
  'How did my watchlist do today?',
  'Which of my holdings gained most, and by how much?',
  'How has my net worth changed this month?',
  'Which of my companies report earnings in the next two weeks?',
];
