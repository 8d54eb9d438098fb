import { advice, allowedShapes, constantShapes, untagged } from './allowed-shapes.ts';
import type { Body } from './parse.ts';
import { Refusal } from './refusal.ts';

/** A node with its kind. */
export interface Node {
  kind: string;
  body: Body;
}

const MOST_NODES = 600;

/**
 * Holds every node and field of a statement against the lists of what it may consist of, and returns its nodes. Throws
 * `Refusal` for one that is on no list, and for a statement of too many.
 */
export function checkShapes(select: Body): Node[] {
  const nodes: Node[] = [];
  const visit = (kind: string, body: Body): void => {
    const fields = allowedShapes[kind] ?? constantShapes[kind];
    if (!fields) throw new Refusal('shape', advice[kind] ?? `${kind} is not available here; write a plainer SELECT.`);
    nodes.push({ kind, body });
    if (nodes.length > MOST_NODES)
      throw new Refusal('size', `The statement has more than ${MOST_NODES} parts; ask for less at a time.`);
    for (const [field, value] of Object.entries(body)) {
      if (field === 'location') continue;
      if (!fields.includes(field)) {
        const place = `${kind}.${field}`;
        throw new Refusal('shape', advice[place] ?? `${place} is not available here; write a plainer SELECT.`);
      }
      const inner = untagged[`${kind}.${field}`];
      if (inner) visit(inner, value as Body);
      // SELECT DISTINCT without ON has a list of one empty place.
      else if (field === 'distinctClause' && nodeOf((value as unknown[])[0]).kind === 'nothing') continue;
      else if (Array.isArray(value)) for (const one of value) visitTagged(one);
      else if (typeof value === 'object' && value !== null) visitTagged(value);
    }
  };
  const visitTagged = (value: unknown): void => {
    const { kind, body } = nodeOf(value);
    visit(kind, body);
  };
  visit('SelectStmt', select);
  return nodes;
}

/** A value of the parser's, `{ Kind: body }`, as a node. An empty place of a list has the kind `nothing`. */
export function nodeOf(value: unknown): Node {
  const [kind = 'nothing', body = {}] = Object.entries((value ?? {}) as Record<string, Body>)[0] ?? [];
  return { kind, body };
}

/** The text of a list of String nodes: `["pg_catalog", "numeric"]`. */
export const namesIn = (list: unknown): string[] =>
  ((list ?? []) as unknown[]).map((one) => textOf(nodeOf(one).body['sval']));

/** A field that holds a text; empty where it is not there. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
