import { type ApiVersion, type CheckedMessage, ConversationRules, emptyTextProblem } from './conversation-rules.ts';
import { type Problem, refuse, REQUIRED, shown, within } from './problem.ts';
import { envelope, message } from './request-shape.ts';

const SYSTEM_ROLE =
  'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input ' +
  'message role.';

/** A request whose shape has been checked, but for its messages. */
interface CheckedRequest {
  messages: readonly unknown[];
  system?: string | readonly { text: string }[];
  tools?: readonly Tool[];
  tool_choice?: { type: 'auto' | 'any' | 'none' } | { type: 'tool'; name: string };
}

interface Tool {
  name?: string;
  input_schema?: object;
}

interface Block {
  type: string;
  content?: unknown;
  tool_name?: string;
}

/** Whether every field has its type, without the rules between messages. The first problem found, or `undefined`. */
export function findShapeProblem(body: unknown): Problem | undefined {
  return walk(body);
}

/**
 * Checks a whole request in one pass over its messages, in time linear in their number. Media limits need the model and
 * are checked by `findMediaProblem`. Returns the first problem, with its place.
 */
export function validateRequest(body: unknown, version: ApiVersion): Problem | undefined {
  return walk(body, new ConversationRules(version));
}

function walk(body: unknown, rules?: ConversationRules): Problem | undefined {
  const outside = envelope(body);
  if (outside) return outside;
  const request = body as CheckedRequest;
  const { messages } = request;
  for (let index = 0; index < messages.length; index += 1) {
    const given = messages[index];
    if ((given as { role?: unknown } | null)?.role === 'system') return refuse(SYSTEM_ROLE, 'messages');
    const problem = message(given);
    if (problem) return within('messages', within(index, problem));
    const broken = rules?.message(given as CheckedMessage, index, index === messages.length - 1);
    if (broken) return broken;
  }
  return rules && (rules.end() ?? systemProblem(request) ?? toolProblem(request) ?? forcedToolProblem(request));
}

function systemProblem({ system = [] }: CheckedRequest): Problem | undefined {
  if (typeof system === 'string') return undefined;
  for (const { text } of system) {
    const problem = emptyTextProblem(text, 'system');
    if (problem) return problem;
  }
  return undefined;
}

const COMBINING = ['oneOf', 'allOf', 'anyOf'];
const COMBINED = 'input_schema does not support oneOf, allOf, or anyOf at the top level';

/** Rules of the tools, and of references to them in results. */
function toolProblem({ tools = [], messages }: CheckedRequest): Problem | undefined {
  for (const [index, { input_schema }] of tools.entries()) {
    if (input_schema !== undefined && COMBINING.some((key) => Object.hasOwn(input_schema, key)))
      return refuse(COMBINED, `tools.${index}.custom.input_schema`);
  }
  return referenceProblem(new Set(tools.map(({ name }) => name)), messages);
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

/** A forced tool must be among the tools. */
function forcedToolProblem({ tool_choice: choice, tools = [] }: CheckedRequest): Problem | undefined {
  if (choice?.type !== 'tool' || tools.some(({ name }) => name === choice.name)) return undefined;
  const message = choice.name === '' ? REQUIRED : `Tool '${shown(choice.name)}' not found in provided tools`;
  return refuse(message, 'tool_choice.name');
}
