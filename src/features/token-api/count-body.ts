import {
  collectMedia,
  type CountOptions,
  type CountTokensRequest,
  countWithDoubt,
  type Doubt,
  type MediaReference,
  type ModelRow,
  resolveModel,
} from '../../../packages/token-counter/src/index.ts';
import type { ApiVersion } from './validation/conversation-rules.ts';
import { decodeBody } from './validation/decode-body.ts';
import { findMediaProblem } from './validation/media-rules.ts';
import { formatProblem, type Problem } from './validation/problem.ts';
import { formatUnknownModel } from './unknown-model.ts';
import { validateRequest } from './validation/validate-request.ts';
import { type FetchedUrl, findUrls, inlineFetched, type RequestedUrl } from './url-media/requested-url.ts';

/** The count, or the status and message of the refusal. */
export type CountOutcome = Counted | { status: 400 | 404; message: string };

interface Counted {
  status: 200;
  inputTokens: number;
  /** How far the count may be off. */
  errorEstimate?: Doubt;
  /** Before the edits of the request's `context_management`, where it has one. */
  originalTokens?: number | undefined;
}

/** A body with PDFs, which a parser must read before it can be counted. */
export interface NeedsPdfs {
  needs: 'pdfs';
}

/** A body that names files by URL, which must be fetched before it can be counted. */
export interface NeedsUrls {
  needs: 'urls';
  urls: RequestedUrl[];
}

/** What has to be read before media can be priced, or the block that cannot be. */
export type MediaReadResult = { ok: true; options: CountOptions } | { ok: false; problem: Problem };
/** `cancelled` is called between one and the next; throws `Cancelled`. */
export type ReadMedia = (
  media: readonly MediaReference[],
  model: ModelRow,
  isCancelled: () => boolean,
) => Promise<MediaReadResult>;

/** The client has gone; what was begun for it may end. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Parses, validates and counts one request body at once, unless it needs files to be read or fetched first. */
export function countBody(bytes: Buffer, version: ApiVersion): CountOutcome | NeedsPdfs | NeedsUrls {
  const validated = parseAndValidate(bytes, version, () => {});
  if (!('request' in validated)) return validated;
  if (validated.media.some(needsParsing)) return { needs: 'pdfs' };
  return countValidated(validated.request);
}

/** What one pass over a body is given besides it. */
interface CountBodyOptions {
  readMedia: ReadMedia;
  /** Called between the steps; where it is true the count ends with `Cancelled`. */
  isCancelled: () => boolean;
  /** What stood behind the URLs that the body names. */
  fetched?: readonly FetchedUrl[] | undefined;
}

/** The same for any body; one that names URLs needs what was `fetched` from them. */
export async function countBodyWithMedia(
  bytes: Buffer,
  version: ApiVersion,
  { readMedia, isCancelled, fetched }: CountBodyOptions,
): Promise<CountOutcome | NeedsUrls> {
  const throwIfCancelled = (): void => {
    if (isCancelled()) throw new Cancelled();
  };
  const validated = parseAndValidate(bytes, version, throwIfCancelled, fetched);
  if (!('request' in validated)) return validated;
  const { request, model, media, inlinedPaths } = validated;
  if (!media.some(needsParsing)) return countValidated(request);
  const mediaRead = await readMedia(media, model, isCancelled);
  if (!mediaRead.ok) return rejectedOutcome(relocateToUrl(mediaRead.problem, inlinedPaths));
  throwIfCancelled();
  return countValidated(request, mediaRead.options);
}

function countValidated(request: CountTokensRequest, options?: CountOptions): Counted {
  const { input_tokens, original_input_tokens, errorEstimate } = countWithDoubt(request, options);
  return { status: 200, inputTokens: input_tokens, errorEstimate, originalTokens: original_input_tokens };
}

interface ValidatedRequest {
  request: CountTokensRequest;
  model: ModelRow;
  media: MediaReference[];
  /** Paths of the blocks whose URL's file was put in its place. */
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
  const mediaProblem = media.length > 0 ? findMediaProblem(media, model.maxMedia) : undefined;
  if (mediaProblem) return rejectedOutcome(relocateToUrl(mediaProblem, inlinedPaths));
  throwIfCancelled();
  const urls = media.length > 0 ? findUrls(media) : [];
  return urls.length > 0 ? { needs: 'urls', urls } : { request, model, media, inlinedPaths };
}

const rejectedOutcome = (problem: Problem): CountOutcome => ({ status: 400, message: formatProblem(problem) });

/** A problem of a file that came from a URL is told at the URL. */
function relocateToUrl(problem: Problem, inlinedPaths: readonly string[]): Problem {
  const path = inlinedPaths.find((block) => problem.path.startsWith(`${block}.`));
  return path === undefined ? problem : { ...problem, path: `${path}.source.url` };
}

/** Whether more than the bytes in the request is needed: a parser. */
function needsParsing({ block }: MediaReference): boolean {
  return block.source.type === 'base64' && block.type === 'document';
}
