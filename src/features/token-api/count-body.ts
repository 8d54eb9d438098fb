import {
  collectMedia,
  type CountOptions,
  type CountTokensRequest,
  countWithErrorEstimate,
  type ErrorEstimate,
  type MediaReference,
  type ModelRow,
  resolveModel,
} from '../../../packages/token-counter/src/index.ts';
import type { ApiVersion } from './validation/checked-request.ts';
import { decodeBody } from './validation/decode-body.ts';
import { decodeBase64 } from './validation/decode-base64.ts';
import { findMediaProblem } from './validation/media-rules.ts';
import { formatProblem, type Problem } from './validation/problem.ts';
import { formatUnknownModel } from './unknown-model.ts';
import { validateRequest } from './validation/validate-request.ts';
import { type FetchedUrl, findUrls, inlineFetched, type RequestedUrl } from './url-media/requested-url.ts';

/** A count, or the status and message of an error. */
export type CountOutcome = Counted | { status: 400 | 404; message: string };

interface Counted {
  status: 200;
  inputTokens: number;
  /** The expected error of the count. */
  errorEstimate?: ErrorEstimate;
  /** The count before the edits of `context_management`, if the request has any. */
  originalTokens?: number | undefined;
}

/** The result for a body with PDFs, which a parser must read before the count. */
export interface NeedsPdfs {
  needs: 'pdfs';
}

/** The result for a body with URLs, which must be fetched before the count. */
export interface NeedsUrls {
  needs: 'urls';
  urls: RequestedUrl[];
}

/** Data of the media that the count needs, or the problem of a block whose media cannot be read. */
export type MediaReadResult = { ok: true; options: CountOptions } | { ok: false; problem: Problem };
/** Reads the media of a request. Calls `cancelled` between two files and throws `Cancelled`. */
export type ReadMedia = (
  media: readonly MediaReference[],
  model: ModelRow,
  isCancelled: () => boolean,
) => Promise<MediaReadResult>;

/** The client disconnected, so work for the request can stop. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Parses, validates and counts a request body synchronously, unless files must be parsed or fetched first. */
export function countBody(
  bytes: Buffer,
  version: ApiVersion,
  betas: readonly string[] = [],
): CountOutcome | NeedsPdfs | NeedsUrls {
  const validated = parseAndValidate(bytes, version, () => {});
  if (!('request' in validated)) return validated;
  if (validated.media.some(needsParsing)) return { needs: 'pdfs' };
  return countValidated(validated.request, { betas });
}

/** Options of one count of a body. */
interface CountBodyOptions {
  readMedia: ReadMedia;
  /** Called between the steps. If it returns true, the count throws `Cancelled`. */
  isCancelled: () => boolean;
  /** The files fetched from the URLs in the body. */
  fetched?: readonly FetchedUrl[] | undefined;
  /** Values of the `anthropic-beta` header. */
  betas?: readonly string[] | undefined;
}

/** Counts any request body. A body with URLs needs the files in `fetched`. */
export async function countBodyWithMedia(
  bytes: Buffer,
  version: ApiVersion,
  { readMedia, isCancelled, fetched, betas = [] }: CountBodyOptions,
): Promise<CountOutcome | NeedsUrls> {
  const throwIfCancelled = (): void => {
    if (isCancelled()) throw new Cancelled();
  };
  const validated = parseAndValidate(bytes, version, throwIfCancelled, fetched);
  if (!('request' in validated)) return validated;
  const { request, model, media, inlinedPaths } = validated;
  if (!media.some(needsParsing)) return countValidated(request, { betas });
  const mediaRead = await readMedia(media, model, isCancelled);
  if (!mediaRead.ok) return rejectedOutcome(relocateToUrl(mediaRead.problem, inlinedPaths));
  throwIfCancelled();
  return countValidated(request, { ...mediaRead.options, betas });
}

function countValidated(request: CountTokensRequest, options: CountOptions): Counted {
  const { input_tokens, original_input_tokens, errorEstimate } = countWithErrorEstimate(request, options);
  return { status: 200, inputTokens: input_tokens, errorEstimate, originalTokens: original_input_tokens };
}

interface ValidatedRequest {
  request: CountTokensRequest;
  model: ModelRow;
  media: MediaReference[];
  /** Paths of the blocks whose URL was replaced by the file. */
  inlinedPaths: readonly string[];
}

function parseAndValidate(
  bytes: Buffer,
  version: ApiVersion,
  throwIfCancelled: () => void,
  fetched: readonly FetchedUrl[] = [],
): ValidatedRequest | CountOutcome | NeedsUrls {
  const decoded = decodeBody(bytes);
  if (!decoded.ok) return rejectedOutcome(decoded.problem);
  throwIfCancelled();
  const problem = validateRequest(decoded.value, version);
  if (problem) return rejectedOutcome(problem);
  const request = decoded.value as CountTokensRequest;
  const model = resolveModel(request.model);
  if (!model) return { status: 404, message: formatUnknownModel(request.model) };
  const media = collectMedia(request);
  const inlinedPaths = fetched.length > 0 ? inlineFetched(media, fetched) : [];
  const mediaProblem = media.length > 0 ? findMediaProblem(media, model.maxMedia, decodeBase64) : undefined;
  if (mediaProblem) return rejectedOutcome(relocateToUrl(mediaProblem, inlinedPaths));
  throwIfCancelled();
  const urls = media.length > 0 ? findUrls(media) : [];
  return urls.length > 0 ? { needs: 'urls', urls } : { request, model, media, inlinedPaths };
}

const rejectedOutcome = (problem: Problem): CountOutcome => ({ status: 400, message: formatProblem(problem) });

/** Returns the problem at the path of the URL if its file was fetched from a URL. */
function relocateToUrl(problem: Problem, inlinedPaths: readonly string[]): Problem {
  const { mediaPath } = problem;
  return mediaPath !== undefined && inlinedPaths.includes(mediaPath)
    ? { ...problem, path: `${mediaPath}.source.url` }
    : problem;
}

/** Returns whether a parser is needed to count a block. */
function needsParsing({ block }: MediaReference): boolean {
  return block.source.type === 'base64' && block.type === 'document';
}
