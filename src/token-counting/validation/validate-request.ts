import { type ApiVersion, type CheckedMessage, ConversationRules } from './conversation-rules.ts';
import { type Problem, refuse, within } from './problem.ts';
import { envelope, message } from './request-shape.ts';
import { isObject, REQUIRED, shown } from './shapes.ts';
import { emptyTextProblem } from './text-rules.ts';
import { toolProblem } from './tool-rules.ts';

const SYSTEM_ROLE =
  'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input ' +
  'message role.';

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
  const { messages, system, tools, tool_choice } = body as Record<string, unknown>;
  const list = messages as unknown[];
  for (let index = 0; index < list.length; index += 1) {
    const given = list[index];
    if ((given as { role?: unknown } | null)?.role === 'system') return refuse(SYSTEM_ROLE, 'messages');
    const problem = message(given);
    if (problem) return within('messages', within(index, problem));
    const broken = rules?.message(given as CheckedMessage, index, index === list.length - 1);
    if (broken) return broken;
  }
  return (
    rules && (rules.end() ?? systemProblem(system) ?? toolProblem(tools, list) ?? forcedToolProblem(tool_choice, tools))
  );
}

function systemProblem(system: unknown): Problem | undefined {
  if (!Array.isArray(system)) return undefined;
  for (const { text } of system as { text: string }[]) {
    const problem = emptyTextProblem(text, 'system');
    if (problem) return problem;
  }
  return undefined;
}

/** A forced tool must be among the tools. Both have the right shape already. */
function forcedToolProblem(choice: unknown, offered: unknown): Problem | undefined {
  if (!isObject(choice) || choice['type'] !== 'tool') return undefined;
  const name = choice['name'];
  const found = Array.isArray(offered) && offered.some((candidate: { name?: string }) => candidate.name === name);
  return found
    ? undefined
    : refuse(name === '' ? REQUIRED : `Tool '${shown(String(name))}' not found in provided tools`, 'tool_choice.name');
}
