import type { ToolUseBlock } from '../request-types.ts';
import { pythonJson } from './python-json.ts';

/** The namespace prefix of the tool-call markup, in two parts so that this file holds no such markup itself. */
export const NAMESPACE = 'antml' + ':';

/** `<invoke>` of one call: string values as they are, others as JSON. Ids cost nothing (461 recorded requests). */
export function invocation(call: Pick<ToolUseBlock, 'name' | 'input'>): string {
  let out = `<${NAMESPACE}invoke name="${call.name}">\n`;
  const input = call.input;
  if (typeof input === 'object' && input !== null) {
    const record = input as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      const value = record[key];
      const text = typeof value === 'string' ? value : pythonJson(value);
      out += `<${NAMESPACE}parameter name="${key}">${text}</${NAMESPACE}parameter>\n`;
    }
  }
  return `${out}</${NAMESPACE}invoke>\n`;
}

export const CALLS_OPEN = `<${NAMESPACE}function_calls>\n`;
export const CALLS_CLOSE = `</${NAMESPACE}function_calls>`;
/** Head of a call, up to the tool's name. */
export const CALL_HEAD = `<${NAMESPACE}invoke name="`;
