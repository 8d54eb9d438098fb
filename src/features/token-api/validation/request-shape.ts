import { compileShapes, unknownTagError } from './compile-shape.ts';
import * as contract from './contract.ts';
import { type Check, isObject, type Problem, validationError, truncateForMessage, prependPath } from './problem.ts';

/** Tools of the provider that the official client library types. The real API lists its tools in this message. */
const PROVIDER_TOOL_TAGS = [
  'advisor_20260301',
  'bash_20250124',
  'browser_toolset_20260801',
  'code_execution_20250825',
  'computer_20251124',
  'computer_toolset_20260801',
  'custom',
  'memory_20250818',
  'text_editor_20250728',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex_20251119',
  'web_fetch_20260318',
  'web_search_20260318',
];

const checkTool: Check = (value) => {
  if (!isObject(value)) return validationError('Input should be an object');
  const type = value['type'];
  if (type === undefined || type === null || type === 'custom' || typeof type !== 'string') {
    const problem = checkCustomTool(value);
    return problem && prependPath('custom', problem);
  }
  if (type === 'mcp_toolset')
    return validationError(
      'tools of MCP servers cannot be counted, because their definitions are on the server',
      'type',
    );
  if (!contract.PROVIDER_TOOL.test(type)) return unknownTagError(type, PROVIDER_TOOL_TAGS);
  const problem =
    checkProviderTool(value) ??
    (contract.isNamedAsProvided({ ...value, type })
      ? undefined
      : validationError(`Input should be '${contract.getProviderToolName(type)}'`, 'name'));
  return problem && prependPath(type, problem);
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

const findCountProblem = (messages: readonly unknown[]): Problem | undefined => {
  if (messages.length === 0) return validationError('at least one message is required');
  return messages.length > contract.MAX_MESSAGES
    ? validationError(
        `List should have at most ${contract.MAX_MESSAGES} items after validation, not ${messages.length}`,
      )
    : undefined;
};

const ROLES: ReadonlySet<unknown> = new Set([...contract.role.options, 'system']);

const findRoleProblem = (messages: readonly { role: string }[]): Problem | undefined => {
  const unexpected = messages.find(({ role }) => !ROLES.has(role));
  return (
    unexpected &&
    validationError(`Unexpected role "${truncateForMessage(unexpected.role)}". Allowed roles are "user" or "assistant"`)
  );
};

const checkMessages =
  (checkListed: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return checkListed(value);
    return findCountProblem(value) ?? checkListed(value) ?? findRoleProblem(value as { role: string }[]);
  };

/** The role selects the shape, which allows more fields in system messages. */
const checkMessage: Check = (value) =>
  isObject(value) && value['role'] === 'system' ? checkSystemMessage(value) : checkTurn(value);

/** Without a type, thinking has settings of its blocks alone. */
const checkThinking: Check = (value) =>
  isObject(value) && value['type'] === undefined && value['block_binding'] != null
    ? checkThinkingBinding(value)
    : checkTypedThinking(value);

const checkString: Check = (value) =>
  typeof value === 'string' ? undefined : validationError('Input should be a valid string');

/** Rejects a source of the Files API in the words of the real API. */
const checkSource =
  (checkTagged: Check): Check =>
  (value) =>
    isObject(value) && value['type'] === 'file'
      ? validationError('File sources are not supported in the token counting endpoint.')
      : checkTagged(value);

const compile = compileShapes({
  singleVariantUnions: new Set([contract.ephemeral]),
  overrides: new Map<unknown, (compiled: Check) => Check>([
    [contract.messages, checkMessages],
    [contract.message, () => checkMessage],
    [contract.role, () => checkString],
    [contract.imageSource, checkSource],
    [contract.documentSource, checkSource],
    [contract.thinking, () => checkThinking],
    [contract.tool, () => checkTool],
    [contract.tools, (checkListed) => (value) => checkListed(value) ?? checkUniqueNames(value)],
    [contract.mcpServers, (checkListed) => (value) => checkListed(value) ?? checkNoServers(value)],
  ]),
});
const checkTurn = compile(contract.turn);
const checkSystemMessage = compile(contract.systemMessage);
const checkTypedThinking = compile(contract.typedThinking);
const checkThinkingBinding = compile(contract.thinkingBinding);
const checkCustomTool = compile(contract.customTool);
const checkProviderTool = compile(contract.providerTool);

/** Returns the first field of a wrong type, or `undefined`. Does not check the rules between fields. */
export const checkRequestShape = compile(contract.countTokensRequest);
