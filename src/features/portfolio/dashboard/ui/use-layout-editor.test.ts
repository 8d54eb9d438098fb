// @module-tag alone
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.ts';
import { renderHook } from '../../../../../test/support/render-hook.ts';
import { startStubService } from '../../../../../test/support/stub-service.ts';
import { toasts } from '../../../../ui/kit/toasts.ts';
import type { CardId, DashboardResponse } from '../contract.ts';
import { layoutQueryKey } from './layout-query.ts';
import type { DashboardCard } from './shared/dashboard-card.ts';
import { useLayoutEditor } from './use-layout-editor.ts';

// Runs in a separate process, because the test replaces globals with browser stubs.

const toList = (ids: readonly CardId[]) => ids.map((id) => ({ id }));
const createCard = (id: CardId): DashboardCard => ({
  id,
  title: id,
  description: id,
  size: 'narrow',
  Content: () => null,
});

test('restores only its card at the position it had when other cards changed before Undo', async (t) => {
  globalThis.requestAnimationFrame = () => 0;
  await startStubService(() => new Promise(() => undefined));
  let ids: readonly CardId[] = ['net_worth', 'accounts', 'news', 'holdings'];
  const hook = await renderHook(t, () => useLayoutEditor(ids.map(createCard), () => undefined));
  const readIds = () => hook.queries.getQueryData<DashboardResponse>(layoutQueryKey)?.cards.map(({ id }) => id);
  hook.queries.setQueryData<DashboardResponse>(layoutQueryKey, { cards: toList(ids), removed: [] });
  hook.current.applyAction('accounts', 'remove');
  await eventually(() => readIds()?.length === 3);
  // Another card is removed, and the others are moved.
  ids = ['holdings', 'net_worth'];
  hook.queries.setQueryData<DashboardResponse>(layoutQueryKey, {
    cards: toList(ids),
    removed: toList(['news', 'accounts']),
  });
  toasts.get()[0]!.action!.run();
  await eventually(() => readIds()?.length !== 2);
  assert.deepEqual(readIds(), ['holdings', 'accounts', 'net_worth']);
});
