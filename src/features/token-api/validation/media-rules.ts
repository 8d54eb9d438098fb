import {
  type CountTokensRequest,
  isResized,
  type MediaReference,
  type ModelRow,
  readImageSize,
} from '../../../../packages/token-counter/src/index.ts';
import { isTruncatedPng, readImageType } from './image-format.ts';
import { type Problem, validationError } from './problem.ts';
import { listToolsetResults } from './toolset-results.ts';

const UNREADABLE_IMAGE = 'Could not process image';
const TOO_LARGE = 'At least one of the image dimensions exceed max allowed size';
const MAX_SIDE = 8_000;
const MAX_SIDE_MANY_MEDIA = 2_000;
/** Number of images and documents above which the smaller side limit applies. */
const MANY_MEDIA_THRESHOLD = 20;
/** Maximum length of the base64 text, as the provider measures it. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Decodes base64. Returns `undefined` for any other text. Node and browsers have different decoders. */
export type DecodeBase64 = (text: string) => Uint8Array | undefined;

/**
 * Checks the number, size, type and readability of the images and documents of a request. The sentences are those of the
 * real API where they are known.
 */
export function findMediaProblem(
  request: CountTokensRequest,
  media: readonly MediaReference[],
  model: ModelRow,
  decodeBase64: DecodeBase64,
): Problem | undefined {
  const { maxMedia } = model;
  if (media.length > maxMedia) {
    const images = media.filter(({ block }) => block.type === 'image').length;
    return validationError(`too many images and documents: ${images} + ${media.length - images} > ${maxMedia}`);
  }
  const toolsetResults = listToolsetResults(request);
  const mayBeResized = ({ path, block }: MediaReference): boolean =>
    block.type !== 'image' ||
    ((block.transformations?.oversized_image ?? 'downsize') === 'downsize' &&
      !toolsetResults.has(path.replace(/\.content\.\d+$/, '')));
  for (const reference of media) {
    const { block } = reference;
    if (block.source.type !== 'base64') continue;
    const problem =
      block.type === 'image'
        ? (findImageProblem(reference.path, block.source, decodeBase64) ??
          findSizeProblem(reference.path, block.source.data, media.length > MANY_MEDIA_THRESHOLD) ??
          (mayBeResized(reference) ? undefined : findResizeProblem(reference.path, block.source.data, model)))
        : findPdfProblem(reference.path, block.source.data, decodeBase64);
    if (problem) return { ...problem, mediaPath: reference.path };
  }
  return undefined;
}

/** Returns a path of `collectMedia` with the types of the blocks in it, as the real API writes it. */
export function formatMediaPath(path: string): string {
  return path
    .replace(/^(messages\.\d+\.content\.\d+)\.content\./, '$1.tool_result.content.')
    .replace('.source.content.', '.document.source.content.content.');
}

const formatImagePath = (path: string): string => `${formatMediaPath(path)}.image.source.base64`;

/** Returns the problem of an image's data. */
function findImageProblem(
  path: string,
  { data, media_type: declared }: { data: string; media_type: string },
  decodeBase64: DecodeBase64,
): Problem | undefined {
  const imagePath = formatImagePath(path);
  if (data === '') return validationError('image cannot be empty', imagePath);
  if (data.length > MAX_IMAGE_BYTES) {
    return validationError(`image exceeds 10 MB maximum: ${data.length} bytes > ${MAX_IMAGE_BYTES} bytes`, imagePath);
  }
  const bytes = decodeBase64(data);
  if (!bytes) return validationError('invalid base64 data', imagePath);
  const found = readImageType(bytes);
  // Requests of 2024 and of 2025-10-18 with a wrong type were counted, and reports since 2026-04 are refusals.
  if (found !== undefined && found !== declared) {
    return validationError(
      `The image was specified using the ${declared} media type, but the image appears to be a ${found} image`,
      imagePath,
    );
  }
  return isTruncatedPng(bytes) ? validationError(UNREADABLE_IMAGE) : undefined;
}

/** Returns the problem of an image's size in pixels. */
function findSizeProblem(path: string, data: string, hasManyMedia: boolean): Problem | undefined {
  const size = readImageSize(data);
  if (!size) return validationError(UNREADABLE_IMAGE);
  const dataPath = `${formatImagePath(path)}.data`;
  const longSide = Math.max(size.width, size.height);
  if (longSide > MAX_SIDE) return validationError(`${TOO_LARGE}: ${MAX_SIDE} pixels`, dataPath);
  if (hasManyMedia && longSide > MAX_SIDE_MANY_MEDIA)
    return validationError(`${TOO_LARGE} for many-image requests: ${MAX_SIDE_MANY_MEDIA} pixels`, dataPath);
  return undefined;
}

/** Returns the problem of an image that the model would resize. The real API documents this error without its words. */
function findResizeProblem(path: string, data: string, model: ModelRow): Problem | undefined {
  const size = readImageSize(data);
  return size && isResized(size, model)
    ? validationError(`image of ${size.width} x ${size.height} pixels would have to be resized`, formatImagePath(path))
    : undefined;
}

/** Returns the problem of a PDF's data. Its content is read later. */
function findPdfProblem(path: string, data: string, decodeBase64: DecodeBase64): Problem | undefined {
  const pdfPath = `${formatMediaPath(path)}.document.source.base64`;
  if (data === '') return validationError('PDF cannot be empty', pdfPath);
  return decodeBase64(data) ? undefined : validationError('invalid base64 data', pdfPath);
}
