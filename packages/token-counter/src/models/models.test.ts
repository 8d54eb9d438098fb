import { test } from 'vitest';
import assert from 'node:assert/strict';
import type { Model } from '@anthropic-ai/sdk/resources/messages/messages';
import { listModels, resolveModel } from './models.ts';

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
  for (const id of ['', 'gpt-4', 'claude', 'CLAUDE-OPUS-5', '__proto__', 'constructor', 'toString'])
    assert.equal(resolveModel(id), undefined);
});

test('has a retirement date after the release only when deprecated or retired', () => {
  const ended = listModels().filter(({ retiresAt }) => retiresAt !== undefined);
  for (const { id, status, createdAt, retiresAt = '' } of ended) {
    assert.notEqual(status, 'active', id);
    assert.ok(retiresAt > createdAt, id);
  }
  assert.equal(resolveModel('claude-sonnet-4-5')?.retiresAt, '2026-11-30T00:00:00Z');
  assert.ok(ended.length >= 10);
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
