import assert from 'node:assert/strict';
import { test } from 'vitest';
import { locateProblem } from './locate-problem.ts';

const TEXT = `{
  "model": "claude-opus-5",
  "messages": [
    { "role": "user", "content": [
      { "type": "text", "text": "é\\n" }, { "type": "image" }
    ] }
  ]
}`;

test('returns line and column of the deepest place that the text has', () => {
  const cases: [path: string, line: number, column: number][] = [
    ['model', 2, 12],
    ['messages.0.role', 4, 15],
    ['messages.0.content.1.image.source', 5, 42],
    ['messages.0.content.0.text', 5, 33],
  ];
  for (const [path, line, column] of cases) assert.deepEqual(locateProblem(TEXT, { path }), { line, column }, path);
});

test('returns the place of the image when its problem has no path', () => {
  const problem = { path: '', mediaPath: 'messages.0.content.1' };
  assert.deepEqual(locateProblem(TEXT, problem), { line: 5, column: 42 });
});

test('returns undefined when the text has no such place', () => {
  for (const path of ['', 'system', '0']) assert.equal(locateProblem(TEXT, { path }), undefined, path);
  assert.equal(locateProblem('', { path: 'model' }), undefined);
});
