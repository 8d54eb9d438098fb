import {
  collectMedia,
  type CountOptions,
  type CountTokensRequest,
  countWithErrorEstimate,
  type DocumentSource,
  type ErrorEstimate,
  type MediaReference,
  type ModelRow,
  type PdfFacts,
  resolveModel,
} from '../../../packages/token-counter/src/index.ts';
import type { ApiVersion } from './validation/checked-request.ts';
import { type Base64Source, listPdfs, type PdfDocument } from './pdf/read-pdfs.ts';
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

/** The result for a body with PDFs, which must be read before the count. */
export interface NeedsPdfs {
  needs: 'pdfs';
  documents: PdfDocument<Uint8Array<ArrayBuffer>>[];
  /** Maximum pages of all documents. */
  maxMedia: number;
  /** Paths of the blocks whose URL was replaced by the file. */
  inlinedPaths: readonly string[];
}

/** The result for a body with URLs, which must be fetched before the count. */
export interface NeedsUrls {
  needs: 'urls';
  urls: RequestedUrl[];
}

/** The facts of the PDFs in a body, by the path of their block. */
export type PdfsByPath = ReadonlyMap<string, PdfFacts>;

/** The client disconnected, so work for the request can stop. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Options of one count of a body. */
interface CountBodyOptions {
  /** Called between the steps. If it returns true, the count throws `Cancelled`. */
  isCancelled?: () => boolean;
  /** The files fetched from the URLs in the body. */
  fetched?: readonly FetchedUrl[] | undefined;
  /** The PDFs that were read. */
  pdfs?: PdfsByPath | undefined;
  /** Values of the `anthropic-beta` header. */
  betas?: readonly string[] | undefined;
}

/** Parses, validates and counts a request body, unless files must be fetched or read first. */
export function countBody(
  bytes: Buffer,
  version: ApiVersion,
  { isCancelled = () => false, fetched, pdfs, betas = [] }: CountBodyOptions = {},
): CountOutcome | NeedsPdfs | NeedsUrls {
  const throwIfCancelled = (): void => {
    if (isCancelled()) throw new Cancelled();
  };
  const validated = parseAndValidate(bytes, { version, betas, throwIfCancelled, fetched });
  if (!('request' in validated)) return validated;
  const { request, model, media, inlinedPaths } = validated;
  const documents = listPdfs(media);
  if (documents.length === 0) return countValidated(request, { betas });
  if (!pdfs) return { needs: 'pdfs', documents: decodePdfs(documents), maxMedia: model.maxMedia, inlinedPaths };
  const factsBySource = new Map<DocumentSource, PdfFacts | undefined>(
    documents.map(({ path, source }) => [source, pdfs.get(path)]),
  );
  return countValidated(request, { pdf: (source) => factsBySource.get(source), betas });
}

/** Decodes each PDF once. The bytes have memory of their own, which a thread can hand over. */
function decodePdfs(documents: readonly PdfDocument<Base64Source>[]): NeedsPdfs['documents'] {
  const decoded = new Map<Base64Source, Uint8Array<ArrayBuffer>>();
  return documents.map(({ path, source }) => {
    const bytes = decoded.get(source) ?? new Uint8Array(Buffer.from(source.data, 'base64'));
    decoded.set(source, bytes);
    return { path, source: bytes };
  });
}

/** Returns the outcome for a PDF that cannot be counted. */
export const toPdfOutcome = (problem: Problem, { inlinedPaths }: NeedsPdfs): CountOutcome =>
  rejectedOutcome(relocateToUrl(problem, inlinedPaths));

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

interface ValidationOptions {
  version: ApiVersion;
  betas: readonly string[];
  throwIfCancelled: () => void;
  fetched: readonly FetchedUrl[] | undefined;
}

function parseAndValidate(
  bytes: Buffer,
  { version, betas, throwIfCancelled, fetched = [] }: ValidationOptions,
): ValidatedRequest | CountOutcome | NeedsUrls {
  const decoded = decodeBody(bytes);
  if (!decoded.ok) return rejectedOutcome(decoded.problem);
  throwIfCancelled();
  const problem = validateRequest(decoded.value, version, betas);
  if (problem) return rejectedOutcome(problem);
  const request = decoded.value as CountTokensRequest;
  const model = resolveModel(request.model);
  if (!model) return { status: 404, message: formatUnknownModel(request.model) };
  const media = collectMedia(request);
  const inlinedPaths = fetched.length > 0 ? inlineFetched(media, fetched) : [];
  const mediaProblem = media.length > 0 ? findMediaProblem(request, media, model, decodeBase64) : undefined;
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
