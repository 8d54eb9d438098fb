/** Content of a link. */
export interface DemoLink {
  invitationId: string;
  /** The identity provider's sign-in token. */
  ticket: string;
  /** Expiry of the ticket, or null if the ticket does not contain it. */
  expiresAt: Date | null;
}

type LinkResult = { ok: true; link: DemoLink } | { ok: false; reason: 'none' | 'malformed' };

const MALFORMED: LinkResult = { ok: false, reason: 'malformed' };
/** Matches the code and the text after it. */
const CODE = /^#(?:.*&)?code(?:=|%(?:25)*3d)([\w-]*)([^&]*)/i;
/** Matches a character that was encoded once or several times. */
const ENCODED = /%(?:25)*[0-9a-f]{2}/gi;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Maximum length of a ticket that the provider accepts. */
const MAX_TICKET_LENGTH = 4096;

/** Reads `#code=<base64url of "<invitation id>.<ticket>">` from a fragment. */
export function readLink(fragment: string): LinkResult {
  const [, code, suffix = ''] = CODE.exec(fragment) ?? [];
  if (code === undefined) return { ok: false, reason: 'none' };
  // Messengers add punctuation after a link, and browsers encode it. Letters indicate a broken code.
  if (/\w/.test(suffix.replace(ENCODED, ''))) return MALFORMED;
  const text = decode(code);
  const dot = text?.indexOf('.') ?? -1;
  if (text === undefined || dot === -1) return MALFORMED;
  const invitationId = text.slice(0, dot);
  const ticket = text.slice(dot + 1);
  if (!UUID.test(invitationId) || !/^[\x21-\x7e]+$/.test(ticket) || ticket.length > MAX_TICKET_LENGTH) return MALFORMED;
  return { ok: true, link: { invitationId, ticket, expiresAt: parseExpiry(ticket) } };
}

/** Decodes base64url without padding. Returns `undefined` for any other text. */
function decode(code: string): string | undefined {
  if (!/^[\w-]+$/.test(code)) return undefined;
  try {
    return atob(code.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}

/** Returns `exp` of a JWT ticket. It is only displayed: the server decides whether the ticket is valid. */
function parseExpiry(ticket: string): Date | null {
  try {
    const { exp } = JSON.parse(decode(ticket.split('.')[1] ?? '') ?? '') as { exp?: unknown };
    return typeof exp === 'number' && Math.abs(exp) < 1e11 ? new Date(exp * 1000) : null;
  } catch {
    return null;
  }
}
