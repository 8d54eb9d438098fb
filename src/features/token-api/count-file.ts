import {
  type BreakdownPart,
  collectMedia,
  countTokens,
  type CountTokensRequest,
  resolveModel,
  type TokenCount,
  type Uncertainty,
  estimateUncertainty,
} from '../../../packages/token-counter/src/index.ts';
import { createPdfParser } from './pdf/pdf-parser.ts';
import { createReadMedia } from './read-media.ts';
import { decodeBody } from './validation/decode-body.ts';
import { findMediaProblem } from './validation/media-rules.ts';
import { formatProblem, isObject } from './validation/problem.ts';
import { validateRequest } from './validation/validate-request.ts';

type CountedFile =
  | { ok: true; count: TokenCount; uncertainty: Uncertainty; table: string }
  | { ok: false; message: string };

/** Validates and counts a request as the endpoint does, and returns its parts. Sampling parameters are ignored. */
export async function countFile(bytes: Buffer, model?: string): Promise<CountedFile> {
  const decoded = decodeBody(bytes);
  if (!decoded.ok) return { ok: false, message: formatProblem(decoded.problem) };
  const body = isObject(decoded.value) ? omitSamplingParameters(decoded.value) : {};
  if (model !== undefined) body['model'] = model;
  const problem = validateRequest(body, '2023-06-01');
  if (problem) return { ok: false, message: formatProblem(problem) };
  const request = body as unknown as CountTokensRequest;
  const row = resolveModel(request.model);
  if (!row) return { ok: false, message: `model: ${request.model} is not known` };
  const media = collectMedia(request);
  const mediaProblem = findMediaProblem(media, row.maxMedia);
  if (mediaProblem) return { ok: false, message: formatProblem(mediaProblem) };
  const pdfParser = createPdfParser();
  let mediaRead;
  try {
    mediaRead = await createReadMedia(pdfParser)(media, row, () => false);
  } finally {
    await pdfParser.close();
  }
  if (!mediaRead.ok) return { ok: false, message: formatProblem(mediaRead.problem) };
  const count = countTokens(request, mediaRead.options);
  const uncertainty = estimateUncertainty(count, request.model);
  return { ok: true, count, uncertainty, table: formatBreakdown(count) + formatBounds(uncertainty) };
}

const SAMPLING_PARAMETERS = [
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
];

/**
 * Removes sampling parameters. A file often holds a whole Messages request, and those parameters do not change its
 * input.
 */
function omitSamplingParameters(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SAMPLING_PARAMETERS.includes(name)));
}

/** Returns one line with the bounds of the count, or an empty string if every part is exact. */
function formatBounds({ low, high, parts }: Uncertainty): string {
  if (low === high) return '';
  const kinds = [...new Set(parts.map(({ kind }) => kind))].join(', ');
  return `likely between ${low} and ${high}${kinds === '' ? '' : `: ${kinds}`}\n`;
}

function formatBreakdown({ input_tokens, breakdown }: TokenCount): string {
  const width = Math.max(6, String(input_tokens).length);
  const formatLine = (part: BreakdownPart): string =>
    [String(part.tokens).padStart(width), part.kind.padEnd(13), part.path + (part.exact ? '' : '  (estimate)')]
      .join('  ')
      .trimEnd();
  return `${[...breakdown.map(formatLine), `${String(input_tokens).padStart(width)}  input tokens`].join('\n')}\n`;
}
