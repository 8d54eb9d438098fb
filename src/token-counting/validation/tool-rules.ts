import { type Problem, refuse } from './problem.ts';
import { shown } from './shapes.ts';

const COMBINING = ['oneOf', 'allOf', 'anyOf'];
const COMBINED = 'input_schema does not support oneOf, allOf, or anyOf at the top level';

interface Tool {
  name?: string;
  input_schema?: object;
}

interface Block {
  type: string;
  content?: unknown;
  tool_name?: string;
}

/** Rules of the tools whose shape is right, and of references to them in results. */
export function toolProblem(tools: unknown, messages: readonly unknown[]): Problem | undefined {
  const offered = (tools ?? []) as Tool[];
  for (const [index, { input_schema }] of offered.entries()) {
    if (input_schema !== undefined && COMBINING.some((key) => Object.hasOwn(input_schema, key)))
      return refuse(COMBINED, `tools.${index}.custom.input_schema`);
  }
  return referenceProblem(new Set(offered.map(({ name }) => name)), messages);
}

function referenceProblem(names: ReadonlySet<string | undefined>, messages: readonly unknown[]): Problem | undefined {
  for (const [index, message] of messages.entries()) {
    const { content } = message as { content: string | Block[] };
    if (typeof content === 'string') continue;
    for (const [at, block] of content.entries()) {
      if (block.type !== 'tool_result' || !Array.isArray(block.content)) continue;
      const inner = (block.content as Block[]).findIndex(
        ({ type, tool_name }) => type === 'tool_reference' && !names.has(tool_name),
      );
      const absent = (block.content as Block[])[inner]?.tool_name;
      if (absent !== undefined) {
        const place = `messages.${index}.content.${at}.tool_result.content.${inner}`;
        return refuse(`Tool reference '${shown(absent)}' not found in available tools`, place);
      }
    }
  }
  return undefined;
}
