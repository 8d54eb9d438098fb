import { constants } from 'node:buffer';
import {
  type BreakdownPart,
  collectMedia,
  countTokens,
  type CountTokensRequest,
  estimateUncertainty,
  resolveModel,
  type TokenCount,
  type Uncertainty,
} from '../../../packages/token-counter/src/index.ts';
import { listBetas, omitCreationFields } from './command/creation-fields.ts';
import { parseJson } from '../../platform/http/parse-json.ts';
import { locateProblem } from './command/locate-problem.ts';
import { formatUse, measureUse, type RequestUse } from './command/request-use.ts';
import { isTranscriptLine, type LeftOut, readTranscript, type Transcript } from './command/read-transcript.ts';
import { createPdfParser } from './pdf/pdf-parser.ts';
import { listPdfs, readPdfs } from './pdf/read-pdfs.ts';
import { decodeBase64 } from './validation/decode-base64.ts';
import { decodeBody } from './validation/decode-body.ts';
import { findMediaProblem } from './validation/media-rules.ts';
import { formatProblem, isObject, type Problem, truncateForMessage, validationError } from './validation/problem.ts';
import { validateRequest } from './validation/validate-request.ts';

/** Options of one count. */
export interface CountFileOptions {
  /** Model to count for instead of the one in the request. */
  model?: string | undefined;
  /** Whether thinking of earlier turns counts on models that keep it. */
  keepsEarlierThinking?: boolean | undefined;
}

/** A part of a breakdown. A part of `tools` has the name of its tool. */
export type NamedPart = BreakdownPart & { name?: string };

export interface CountedRequest {
  count: Omit<TokenCount, 'breakdown'> & { breakdown: NamedPart[] };
  uncertainty: Uncertainty;
  use: RequestUse;
  /** The model that was counted for, if the request names it as another platform does. */
  takenModel: { given: string; taken: string } | undefined;
}

type CountRequestResult = { ok: true; counted: CountedRequest } | { ok: false; problem: Problem };

/** Validates and counts a parsed request as the endpoint does. Fields that only creation takes are ignored. */
export async function countRequest(
  value: Record<string, unknown>,
  { model, keepsEarlierThinking = false }: CountFileOptions = {},
): Promise<CountRequestResult> {
  const body = omitCreationFields(value);
  if (model !== undefined) body['model'] = model;
  const problem = validateRequest(body, '2023-06-01', listBetas(value));
  if (problem) return { ok: false, problem };
  const given = body['model'] as string;
  const row = resolveModel(given);
  if (!row) return { ok: false, problem: validationError(`${truncateForMessage(given)} is not known`, 'model') };
  const request = body as unknown as CountTokensRequest;
  const media = collectMedia(request);
  const mediaProblem = findMediaProblem(request, media, row, decodeBase64);
  if (mediaProblem) return { ok: false, problem: mediaProblem };
  const remote = media.find(({ block }) => block.source.type === 'url');
  if (remote) return { ok: false, problem: validationError(URL_NOT_FETCHED_MESSAGE, `${remote.path}.source.url`) };
  const pdfParser = createPdfParser();
  let read;
  try {
    read = await readPdfs(listPdfs(media), row.maxMedia, async ({ data }) => {
      const { result } = await pdfParser.parse(Buffer.from(data, 'base64'));
      return result;
    });
  } finally {
    await pdfParser.close();
  }
  if (!read.ok) return { ok: false, problem: read.problem };
  const { pdfs } = read;
  const count = countTokens(request, {
    pdf: (source) => pdfs.get(source),
    keepsEarlierThinking,
    betas: listBetas(value),
  });
  return {
    ok: true,
    counted: {
      count: { ...count, breakdown: count.breakdown.map((part) => addToolName(part, request)) },
      uncertainty: estimateUncertainty(count, row.id),
      use: measureUse(request, count),
      takenModel: [row.id, ...row.aliases].includes(given) ? undefined : { given, taken: row.id },
    },
  };
}

const URL_NOT_FETCHED_MESSAGE = 'only the service fetches files from URLs; pass the data as base64';

function addToolName(part: BreakdownPart, { tools }: CountTokensRequest): NamedPart {
  const index = /^tools\.(\d+)$/.exec(part.path)?.[1];
  const tool = index === undefined ? undefined : tools?.[Number(index)];
  const name = tool?.name ?? tool?.type;
  return name == null ? part : { ...part, name };
}

type CountedFile =
  | { ok: true; counted: CountedRequest; transcript: Transcript | undefined }
  | { ok: false; message: string };

/**
 * Counts a file: a request for counting or creation, or a session file of Claude Code. The message of a problem begins
 * with the name of the file, line and column.
 */
