// @module-tag alone
import assert from 'node:assert/strict';
import { QueryClient } from '@tanstack/react-query';
import { test } from 'vitest';
import { startStubService } from '../../../../../test/support/stub-service.ts';
import { investmentsQueryKey } from '../../../../ui/shell/api/investment-query.ts';
import { changeBaseCurrency } from './base-currency.ts';

// This file runs in its own process, because it replaces browser globals.

test('reads everything that depends on the base currency again after a change', async () => {
  await startStubService(() => ({ base_currency: 'GBP' }));
  const queries = new QueryClient();
  const keys = [['net-worth'], ['accounts'], ['portfolio-holdings'], ['security', 'AAPL'], ['explain', 'accounts']];
  for (const key of keys) queries.setQueryData([...investmentsQueryKey, ...key], {});
  queries.setQueryData(['watchlist'], {});
  await changeBaseCurrency(queries, 'GBP');
  const isRead = (key: readonly string[]) => queries.getQueryState(key)?.isInvalidated;
  for (const key of keys) assert.equal(isRead([...investmentsQueryKey, ...key]), true, key.join());
  assert.equal(isRead(['watchlist']), false);
});
