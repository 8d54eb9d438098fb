import { type CountFileOptions, countRequest } from '../count-file.ts';
import { decodeBody } from '../validation/decode-body.ts';
import { formatProblem, isObject } from '../validation/problem.ts';
import type { RequestUse } from './request-use.ts';
import type { Line } from './split-lines.ts';

/** The result for a request: its count with bounds, or why it is not valid. */
type RequestResult = { custom_id?: string } & (
  | ({ input_tokens: number; low: number; high: number; model?: string } & RequestUse)
  | { error: string }
);

/** The result for one line of a JSON Lines file. */
export type LineResult = { line: number } & RequestResult;

/**
 * Yields a result for each request of a JSON Lines file, one line at a time. A line is a request, or an entry of a
 * message batch (`custom_id` and `params`).
 */
export async function* countLines(lines: AsyncIterable<Line>, options: CountFileOptions): AsyncGenerator<LineResult> {
  for await (const { number, bytes } of lines) yield { line: number, ...(await countLine(bytes, options)) };
}

async function countLine(bytes: Buffer, options: CountFileOptions): Promise<RequestResult> {
  const decoded = decodeBody(bytes);
  if (!decoded.ok) return { error: formatProblem(decoded.problem) };
  const body = decoded.value as Record<string, unknown>;
  const { custom_id, params } = body;
  const entry = typeof custom_id === 'string' && isObject(params) ? { custom_id } : {};
  const result = await countRequest('custom_id' in entry ? (params as Record<string, unknown>) : body, options);
  if (!result.ok) return { ...entry, error: formatProblem(result.problem) };
  const { count, uncertainty, use, takenModel } = result.counted;
  const { low, high } = uncertainty;
  const model = takenModel === undefined ? {} : { model: takenModel.taken };
  return { ...entry, input_tokens: count.input_tokens, low, high, ...use, ...model };
}
