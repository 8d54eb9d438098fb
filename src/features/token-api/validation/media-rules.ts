import { type MediaReference, readImageSize } from '../../../../packages/token-counter/src/index.ts';
import { isBase64 } from './is-base64.ts';
import { type Problem, refuse } from './problem.ts';

const TOO_LARGE = 'At least one of the image dimensions exceed max allowed size';
const MAX_SIDE = 8_000;
const MAX_SIDE_OF_MANY = 2_000;
/** More images and documents than this, and the smaller side limit holds. */
const MANY = 20;
/** Of the base64 text, as the provider measures it. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/**
 * Limits of images and documents: how many (`most` depends on the model), how large, and that they can be read. The
 * declared media type may be wrong, as the real API lets it be (2 recorded requests).
 */
export function findMediaProblem(media: readonly MediaReference[], most: number): Problem | undefined {
  if (media.length > most) {
    const images = media.filter(({ block }) => block.type === 'image').length;
    return refuse(`too many images and documents: ${images} + ${media.length - images} > ${most}`);
  }
  for (const { path, block } of media) {
    if (block.source.type !== 'base64') continue;
    const { data } = block.source;
    const problem = block.type === 'image' ? imageProblem(data, path, media.length > MANY) : undefined;
    if (problem) return problem;
    if (!isBase64(data)) return refuse('Invalid base64 data', `${path}.source.data`);
  }
  return undefined;
}

function imageProblem(data: string, path: string, many: boolean): Problem | undefined {
  // The real API names the member of the union where its sentence is known.
  const place = `${path}.image.source.base64`;
  if (data.length > MAX_IMAGE_BYTES) {
    return refuse(`image exceeds 10 MB maximum: ${data.length} bytes > ${MAX_IMAGE_BYTES} bytes`, place);
  }
  const size = readImageSize(data);
  if (!size) return isBase64(data) ? refuse('Could not process image', `${path}.source.data`) : undefined;
  const longest = Math.max(size.width, size.height);
  if (longest > MAX_SIDE) return refuse(`${TOO_LARGE}: ${MAX_SIDE} pixels`, `${place}.data`);
  if (many && longest > MAX_SIDE_OF_MANY)
    return refuse(`${TOO_LARGE} for many-image requests: ${MAX_SIDE_OF_MANY} pixels`, `${place}.data`);
  return undefined;
}
