/** Returns the URL of a ticker's detail: the dashboard with the panel open. */
export function getTickerUrl(symbol: string, range?: string): string {
  const query = new URLSearchParams(window.location.search);
  query.set('ticker', symbol);
  if (range === undefined) query.delete('range');
  else query.set('range', range);
  return `${window.location.pathname}?${query.toString()}`;
}

/** Returns the current page's URL without the panel. */
export function getClosedPanelUrl(): string {
  const query = new URLSearchParams(window.location.search);
  query.delete('ticker');
  query.delete('range');
  const remainingQuery = query.toString();
  return window.location.pathname + (remainingQuery && `?${remainingQuery}`);
}
