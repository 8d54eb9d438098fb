import { formatDigits, type RequestUse } from './request-use.ts';

/** Limits of a request that `tally count` checks. */
export interface CountLimits {
  maxTokens: number | undefined;
  /** Maximum share of the context window in percent. */
  maxShare: number | undefined;
}

type Parsed = { ok: true; limits: CountLimits } | { ok: false; message: string };

/** Reads the values of `--max-tokens` and `--max-share`. */
export function parseLimits(options: { 'max-tokens': string | undefined; 'max-share': string | undefined }): Parsed {
  const { 'max-tokens': maxTokens, 'max-share': maxShare } = options;
  if (maxTokens !== undefined && !/^[1-9]\d{0,14}$/.test(maxTokens))
    return { ok: false, message: '--max-tokens is a number of tokens from 1.' };
  if (maxShare !== undefined && !(/^\d{1,3}(?:\.\d{1,9})?$/.test(maxShare) && isPercentage(Number(maxShare))))
    return { ok: false, message: '--max-share is a percentage above 0 and up to 100.' };
  return { ok: true, limits: { maxTokens: toNumber(maxTokens), maxShare: toNumber(maxShare) } };
}

const isPercentage = (value: number): boolean => value > 0 && value <= 100;
const toNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/**
 * Returns a sentence for each limit that a request exceeds. A share of an unknown context window cannot be checked, which
 * must not pass as within the limit.
 */
export function listExceededLimits(
  { input_tokens, share_percent }: { input_tokens: number } & Pick<RequestUse, 'share_percent'>,
  { maxTokens, maxShare }: CountLimits,
): string[] {
  const messages = [];
  if (maxTokens !== undefined && input_tokens > maxTokens)
    messages.push(`${input_tokens} input tokens are more than --max-tokens ${maxTokens}`);
  if (maxShare !== undefined && share_percent === null)
    messages.push('--max-share cannot be checked, because the context window of the model is not published');
  if (maxShare !== undefined && share_percent !== null && share_percent > maxShare)
    messages.push(`${formatDigits(share_percent)} % of the context window is more than --max-share ${maxShare}`);
  return messages;
}
