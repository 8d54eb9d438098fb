import type { CountTokensRequest, ToolChoice } from '../request-types.ts';
import { builtinToolTokens } from './builtin-tools.ts';
import type { Context } from './context.ts';
import { CALL_HEAD } from './write-calls.ts';
import { definitionLine } from './tool-definition.ts';

/**
 * The line break before the definitions is not in the published figures (407 recorded requests with tools). Where role
 * markers are text, tools of the provider alone have none (two of them in one request, and searches for tools).
 */
const DEFINITIONS_BREAK = 1;
/** A named tool closes the head of its call (55 of 55; Sonnet 5: 5 of 5). */
const NAMED_TOOL = 1;

/** Writes the tool prompt and the definitions; true when the request has tools. */
export function writeTools(context: Context, request: CountTokensRequest): boolean {
  const tools = request.tools ?? [];
  if (tools.length === 0) return false;
  const { prompt, model, rules, fitted } = context;
  const choice = request.tool_choice ?? { type: 'auto' };
  const forced = isForced(choice);
  const toolPrompt = fitted.toolPrompts[model.id]!;
  prompt.charge(forced ? toolPrompt.forced : toolPrompt.auto, 'tools', 'tools');
  const builtin = tools.map((tool) =>
    tool.defer_loading === true ? undefined : builtinToolTokens(tool, model, fitted),
  );
  const defined = tools.some((tool, index) => tool.defer_loading !== true && builtin[index] === undefined);
  if (defined || rules.turns === 'special') prompt.charge(DEFINITIONS_BREAK, 'tools', 'tools');
  if (model.id === 'claude-3-opus' && !forced && holdsCalls(request))
    prompt.charge(fitted.overheads.opus3Calls, 'tools', 'tools');
  if (choice.type !== 'none' && choice.disable_parallel_tool_use === true) {
    const serial = forced ? fitted.overheads.serialForced - rules.serialTools.advice : rules.serialTools.auto;
    prompt.charge(serial, 'tool_choice', 'tool_choice');
  }
  tools.forEach((tool, index) => {
    if (tool.defer_loading === true) return;
    const path = prompt.path('tools', index);
    const tokens = builtin[index];
    if (tokens === undefined) prompt.write(definitionLine(tool, rules.rawTools), 'tools', path);
    else prompt.charge(tokens, 'tools', path, false);
  });
  if (rules.turns === 'special' && context.defersTools)
    prompt.charge(fitted.overheads.deferredTools, 'tools', 'tools', false);
  return true;
}

/**
 * Writes what a forced choice puts into the answer's mouth: the head of a call, whose price the published figure holds,
 * and the name of the tool, where one is asked for. After results its line breaks merge with theirs; in 3.x, whose
 * results end without one, a line break stands between as before any answer.
 */
export function writeForcedCall(context: Context, request: CountTokensRequest): void {
  const choice = request.tool_choice;
  if (choice == null || !isForced(choice) || (request.tools ?? []).length === 0) return;
  const { prompt, rules } = context;
  if (context.endsInResults && rules.turns === 'text')
    prompt.charge(rules.breakAfterResults ? -1 : 1, 'tool_choice', 'tool_choice');
  if (choice.type !== 'tool') return;
  const around = NAMED_TOOL - prompt.priceOf(CALL_HEAD);
  prompt.chargeText(`${CALL_HEAD}${choice.name}">`, around, 'tool_choice', 'tool_choice', true);
}

function holdsCalls(request: CountTokensRequest): boolean {
  return request.messages.some(
    ({ content }) => typeof content === 'object' && content.some((block) => block.type === 'tool_use'),
  );
}

function isForced(choice: ToolChoice): boolean {
  return choice.type === 'any' || choice.type === 'tool';
}
