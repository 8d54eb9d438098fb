import { parseJson } from '../../../platform/http/parse-json.ts';
import { isObject } from '../validation/problem.ts';
import { listRendered, readPromptSnapshot } from './read-prompt-snapshot.ts';
import { readRecordedRequest } from './read-recorded-request.ts';
import { type Entry, isSynthetic } from './session-entry.ts';

/**
 * What a session file of Claude Code has of a request. The format is not documented by its maker and changes between
 * versions. The lines of a conversation have been stable from version 1 to 2.1.
 */
export interface Transcript {
  /** The last request that was sent, or as much of it as the file has. */
  request: Record<string, unknown> & { model?: string; messages: Record<string, unknown>[] };
  /**
   * `last_request`: the request is as it was sent. `snapshot`: it is put together from the conversation, reminders, and
   * a snapshot of system prompt and tools. `conversation`: the file has nothing else.
   */
  counted: 'last_request' | 'snapshot' | 'conversation';
  /** The line of the last request, and whether Claude Code saved it without a part. */
  recorded?: { line: number; isCut: boolean };
  /** For each message, the number of its first line in the file. */
  lineNumbers: number[];
  lineCount: number;
  leftOut: LeftOut[];
}

interface TranscriptMessage extends Record<string, unknown> {
  role: 'user' | 'assistant';
  content: Block[];
}

/** Lines of one reason that are not counted. */
export interface LeftOut {
  reason: string;
  lines: number[];
}

type Block = Record<string, unknown> & { type?: unknown };

/** A line of the conversation. */
interface Turn {
  line: number;
  role: 'user' | 'assistant';
  blocks: Block[];
  model: unknown;
}

/** Returns whether a parsed line is from a session file of Claude Code. */
export function isTranscriptLine(value: unknown): value is Record<string, unknown> {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    !('messages' in value) &&
    ['uuid', 'leafUuid', 'sessionId', 'messageId', 'snapshot'].some((key) => key in value)
  );
}

/**
 * Returns the last request of the file, or the conversation up to its last message if the file has no whole request.
 * After an edited prompt a file has several branches, of which the last one is read.
 */
export function readTranscript(lines: Iterable<{ number: number; text: string }>): Transcript {
  const leftOut = new Map<string, number[]>();
  const leaveOut = (reason: string, line: number): void => {
    const known = leftOut.get(reason);
    if (known === undefined) leftOut.set(reason, [line]);
    else known.push(line);
  };
  const entries: Entry[] = [];
  let lineCount = 0;
  for (const { number, text } of lines) {
    lineCount += 1;
    const value = parseLine(text);
    if (value === undefined) leaveOut('not valid JSON', number);
    else entries.push({ line: number, value });
  }
  const recorded = readRecordedRequest(entries);
  if (recorded !== undefined) {
    const { body, line: sentLine, isCut, lineNumbers } = recorded;
    for (const { line } of entries) if (line > sentLine) leaveOut('after the last request', line);
    const recordedAt = { line: sentLine, isCut };
    const rest = { lineNumbers, lineCount, leftOut: Array.from(leftOut, toLeftOut) };
    return { request: body, counted: 'last_request', recorded: recordedAt, ...rest };
  }
  const branch = selectBranch(entries);
  const branchEntries = new Set(branch.entries);
  for (const entry of entries) if (!branchEntries.has(entry)) leaveOut(describeOmission(entry, branch), entry.line);
  const turns: Turn[] = [];
  for (const entry of branch.entries) {
    const turn = toTurn(entry);
    if (turn) turns.push(turn);
    else leaveOut(describeOmission(entry, branch), entry.line);
  }
  for (const line of dropUnpairedCalls(turns)) leaveOut('calls without a result or results without a call', line);
  const snapshot = readPromptSnapshot(branch.entries);
  const { request, lineNumbers } = mergeIntoMessages(turns);
  return {
    request: { ...snapshot, ...request },
    counted: snapshot === undefined ? 'conversation' : 'snapshot',
    lineNumbers,
    lineCount,
    leftOut: Array.from(leftOut, toLeftOut),
  };
}

