import { ApiError } from '../../web/lib/call-api.ts';
import { navigate } from '../../web/lib/location.ts';
import type { NoticeAction } from '../../web/lib/notices.ts';
import { notify } from '../../web/lib/notices.ts';
import type { ListState } from '../contract.ts';
import type { Security } from './changed-list.ts';
import { capture, plansLink } from './capture.ts';
import { shortName } from './item-words.ts';

/** Says why a security was not added, where it is read: the row itself has gone from the list again. */
export function tellRefusal(error: unknown, security: Security, list: ListState | null | undefined): void {
  const { text, action } = refusalOf(error, security, list);
  notify(text, 'bad', action);
}

function refusalOf(error: unknown, security: Security, list: ListState | null | undefined): { text: string; action?: NoticeAction } {
  const name = shortName(security);
  if (!(error instanceof ApiError)) return { text: `${name} was not added.` };
  switch (error.code) {
    case 'WATCHLIST_LIMIT_REACHED':
      return {
        text: `${name} was not added: your watchlist is full, ${String(error.body['limit'])} of ${String(error.body['limit'])}.`,
        action: { label: 'Upgrade', run: () => upgrade(list) },
      };
    default:
      return { text: `${name} was not added. ${error.message}` };
  }
}

function upgrade(list: ListState | null | undefined): void {
  if (list) capture('upgrade_cta_clicked', list, { source: 'dashboard_watchlist_limit' });
  navigate(plansLink('dashboard_watchlist_limit'));
}
