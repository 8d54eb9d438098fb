import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createReadinessCheck } from './check-readiness.ts';

test('accepts an account when it is a member with a holding and not the sample user', async () => {
  const checkReadiness = (idpId: string, accounts: number, holdings: number) =>
    createReadinessCheck({
      accounts: { sampleUserId: 'user_sample' },
      isMember: async (id) => id !== 'user_nobody',
      countAccountsAndHoldings: async () => ({ accounts, holdings }),
    })(idpId);
  assert.deepEqual(await checkReadiness('user_demo', 1, 1), { ok: true });
  for (const [idpId, accounts, holdings, sentence] of [
    ['user_sample', 1, 1, /^user_sample is the sample user: set DEMO_ACCOUNT_IDP_USER_ID to /],
    ['user_nobody', 1, 1, /^user_nobody has never been onboarded here: sign in with it once/],
    ['user_demo', 0, 0, /^user_demo has no account: run "tally demo-account reset" first\.$/],
    ['user_demo', 2, 0, /^user_demo has no holding: run "tally demo-account reset" first\.$/],
  ] as const) {
    const readiness = await checkReadiness(idpId, accounts, holdings);
    assert.ok(!readiness.ok && sentence.test(readiness.reason), JSON.stringify(readiness));
  }
});
