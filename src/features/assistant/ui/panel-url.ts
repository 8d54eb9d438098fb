/** Returns the URL that opens the panel: at a stored conversation, or at the last one. */
export function getPanelUrl(conversation: string | null = null): string {
  const query = new URLSearchParams(window.location.search);
  query.set('assistant', conversation ?? 'open');
  return `${window.location.pathname}?${query.toString()}`;
}

/** Path of the assistant as a page of its own. */
export const ASSISTANT_PATH = '/assistant';

/** Returns the URL of the assistant's own page at a stored conversation. */
export const getPageUrl = (conversation: string): string => `${ASSISTANT_PATH}?conversation=${conversation}`;

/** Returns the URL of the page without the panel. */
export function getClosedPanelUrl(): string {
  const query = new URLSearchParams(window.location.search);
  query.delete('assistant');
  const rest = query.toString();
  return window.location.pathname + (rest && `?${rest}`);
}
