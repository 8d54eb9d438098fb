/** Code of a one-time link, with the id before the dot. It is only in memory. */
export interface LinkCode {
  id: string;
  secret: string;
}

const LINK = /^#code=([\w-]+)\.([\w-]+)$/;

let current: LinkCode | null = null;

/**
 * Returns the code of the link that opened the page, or null. The first call removes it from the address, so that
 * neither the history nor a screenshot shows it.
 */
export function readLinkCode(): LinkCode | null {
  const found = LINK.exec(window.location.hash);
  if (found) current = { id: found[1]!, secret: found[2]! };
  if (window.location.hash !== '')
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return current;
}

/** Forgets the code after its use. */
export function forgetLinkCode(): void {
  current = null;
}
