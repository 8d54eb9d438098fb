import type { ToolDefinition } from '../request-types.ts';
import { pythonJson } from './python-json.ts';

/**
 * A client tool as the prompt holds it: one line, keys sorted at every level, `input_schema` renamed, an empty
 * description dropped; `strict`, `cache_control` and `type` are not written. Characters beyond ASCII are escaped up to
 * 4.5 and stand as they are from 4.6 on.
 */
export function definitionLine(tool: ToolDefinition, raw = false): string {
  const written: Record<string, unknown> = { name: tool.name ?? '', parameters: tool.input_schema ?? {} };
  if (typeof tool.description === 'string' && tool.description !== '') written['description'] = tool.description;
  return `<function>${pythonJson(written, { sortKeys: true, raw })}</function>\n`;
}
