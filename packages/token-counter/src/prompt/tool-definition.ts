import type { ToolDefinition } from '../request-types.ts';
import { formatPythonJson } from './python-json.ts';

/**
 * Returns a client tool as it is in the prompt: one line, keys sorted at every level, `input_schema` renamed, no empty
 * description. `strict`, `cache_control` and `type` are omitted. Non-ASCII characters are escaped up to 4.5 and kept
 * from 4.6 on.
 */
export function formatDefinition(tool: ToolDefinition, keepsUnicode = false): string {
  const definition: Record<string, unknown> = { name: tool.name ?? '', parameters: tool.input_schema ?? {} };
  if (typeof tool.description === 'string' && tool.description !== '') definition['description'] = tool.description;
  return `<function>${formatPythonJson(definition, { sortKeys: true, keepsUnicode })}</function>\n`;
}