export async function countFile(bytes: Buffer, name: string, options: CountFileOptions = {}): Promise<CountedFile> {
  const fail = (message: string, place = ''): CountedFile => ({ ok: false, message: `${name}${place}: ${message}` });
  if (bytes.length > constants.MAX_STRING_LENGTH)
    return fail('the file is too large to be one request. --lines reads JSON Lines one by one.');
  const text = bytes.toString('utf8');
  const first = parseFirstLine(text);
  if (isTranscriptLine(first)) return countTranscript(text, fail, options);
  if (first !== undefined) return fail('the file has several lines of JSON. Count one request a line with --lines.');
  const decoded = decodeBody(bytes);
  if (!decoded.ok) return fail(formatProblem(decoded.problem));
  if (isTranscriptLine(decoded.value)) return countTranscript(text, fail, options);
  const result = await countRequest(decoded.value as Record<string, unknown>, options);
  if (result.ok) return { ...result, transcript: undefined };
  const place = locateProblem(text, result.problem);
  return fail(formatProblem(result.problem), place && `:${place.line}:${place.column}`);
}

/** Counts what a session file has of a request. A problem is reported at the line where its message begins. */
async function countTranscript(
  text: string,
  fail: (message: string, place?: string) => CountedFile,
  options: CountFileOptions,
): Promise<CountedFile> {
  const transcript = readTranscript(listLines(text));
  if (transcript.request.messages.length === 0) return fail('the session has no messages.');
  if (options.model === undefined && transcript.request.model === undefined)
    return fail('the session names no model. Name one with --model.');
  const result = await countRequest(transcript.request, options);
  if (result.ok) return { ...result, transcript };
  const { problem } = result;
  const line = transcript.lineNumbers[Number(/^messages\.(\d+)/.exec(problem.path)?.[1])];
  return fail(formatProblem(problem), line === undefined ? '' : `:${line}`);
}

/** Returns the JSON object on the first of several lines, or `undefined` if the file is one JSON value. */
function parseFirstLine(text: string): Record<string, unknown> | undefined {
  const trimmed = text.trim();
  const end = trimmed.indexOf('\n');
  if (end < 0) return undefined;
  const first = parseJson(trimmed.slice(0, end));
  return isObject(first) ? first : undefined;
}

function* listLines(text: string): Generator<{ number: number; text: string }> {
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.trim() !== '') yield { number, text: line };
  }
}

/** Formats the parts, the total, the bounds, the share of the context window and the cost. */
export function formatCount({ count, uncertainty, use }: CountedRequest): string {
  return formatBreakdown(count) + formatBounds(uncertainty) + formatUse(use);
}

/** Returns one line with the bounds of the count, or an empty string if every part is exact. */
function formatBounds({ low, high, parts }: Uncertainty): string {
  if (low === high) return '';
  const kinds = [...new Set(parts.map(({ kind }) => kind))].join(', ');
  return `likely between ${low} and ${high}${kinds === '' ? '' : `: ${kinds}`}\n`;
}

function formatBreakdown({ input_tokens, breakdown }: CountedRequest['count']): string {
  const width = Math.max(6, String(input_tokens).length);
  const formatLine = (part: NamedPart): string =>
    [
      String(part.tokens).padStart(width),
      part.kind.padEnd(13),
      formatPartName(part) + (part.exact ? '' : '  (estimate)'),
    ]
      .join('  ')
      .trimEnd();
  return `${[...breakdown.map(formatLine), `${String(input_tokens).padStart(width)}  input tokens`].join('\n')}\n`;
}

/** Returns path and tool name of a part: `tools.0 get_weather`. */
export const formatPartName = ({ path, name }: Pick<NamedPart, 'path' | 'name'>): string =>
  name === undefined ? path : `${path} ${name}`;

/** Number of lines that a note lists by number. */
const LISTED_LINES = 5;

/** Returns what of a session file was counted, one line for each reason to leave lines out, and what the file lacks. */
export function formatTranscriptNotes({ recorded, counted, request, lineCount, leftOut }: Transcript): string[] {
  const leftOutCount = leftOut.reduce((sum, { lines }) => sum + lines.length, 0);
  const formatReason = ({ reason, lines }: LeftOut): string => {
    const listed = lines.slice(0, LISTED_LINES).join(', ');
    const more = lines.length > LISTED_LINES ? ', …' : '';
    return `left out, ${reason}: ${lines.length} (line ${listed}${more})`;
  };
  if (recorded !== undefined)
    return [
      `a Claude Code session: its last request (line ${recorded.line}) with ${request.messages.length} messages, ` +
        'system prompt and tools',
      ...leftOut.map(formatReason),
      ...(recorded.isCut ? ['Claude Code saved this request without a part of it'] : []),
    ];
  return [
    `a Claude Code session: ${lineCount - leftOutCount} of ${lineCount} lines are the conversation of its last branch`,
    ...leftOut.map(formatReason),
    counted === 'snapshot'
      ? 'system prompt, tools and reminders are those that the file names: the request that was sent may differ'
      : 'a session file of this version has no system prompt, tool definitions or reminders: Claude Code sends those as well',
  ];
}
