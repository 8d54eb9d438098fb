/** Code of a one-time link, with the id before the dot. It is only in memory. */
export interface LinkCode {
  id: string;
  secret: string;
}

const LINK = /^#(code|invitation)=([\w-]+)\.([\w-]+)$/;

const codes: Record<'code' | 'invitation', LinkCode | null> = { code: null, invitation: null };

/**
 * Returns the code of the link that opened the page, or null. The first call removes it from the address, so that
 * neither the history nor a screenshot shows it.
 */
export function readLinkCode(name: 'code' | 'invitation' = 'code'): LinkCode | null {
  const [, foundName, id, secret] = LINK.exec(window.location.hash) ?? [];
  if (foundName === name) {
    codes[name] = { id: id!, secret: secret! };
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  }
  return codes[name];
}

/** Forgets the code after its use. */
export function forgetLinkCode(name: 'code' | 'invitation' = 'code'): void {
  codes[name] = null;
}
