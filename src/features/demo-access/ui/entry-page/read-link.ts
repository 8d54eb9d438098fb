/** What a link holds. */
export interface DemoLink {
  invitationId: string;
  /** The identity provider's sign-in token. */
  ticket: string;
  /** Until when the ticket says that it can be used; null where it says nothing. */
  expiresAt: Date | null;
}

/** The code, and what stands behind it. */
const CODE = /^#(?:.*&)?code(?:=|%(?:25)*3d)([\w-]*)([^&]*)/i;
/** A character that browsers have encoded, once or several times. */
const ENCODED = /%(?:25)*[0-9a-f]{2}/gi;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The longest ticket that the provider takes. */
const MAX_TICKET_LENGTH = 4096;

/** Reads `#code=<base64url of "<invitation id>.<ticket>">`: `none` where there is no code at all. */
export function readLink(fragment: string): DemoLink | 'none' | 'malformed' {
  const [, code, suffix = ''] = CODE.exec(fragment) ?? [];
  if (code === undefined) return 'none';
  // Messages put punctuation behind a link, and browsers encode it; more letters are a part of a broken code.
  if (/\w/.test(suffix.replace(ENCODED, ''))) return 'malformed';
  const text = decode(code);
  const dot = text?.indexOf('.') ?? -1;
  if (text === undefined || dot === -1) return 'malformed';
  const invitationId = text.slice(0, dot);
  const ticket = text.slice(dot + 1);
  if (!UUID.test(invitationId) || !/^[\x21-\x7e]+$/.test(ticket) || ticket.length > MAX_TICKET_LENGTH)
    return 'malformed';
  return { invitationId, ticket, expiresAt: parseExpiry(ticket) };
}

/** The text behind base64url without padding; `undefined` where it is none. */
function decode(code: string): string | undefined {
  if (!/^[\w-]+$/.test(code)) return undefined;
  try {
    return atob(code.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}

/** `exp` of a ticket that is a JWT. Shown only: whether it can be used is for the server to say. */
function parseExpiry(ticket: string): Date | null {
  try {
    const { exp } = JSON.parse(decode(ticket.split('.')[1] ?? '') ?? '') as { exp?: unknown };
    return typeof exp === 'number' && Math.abs(exp) < 1e11 ? new Date(exp * 1000) : null;
  } catch {
    return null;
  }
}
