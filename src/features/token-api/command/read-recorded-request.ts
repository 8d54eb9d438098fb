import { createHash, type Hash } from 'node:crypto';
import { countTokensRequest } from '../validation/contract.ts';
import { isObject } from '../validation/problem.ts';
import { type Entry, isSynthetic } from './session-entry.ts';

/**
 * Newer versions of Claude Code can save each request in the session file. `api-request-shape` has the system
 * prompt and the tools, `api-request-blob` a message, and `api-request` the other parameters with references to both. A
 * message that user and assistant lines already contain has no blob. A request repeats the first `keep` references of
 * its `base`, and adds those of `tail`.
 *
 * The format is not documented by its maker. Names and hashes are those of versions 2.1.288 and 2.1.289, as public
 * readers of it describe them.
 */
export interface RecordedRequest {
  /** Number of the line with the request. */
  line: number;
  /** The body without cache breakpoints and fields that counting does not take, except `betas`. */
  body: Record<string, unknown> & { model: string; messages: Record<string, unknown>[] };
  /** For each message, the number of the line that it is read from. */
  lineNumbers: number[];
  /** Whether Claude Code saved the request without a part of it. */
  isCut: boolean;
}

interface SavedMessage {
  line: number;
  message: Record<string, unknown>;
}

/** The first `length` blocks of a turn as a message. */
interface HashedTurn {
  hash: string;
  /** First line of the turn. */
  line: number;
  role: string;
  content: readonly unknown[];
  length: number;
}

/**
 * Returns the last request that the file contains as it was sent, or `undefined` if there is none, if a part of it
 * cannot be read, or if later responses show that requests after it were not saved.
 */
export function readRecordedRequest(entries: readonly Entry[]): RecordedRequest | undefined {
  const requests = entries.filter(({ value }) => value['type'] === 'api-request');
  // The session file of a subagent has requests of that subagent only.
  const last = requests.findLast(({ value }) => value['agentId'] === undefined) ?? requests.at(-1);
  if (last === undefined || hasSeveralResponses(entries, last)) return undefined;
  const { params, shapeHash } = last.value;
  const shape = entries.find(({ value }) => value['type'] === 'api-request-shape' && value['shapeHash'] === shapeHash);
  const parts = shape?.value['shape'];
  const hashes = listMessageHashes(requests, last);
  if (!isObject(params) || typeof params['model'] !== 'string' || !isObject(parts) || hashes === undefined)
    return undefined;
  const saved = readMessages(entries, hashes);
  if (saved === undefined) return undefined;
  return {
    line: last.line,
    body: {
      ...Object.fromEntries(
        Object.entries({ ...params, ...omitBreakpoints(parts) }).filter(([name]) => COUNTED_FIELDS.has(name)),
      ),
      model: params['model'],
      messages: saved.map(({ message }) => omitBreakpoints(message)),
    },
    lineNumbers: saved.map(({ line }) => line),
    isCut: last.value['cutRequestDigest'] !== undefined,
  };
}

/** Names of the parameters that counting takes, and `betas`, by which some of them cost more. */
const COUNTED_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(countTokensRequest.omit({ cache_control: true }).shape),
  'betas',
]);

/** Returns the lists of an object without cache breakpoints, which cost nothing and have more fields in Claude Code. */
function omitBreakpoints(value: Record<string, unknown>): Record<string, unknown> {
  const omitFrom = (block: unknown): unknown =>
    isObject(block) ? Object.fromEntries(Object.entries(block).filter(([name]) => name !== 'cache_control')) : block;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, Array.isArray(field) ? field.map(omitFrom) : field]),
  );
}

/** Returns whether the model responded more than once after a request. A response is saved as one line a block. */
function hasSeveralResponses(entries: readonly Entry[], request: Entry): boolean {
  const responses = entries.filter(
    ({ line, value }) =>
      line > request.line &&
      value['type'] === 'assistant' &&
      value['agentId'] === request.value['agentId'] &&
      !isSynthetic(value),
  );
  const ids = responses.map(({ value: { message } }) => (isObject(message) ? message['id'] : undefined));
  return new Set(ids).size > 1;
}

