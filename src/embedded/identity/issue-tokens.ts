import { compactVerify, decodeJwt, SignJWT } from 'jose';
import { randomAlphanumeric } from '../../platform/http/random-alphanumeric.ts';
import { SESSION_CATEGORY } from '../../platform/identity/session-token.ts';
import type { ProviderContext } from './context.ts';
import type { SessionRow, TicketRow } from './rows.ts';
import { getFactorAges } from './responses.ts';

const SESSION_TOKEN_SECONDS = 60;
/** Allowed clock difference between machines, in seconds. */
const SKEW_SECONDS = 10;

type Issuer = Pick<ProviderContext, 'keys' | 'issuer'>;

/**
 * Returns a session token (RS256). The token is valid for 60 seconds, at most until the session ends. `azp` is the
 * origin of the requesting page.
 */
export async function issueSessionToken({ keys, issuer }: Issuer, session: SessionRow, azp: string): Promise<string> {
  const { kid, key } = await keys.current();
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ azp, fva: getFactorAges(session), sid: session.id, sts: 'active', v: 2 })
    .setProtectedHeader({ alg: 'RS256', cat: SESSION_CATEGORY, kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(session.user_id)
    .setJti(randomAlphanumeric(20))
    .setIssuedAt(now)
    .setNotBefore(now - SKEW_SECONDS)
    .setExpirationTime(Math.min(now + SESSION_TOKEN_SECONDS, Math.floor(session.expire_at / 1000)))
    .sign(key);
}

/**
 * Returns the ticket of a sign-in token. Its state is stored in the database. The signature only proves that this
 * provider issued it.
 */
export async function issueTicket({ keys, issuer }: Issuer, ticket: TicketRow): Promise<string> {
  const { kid, key } = await keys.current();
  return new SignJWT({
    st: 'sign_in_token',
    iid: await keys.instanceId(),
    eis: Math.round((ticket.expires_at - ticket.created_at) / 1000),
  })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(ticket.user_id)
    .setJti(ticket.id)
    .setIssuedAt(Math.floor(ticket.created_at / 1000))
    .setExpirationTime(Math.floor(ticket.expires_at / 1000))
    .sign(key);
}

/** Returns the id of the sign-in token of this ticket. Returns `undefined` for any other text. */
export async function readTicket({ keys, issuer }: Issuer, ticket: string): Promise<string | undefined> {
  try {
    await compactVerify(ticket, keys.verificationKey, { algorithms: ['RS256'] });
    const { st, iss, jti } = decodeJwt<Record<string, unknown>>(ticket);
    return st === 'sign_in_token' && iss === issuer && typeof jti === 'string' ? jti : undefined;
  } catch {
    return undefined;
  }
}
