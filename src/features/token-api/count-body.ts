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
import { inWords, type Problem } from './validation/problem.ts';
import { unknownModel } from './unknown-model.ts';
import { validateRequest } from './validation/validate-request.ts';
import { type FetchedUrl, findUrls, inlineFetched, type WantedUrl } from './url-media/wanted-url.ts';

/** The count, or the status and message of the refusal. */
export type CountOutcome = Counted | { status: 400 | 404; message: string };

interface Counted {
  status: 200;
  inputTokens: number;
  /** How far the count may be off. */
  doubt?: Doubt;
  /** Before the edits of the request's `context_management`, where it has one. */
  originalTokens?: number | undefined;
}

/** A body with PDFs, which a parser must read before it can be counted. */
export interface PdfsWanted {
  needs: 'pdfs';
}

/** A body that names files by URL, which must be fetched before it can be counted. */
export interface UrlsWanted {
  needs: 'urls';
  urls: WantedUrl[];
}

/** What has to be read before media can be priced, or the block that cannot be. */
export type MediaFacts = { ok: true; options: CountOptions } | { ok: false; problem: Problem };
/** `cancelled` is called between one and the next; throws `Cancelled`. */
export type ReadMedia = (
  media: readonly MediaReference[],
  model: ModelRow,
  cancelled: () => boolean,
) => Promise<MediaFacts>;

/** The client has gone; what was begun for it may end. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Parses, validates and counts one request body at once, unless it needs files to be read or fetched first. */
export function countBody(bytes: Buffer, version: ApiVersion): CountOutcome | PdfsWanted | UrlsWanted {
  const checked = check(bytes, version, () => {});
  if (!('request' in checked)) return checked;
  if (checked.media.some(needsReading)) return { needs: 'pdfs' };
  return counted(checked.request);
}

/** What one pass over a body is given besides it. */
interface Pass {
  readMedia: ReadMedia;
  /** Called between the steps; where it is true the count ends with `Cancelled`. */
  cancelled: () => boolean;
  /** What stood behind the URLs that the body names. */
  fetched?: readonly FetchedUrl[] | undefined;
}

/** The same for any body; one that names URLs needs what was `fetched` from them. */
export async function countBodyWithMedia(
  bytes: Buffer,
  version: ApiVersion,
  { readMedia, cancelled, fetched }: Pass,
): Promise<CountOutcome | UrlsWanted> {
  const goOn = (): void => {
    if (cancelled()) throw new Cancelled();
  };
  const checked = check(bytes, version, goOn, fetched);
  if (!('request' in checked)) return checked;
  const { request, model, media, filled } = checked;
  if (!media.some(needsReading)) return counted(request);
  const facts = await readMedia(media, model, cancelled);
  if (!facts.ok) return refused(atUrl(facts.problem, filled));
  goOn();
  return counted(request, facts.options);
}

function counted(request: CountTokensRequest, options?: CountOptions): Counted {
  const { input_tokens, original_input_tokens, doubt } = countWithDoubt(request, options);
  return { status: 200, inputTokens: input_tokens, doubt, originalTokens: original_input_tokens };
}

interface Checked {
  request: CountTokensRequest;
  model: ModelRow;
  media: MediaReference[];
  /** Paths of the blocks whose URL's file was put in its place. */
  filled: readonly string[];
}

function check(
  bytes: Buffer,
  version: ApiVersion,
  goOn: () => void,
  fetched: readonly FetchedUrl[] = [],
): Checked | CountOutcome | UrlsWanted {
  const decoded = decodeBody(bytes);
  if (!decoded.ok) return refused(decoded.problem);
  goOn();
  const problem = validateRequest(decoded.value, version);
  if (problem) return refused(problem);
  const request = decoded.value as CountTokensRequest;
  const model = resolveModel(request.model);
  if (!model) return { status: 404, message: unknownModel(request.model) };
  const media = collectMedia(request);
  const filled = fetched.length > 0 ? inlineFetched(media, fetched) : [];
  const wrong = media.length > 0 ? findMediaProblem(media, model.maxMedia) : undefined;
  if (wrong) return refused(atUrl(wrong, filled));
  goOn();
  const urls = media.length > 0 ? findUrls(media) : [];
  return urls.length > 0 ? { needs: 'urls', urls } : { request, model, media, filled };
}

const refused = (problem: Problem): CountOutcome => ({ status: 400, message: inWords(problem) });

/** A problem of a file that came from a URL is told at the URL. */
function atUrl(problem: Problem, filled: readonly string[]): Problem {
  const path = filled.find((block) => problem.path.startsWith(`${block}.`));
  return path === undefined ? problem : { ...problem, path: `${path}.source.url` };
}

/** Whether more than the bytes in the request is needed: a parser. */
function needsReading({ block }: MediaReference): boolean {
  return block.source.type === 'base64' && block.type === 'document';
}
