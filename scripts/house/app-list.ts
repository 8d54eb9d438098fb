import { parseSync } from 'vite';
import type { Problem } from './problem.ts';
import type { Source } from './read-source.ts';
import { isName, namesIn, type Node, walk } from './syntax-tree.ts';

const APP = 'src/app.ts';
const MOST_LINES = 220;

/**
 * What keeps app.ts a list that is read from top to bottom: short, nothing that is filled in later, nothing used above
 * the line that makes it.
 */
export function findForwardReferences(sources: readonly Source[]): Problem[] {
  const app = sources.find(({ path }) => path === APP);
  if (!app) return [];
  const problems: Problem[] = [];
  const report = (at: number | undefined, message: string): void => {
    const line = at === undefined ? {} : { line: app.text.slice(0, at).split('\n').length };
    problems.push({ path: APP, ...line, rule: 'app', message });
  };
  const lines = app.text.trimEnd().split('\n').length;
  if (lines > MOST_LINES)
    report(
      undefined,
      `has ${lines} lines; ${MOST_LINES} are enough for a list. Move what happens into the slice that it is about.`,
    );
  walk(parseSync(app.path, app.text).program as unknown as Node, [], (node, path) => {
    const isLet = node.type === 'VariableDeclaration' && node['kind'] !== 'const';
    if (isLet || node.type === 'AssignmentExpression')
      report(node.start, 'fills something in later. Make it before what it is handed to, and hand it over as a value.');
    if (node.type !== 'Identifier' || isName(node, path.at(-1))) return;
    const made = path
      .flatMap((scope) => declarationsIn(scope))
      .find(({ name, at }) => name === node['name'] && at > node.start);
    if (made && !path.some((scope) => takes(scope, made.name)))
      report(
        node.start,
        `uses ${made.name} above the line that makes it: a circle hidden in a closure. ` +
          'Move the function to the slice above both.',
      );
  });
  return problems;
}

/** Names that the statements of a block make, with where. */
function declarationsIn(block: Node): { name: string; at: number }[] {
  if (block.type !== 'BlockStatement' && block.type !== 'FunctionBody') return [];
  const declarations = (block['body'] as Node[]).filter(({ type }) => type === 'VariableDeclaration');
  return declarations.flatMap(({ declarations: made }) =>
    (made as Node[]).flatMap((one) => namesIn(one['id'] as Node).map((name) => ({ name, at: one.start }))),
  );
}

/** Whether the function has a parameter of that name, which is then another one. */
const takes = (scope: Node, name: string): boolean =>
  Array.isArray(scope['params']) && (scope['params'] as Node[]).some((one) => namesIn(one).includes(name));
