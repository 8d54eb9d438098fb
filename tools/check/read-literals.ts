import { parseSync } from 'vite';

/** The text of a string or template literal, in which `${}` stands for each expression. */
interface Literal {
  text: string;
  /** Line number, from 1. */
  line: number;
}

interface Node {
  type: string;
  start: number;
}

/** Returns the string and template literals of a TypeScript file. Throws if the file does not parse. */
export function readLiterals(path: string, text: string): Literal[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  const literals: Literal[] = [];
  const visit = (node: Node & Record<string, unknown>): void => {
    const found = getText(node);
    if (found !== undefined) literals.push({ text: found, line: text.slice(0, node.start).split('\n').length });
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(program as unknown as Node & Record<string, unknown>);
  return literals;
}

function getText(node: Node & Record<string, unknown>): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = node['quasis'] as { value: { cooked: string | null; raw: string } }[];
  return parts.map(({ value }) => value.cooked ?? value.raw).join('${}');
}

const isNode = (value: unknown): value is Node & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'type' in value;
