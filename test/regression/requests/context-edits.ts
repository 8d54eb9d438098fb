import { createAssistantMessage, type Body, type NamedRequest, toNamedRequest, createUserMessage } from './body.ts';

const turns = ['first', 'second', 'third', 'fourth'].flatMap((id) => [
  createAssistantMessage([
    { type: 'tool_use', id, name: id === 'first' ? 'read' : 'find', input: { boat: `the ${id} one` } },
  ]),
  createUserMessage([
    { type: 'tool_result', tool_use_id: id, content: `It is the ${id} boat of forty-two in the harbour.` },
  ]),
]);
const tools = ['find', 'read'].map((name) => ({ name, input_schema: { type: 'object' } }));
const createEditRequest = (name: string, ...edits: Body[]): NamedRequest =>
  toNamedRequest(`edits: ${name}`, [createUserMessage('Which boats are there?'), ...turns], {
    tools,
    context_management: { edits },
  });
const clear = (name: string, extra: Body): NamedRequest =>
  createEditRequest(name, { type: 'clear_tool_uses_20250919', ...extra });
const uses = (value: number): Body => ({ type: 'tool_uses', value });
const tokens = (value: number): Body => ({ type: 'input_tokens', value });

/** Content that `context_management` removes before the count. */
export const contextEdits: readonly NamedRequest[] = [
  clear('after a number of uses', { trigger: uses(2), keep: uses(1) }),
  clear('after a number of tokens', { trigger: tokens(100), keep: uses(2), clear_at_least: tokens(5) }),
  clear('only if it clears much', { trigger: uses(1), keep: uses(1), clear_at_least: tokens(5000) }),
  clear('by the defaults', { trigger: null, keep: null, clear_at_least: null, clear_tool_inputs: null }),
  clear('with inputs', { trigger: uses(1), clear_tool_inputs: true }),
  clear('with inputs of one tool', { trigger: uses(1), keep: uses(0), clear_tool_inputs: ['find'] }),
  clear('with inputs of none', { trigger: uses(1), keep: uses(0), clear_tool_inputs: [] }),
  clear('but one tool', { trigger: uses(1), keep: uses(0), exclude_tools: ['read'] }),
  clear('but no tool', { trigger: uses(1), keep: uses(0), clear_tool_inputs: false, exclude_tools: [] }),
  clear('no list of tools', { trigger: uses(1), exclude_tools: null }),
  createEditRequest('thinking', { type: 'clear_thinking_20251015', keep: 'all' }),
  createEditRequest(
    'a summary',
    { type: 'compact_20260112', trigger: tokens(50_000) },
    { type: 'compact_20260112', trigger: null },
  ),
];
