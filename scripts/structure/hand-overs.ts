import { parseSync } from 'vite';
import type { Graph } from './graph.ts';

type Node = { type: string; start: number } & Record<string, unknown>;

/**
 * What `createSlices` of an app.ts makes, and what each is handed: names used in closures too. `later` are names that
 * are used above the line that makes them.
 */
export function readHandOvers(text: string): { handed: Graph; later: string[] } {
  const body = findFunction(parseSync('app.ts', text).program as unknown as Node);
  const made = new Map<string, { of: string; at: number }>();
  const inits: [of: string, init: Node][] = [];
  for (const statement of body.filter(({ type }) => type === 'VariableDeclaration'))
    for (const { id, init, start } of statement['declarations'] as (Node & { id: Node; init: Node })[]) {
      // A part that is taken out of something made before is that thing.
      const source = init.type === 'Identifier' ? made.get(init['name'] as string)?.of : undefined;
      const names = namesIn(id);
      const of = source ?? names[0]!;
      for (const name of names) made.set(name, { of, at: start });
      if (!source) inits.push([of, init]);
    }
  const handed = new Map<string, Set<string>>();
  const later: string[] = [];
  for (const [of, init] of inits) {
    const uses = new Set<string>();
    handed.set(of, uses);
    walk(init, (node) => {
      const used = made.get(node['name'] as string);
      if (!used || used.of === of) return;
      uses.add(used.of);
      if (used.at > node.start) later.push(`${of} → ${used.of}`);
    });
  }
  return { handed, later: [...new Set(later)] };
}

function findFunction(program: Node): Node[] {
  for (const statement of program['body'] as Node[]) {
    const declared = (statement['declaration'] ?? statement) as Node & {
      id?: { name: string };
      body?: { body: Node[] };
    };
    if (declared.type === 'FunctionDeclaration' && declared.id?.name === 'createSlices') return declared.body!.body;
  }
  throw new Error('app.ts has no function createSlices.');
}

function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern['name'] as string];
  return ((pattern['properties'] ?? []) as Node[]).flatMap((one) => namesIn(one['value'] as Node));
}

/** Each name that is read: not the name of a property. */
function walk(node: Node, see: (node: Node) => void): void {
  if (node.type === 'Identifier') see(node);
  for (const key in node) {
    const isName =
      ((node.type === 'Property' && key === 'key' && !node['shorthand']) ||
        (node.type === 'MemberExpression' && key === 'property')) &&
      node['computed'] !== true;
    if (isName) continue;
    for (const child of [node[key]].flat())
      if (typeof child === 'object' && child !== null && 'type' in child) walk(child as Node, see);
  }
}