interface References {
  /** How many references of the base come first. */
  keep: number;
  tail: string[];
  /** Identifier of an earlier request. */
  base: unknown;
}

function parseReferences({ keep, tail, base }: Record<string, unknown>): References | undefined {
  if (typeof keep !== 'number' || keep < 0 || !Array.isArray(tail)) return undefined;
  return tail.every((hash) => typeof hash === 'string') ? { keep, tail, base } : undefined;
}

/** Returns the references to the messages of a request, or `undefined` if they are not complete. */
function listMessageHashes(requests: readonly Entry[], request: Entry): string[] | undefined {
  const byId = new Map(requests.map((entry) => [entry.value['id'], entry]));
  const own = parseReferences(request.value);
  if (own === undefined) return undefined;
  const parts: string[][] = [];
  let current: Entry | undefined = request;
  let needed = own.keep + own.tail.length;
  while (needed > 0) {
    const references: References | undefined = current && parseReferences(current.value);
    if (current === undefined || references === undefined) return undefined;
    const { keep, tail, base } = references;
    if (needed > keep + tail.length) return undefined;
    parts.push(tail.slice(0, Math.max(needed - keep, 0)));
    needed = Math.min(needed, keep);
    const previous = byId.get(base);
    current = previous !== undefined && previous.line < current.line ? previous : undefined;
  }
  return parts.reverse().flat();
}

/** Returns the messages that `hashes` refer to, or `undefined` if one of them is not in the file. */
function readMessages(entries: readonly Entry[], hashes: readonly string[]): SavedMessage[] | undefined {
  const missing = new Set(hashes);
  const found = new Map<string, SavedMessage>();
  const add = (hash: unknown, line: number, readMessage: () => Record<string, unknown>): void => {
    if (typeof hash === 'string' && missing.delete(hash)) found.set(hash, { line, message: readMessage() });
  };
  for (const { line, value } of entries) {
    const { type, hash, message } = value;
    if (type === 'api-request-blob' && isObject(message)) add(hash, line, () => message);
  }
  if (missing.size > 0)
    for (const { line, hash, role, content, length } of hashTurns(entries))
      add(hash, line, () => ({ role, content: content.slice(0, length) }));
  return missing.size > 0 ? undefined : hashes.map((hash) => found.get(hash)!);
}

/**
 * Yields each message that user and assistant lines make up, with its hash. Lines of a user that follow one another are
 * one message, and so are the lines of one response. As a message may end after any of its lines, each is yielded.
 */
function* hashTurns(entries: readonly Entry[]): Generator<HashedTurn> {
  let turn: { role: string; id: unknown; line: number; content: unknown[]; hash: Hash } | undefined;
  for (const { line, value } of entries) {
    if (value['type'] !== 'user' && value['type'] !== 'assistant') continue;
    const { message } = value;
    if (!isObject(message) || typeof message['role'] !== 'string' || !('content' in message)) {
      turn = undefined;
      continue;
    }
    const { role, id } = message;
    const continues = turn?.role === role && (role === 'user' || (id !== undefined && turn.id === id));
    if (turn === undefined || !continues)
      turn = { role, id, line, content: [], hash: createHash('sha256').update('{"content":[') };
    for (const block of toBlocks(message['content'])) {
      turn.hash.update(`${turn.content.length > 0 ? ',' : ''}${stringify(block)}`);
      turn.content.push(block);
    }
    const hash = turn.hash
      .copy()
      .update(`],"role":${stringify(role)}}`)
      .digest('hex');
    yield { hash, line: turn.line, role, content: turn.content, length: turn.content.length };
  }
}

function toBlocks(content: unknown): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [content];
}

/** Writes a value of JSON as Claude Code does for a hash: with sorted keys and without cache breakpoints. */
function stringify(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => name !== 'cache_control');
  const fields = names.sort().map((name) => `${JSON.stringify(name)}:${stringify(value[name])}`);
  return `{${fields.join(',')}}`;
}
