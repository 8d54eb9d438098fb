import type { ToolUseBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import type { LocatedBlock } from './located-block.ts';
import { formatPythonJson } from './python-json.ts';

/** The namespace prefix of the tool-call markup, in two parts so that this file holds no such markup itself. */
export const NAMESPACE = 'antml' + ':';

/** Head of a call, up to the tool's name. */
export const CALL_HEAD = `<${NAMESPACE}invoke name="`;

/** Special generations: tokens of the block around the calls, in place of its markup, and of the line break that
 * divides it from text before it (7 requests of three sources). */
const SPECIAL_CALLS_TOKENS = 2;
const SPECIAL_BREAK_TOKENS = 1;

/** Writes neighbouring tool calls as one block; `afterText`: text of the same turn stands before them. */
export function writeCalls(context: Context, calls: readonly LocatedBlock[], isAfterText: boolean): void {
  const { prompt } = context;
  const usesSpecialTokens = context.rules.roleMarkers === 'special';
  prompt.dropPendingSpace();
  if (usesSpecialTokens)
    prompt.addTokens(SPECIAL_CALLS_TOKENS + (isAfterText ? SPECIAL_BREAK_TOKENS : 0), 'tool_use', calls[0]?.path);
  else prompt.write(`\n\n<${NAMESPACE}function_calls>\n`, 'tool_use', calls[0]?.path);
  for (const { block, path } of calls) {
    if (block.type !== 'tool_use') continue;
    context.callNameById.set(block.id, block.name);
    prompt.write(formatInvocation(block), 'tool_use', path);
  }
  if (!usesSpecialTokens) prompt.write(`</${NAMESPACE}function_calls>`, 'tool_use', calls[0]?.path);
}

/** `<invoke>` of one call: string values as they are, others as JSON. Ids cost nothing (461 recorded requests). */
function formatInvocation({ name, input }: ToolUseBlock): string {
  let out = `${CALL_HEAD}${name}">\n`;
  if (typeof input === 'object' && input !== null) {
    for (const [key, value] of Object.entries(input) as [string, unknown][]) {
      const text = typeof value === 'string' ? value : formatPythonJson(value);
      out += `<${NAMESPACE}parameter name="${key}">${text}</${NAMESPACE}parameter>\n`;
    }
  }
  return `${out}</${NAMESPACE}invoke>\n`;
}
