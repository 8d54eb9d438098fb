import { test } from 'vitest';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveModel } from '../models/resolve-model.ts';
import type { ModelRow } from '../models/model-row.ts';
import { countImageTokens, resizeImage } from './image-tokens.ts';
import { FITTED_RULES } from '../prompt/fitted.ts';
import { estimatePdfTokens, countPdfPageTokens } from './pdf-tokens.ts';

function model(id: string): ModelRow {
  const row = resolveModel(id);
  assert.ok(row);
  return row;
}

test("counts the worked examples of the provider's documentation", () => {
  assert.deepEqual(resizeImage({ width: 1075, height: 1520 }, 'standard'), { width: 924, height: 1307 });
  assert.deepEqual(resizeImage({ width: 1920, height: 1080 }, 'standard'), { width: 1456, height: 819 });
  assert.deepEqual(resizeImage({ width: 1075, height: 1520 }, 'high'), { width: 1075, height: 1520 });
  assert.equal(countImageTokens({ width: 1075, height: 1520 }, model('claude-opus-5')), 2145);
});

test('counts one token per patch of 28 pixels and pairs of patches on Haiku 3.5', () => {
  assert.equal(countImageTokens({ width: 1, height: 1 }, model('claude-sonnet-4-5')), 1);
  assert.equal(countImageTokens({ width: 29, height: 28 }, model('claude-sonnet-4-5')), 2);
  assert.equal(countImageTokens({ width: 29, height: 28 }, model('claude-3-5-haiku')), 4);
});

test('counts swapped sides equally and never exceeds the limit of the tier', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8000 }), fc.integer({ min: 1, max: 8000 }), (width, height) => {
      for (const [id, limit] of [
        ['claude-sonnet-4-5', 1568],
        ['claude-opus-5', 4784],
      ] as const) {
        const tokens = countImageTokens({ width, height }, model(id));
        assert.equal(tokens, countImageTokens({ width: height, height: width }, model(id)));
        assert.ok(tokens >= 1 && tokens <= limit);
      }
    }),
    { numRuns: 300 },
  );
});

test('scales a PDF page to the largest size of the standard tier', () => {
  assert.equal(countPdfPageTokens({ width: 612, height: 792 }, model('claude-sonnet-4-5'), FITTED_RULES), 34 * 45 + 7);
  assert.equal(
    countPdfPageTokens({ width: 595.276, height: 841.89 }, model('claude-sonnet-4-5'), FITTED_RULES),
    33 * 47 + 7,
  );
  assert.equal(countPdfPageTokens({ width: 792, height: 612 }, model('claude-sonnet-5'), FITTED_RULES), 34 * 45 + 10);
  assert.equal(countPdfPageTokens({ width: 100, height: 100 }, model('claude-3-5-haiku'), FITTED_RULES), 1571);
});

test('counts a page without a size as letter and an unparsed PDF as at least one page', () => {
  assert.equal(
    countPdfPageTokens({ width: 0, height: Number.NaN }, model('claude-sonnet-4-5'), FITTED_RULES),
    34 * 45 + 7,
  );
  assert.ok(estimatePdfTokens(0) > 1500);
  assert.ok(estimatePdfTokens(10_000_000) > estimatePdfTokens(100_000));
});
