import { isObject } from '../../validation/problem.ts';
import type { FileBlock } from './read-dropped-file.ts';

/** A request whose shape the form can show. Other fields are kept. */
export interface BuildableRequest {
  model?: unknown;
  system?: string | Block[];
  tools?: unknown[];
  thinking?: { type?: unknown; budget_tokens?: unknown };
  output_config?: { effort?: unknown };
  messages?: Turn[];
}

export interface Turn {
  role: string;
  content: string | Block[];
}

export type Block = { type?: unknown; text?: unknown; source?: unknown } & Record<string, unknown>;

/** Parses the text of a request for the form. Returns undefined if the form cannot show it. */
export function readBuildableRequest(text: string): BuildableRequest | undefined {
  // The form starts from an empty request when the editor is empty.
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { system, tools, thinking, output_config: outputConfig, messages } = value;
  const isBuildable =
    (system === undefined || isContent(system)) &&
    (tools === undefined || Array.isArray(tools)) &&
    (thinking === undefined || isObject(thinking)) &&
    (outputConfig === undefined || isObject(outputConfig)) &&
    (messages === undefined || (Array.isArray(messages) && messages.every(isTurn)));
  return isBuildable ? value : undefined;
}

const isContent = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every(isObject));
const isTurn = (value: unknown): boolean =>
  isObject(value) && typeof value['role'] === 'string' && isContent(value['content']);

export const formatRequest = (request: BuildableRequest): string => JSON.stringify(request, null, 2);

/** Returns the request with a field, or without the field if the value is undefined. */
export function setField(
  request: BuildableRequest,
  name: keyof BuildableRequest,
  value: BuildableRequest[keyof BuildableRequest],
): BuildableRequest {
  if (value !== undefined) return { ...request, [name]: value };
  const { [name]: _removed, ...others } = request;
  return others;
}

/** Returns the request with its turns changed. */
export function editTurns(request: BuildableRequest, edit: (turns: Turn[]) => Turn[]): BuildableRequest {
  return setField(request, 'messages', edit([...(request.messages ?? [])]));
}

/** Returns the list with the item at `from` moved to `to`. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Returns the content as blocks. A non-empty text is one text block. */
export function toBlocks(content: string | Block[]): Block[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** Returns blocks as a text if they are one plain text block. */
export function simplifyContent(blocks: Block[]): string | Block[] {
  const [only] = blocks;
  if (blocks.length === 0) return '';
  const isPlainText = blocks.length === 1 && only?.type === 'text' && Object.keys(only).length === 2;
  return isPlainText && typeof only.text === 'string' ? only.text : blocks;
}

/**
 * Returns the request with files before the text of a turn, as the provider recommends. Without an index the files go
 * to the last user turn, which is added if it is missing.
 */
export function addFileBlocks(
  request: BuildableRequest,
  blocks: readonly FileBlock[],
  index?: number,
): BuildableRequest {
  return editTurns(request, (turns) => {
    let target = index ?? turns.findLastIndex(({ role }) => role === 'user');
    if (target === -1) target = turns.push({ role: 'user', content: '' }) - 1;
    const turn = turns[target];
    if (!turn) return turns;
    const existing = toBlocks(turn.content);
    const textIndex = existing.findIndex(({ type }) => type === 'text');
    const place = textIndex === -1 ? existing.length : textIndex;
    turns[target] = { ...turn, content: existing.toSpliced(place, 0, ...blocks.map((block) => ({ ...block }))) };
    return turns;
  });
}