const toLeftOut = ([reason, lines]: [string, number[]]): LeftOut => ({
  reason,
  lines: lines.toSorted((a, b) => a - b),
});

function parseLine(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

interface Branch {
  /** The lines of the branch in the order of the conversation. */
  entries: Entry[];
  /** Line on which the branch begins although the file has earlier ones, and why. */
  start?: { line: number; reason: string };
}

/**
 * Returns the lines from the start of the conversation to its last message. Each line names its predecessor, and a
 * compaction starts a new chain.
 */
function selectBranch(entries: readonly Entry[]): Branch {
  const byId = new Map<string, Entry>();
  for (const entry of entries) {
    const id = entry.value['uuid'];
    if (typeof id === 'string' && !byId.has(id)) byId.set(id, entry);
  }
  const messages = entries.filter(isMessage);
  // The session file of a subagent consists of lines of a side chain only.
  let current = messages.findLast(({ value }) => value['isSidechain'] !== true) ?? messages.at(-1);
  const chain = new Set<Entry>();
  while (current !== undefined && !chain.has(current)) {
    chain.add(current);
    const parent: unknown = current.value['parentUuid'];
    current = typeof parent === 'string' ? byId.get(parent) : undefined;
  }
  const ordered = [...chain].reverse();
  const [first] = ordered;
  const isCompacted = first?.value['subtype'] === 'compact_boundary';
  const branch = addParallelCalls(isCompacted ? insertPreserved(ordered, first, byId) : ordered, entries);
  if (first === undefined) return { entries: branch };
  if (isCompacted) return { entries: branch, start: { line: first.line, reason: 'before the last compaction' } };
  if (first.value['parentUuid'] == null) return { entries: branch };
  const reason = `before line ${first.line}, whose predecessor is missing`;
  return { entries: branch, start: { line: first.line, reason } };
}

const isMessage = ({ value }: Entry): boolean => value['type'] === 'user' || value['type'] === 'assistant';

/** Inserts the messages that a compaction kept behind its summary. */
function insertPreserved(chain: readonly Entry[], compaction: Entry, byId: Map<string, Entry>): Entry[] {
  const metadata = compaction.value['compactMetadata'];
  const kept = isObject(metadata) ? metadata['preservedMessages'] : undefined;
  if (!isObject(kept) || !Array.isArray(kept['uuids'])) return [...chain];
  const preserved = (kept['uuids'] as unknown[])
    .map((id) => byId.get(String(id)))
    .filter((entry) => entry !== undefined);
  const others = chain.filter((entry) => !preserved.includes(entry));
  const anchor = others.findIndex(({ value }) => value['uuid'] === kept['anchorUuid']);
  return anchor < 0 ? [...chain] : others.toSpliced(anchor + 1, 0, ...preserved);
}

/**
 * Adds the lines of parallel calls that are outside the chain. A response is saved as one line a block, and of several
 * calls only the last result continues the chain.
 */
function addParallelCalls(chain: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const responses = new Map<string, Entry[]>();
  const resultLines = new Map<string, Entry[]>();
  const append = (map: Map<string, Entry[]>, key: string, entry: Entry): void => {
    map.set(key, [...(map.get(key) ?? []), entry]);
  };
  for (const entry of entries) {
    const id = getMessage(entry)?.['id'];
    if (entry.value['type'] === 'assistant' && typeof id === 'string') append(responses, id, entry);
    for (const block of listBlocks(entry))
      if (block.type === 'tool_result') append(resultLines, String(block['tool_use_id']), entry);
  }
  const answered = new Set(chain.flatMap((entry) => listResultIds(entry)));
  /** Returns the lines with the results of a line's calls that the chain lacks. */
  const listMissingResults = (entry: Entry): Entry[] =>
    listBlocks(entry).flatMap(({ type, id }) =>
      type === 'tool_use' && !answered.has(String(id)) ? (resultLines.get(String(id)) ?? []).slice(0, 1) : [],
    );
  const lines = chain.flatMap((entry) => {
    const id = getMessage(entry)?.['id'];
    const response = entry.value['type'] === 'assistant' && typeof id === 'string' ? responses.get(id) : undefined;
    return response === undefined ? [entry] : [...response, ...response.flatMap(listMissingResults)];
  });
  return [...new Set(lines)];
}

function getMessage({ value }: Entry): Record<string, unknown> | undefined {
  return isObject(value['message']) ? value['message'] : undefined;
}

function listBlocks(entry: Entry): Block[] {
  const content = getMessage(entry)?.['content'];
  return Array.isArray(content) ? (content as unknown[]).filter(isObject) : [];
}

function listResultIds(entry: Entry): string[] {
  return listBlocks(entry).flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [String(tool_use_id)] : []));
}

