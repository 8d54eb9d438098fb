import { test } from 'vitest';
import assert from 'node:assert/strict';
import type { Model } from '@anthropic-ai/sdk/resources/messages/messages';
import { listModels } from './models.ts';
import { resolveModel } from './resolve-model.ts';

// The models that the SDK's type names. A name that is removed from the type fails the compilation.
type Named<T> = T extends string ? (string extends T ? never : T) : never;
const NAMED_BY_THE_SDK: Record<Named<Model>, true> = {
  'claude-fable-5-2': true,
  'claude-mythos-5-2': true,
  'claude-haiku-5-5': true,
  'claude-sonnet-5-5': true,
  'claude-fable-5-1': true,
  'claude-opus-5-5': true,
  'claude-mythos-5-1': true,
  'claude-sonnet-5': true,
  'claude-fable-5': true,
  'claude-mythos-5': true,
  'claude-opus-5': true,
  'claude-opus-4-8': true,
  'claude-opus-4-7': true,
  'claude-mythos-preview': true,
  'claude-opus-4-6': true,
  'claude-sonnet-4-6': true,
  'claude-haiku-4-5': true,
  'claude-haiku-4-5-20251001': true,
  'claude-opus-4-5': true,
  'claude-opus-4-5-20251101': true,
  'claude-sonnet-4-5': true,
  'claude-sonnet-4-5-20250929': true,
};

test('resolves every model that the official SDK names', () => {
  for (const id of Object.keys(NAMED_BY_THE_SDK)) assert.ok(resolveModel(id), id);
});

test('resolves aliases and dated ids to their row without duplicates', () => {
  const seen = new Set<string>();
  for (const row of listModels()) {
    for (const id of [row.id, ...row.aliases]) {
      assert.equal(resolveModel(id), row);
      assert.ok(!seen.has(id), id);
      seen.add(id);
    }
  }
  assert.equal(resolveModel('claude-sonnet-4-5-20250929')?.id, 'claude-sonnet-4-5');
});

test('returns undefined for unknown ids and prototype names', () => {
  for (const id of ['', 'gpt-4', 'claude', '__proto__', 'constructor', 'toString'])
    assert.equal(resolveModel(id), undefined);
});

test('has dates in order, and dates of retirement only for models that are not active', () => {
  for (const { id, status, createdAt, deprecatedAt, retiresAt } of listModels()) {
    assert.equal(retiresAt !== undefined, status !== 'active', id);
    const dates = [createdAt, deprecatedAt, retiresAt].filter((date) => date !== undefined);
    assert.deepEqual(dates, dates.toSorted(), id);
  }
});

test('has the published dates of deprecation and retirement', () => {
  const readDays = (id: string) =>
    [resolveModel(id)?.deprecatedAt, resolveModel(id)?.retiresAt].map((date) => date?.slice(0, 10));
  assert.deepEqual(readDays('claude-sonnet-4-5'), ['2026-09-30', '2026-11-30']);
  assert.deepEqual(readDays('claude-opus-4-5'), [undefined, '2027-01-22']);
  assert.deepEqual(readDays('claude-3-5-sonnet'), ['2025-08-13', '2025-10-28']);
  assert.deepEqual(readDays('claude-opus-5'), [undefined, undefined]);
});

test('has plausible dates and numbers with the newest model first', () => {
  const rows = listModels();
  for (const row of rows) {
    assert.equal(new Date(row.createdAt).toISOString().slice(0, 19), row.createdAt.slice(0, 19));
    assert.ok(row.toolPrompt.auto > 0 && row.toolPrompt.forced > 0);
    assert.ok(row.evidence.note.length > 0);
  }
  const dates = rows.map((row) => row.createdAt);
  assert.deepEqual(dates, [...dates].sort().reverse());
});
