import { parseSync } from 'vite';
import { isName, namesIn, type Node, walk } from '../house/syntax-tree.ts';
import type { Graph } from './graph.ts';

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
    walk(init, [], (node, path) => {
      if (node.type !== 'Identifier' || isName(node, path.at(-1))) return;
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
