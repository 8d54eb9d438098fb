import { isObject } from '../validation/problem.ts';
import type { Entry } from './session-entry.ts';

/** Marks in the sections of a system prompt where its part for all sessions ends. It is not sent. */
const SECTION_BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';

/** The system prompt and the tools that a session file names. */
export interface PromptSnapshot {
  system: { type: 'text'; text: string }[];
  tools: Record<string, unknown>[];
}

/**
 * Returns the system prompt and the tools of the last `prompt_snapshot` lines, or `undefined` if there are none. Tools
 * that were loaded later are not among them.
 */
export function readPromptSnapshot(entries: readonly Entry[]): PromptSnapshot | undefined {
  const snapshots = entries.map(({ value }) => value['attachment']).filter(isSnapshot);
  const last = snapshots.at(-1);
  if (last === undefined) return undefined;
  const { cliPrefix, systemPrompt } = last;
  const sections = systemPrompt.filter((section) => typeof section === 'string' && section !== SECTION_BOUNDARY);
  const texts = [cliPrefix, sections.join('\n\n')].filter((text) => typeof text === 'string' && text !== '');
  const tools = snapshots.findLast((snapshot) => Array.isArray(snapshot['tools']))?.['tools'];
  return {
    system: texts.map((text) => ({ type: 'text', text: text as string })),
    tools: Array.isArray(tools) ? tools.flatMap(toTool) : [],
  };
}

function isSnapshot(attachment: unknown): attachment is Record<string, unknown> & { systemPrompt: unknown[] } {
  return isObject(attachment) && attachment['type'] === 'prompt_snapshot' && Array.isArray(attachment['systemPrompt']);
}

/** Returns the definition of a tool, which is its `schema`. */
function toTool(tool: unknown): Record<string, unknown>[] {
  const definition = isObject(tool) ? tool['schema'] : undefined;
  if (!isObject(definition) || typeof definition['name'] !== 'string') return [];
  return isObject(definition['input_schema']) || typeof definition['type'] === 'string' ? [definition] : [];
}

/** Returns the blocks that Claude Code sends for an `attachment` line, such as reminders. Older versions save none. */
export function listRendered({ type, rendered, attachment }: Record<string, unknown>): unknown[] {
  if (type !== 'attachment' || !Array.isArray(rendered) || isSnapshot(attachment)) return [];
  return rendered.flatMap((part: unknown) => {
    const content = isObject(part) ? part['content'] : undefined;
    if (Array.isArray(content)) return content as unknown[];
    return typeof content === 'string' && content.trim() !== '' ? [{ type: 'text', text: content }] : [];
  });
}
