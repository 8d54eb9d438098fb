import { test } from 'vitest';
import assert from 'node:assert/strict';
import { describeModel } from './describe-model.ts';
import { MODEL_FACTS } from './model-facts.ts';
import { listModels } from './models.ts';

test('has facts for every model and for no other', () => {
  assert.deepEqual(
    Object.keys(MODEL_FACTS).toSorted(),
    listModels()
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('describes a model by any of its names', () => {
  const described = describeModel('us.anthropic.claude-haiku-4-5-20251001-v1:0');
  assert.equal(described?.id, 'claude-haiku-4-5');
  assert.equal(described?.contextWindow, 200_000);
  assert.equal(described?.maxOutputTokens, 64_000);
  assert.deepEqual(described?.price, { input: 1, output: 5, cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1 });
  assert.equal(describeModel('claude-none'), undefined);
});

test('has the published prices of cache writes, reads and long prompts', () => {
  assert.deepEqual(describeModel('claude-sonnet-5-5')?.price, {
    input: 2,
    output: 10,
    cacheWrite5m: 2.5,
    cacheWrite1h: 4,
    cacheRead: 0.1,
  });
  assert.deepEqual(describeModel('claude-haiku-5-5')?.longContextPrice, {
    aboveInputTokens: 100_000,
    input: 0.5,
    output: 2.5,
    cacheWrite5m: 0.625,
    cacheWrite1h: 1,
    cacheRead: 0.05,
  });
});

test.each(listModels())('has facts of $id that fit together', ({ id, generation }) => {
  const { price, thinking, efforts, contextWindow, maxOutputTokens, source, readOn } = describeModel(id)!;
  assert.ok(price === null || (price.output > price.input && price.input > (price.cacheRead ?? 0)));
  assert.ok(contextWindow === null || contextWindow > maxOutputTokens!);
  // Effort controls adaptive thinking. Before 4.6 only Opus 4.5 has effort.
  if (thinking.adaptive) assert.ok(efforts!.length >= 4);
  if (generation === '3' || generation === '4') assert.deepEqual(efforts, []);
  assert.ok(source.length > 10);
  assert.match(readOn, /^\d{4}-\d\d-\d\d$/);
});
