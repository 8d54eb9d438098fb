/** The recorded requests: selection of clean records, and conversion of each dialect into our requests. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { listFeatures } from './features.ts';
import { type CountTokensRequest, resolveModel } from '../../src/index.ts';
import { GENERATION_RULES } from '../../src/prompt/generation-rules.ts';

/** One recorded request with the count that the service reported. */
export interface RecordedRequest {
  id: string;
  source: string;
  model: string;
  via: string;
  date: string | null;
  /** Headers of the request, with lowercase names. */
  headers?: Readonly<Record<string, string>>;
  true_input_tokens: number;
  features: string[];
  flags: Record<string, unknown>;
  usage?: { input_tokens: number; cache_read_input_tokens?: number };
  /** Whether the collector of the third set kept the record. Undefined in the other sets, which have only flags. */
  clean?: boolean;
  request: Record<string, unknown> & { messages: CountTokensRequest['messages'] };
}

export interface CleanRecord {
  record: RecordedRequest;
  request: CountTokensRequest;
  /** Values of the beta header. */
  betas?: readonly string[];
  /** Whether the response is also recorded for another body, so that one of the two was edited later. */
  edited: boolean;
}

/** Flags of records whose count may not belong to the body. The README of the recordings explains each. */
const UNCLEAN_FLAGS = [
  'server_tools',
  'mcp_servers',
  'container',
  'iterations',
  'media',
  'placeholder_text',
  'conflicting_counts',
  'unmapped_blocks',
  'edited_usage',
];

/** Reads the kept records of `calibration.jsonl.gz`, or of another file of this format. */
export function readRecords(path: string): RecordedRequest[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedRequest)
    .filter(({ clean }) => clean !== false);
}

/** Returns clean records of countable models (not Claude 2) as our requests. */
export function selectCleanRecords(records: readonly RecordedRequest[]): CleanRecord[] {
  return toCleanRecords(records.filter((record) => UNCLEAN_FLAGS.every((flag) => !(flag in record.flags))));
}

/** Blocks of server tools whose tokens are estimated. */
const ESTIMATED_BLOCK = /"type": ?"(?:mcp_tool_use|(?!(?:web_fetch|tool_search)_tool_result)\w+_tool_result)"/;

/**
 * Returns calls of requests with server tools, as evidence of the tokens of those tools. They are not scored. The
 * billed usage of such a request adds up all of its calls. A streamed response starts with the usage of the first call,
 * which was recorded. If prompts are fully cached, the uncached tokens distinguish one call from two, and the second of
 * two calls reads what the first wrote.
 */
export function listFirstCalls(records: readonly RecordedRequest[]): CleanRecord[] {
  return toCleanRecords(
    records.flatMap((record) => {
      const { flags, request } = record;
      const clean = UNCLEAN_FLAGS.every((flag) => flag === 'server_tools' || !(flag in flags));
      if (!clean || !('server_tools' in flags) || ESTIMATED_BLOCK.test(JSON.stringify(request.messages))) return [];
      const tokens = request['stream'] === true ? record.true_input_tokens : computeFirstCallTokens(record);
      return tokens === undefined ? [] : [{ ...record, true_input_tokens: tokens }];
    }),
  );
}

/** Tokens after the cached part of a prompt: the marker of the pending answer. */
const ANSWER_MARKER = { text: 3, special: 2 };

/**
 * Returns the tokens of the first of at most two calls whose prompts were fully cached. More calls would leave more
 * uncached tokens.
 */
function computeFirstCallTokens({ usage, ...record }: RecordedRequest): number | undefined {
  const row = resolveModel(record.model);
  const marker = ANSWER_MARKER[row === undefined ? 'text' : GENERATION_RULES[row.generation].roleMarkers];
  const cached = usage?.cache_read_input_tokens ?? 0;
  if (usage === undefined || cached === 0 || usage.input_tokens > 2 * ANSWER_MARKER.special) return undefined;
  return usage.input_tokens === marker ? record.true_input_tokens : cached + marker;
}

function toCleanRecords(records: readonly RecordedRequest[]): CleanRecord[] {
  const clean = records.filter((record) => resolveModel(record.model) !== undefined);
  const bodies = new Map<string, Set<string>>();
  for (const record of clean) {
    const key = getRecordingKey(record);
    if (key !== undefined) bodies.set(key, (bodies.get(key) ?? new Set()).add(JSON.stringify(record.request)));
  }
  return clean
    .filter((record) => !hasOfficeFile(record))
    .map((record) => {
      const key = getRecordingKey(record);
      const request = toRequest(record);
      return {
        record: record.features.length > 0 ? record : { ...record, features: listFeatures(request) },
        request,
        betas: listBetas(record),
        edited: key !== undefined && !record.source.includes('@blob') && (bodies.get(key)?.size ?? 0) > 1,
      };
    });
}

