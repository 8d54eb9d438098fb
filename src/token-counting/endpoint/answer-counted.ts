import type { Counted } from '../count-body.ts';
import { boundsOf, type Doubt } from '../counter/index.ts';
import type { Exchange } from './exchange.ts';

/** Answers with a count; what the service does not say stands in a header of ours. */
export function answerCounted(exchange: Exchange, { inputTokens, originalTokens, doubt }: Counted): void {
  if (doubt) exchange.headers.push('x-tally-uncertainty', inWords(inputTokens, doubt));
  const edited = originalTokens !== undefined && isBeta(exchange.request);
  const management = edited ? `"context_management":{"original_input_tokens":${originalTokens}},` : '';
  exchange.send(200, `{${management}"input_tokens":${inputTokens}}`);
}

/** The likely bounds of a count, and the kinds of its parts that are estimates. */
function inWords(inputTokens: number, doubt: Doubt): string {
  const { low, high } = boundsOf(inputTokens, doubt);
  return `low=${low}, high=${high}${doubt.kinds.length > 0 ? `, parts="${doubt.kinds.join(' ')}"` : ''}`;
}

/** The beta interface: asked for in the address, as the official client does, or by the feature's name. */
function isBeta({ url = '', headers }: Exchange['request']): boolean {
  return /[?&]beta=true(?:&|$)/.test(url) || String(headers['anthropic-beta']).includes('context-management');
}
