import { describeModel, type ModelDescription } from './models/describe-model.ts';
import type { Price } from './models/model-facts.ts';
import { countTokens } from './prompt/count-request.ts';
import type { CountOptions, CountTokensRequest, TokenCount } from './request-types.ts';

export interface KnownCount {
  /** The result of `countTokens` for this request and model, which is then not counted again. */
  count?: TokenCount | undefined;
}

export interface CostOptions extends CountOptions, KnownCount {
  /**
   * Input tokens that are read from the cache, such as `usage.cache_read_input_tokens` of an earlier response, or `true`
   * for all up to the last cache breakpoint, and for the whole input if there is none. By default the cache is empty.
   */
  cached?: number | boolean;
}

/**
 * Returns the cost of a request's input in US dollars at the provider's list price, which is that of neither batches nor
 * regional endpoints. Returns null if the needed price is not published: of some models, of cache writes, of fast mode.
 *
 * Tokens up to a cache breakpoint (`cache_control`) that are not read from the cache are written to it, at the price of
 * the breakpoint's lifetime. A model with a dearer price for long prompts charges all tokens at it. The split at a
 * breakpoint is an estimate. It ignores the minimum length of a cached prompt. `describeModel` names the source of the
 * prices.
 * @throws RangeError for an unknown model
 */
export function estimateCost(request: CountTokensRequest, options: CostOptions = {}): number | null {
  const facts = getFacts(request.model);
  const { cached = false, count = countTokens(request, options) } = options;
  const { input_tokens: total } = count;
  const price = findPrice(facts, total);
  if (price === null || request.speed === 'fast') return null;
  const oneHourEnd = countUpTo(findLastBreakpoint(request, '1h'), request, count);
  const writtenEnd = Math.max(oneHourEnd, countUpTo(findLastBreakpoint(request, '5m'), request, count));
  const readTokens = countReadTokens(cached, writtenEnd || total, total);
  return sumCosts([
    [readTokens, price.cacheRead],
    [Math.max(0, oneHourEnd - readTokens), price.cacheWrite1h],
    [Math.max(0, writtenEnd - Math.max(oneHourEnd, readTokens)), price.cacheWrite5m],
    [total - Math.max(writtenEnd, readTokens), price.input],
  ]);
}

/**
 * Returns the tokens that are left for the answer: what the input leaves of the context window, and at most the model's
 * output limit. Returns 0 if the input does not fit, and null if the context window is not published.
 * @throws RangeError for an unknown model
 */
export function remaining(request: CountTokensRequest, options: CountOptions & KnownCount = {}): number | null {
  const { contextWindow, maxOutputTokens } = getFacts(request.model);
  if (contextWindow === null) return null;
  const { count = countTokens(request, options) } = options;
  return Math.max(0, Math.min(contextWindow - count.input_tokens, maxOutputTokens ?? Infinity));
}

function countReadTokens(cached: number | boolean, cacheable: number, total: number): number {
  if (typeof cached === 'number') return Math.min(total, Math.max(0, cached));
  return cached ? cacheable : 0;
}

function getFacts(model: string): ModelDescription {
  const facts = describeModel(model);
  if (facts === undefined) throw new RangeError(`model: ${model}`);
  return facts;
}

function findPrice({ price, longContextPrice }: ModelDescription, inputTokens: number): Price | null {
  return longContextPrice !== null && inputTokens > longContextPrice.aboveInputTokens ? longContextPrice : price;
}

/** Returns the sum of tokens at dollars per million each, or null if a price is missing. */
function sumCosts(items: readonly (readonly [tokens: number, price: number | null])[]): number | null {
  let sum = 0;
  for (const [tokens, price] of items) {
    if (tokens === 0) continue;
    if (price === null) return null;
    sum += tokens * price;
  }
  return sum / 1_000_000;
}

/** A place in the prompt, in its order: the field, the index of the tool, block or message, the block of a message. */
type Place = readonly [field: number, index: number, block: number];

/** The fields in the order of the prompt. Settings such as the tool choice are between `system` and `messages`. */
const FIELDS = { tools: 0, system: 1, settings: 2, messages: 3 } as const;

function isAfter(place: Place, other: Place): boolean {
  const index = place.findIndex((value, position) => value !== other[position]);
  return index !== -1 && place[index]! > other[index]!;
}

/** Returns the place of a part. The part of a whole field or message is at its beginning. */
function toPlace(path: string): Place {
  const [field, index = -1, , block = -1] = path.split('.');
  return field === 'tools' || field === 'system' || field === 'messages'
    ? [FIELDS[field], Number(index), Number(block)]
    : [FIELDS.settings, -1, -1];
}

/** Returns the tokens of the prompt up to a place, inclusive. The messages have equal shares of the frame. */
function countUpTo(end: Place | undefined, { messages }: CountTokensRequest, { breakdown }: TokenCount): number {
  if (end === undefined) return 0;
  const frameShare = end[0] === FIELDS.messages ? (end[1] + 1) / messages.length : 0;
  let tokens = 0;
  for (const part of breakdown) {
    if (part.path === '') tokens += Math.round(part.tokens * frameShare);
    else if (!isAfter(toPlace(part.path), end)) tokens += part.tokens;
  }
  return tokens;
}

/** Returns the place of the last cache breakpoint with this lifetime. */
function findLastBreakpoint(request: CountTokensRequest, ttl: '5m' | '1h'): Place | undefined {
  const { messages, system, tools } = request;
  if (getLifetime(request) === ttl) return [FIELDS.messages, messages.length - 1, Infinity];
  const message = messages.findLastIndex(({ content }) => findLastBlock(content, ttl) !== -1);
  if (message !== -1) return [FIELDS.messages, message, findLastBlock(messages[message]!.content, ttl)];
  const systemBlock = findLastBlock(system, ttl);
  if (systemBlock !== -1) return [FIELDS.system, systemBlock, -1];
  const tool = findLastBlock(tools, ttl);
  return tool === -1 ? undefined : [FIELDS.tools, tool, -1];
}

/** Returns the index of the last block or tool with a cache breakpoint of this lifetime, or -1. */
function findLastBlock(blocks: unknown, ttl: '5m' | '1h'): number {
  return toBlocks(blocks).findLastIndex((block) =>
    [block, ...toBlocks(block?.content), ...toBlocks(block?.source?.content)].some((each) => getLifetime(each) === ttl),
  );
}

/** A block or tool, as far as it matters here. A result or document may have blocks with breakpoints of their own. */
type Block = { cache_control?: unknown; content?: unknown; source?: { content?: unknown } | null } | null | undefined;

const toBlocks = (value: unknown): readonly Block[] => (Array.isArray(value) ? value : []);

function getLifetime(block: Block): '5m' | '1h' | undefined {
  const control = block?.cache_control as { ttl?: unknown } | null | undefined;
  if (control == null) return undefined;
  return control.ttl === '1h' ? '1h' : '5m';
}
