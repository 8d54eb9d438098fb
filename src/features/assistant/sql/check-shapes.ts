import { shapeAdvice, allowedShapes, constantShapes, untaggedNodeKinds } from './allowed-shapes.ts';
import type { SelectStmt } from 'libpg-query';
import { type KindedNode, type NodeBody, toKindedNode } from './ast.ts';
import { SqlRejection } from './rejection.ts';

const MAX_NODES = 600;

/**
 * Checks every node and field of a statement against the allowed shapes and returns the nodes. Throws `SqlRejection`
 * for an unlisted node or field, and for too many nodes.
 */
export function checkShapes(select: SelectStmt): KindedNode[] {
  const nodes: KindedNode[] = [];
  const visit = (kind: string, body: NodeBody): void => {
    const fields = allowedShapes[kind] ?? constantShapes[kind];
    if (!fields)
      throw new SqlRejection('shape', shapeAdvice[kind] ?? `${kind} is not available here; write a plainer SELECT.`);
    nodes.push({ kind, body });
    if (nodes.length > MAX_NODES)
      throw new SqlRejection('size', `The statement has more than ${MAX_NODES} parts; request less data.`);
    for (const [field, value] of Object.entries(body)) {
      if (field === 'location') continue;
      if (!fields.includes(field)) {
        const path = `${kind}.${field}`;
        throw new SqlRejection('shape', shapeAdvice[path] ?? `${path} is not available here; write a plainer SELECT.`);
      }
      const untaggedKind = untaggedNodeKinds[`${kind}.${field}`];
      if (untaggedKind) visit(untaggedKind, value as NodeBody);
      // SELECT DISTINCT without ON has a list with one empty element.
      else if (field === 'distinctClause' && toKindedNode((value as unknown[])[0]).kind === 'nothing') continue;
      else if (Array.isArray(value)) for (const element of value) visitTagged(element);
      else if (typeof value === 'object' && value !== null) visitTagged(value);
    }
  };
  const visitTagged = (value: unknown): void => {
    const { kind, body } = toKindedNode(value);
    visit(kind, body);
  };
  visit('SelectStmt', { ...select });
  return nodes;
}
