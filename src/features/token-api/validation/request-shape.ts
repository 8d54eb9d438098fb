import { compileShapes } from './compile-shape.ts';
import * as contract from './contract.ts';
import { type Check, isObject, validationError, truncateForMessage, prependPath } from './problem.ts';

const UNKNOWN_TOOL =
  "is neither 'custom' nor a tool of the provider (bash, text_editor, computer, memory, web_search, web_fetch, " +
  'code_execution, tool_search_tool_…, each with its date)';

const checkTool: Check = (value) => {
  if (!isObject(value)) return validationError('Input should be a valid dictionary');
  const type = value['type'];
  if (type === undefined || type === null || type === 'custom' || typeof type !== 'string') {
    const problem = checkCustomTool(value);
    // The real API names the union member in these two cases.
    return problem && /^(name|input_schema)/.test(problem.path) ? prependPath('custom', problem) : problem;
  }
  if (type === 'mcp_toolset')
    return validationError(
      'tools of MCP servers cannot be counted, because their definitions are on the server',
      'type',
    );
  return contract.PROVIDER_TOOL.test(type)
    ? checkProviderTool(value)
    : validationError(`'${truncateForMessage(type)}' ${UNKNOWN_TOOL}`, 'type');
};

const checkUniqueNames: Check = (value) => {
  const names = new Set<unknown>();
  for (const { name } of value as { name?: string }[]) {
    if (name !== undefined && names.has(name)) return validationError('Tool names must be unique.');
    names.add(name);
  }
  return undefined;
};

const checkNoServers: Check = (value) =>
  (value as unknown[]).length > 0
    ? validationError(
        'must be empty: tools of MCP servers cannot be counted, because their definitions are on the server',
      )
    : undefined;

/** Checks only the number of messages. `ConversationRules` checks the messages and the rules between them. */
const checkMessageList: Check = (value) => {
  if (!Array.isArray(value)) return validationError('Input should be a valid list');
  if (value.length === 0) return validationError('at least one message is required');
  return value.length > contract.MAX_MESSAGES
    ? validationError(`List should have at most ${contract.MAX_MESSAGES} items after validation, not ${value.length}`)
    : undefined;
};

const compile = compileShapes({
  singleVariantUnions: new Set([contract.textBlock, contract.ephemeral]),
  overrides: new Map<unknown, (compiled: Check) => Check>([
    [contract.messages, () => checkMessageList],
    [contract.tool, () => checkTool],
    [contract.tools, (checkListed) => (value) => checkListed(value) ?? checkUniqueNames(value)],
    [contract.mcpServers, (checkListed) => (value) => checkListed(value) ?? checkNoServers(value)],
    [
      contract.enabledThinking,
      (checkEnabled) => (value) => {
        const problem = checkEnabled(value);
        // The real API names the union member here.
        return problem?.path === 'budget_tokens' ? prependPath('enabled', problem) : problem;
      },
    ],
  ]),
});
const checkCustomTool = compile(contract.customTool);
const checkProviderTool = compile(contract.providerTool);

export const checkMessageShape = compile(contract.message);
/** Checks the request except for its messages. */
export const checkEnvelope = compile(contract.countTokensRequest);
