/** Returns the URL that opens the panel: at a stored conversation, or at the last one. */
export function getPanelUrl(conversation: string | null = null): string {
  const query = new URLSearchParams(window.location.search);
  query.set('assistant', conversation ?? 'open');
  return `${window.location.pathname}?${query.toString()}`;
}

/** Returns the URL of the page without the panel. */
export function getClosedPanelUrl(): string {
  const query = new URLSearchParams(window.location.search);
  query.delete('assistant');
  const rest = query.toString();
  return window.location.pathname + (rest && `?${rest}`);
}
