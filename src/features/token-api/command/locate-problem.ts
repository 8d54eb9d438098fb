import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * Returns line and column (both from 1) of a path such as `messages.0.content.1` in a JSON text, or `undefined` if the
 * text has no such place. Segments that the text lacks, such as a missing field or the type of a block, are skipped.
 */
export function locatePath(text: string, path: string): { line: number; column: number } | undefined {
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
