import type { BreakdownPart } from '../../../../../packages/token-counter/src/index.ts';
import { getShortName, isFileName } from './request-files.ts';

const KIND_LABELS: Readonly<Record<BreakdownPart['kind'], string>> = {
  frame: 'Frame',
  system: 'System prompt',
  tools: 'Tools',
  tool_choice: 'Tool choice',
  output_schema: 'Output schema',
  text: 'Text',
  tool_use: 'Tool use',
  tool_result: 'Tool result',
  thinking: 'Thinking',
  image: 'Image',
  document: 'Document',
  search_result: 'Search result',
  citations: 'Citations',
  server_tool: 'Server tool',
};

/** Maximum length of the text that a label quotes. */
const QUOTE_LENGTH = 40;
/** Maximum length of the text that is read for a quote, because it may have much white space. */
const QUOTE_SOURCE_LENGTH = 1_000;

/**
 * Returns the label of a part: its kind with the name of its tool or file, or the start of its text.
 * @param request the request with the names of its files
 */
export function labelPart({ path, kind }: Pick<BreakdownPart, 'path' | 'kind'>, request: unknown): string {
  if (path === 'tools') return 'Tool use';
  const label = KIND_LABELS[kind];
  const value = readPath(request, path);
  if (kind === 'frame') return path === '' ? label : `Frame of ${path}`;
  if (typeof value === 'string') return addDetail(label, quote(value));
  if (typeof value !== 'object' || value === null) return label;
  const { name, type, title, source, text } = value as Record<string, unknown>;
  if (kind === 'tools') return addDetail('Tool', name ?? type);
  const data = readPath(source, 'data');
  if (isFileName(data)) return addDetail(isPdf(source) ? 'PDF' : label, getShortName(data));
  return addDetail(label, title ?? name ?? (typeof text === 'string' ? quote(text) : undefined));
}

const isPdf = (source: unknown): boolean => readPath(source, 'media_type') === 'application/pdf';

function addDetail(label: string, detail: unknown): string {
  return typeof detail === 'string' && detail !== '' ? `${label}: ${detail}` : label;
}

function quote(text: string): string {
  const trimmed = text.trim();
  const line = trimmed.slice(0, QUOTE_SOURCE_LENGTH).replaceAll(/\s+/g, ' ');
  if (trimmed.length <= QUOTE_SOURCE_LENGTH && line.length <= QUOTE_LENGTH) return line;
  return `${[...line].slice(0, QUOTE_LENGTH).join('')}…`;
}

/** Returns the value at a path such as `messages.0.content`, or undefined. */
function readPath(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
