import { closePanel, openPanel, useSearchParams } from './location.ts';

/** Name of the query parameter that opens a security on any page of a member, such as `?symbol=AAPL`. */
const SYMBOL = 'symbol';
/** Former name of the parameter, which saved links still use. */
const FORMER_SYMBOL = 'ticker';
const RANGE = 'range';

/** Returns the URL of the current page with a security open, at a range of its chart or the default one. */
export function getSecurityUrl(symbol: string, range?: string): string {
  const query = new URLSearchParams(window.location.search);
  query.delete(FORMER_SYMBOL);
  query.set(SYMBOL, symbol);
  if (range === undefined) query.delete(RANGE);
  else query.set(RANGE, range);
  return `${window.location.pathname}?${query.toString()}`;
}

/** Opens a security over the current page. Back closes it. */
export function openSecurity(symbol: string): void {
  openPanel(getSecurityUrl(symbol));
}

/** Closes the open security. A second call does nothing: Escape and the dialog's close event both call it. */
export function closeSecurity(): void {
  const query = new URLSearchParams(window.location.search);
  if (getOpenSymbol(query) === null) return;
  for (const name of [SYMBOL, FORMER_SYMBOL, RANGE]) query.delete(name);
  const remainingQuery = query.toString();
  closePanel(window.location.pathname + (remainingQuery && `?${remainingQuery}`));
}

/** Returns the symbol of the open security, or null if the address opens none. */
const getOpenSymbol = (query: URLSearchParams): string | null => query.get(SYMBOL) ?? query.get(FORMER_SYMBOL);

/** Returns the symbol of the open security, or null if the address opens none. */
export const useOpenSymbol = (): string | null => getOpenSymbol(useSearchParams());

/** Returns the range of the chart in the address, or null without one. */
export const useChartRange = (): string | null => useSearchParams().get(RANGE);
