import assert from 'node:assert/strict';
import { test } from 'vitest';
import { keepContractProperties } from './clean-properties.ts';
import { funnelEvents, findEventShape } from './contract.ts';

const fromBrowser = funnelEvents.filter((event) => findEventShape(event)?.from === 'browser');

test('stores the entry source under one name when a page uses the older name', () => {
  assert.ok(fromBrowser.includes('plans_viewed') && fromBrowser.includes('upgrade_modal_confirmed'));
  for (const event of fromBrowser.filter((name) => name !== 'upgrade_cta_clicked'))
    for (const name of ['entry_source', 'entry'])
      assert.deepEqual(keepContractProperties(event, { [name]: 'watchlist_limit', tier: 'free' }), {
        entry_source: 'watchlist_limit',
        tier: 'free',
      });
});

test('stores the source of an upgrade prompt under its own name', () => {
  const properties = { source: 'dashboard_watchlist_limit', tier: 'free' };
  assert.deepEqual(keepContractProperties('upgrade_cta_clicked', properties), properties);
});
