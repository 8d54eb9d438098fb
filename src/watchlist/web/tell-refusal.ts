import { refusedWith } from '../../web/lib/call-api.ts';
import { navigate } from '../../web/lib/location.ts';
import { notify, notifyFailure } from '../../web/lib/notices.ts';
import type { ListState } from '../contract.ts';
import type { Security } from './changed-list.ts';
import { capture, plansLink } from './capture.ts';
import { shortName } from './item-words.ts';

/** Says why a security was not added, where it is read: the row itself has gone from the list again. */
export function tellRefusal(
  error: Error,
  security: Security,
  list: ListState | null | undefined,
  again: () => void,
): void {
  const name = shortName(security);
  const full = refusedWith('POST /api/watchlist', 'WATCHLIST_LIMIT_REACHED', error);
  if (!full) return notifyFailure(`${name} was not added.`, error, again);
  const { limit } = full;
  notify(`${name} was not added: your watchlist is full, ${limit} of ${limit}.`, 'bad', {
    label: 'Upgrade',
    run: () => upgrade(list, security.symbol),
  });
}

function upgrade(list: ListState | null | undefined, symbol: string): void {
  if (list) capture('upgrade_cta_clicked', list, { source: 'dashboard_watchlist_limit' });
  navigate(plansLink('dashboard_watchlist_limit', symbol));
}
