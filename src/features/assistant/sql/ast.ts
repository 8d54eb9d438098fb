import type { Node } from 'libpg-query';

/** Fields of a node. */
export type NodeBody = Readonly<Record<string, unknown>>;

/** A node of the parsed statement with its kind, for code that treats all kinds alike. */
export interface KindedNode {
  kind: string;
  body: NodeBody;
}

/** Reads the parser's `{ Kind: body }`. An empty element of a list has the kind `nothing`. */
export function toKindedNode(value: unknown): KindedNode {
  const [kind = 'nothing', body = {}] = Object.entries((value ?? {}) as Record<string, NodeBody>)[0] ?? [];
  return { kind, body };
}

/** Returns the texts of a list of String nodes, such as `["pg_catalog", "numeric"]`. */
export const getStrings = (nodes: readonly Node[] = []): string[] =>
  nodes.map((node) => ('String' in node ? (node.String.sval ?? '') : ''));

export const isStar = (node: Node | undefined): boolean => node !== undefined && 'A_Star' in node;
