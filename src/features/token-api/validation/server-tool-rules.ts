import type { Block, CheckedMessage } from './checked-request.ts';
import { isObject, type Problem, validationError } from './problem.ts';

const SERVER_RESULTS: ReadonlySet<string> = new Set([
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
]);

/** A call of a server tool without a result so far. */
interface OpenCall {
  name: string;
  message: number;
}

/** Returns the first result of a server tool without its call, or the first call that a user turn left without result. */
export function findServerToolProblem(messages: readonly CheckedMessage[]): Problem | undefined {
  const calls = new Set<string>();
  const openCalls = new Map<string, OpenCall>();
  for (let message = 0; message < messages.length; message += 1) {
    const { role, content } = messages[message]!;
    if (openCalls.size > 0 && role === 'user' && endsAssistantTurn(content)) return unansweredError(openCalls);
    if (typeof content === 'string') continue;
    for (let index = 0; index < content.length; index += 1) {
      const block = content[index]!;
      const source = getCallingTool(block);
      if (source !== undefined && !calls.has(source))
        return validationError(`source tool ${source} not found`, `messages.${message}.content.${index}`);
      if (block.type === 'server_tool_use') {
        calls.add(block['id'] as string);
        openCalls.set(block['id'] as string, { name: block['name'] as string, message });
      } else if (SERVER_RESULTS.has(block.type)) {
        const id = block['tool_use_id'] as string;
        if (!calls.has(id)) return unexpectedResultError(block.type, id, `messages.${message}.content.${index}`);
        openCalls.delete(id);
      }
    }
  }
  return undefined;
}

/**
 * Returns whether a user message holds anything but results of the client's own tools. A server tool that runs a program
 * may wait for those results.
 */
function endsAssistantTurn(content: string | readonly Block[]): boolean {
  if (typeof content === 'string') return content !== '';
  return content.some(({ type }) => type !== 'tool_result');
}

/** Returns the id of the server tool whose program made a call or got its result. */
function getCallingTool({ caller }: Block): string | undefined {
  return isObject(caller) && typeof caller['tool_id'] === 'string' ? caller['tool_id'] : undefined;
}

function unexpectedResultError(type: string, id: string, path: string): Problem {
  return validationError(
    `unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. ` +
      `Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`,
    path,
  );
}

function unansweredError(openCalls: ReadonlyMap<string, OpenCall>): Problem {
  const [first] = openCalls;
  const [id, { name, message }] = first!;
  const result = name.startsWith('tool_search_tool_') ? 'tool_search_tool_result' : `${name}_tool_result`;
  return validationError(
    `\`${name}\` tool use with id \`${id}\` was found without a corresponding \`${result}\` block`,
    `messages.${message}`,
  );
}
