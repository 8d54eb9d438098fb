import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatLocale } from '../../../ui/kit/format-locale.ts';
import { formatDay, formatFigure } from '../../../ui/kit/formats.ts';
import { numberFormatChoices } from '../../../ui/shell/number-format/number-format.ts';
import { numberFormatLabels } from './number-format-labels.ts';

test('labels each choice with a number and a date as it writes them', (t) => {
  t.onTestFinished(() => formatLocale.set('en-US'));
  for (const choice of numberFormatChoices.filter((name) => name !== 'browser')) {
    formatLocale.set(choice);
    assert.equal(
      numberFormatLabels[choice],
      `${formatFigure(1_234_567.89, 2)} · ${formatDay('2026-11-29T12:00:00Z')}`,
      choice,
    );
  }
});