/** Clients whose source sends a beta header with a thinking budget that their recordings lack. */
const UNRECORDED_BETAS: Readonly<Record<string, string>> = {
  'docker/cagent': 'interleaved-thinking-2025-05-14',
};

function listBetas({ headers, source }: RecordedRequest): readonly string[] {
  const sent = headers?.['anthropic-beta'] ?? UNRECORDED_BETAS[/^[^/]+\/[^/:]+/.exec(source)?.[0] ?? ''];
  return sent?.split(',') ?? [];
}

/**
 * Returns the key of a recording. Two versions of one file with one response time (to the second) are one
 * recording. The version in use is the edited one.
 */
function getRecordingKey(record: RecordedRequest): string | undefined {
  if (record.date === null || !/\d:\d\d:\d\d/.test(record.date)) return undefined;
  return `${record.source.replace(/@blob.*/, '')} ${record.date} ${record.true_input_tokens}`;
}

/** Returns whether a record has an Office file, which Bedrock accepts and the Messages API does not. */
function hasOfficeFile(record: RecordedRequest): boolean {
  return JSON.stringify(record.request.messages).includes('"data":"UEsDB');
}

interface BedrockOutput {
  textFormat?: { structure?: { jsonSchema?: { schema?: unknown } } };
}

function toRequest(record: RecordedRequest): CountTokensRequest {
  const body = { ...restoreDashes(record), model: record.model } as CountTokensRequest & Record<string, unknown>;
  restoreOrder(record, body);
  const schema = (body['_bedrock_outputConfig'] as BedrockOutput | undefined)?.textFormat?.structure?.jsonSchema
    ?.schema;
  if (schema !== undefined) {
    body.output_config = {
      format: { type: 'json_schema', schema: typeof schema === 'string' ? (JSON.parse(schema) as unknown) : schema },
    };
  }
  if (body['reasoning_config'] !== undefined)
    body.thinking = body['reasoning_config'] as NonNullable<CountTokensRequest['thinking']>;
  return body;
}

/**
 * Key orders of schemas in the clients of two repositories: the official library's own transform, and Rust's schemars.
 * Their cassettes have sorted keys, but an output schema is counted as it was sent.
 */
const KEY_ORDERS: readonly [string, readonly string[]][] = [
  ['pydantic/pydantic-ai', ['$ref', '$defs', 'type', 'anyOf', 'description', 'title', 'properties', 'items']],
  ['0xPlaygrounds/rig', ['$schema', 'title', 'description', 'type', 'properties', 'required', 'additionalProperties']],
];

function restoreOrder(record: RecordedRequest, body: CountTokensRequest): void {
  const keyOrder = KEY_ORDERS.find(([repository]) => record.source.startsWith(`${repository}:`))?.[1];
  if (keyOrder === undefined) return;
  const sortKeys = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sortKeys);
    if (typeof value !== 'object' || value === null) return value;
    const getRank = (key: string): number => (keyOrder.indexOf(key) + keyOrder.length + 1) % (keyOrder.length + 1);
    const keys = Object.keys(value).toSorted((a, b) => getRank(a) - getRank(b));
    return Object.fromEntries(keys.map((key) => [key, sortKeys((value as Record<string, unknown>)[key])]));
  };
  const isSorted = JSON.stringify(Object.keys(record.request)) === JSON.stringify(Object.keys(record.request).sort());
  if (!isSorted) return;
  const restoreFormat = (format: { type: string; schema?: unknown }): { type: string; schema?: unknown } => ({
    ...format,
    schema: sortKeys(format.schema),
  });
  if (body.output_config?.format != null)
    body.output_config = { ...body.output_config, format: restoreFormat(body.output_config.format) };
  if (body.output_format != null) body.output_format = restoreFormat(body.output_format);
}

/**
 * Restores dashes. The serializer of pydantic-ai's cassettes converts a dash into two hyphens (in tool definitions and
 * system texts).
 */
function restoreDashes(record: RecordedRequest): RecordedRequest['request'] {
  const { tools, system } = record.request;
  if (!record.source.startsWith('pydantic/pydantic-ai') || tools === undefined) return record.request;
  const restore = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(/ ?-- ?/g, (dash) => dash.replace('--', '\u2014')));
  return { ...record.request, tools: restore(tools), ...(system !== undefined && { system: restore(system) }) };
}
