import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isQuickCount } from './quick-count.ts';

const repeat = (count: number, unit: object): object[] => Array.from({ length: count }, () => unit);
const ask = (content: unknown) => ({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }] });
const tool = { name: 'read', description: 'Reads a file. '.repeat(20), input_schema: { type: 'object' } };

const QUICK: readonly [name: string, body: object][] = [
  ['a question of 1 KB', ask('x'.repeat(1_000))],
  ['twenty tools with descriptions', { ...ask('Hi'), tools: repeat(20, tool) }],
  ['a text of 16 KB', ask('x'.repeat(16 * 1024))],
];
const COSTLY: readonly [name: string, body: object][] = [
  ['a text of 64 KB', ask('x'.repeat(64 * 1024))],
  ['four thousand tools', { ...ask('Hi'), tools: repeat(4_000, { name: 't', input_schema: {} }) }],
  ['a thousand small blocks', ask(repeat(1_000, { type: 'text', text: 'a' }))],
];

const isQuick = (body: object): boolean => isQuickCount(Buffer.from(JSON.stringify(body)));

test.for(QUICK)('returns true when the body is %s', ([, body]) => assert.equal(isQuick(body), true));

test.for(COSTLY)('returns false when the body is %s', ([, body]) => assert.equal(isQuick(body), false));
