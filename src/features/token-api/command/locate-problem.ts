import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import type { Problem } from '../validation/problem.ts';

/**
 * Returns line and column (both from 1) of a problem in the JSON text of its request, or `undefined` if it concerns the
 * whole request. Segments of the path that the text lacks, such as a missing field or the type of a block, are skipped.
 */
export function locateProblem(
  text: string,
  { path, mediaPath = '' }: Pick<Problem, 'path' | 'mediaPath'>,
): { line: number; column: number } | undefined {
  return locatePath(text, path === '' ? mediaPath : path);
}

function locatePath(text: string, path: string): { line: number; column: number } | undefined {
  if (path === '') return undefined;
  const root = parseTree(text);
  if (root === undefined) return undefined;
  const node = path.split('.').reduce((parent: Node, segment) => findChild(parent, segment) ?? parent, root);
  if (node === root) return undefined;
  const before = text.slice(0, node.offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: node.offset - lastBreak };
}

function findChild(parent: Node, segment: string): Node | undefined {
  return findNodeAtLocation(parent, [parent.type === 'array' ? Number(segment) : segment]);
}
