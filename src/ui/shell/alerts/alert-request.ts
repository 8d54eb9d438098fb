import { createStore } from '../../kit/store.ts';
import type { PriceUnit } from '../../kit/price-formats.ts';
import { closePanel, openPanel, useSearchParams } from '../navigation/location.ts';
import { useDemoAccount } from '../session/demo-account.ts';
import { useIsSampleUser } from '../session/sample-user.ts';

/** Security of an alert that the member sets, with the price and the day's move that the page shows. */
export interface AlertSecurity extends Pick<PriceUnit, 'currency' | 'price_unit'> {
  symbol: string;
  price: number | null;
  /** Move of the price's day in percent. */
  change_1d: number | null;
}

/** Security whose alerts are open over the page, or null. */
export const alertForm = createStore<AlertSecurity | null>(null);

/** Opens the alerts of a security. */
export const openAlertForm = ({ symbol, price, change_1d, currency, price_unit }: AlertSecurity): void =>
  alertForm.set({ symbol, price, change_1d, currency, price_unit });

/** Returns whether the member may set alerts, which nobody may who shares an account. */
export function useMaySetAlerts(): boolean {
  const demoAccount = useDemoAccount();
  const isSample = useIsSampleUser();
  return demoAccount === null && !isSample;
}

/** Query parameter that opens the list of all alerts on any page of a member: `?alerts=open`. */
const ALERTS = 'alerts';

function toUrl(change: (query: URLSearchParams) => void): string {
  const query = new URLSearchParams(window.location.search);
  change(query);
  const text = query.toString();
  return window.location.pathname + (text && `?${text}`);
}

/** Opens the list of all alerts over the current page. Back closes it. */
export const openAlertList = (): void => openPanel(toUrl((query) => query.set(ALERTS, 'open')));

/** Closes the list. A second call does nothing: Escape and the dialog's close event both call it. */
export function closeAlertList(): void {
  if (new URLSearchParams(window.location.search).has(ALERTS)) closePanel(toUrl((query) => query.delete(ALERTS)));
}

/** Returns whether the address opens the list. */
export const useIsAlertListOpen = (): boolean => useSearchParams().has(ALERTS);
