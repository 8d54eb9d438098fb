import { type ApiVersion, type CheckedMessage, ConversationRules, findEmptyTextProblem } from './conversation-rules.ts';
import { type Problem, validationError, FIELD_REQUIRED, truncateForMessage, prependPath } from './problem.ts';
import { checkEnvelope, checkMessageShape } from './request-shape.ts';

const SYSTEM_ROLE =
  'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input ' +
  'message role.';

/** A request of valid shape whose messages are unchecked. */
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

/** Returns the first field of a wrong type, or `undefined`. Does not check the rules between messages. */
export function findShapeProblem(body: unknown): Problem | undefined {
  return checkBody(body);
}

/**
 * Validates a whole request in one pass over its messages, in linear time. Media limits depend on the model and are
 * checked by `findMediaProblem`. Returns the first problem with its path.
 */
export function validateRequest(body: unknown, version: ApiVersion): Problem | undefined {
  return checkBody(body, new ConversationRules(version));
}

function checkBody(body: unknown, rules?: ConversationRules): Problem | undefined {
  const envelopeProblem = checkEnvelope(body);
  if (envelopeProblem) return envelopeProblem;
  const request = body as CheckedRequest;
  const { messages } = request;
  for (let index = 0; index < messages.length; index += 1) {
    const rawMessage = messages[index];
    if ((rawMessage as { role?: unknown } | null)?.role === 'system') return validationError(SYSTEM_ROLE, 'messages');
    const problem = checkMessageShape(rawMessage);
    if (problem) return prependPath('messages', prependPath(index, problem));
    const ruleProblem = rules?.checkMessage(rawMessage as CheckedMessage, index, index === messages.length - 1);
    if (ruleProblem) return ruleProblem;
  }
  return (
    rules &&
    (rules.finish() ?? findSystemProblem(request) ?? findToolProblem(request) ?? findForcedToolProblem(request))
  );
}

function findSystemProblem({ system = [] }: CheckedRequest): Problem | undefined {
  if (typeof system === 'string') return undefined;
  for (const { text } of system) {
    const problem = findEmptyTextProblem(text, 'system');
    if (problem) return problem;
  }
  return undefined;
}

const COMBINATOR_KEYS = ['oneOf', 'allOf', 'anyOf'];
const COMBINATORS_NOT_SUPPORTED = 'input_schema does not support oneOf, allOf, or anyOf at the top level';

/** Checks the rules of tools and of references to tools in results. */
function findToolProblem({ tools = [], messages }: CheckedRequest): Problem | undefined {
  for (const [index, { input_schema }] of tools.entries()) {
    if (input_schema !== undefined && COMBINATOR_KEYS.some((key) => Object.hasOwn(input_schema, key)))
      return validationError(COMBINATORS_NOT_SUPPORTED, `tools.${index}.custom.input_schema`);
  }
  return findReferenceProblem(new Set(tools.map(({ name }) => name)), messages);
}

function findReferenceProblem(
  names: ReadonlySet<string | undefined>,
  messages: readonly unknown[],
): Problem | undefined {
  for (const [index, message] of messages.entries()) {
    const { content } = message as { content: string | Block[] };
    if (typeof content === 'string') continue;
    for (const [blockIndex, block] of content.entries()) {
      if (block.type !== 'tool_result' || !Array.isArray(block.content)) continue;
      const referenceIndex = (block.content as Block[]).findIndex(
        ({ type, tool_name }) => type === 'tool_reference' && !names.has(tool_name),
      );
      const missingName = (block.content as Block[])[referenceIndex]?.tool_name;
      if (missingName !== undefined) {
        const referencePath = `messages.${index}.content.${blockIndex}.tool_result.content.${referenceIndex}`;
        return validationError(
          `Tool reference '${truncateForMessage(missingName)}' not found in available tools`,
          referencePath,
        );
      }
    }
  }
  return undefined;
}

/** Returns a problem if a forced tool is missing from the tools. */
function findForcedToolProblem({ tool_choice: choice, tools = [] }: CheckedRequest): Problem | undefined {
  if (choice?.type !== 'tool' || tools.some(({ name }) => name === choice.name)) return undefined;
  const message =
    choice.name === '' ? FIELD_REQUIRED : `Tool '${truncateForMessage(choice.name)}' not found in provided tools`;
  return validationError(message, 'tool_choice.name');
}
