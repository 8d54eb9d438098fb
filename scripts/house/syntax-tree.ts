/** A node of the syntax tree that the bundler's parser makes. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** Names that a pattern of a declaration makes. */
export function namesIn(pattern: Node | null | undefined): string[] {
  const parts = (key: string) => pattern?.[key] as Node[];
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern['name'] as string];
    case 'ObjectPattern':
      return parts('properties').flatMap((one) => namesIn((one['value'] ?? one['argument']) as Node));
    case 'ArrayPattern':
      return parts('elements').flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern['left'] as Node);
    case 'RestElement':
      return namesIn(pattern['argument'] as Node);
    default:
      return [];
  }
}

/** Whether an identifier only names a property: behind a dot, or in front of a colon. */
export function isName(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'MemberExpression') return parent['property'] === node && parent['computed'] !== true;
  return (
    parent?.type === 'Property' && parent['key'] === node && parent['computed'] !== true && parent['shorthand'] !== true
  );
}

/** Shows a node and all below it, each with the nodes that it stands in, the outermost first. */
export function walk(node: Node, path: readonly Node[], see: (node: Node, path: readonly Node[]) => void): void {
  see(node, path);
  for (const key in node) {
    for (const child of [node[key]].flat())
      if (typeof child === 'object' && child !== null && 'type' in child) walk(child as Node, [...path, node], see);
  }
}
