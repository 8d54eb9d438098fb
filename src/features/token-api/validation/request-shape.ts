import { compileShapes } from './compile-shape.ts';
import * as contract from './contract.ts';
import { type Check, isObject, refuse, shown, within } from './problem.ts';

const UNKNOWN_TOOL =
  "is neither 'custom' nor a tool of the provider (bash, text_editor, computer, memory, web_search, web_fetch, " +
  'code_execution, tool_search_tool_…, each with its date)';

const tool: Check = (value) => {
  if (!isObject(value)) return refuse('Input should be a valid dictionary');
  const type = value['type'];
  if (type === undefined || type === null || type === 'custom' || typeof type !== 'string') {
    const problem = customTool(value);
    // The real API names the member of the union in these two places.
    return problem && /^(name|input_schema)/.test(problem.path) ? within('custom', problem) : problem;
  }
  if (type === 'mcp_toolset')
    return refuse('tools of MCP servers cannot be counted: the server would have to be asked for them', 'type');
  return contract.PROVIDER_TOOL.test(type) ? providerTool(value) : refuse(`'${shown(type)}' ${UNKNOWN_TOOL}`, 'type');
};

const uniqueNames: Check = (value) => {
  const names = new Set<unknown>();
  for (const { name } of value as { name?: string }[]) {
    if (name !== undefined && names.has(name)) return refuse('Tool names must be unique.');
    names.add(name);
  }
  return undefined;
};

const noServers: Check = (value) =>
  (value as unknown[]).length > 0
    ? refuse('must be empty: tools of MCP servers cannot be counted, the server would have to be asked for them')
    : undefined;

/** The messages are walked elsewhere, with the rules between them; here only that there are some, and not too many. */
const messageList: Check = (value) => {
  if (!Array.isArray(value)) return refuse('Input should be a valid list');
  if (value.length === 0) return refuse('at least one message is required');
  return value.length > contract.MAX_MESSAGES
    ? refuse(`List should have at most ${contract.MAX_MESSAGES} items after validation, not ${value.length}`)
    : undefined;
};

const compile = compileShapes({
  unionsOfOne: new Set([contract.textBlock, contract.ephemeral]),
  wrapped: new Map<unknown, (compiled: Check) => Check>([
    [contract.messages, () => messageList],
    [contract.tool, () => tool],
    [contract.tools, (listed) => (value) => listed(value) ?? uniqueNames(value)],
    [contract.mcpServers, (listed) => (value) => listed(value) ?? noServers(value)],
    [
      contract.enabledThinking,
      (enabled) => (value) => {
        const problem = enabled(value);
        // The real API names the member of the union here.
        return problem?.path === 'budget_tokens' ? within('enabled', problem) : problem;
      },
    ],
  ]),
});
const customTool = compile(contract.customTool);
const providerTool = compile(contract.providerTool);

export const message = compile(contract.message);
/** The request around its messages. */
export const envelope = compile(contract.countTokensRequest);
