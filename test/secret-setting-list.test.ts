import assert from 'node:assert/strict';
import { test } from 'vitest';
import { listSecretSettings, OTHERS, SECRETS } from './support/secret-settings.ts';

test('looks for the value of every setting that holds a secret, or names the reason', () => {
  const names = listSecretSettings();
  assert.ok(names.includes('SMTP_URL') && names.includes('OPERATOR_TOKEN'));
  assert.deepEqual(names.toSorted(), [...Object.keys(SECRETS), ...Object.keys(OTHERS)].toSorted());
});
