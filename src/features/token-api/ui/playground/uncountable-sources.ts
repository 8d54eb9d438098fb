import { isObject } from '../../validation/problem.ts';

/** An image or document whose data is not in the request. */
export interface UncountableSource {
  path: string;
  /** Where the data is: behind a URL, or with the provider under a file id. */
  type: 'url' | 'file';
}

/**
 * Returns every image and document of the messages that the browser cannot count, because its data is behind a URL or a
 * file id. Accepts a request of any shape.
 */
export function findUncountableSources(request: Record<string, unknown>): UncountableSource[] {
  const found: UncountableSource[] = [];
  collectFrom(request['messages'], 'messages', found);
  return found;
}

function collectFrom(value: unknown, path: string, found: UncountableSource[]): void {
  if (Array.isArray(value)) value.forEach((item, index) => collectFrom(item, `${path}.${index}`, found));
  if (!isObject(value)) return;
  const { type, source, content } = value;
  if ((type === 'image' || type === 'document') && isObject(source)) {
    if (source['type'] === 'url' || source['type'] === 'file') found.push({ path, type: source['type'] });
    else collectFrom(source['content'], `${path}.source.content`, found);
  }
  collectFrom(content, `${path}.content`, found);
}
