import assert from 'node:assert/strict';
import { test } from 'vitest';
import { countConcatenated } from '../tokenizer/index.ts';
import { countInputTokens, type ContentBlock, type Message, type ToolDefinition } from '../index.ts';
import { formatDefinition } from './tool-definition.ts';

const finder: ToolDefinition = { name: 'find', input_schema: { type: 'object' } };
const rates: ToolDefinition = { name: 'rates', description: 'Exchange rates', input_schema: { type: 'object' } };
const later: ToolDefinition = { ...rates, defer_loading: true };
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'find', input: {} });
const result = (id: string, ...names: string[]): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: names.map((tool_name) => ({ type: 'tool_reference' as const, tool_name })),
});

function count(tools: ToolDefinition[], calls: ContentBlock[], results: ContentBlock[]): number {
  const messages: Message[] = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: calls },
    { role: 'user', content: results },
  ];
  return countInputTokens({ model: 'claude-sonnet-4-5', messages, tools });
}

/** Tokens of a result without content. */
const EMPTY = 15;
const countLineTokens = (line: string): number =>
  countConcatenated(['<function_results>', line, '</function_results>'], 'v3') -
  countConcatenated(['<function_results>', '</function_results>'], 'v3');

test('lists the tools that a result refers to once, deferred or not', () => {
  const none = count([finder, later], [call('a')], [result('a')]) - EMPTY;
  const list = `\n<functions>\n${formatDefinition(later)}</functions>\n`;
  assert.equal(count([finder, later], [call('a')], [result('a', 'rates')]) - none, countLineTokens(list));
  const twice = `\n<functions>\n${formatDefinition(later)}${formatDefinition(later)}</functions>\n`;
  assert.equal(count([finder, later], [call('a')], [result('a', 'rates', 'rates')]) - none, countLineTokens(twice));
  const countWithReference = count([finder, rates], [call('a')], [result('a')]) - EMPTY;
  assert.equal(count([finder, rates], [call('a')], [result('a', 'rates')]) - countWithReference, countLineTokens(list));
});

test('omits the name of a result that loads tools among several results', () => {
  const calls = [call('a'), call('b')];
  const text: ContentBlock = { type: 'tool_result', tool_use_id: 'a', content: 'x' };
  const named = count([finder, later], calls, [text, { ...text, tool_use_id: 'b', content: '' }]) - EMPTY;
  const loading = count([finder, later], calls, [text, result('b', 'rates')]);
  const list = `\n<functions>\n${formatDefinition(later)}</functions>\n`;
  const wrapper = '<result>\n<name>find</name>\n<output></output>\n</result>\n';
  assert.ok(Math.abs(loading - named - (countLineTokens(list) - countLineTokens(wrapper))) <= 2);
});

test('writes a tool at the message that adds it', () => {
  const messages = (content: unknown): Message[] =>
    [
      { role: 'user', content: 'hi' },
      { role: 'system', content },
    ] as Message[];
  const request = { model: 'claude-opus-4-8', tools: [finder, later] };
  const counted = (...content: unknown[]): number => countInputTokens({ ...request, messages: messages(content) });
  const one = counted({ type: 'tool_addition', tool: { type: 'tool_reference', name: 'rates' } });
  const byValue = counted({ type: 'tool_addition', tool: { type: 'tool_definition', ...rates } });
  // The announcement to the model has 30 tokens.
  assert.ok(one > counted({ type: 'text', text: '' }) + 50);
  assert.equal(byValue, one);
});

test('writes the name of a tool at the message that removes it', () => {
  const removal = (name: string): number =>
    countInputTokens({
      model: 'claude-opus-4-8',
      tools: [finder],
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name } }] },
      ] as Message[],
    });
  assert.equal(removal('find_all') - removal('find'), 2);
});
