import { type MediaReference, readImageSize } from '../../../../packages/token-counter/src/index.ts';
import { isBase64 } from './is-base64.ts';
import { type Problem, validationError } from './problem.ts';

const TOO_LARGE = 'At least one of the image dimensions exceed max allowed size';
const MAX_SIDE = 8_000;
const MAX_SIDE_MANY_MEDIA = 2_000;
/** Number of images and documents above which the smaller side limit applies. */
const MANY_MEDIA_THRESHOLD = 20;
/** Maximum length of the base64 text, as the provider measures it. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/**
 * Checks the number (`maxMedia` depends on the model), size and readability of images and documents. The declared media
 * type may be wrong, because the real API accepts that (2 recorded requests).
 */
export function findMediaProblem(media: readonly MediaReference[], maxMedia: number): Problem | undefined {
  if (media.length > maxMedia) {
    const images = media.filter(({ block }) => block.type === 'image').length;
    return validationError(`too many images and documents: ${images} + ${media.length - images} > ${maxMedia}`);
  }
  for (const { path, block } of media) {
    if (block.source.type !== 'base64') continue;
    const { data } = block.source;
    const problem =
      block.type === 'image' ? findImageProblem(data, path, media.length > MANY_MEDIA_THRESHOLD) : undefined;
    if (problem) return problem;
    if (!isBase64(data)) return validationError('Invalid base64 data', `${path}.source.data`);
  }
  return undefined;
}

function findImageProblem(data: string, path: string, hasManyMedia: boolean): Problem | undefined {
  // The real API names the union member if its message is known.
  const imagePath = `${path}.image.source.base64`;
  if (data.length > MAX_IMAGE_BYTES) {
    return validationError(`image exceeds 10 MB maximum: ${data.length} bytes > ${MAX_IMAGE_BYTES} bytes`, imagePath);
  }
  const size = readImageSize(data);
  if (!size) return isBase64(data) ? validationError('Could not process image', `${path}.source.data`) : undefined;
  const longSide = Math.max(size.width, size.height);
  if (longSide > MAX_SIDE) return validationError(`${TOO_LARGE}: ${MAX_SIDE} pixels`, `${imagePath}.data`);
  if (hasManyMedia && longSide > MAX_SIDE_MANY_MEDIA)
    return validationError(`${TOO_LARGE} for many-image requests: ${MAX_SIDE_MANY_MEDIA} pixels`, `${imagePath}.data`);
  return undefined;
}
