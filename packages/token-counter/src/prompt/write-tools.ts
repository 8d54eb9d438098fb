import type { CountTokensRequest, ToolChoice, ToolDefinition } from '../request-types.ts';
import { countBuiltinToolTokens, isBuiltinTool } from './builtin-tools.ts';
import type { Context } from './context.ts';
import { CALL_HEAD, formatInvocation } from './write-calls.ts';
import { formatDefinition } from './tool-definition.ts';

/**
 * Tokens of the line break before the definitions, which the published numbers exclude (407 recorded requests with
 * tools). If role markers are text, a request with only provider tools has none (one request with two of them, and tool
 * searches).
 */
const DEFINITIONS_BREAK_TOKENS = 1;
/** Tokens that a named tool adds by closing the opening of its call (55 of 55; Sonnet 5: 5 of 5). */
const NAMED_TOOL_TOKENS = 1;

/** Writes the tool prompt and the definitions. Returns true if the request has tools. */
export function writeTools(context: Context, request: CountTokensRequest): boolean {
  const tools = request.tools ?? [];
  if (tools.length === 0) return false;
  const { prompt, model, rules, fitted } = context;
  const choice = request.tool_choice ?? { type: 'auto' };
  const isForcedChoice = isForced(choice);
  const toolPrompt = fitted.toolPrompts[model.id]!;
  prompt.addTokens(isForcedChoice ? toolPrompt.forced : toolPrompt.auto, 'tools', 'tools');
  const builtinTokens = tools.map((tool) =>
    tool.defer_loading === true ? undefined : countBuiltinToolTokens(tool, model, fitted),
  );
  const hasDefinitions = tools.some((tool, index) => tool.defer_loading !== true && builtinTokens[index] === undefined);
  if (hasDefinitions || rules.roleMarkers === 'special') prompt.addTokens(DEFINITIONS_BREAK_TOKENS, 'tools', 'tools');
  if (model.id === 'claude-3-opus' && !isForcedChoice && endsInResults(request))
    prompt.addTokens(fitted.overheads.opus3AfterResults, 'tools', 'tools');
  if (choice.type !== 'none' && choice.disable_parallel_tool_use === true) {
    const serialTokens = isForcedChoice
      ? fitted.overheads.serialForced - rules.serialTools.advice
      : rules.serialTools.auto;
    prompt.addTokens(serialTokens, 'tool_choice', 'tool_choice');
  }
  if (rules.roleMarkers === 'special')
    prompt.addTokens(countBuiltinLineBreaks(tools, hasDefinitions), 'tools', 'tools');
  tools.forEach((tool, index) => {
    if (tool.defer_loading === true) return;
    const path = prompt.joinPath('tools', index);
    const tokens = builtinTokens[index];
    if (tokens === undefined) prompt.write(formatDefinition(tool, rules.rawTools), 'tools', path);
    else prompt.addTokens(tokens, 'tools', path, false);
    writeInputExamples(context, tool, path);
  });
  if (rules.roleMarkers === 'special' && context.hasDeferredTools)
    prompt.addTokens(fitted.overheads.deferredTools, 'tools', 'tools', false);
  return true;
}

/** Adds the tokens of the examples of a tool, which are an estimate. */
function writeInputExamples({ prompt, fitted }: Context, tool: ToolDefinition, path: string): void {
  const examples = tool.input_examples ?? [];
  if (examples.length === 0) return;
  const name = tool.name ?? '';
  const calls = examples.map((input) => formatInvocation({ name, input })).join('');
  prompt.addTextTokens(calls, fitted.overheads.inputExamples, 'tools', path, false);
}

/**
 * Returns the line breaks between tools that the definitions do not contain, because provider tools are not text. The
 * last line break costs nothing in generations with special tokens (17 requests of one source, tool searches).
 */
function countBuiltinLineBreaks(tools: readonly ToolDefinition[], hasDefinitions: boolean): number {
  const builtinCount = tools.filter((tool) => tool.defer_loading !== true && isBuiltinTool(tool)).length;
  return Math.max(0, hasDefinitions ? builtinCount : builtinCount - 1);
}

/**
 * Writes the assistant prefix of a forced tool choice: the opening of a tool call (included in the published number)
 * and the tool name, if one is given. After results its line breaks merge with theirs. In 3.x results end without a
 * line break, so one precedes the prefix, as before any answer.
 */
export function writeForcedToolCallPrefix(context: Context, request: CountTokensRequest): void {
  const choice = request.tool_choice;
  if (choice == null || !isForced(choice) || (request.tools ?? []).length === 0) return;
  const { prompt, rules } = context;
  if (context.endsInResults && rules.roleMarkers === 'text')
    prompt.addTokens(rules.breakAfterResults ? -1 : 1, 'tool_choice', 'tool_choice');
  if (choice.type !== 'tool') return;
  const overhead = NAMED_TOOL_TOKENS - prompt.countTextTokens(CALL_HEAD);
  prompt.addTextTokens(`${CALL_HEAD}${choice.name}">`, overhead, 'tool_choice', 'tool_choice', true);
}

function endsInResults({ messages }: CountTokensRequest): boolean {
  const content = messages.at(-1)?.content;
  return typeof content === 'object' && content.at(-1)?.type === 'tool_result';
}

function isForced(choice: ToolChoice): boolean {
  return choice.type === 'any' || choice.type === 'tool';
}
