import type { ToolDefinition } from '../request-types.ts';
import { formatPythonJson } from './python-json.ts';

/**
 * A client tool as the prompt holds it: one line, keys sorted at every level, `input_schema` renamed, an empty
 * description dropped; `strict`, `cache_control` and `type` are not written. Characters beyond ASCII are escaped up to
 * 4.5 and stand as they are from 4.6 on.
 */
export function formatDefinition(tool: ToolDefinition, keepsUnicode = false): string {
  const definition: Record<string, unknown> = { name: tool.name ?? '', parameters: tool.input_schema ?? {} };
  if (typeof tool.description === 'string' && tool.description !== '') definition['description'] = tool.description;
  return `<function>${formatPythonJson(definition, { sortKeys: true, keepsUnicode })}</function>\n`;
}
