// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { type Fault, faults } from '../../../../../test/support/faults.ts';
import { renderHook } from '../../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../../test/support/stub-service.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Account } from '../contract.ts';
import type { Holding } from '../../holdings/contract.ts';
import { removeHolding, saveHolding } from '../../holdings/ui/change-holdings.ts';
import { deleteAccount, saveAccount } from './change-accounts.ts';
import { type Attempt, saveInvestment } from '../../holdings/ui/save-investment.ts';
import { useInvestmentChange } from '../../holdings/ui/use-investment-change.ts';

// This file runs in its own process, because it replaces browser globals.

const account = { id: 'acc', name: 'Brokerage', currency: 'USD', balance: 100 } as unknown as Account;
const holding = {
  id: 'hol',
  symbol: 'KO',
  account_id: 'acc',
  account_name: 'Brokerage',
  quantity: 40,
  cost_basis: 2_000,
} as unknown as Holding;
const investment = { symbol: 'KO', quantity: 40, costBasis: 2_000 };
const responses: Readonly<Record<string, unknown>> = {
  'PATCH /api/investments/holdings/hol': { holding },
  'PATCH /api/accounts/acc': { account },
  'POST /api/accounts': { account },
  'POST /api/investments/holdings': { holding },
  'GET /api/accounts': { accounts: [] },
  'GET /api/investments/holdings': { holdings: [] },
};

interface Change {
  name: string;
  endpoint: string;
  runChange: (queries: Parameters<typeof saveHolding>[0], attempt: Attempt) => Promise<unknown>;
}

const changes: readonly Change[] = [
  {
    name: 'change a holding',
    endpoint: 'PATCH /api/investments/holdings/hol',
    runChange: (queries) => saveHolding(queries, 'hol', { quantity: 41, cost_basis: 2_000 }),
  },
  {
    name: 'remove a holding',
    endpoint: 'DELETE /api/investments/holdings/hol',
    runChange: (queries) => removeHolding(queries, holding),
  },
  {
    name: 'change an account',
    endpoint: 'PATCH /api/accounts/acc',
    runChange: (queries) => saveAccount(queries, 'acc', { name: 'Old broker', balance: 100 }),
  },
  {
    name: 'delete an account',
    endpoint: 'DELETE /api/accounts/acc',
    runChange: (queries) => deleteAccount(queries, account),
  },
  {
    name: 'add an investment',
    endpoint: 'POST /api/investments/holdings',
    runChange: (_queries, attempt) =>
      saveInvestment({ ...investment, account: { id: 'acc' } }, attempt, () => undefined),
  },
  {
    name: 'add an investment, making its account',
    endpoint: 'POST /api/accounts',
    runChange: (_queries, attempt) =>
      saveInvestment({ ...investment, account: { name: 'Brokerage', currency: 'USD' } }, attempt, () => undefined),
  },
];

for (const { name, endpoint, runChange } of changes) {
  const writes = (sent: readonly string[]): string[] => sent.filter((call) => call === endpoint);

  for (const [fault, message] of Object.entries(faults) as [Fault, string][]) {
    test(`${name}: succeeds on retry when the service ${fault}`, async (t) => {
      const service = await startStubService((call) => responses[call]);
      const attempt: Attempt = { unansweredSince: null };
      const hook = await renderHook(t, () => useInvestmentChange('Gone.'));
      let done = 0;
      const change = (): void =>
        hook.current.run(
          async (queries) => {
            await runChange(queries, attempt);
          },
          () => {
            done += 1;
          },
        );
      service.fault = fault;
      change();
      await eventually(() => hook.current.problems.length > 0 && !hook.current.pending);
      assert.equal(hook.current.problems.length, 1);
      const [problem] = hook.current.problems;
      assert.ok(problem!.field === null && problem!.message.startsWith(message), JSON.stringify(problem));
      assert.deepEqual([done, writes(service.requests).length], [0, 1]);
      service.fault = null;
      change();
      await eventually(() => done === 1);
      assert.equal(writes(service.requests).length, 2);
    });
  }

  test(`${name}: applies the change once after a lost session`, async (t) => {
    let requestCount = 0;
    const service = await startStubService((call) => {
      if (call === endpoint) requestCount += 1;
      return responses[call];
    });
    const hook = await renderHook(t, () => useInvestmentChange('Gone.'));
    let done = 0;
    service.endSession();
    hook.current.run(
      async (queries) => {
        await runChange(queries, { unansweredSince: null });
      },
      () => {
        done += 1;
      },
    );
    await eventually(() => session.state.get().status === 'expired');
    assert.deepEqual([done, requestCount], [0, 0]);
    await service.signIn();
    await eventually(() => done === 1);
    assert.deepEqual([requestCount, hook.current.problems], [1, []]);
  });
}