function describeOmission({ line, value }: Entry, { start }: Branch): string {
  const { type, subtype } = value;
  if (isObject(value['attachment']) && value['attachment']['type'] === 'prompt_snapshot')
    return 'snapshots of system prompt and tools, of which the last ones are counted';
  if (type === 'assistant' && isSynthetic(value)) return 'messages that Claude Code wrote in place of a response';
  if (type !== 'user' && type !== 'assistant')
    return typeof subtype === 'string' ? `${String(type)} (${subtype})` : String(type);
  if (value['isSidechain'] === true) return 'subagents';
  if (start !== undefined && line < start.line) return start.reason;
  return 'other branches, repeated lines and lines without content';
}

/** Returns the content of a line, or `undefined` if Claude Code does not send the line. */
function toTurn({ line, value }: Entry): Turn | undefined {
  const { type } = value;
  if (type === 'attachment') return createTurn(line, 'user', toBlocks(listRendered(value)), undefined);
  if (type === 'system' && value['subtype'] === 'local_command')
    return createTurn(line, 'user', toBlocks(value['content']), undefined);
  if ((type !== 'user' && type !== 'assistant') || isSynthetic(value) || !isObject(value['message'])) return undefined;
  const { content, model } = value['message'];
  return createTurn(line, type, toBlocks(content), type === 'assistant' ? model : undefined);
}

function createTurn(line: number, role: Turn['role'], blocks: Block[], model: unknown): Turn | undefined {
  return blocks.length === 0 ? undefined : { line, role, blocks, model };
}

/** Returns the blocks of a content without empty texts, which the API rejects. */
function toBlocks(content: unknown): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).filter(isObject).filter(({ type, text }) => type !== 'text' || text !== '');
}

/** Removes calls and results whose counterpart is missing. Returns the lines that had one. */
function dropUnpairedCalls(turns: Turn[]): number[] {
  const blocks = turns.flatMap((turn) => turn.blocks);
  const calls = new Set(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id));
  const results = new Set(blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id));
  const isPaired = ({ type, id, tool_use_id }: Block): boolean =>
    (type !== 'tool_use' || results.has(id)) && (type !== 'tool_result' || calls.has(tool_use_id));
  const lines: number[] = [];
  for (const turn of turns) {
    const paired = turn.blocks.filter(isPaired);
    if (paired.length < turn.blocks.length) lines.push(turn.line);
    turn.blocks = paired;
  }
  return lines;
}

/** Merges adjacent lines of one role. Results precede the other content of a user message, as the API requires. */
function mergeIntoMessages(turns: readonly Turn[]): Pick<Transcript, 'request' | 'lineNumbers'> {
  const messages: TranscriptMessage[] = [];
  const lineNumbers: number[] = [];
  for (const { line, role, blocks } of turns) {
    if (blocks.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else {
      messages.push({ role, content: [...blocks] });
      lineNumbers.push(line);
    }
  }
  for (const message of messages)
    if (message.role === 'user')
      message.content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
  trimLastAnswer(messages);
  const model = turns.findLast((turn) => typeof turn.model === 'string')?.model;
  return { request: { ...(typeof model === 'string' && { model }), messages }, lineNumbers };
}

/** Removes white space from the end of a last answer, which the API rejects there. */
function trimLastAnswer(messages: readonly TranscriptMessage[]): void {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block?.type !== 'text' || typeof block['text'] !== 'string') return;
  last.content.splice(-1, 1, { ...block, text: block['text'].trimEnd() });
}
