/** The address with the panel open: at a kept conversation, or where it was left. */
export function getPanelUrl(conversation: string | null = null): string {
  const query = new URLSearchParams(window.location.search);
  query.set('assistant', conversation ?? 'open');
  return `${window.location.pathname}?${query.toString()}`;
}

/** The same page without the panel. */
export function getClosedPanelUrl(): string {
  const query = new URLSearchParams(window.location.search);
  query.delete('assistant');
  const rest = query.toString();
  return window.location.pathname + (rest && `?${rest}`);
}
