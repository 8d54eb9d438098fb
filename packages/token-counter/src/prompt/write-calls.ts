import type { ToolUseBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import type { LocatedBlock } from './located-block.ts';
import { formatPythonJson } from './python-json.ts';

/** Namespace prefix of the tool-call markup, in two parts so that this file does not contain such markup. */
export const NAMESPACE = 'antml' + ':';

/** Opening of a call up to the tool's name. */
export const CALL_HEAD = `<${NAMESPACE}invoke name="`;

/**
 * Tokens around the calls instead of markup in generations with special tokens, and of the line break after preceding
 * text (7 requests of three sources).
 */
const SPECIAL_CALLS_TOKENS = 2;
const SPECIAL_BREAK_TOKENS = 1;

/** Writes adjacent tool calls as one block. `isAfterText`: text of one turn precedes them. */
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

/**
 * Returns the `<invoke>` of one call: strings unquoted, other values as JSON. Ids cost no tokens (461 recorded
 * requests).
 */
export function formatInvocation({ name, input }: Pick<ToolUseBlock, 'name' | 'input'>): string {
  let out = `${CALL_HEAD}${name}">\n`;
  if (typeof input === 'object' && input !== null) {
    for (const [key, value] of Object.entries(input) as [string, unknown][]) {
      const text = typeof value === 'string' ? value : formatPythonJson(value);
      out += `<${NAMESPACE}parameter name="${key}">${text}</${NAMESPACE}parameter>\n`;
    }
  }
  return `${out}</${NAMESPACE}invoke>\n`;
}
