import type { IdentityClient, IdentityResult } from '../../../../ui/shell/session/identity-client.ts';
import type { Answer, DemoApi } from './demo-api.ts';
import type { EntryState } from './entry-state.ts';
import type { DemoLink } from './read-link.ts';

interface OpeningDependencies {
  identity: Pick<IdentityClient, 'current' | 'redeem' | 'token' | 'end'>;
  api: DemoApi;
  isOnline(): boolean;
  now(): number;
}

/** A session that is to be bound to its link. */
interface Held {
  link: DemoLink;
  sessionId: string;
  email: string;
  /** The first token, which came with the session. */
  jwt: string | null;
  /** Whether this page has begun it for sure; it ends no other. */
  begun: boolean;
}

const WAIT_SECONDS = 30;

/**
 * Opens the demo by a link: looks for a session, redeems the ticket, binds the new session. Each call goes on at the
 * step at which the one before failed, so that a ticket which this page has redeemed is not redeemed again.
 */
export function createOpening({ identity, api, isOnline, now }: OpeningDependencies) {
  let held: Held | null = null;
  /** The ticket of a redemption whose answer was lost: the provider may have begun a session. */
  let lost: string | null = null;

  async function open(link: DemoLink): Promise<EntryState> {
    if (held && held.link.ticket !== link.ticket) await drop(held);
    const found = held ?? (await look(link));
    if ('is' in found) return found;
    held = found;
    return bind(found);
  }

  async function look(link: DemoLink): Promise<Held | EntryState> {
    const current = await identity.current();
    if (!current.ok) return troubleOf(current);
    if (!current.value) return redeem(link);
    const existing: Held = { link, ...current.value, jwt: null, begun: false };
    return lost === link.ticket ? existing : meet(existing);
  }

  /** Somebody is signed in. Only the demo account's session that the API refuses as yet is bound to the link. */
  async function meet(existing: Held): Promise<Held | EntryState> {
    const token = await identity.token(existing.sessionId);
    if (!token.ok) return troubleOf(token);
    const answer = await api.whoIs(token.value);
    if (answer.isDemoAccount !== null) return answer.isDemoAccount ? { is: 'in-demo' } : signedIn(existing);
    return answer.status === 401 ? existing : trouble(answer);
  }

  async function redeem(link: DemoLink): Promise<Held | EntryState> {
    const answer = await identity.redeem(link.ticket);
    if (answer.ok) return { link, ...answer.value, begun: true };
    switch (answer.problems[0]?.code ?? '') {
      case 'session_exists': {
        const other = await identity.current();
        return signedIn({ email: (other.ok && other.value?.email) || '' });
      }
      case 'sign_in_token_revoked_code':
        return { is: 'revoked' };
      case 'sign_in_token_already_used_code':
        return { is: 'used', interrupted: lost === link.ticket };
      case 'sign_in_token_cannot_be_used_code':
        return { is: link.goodUntil !== null && link.goodUntil.getTime() <= now() ? 'expired' : 'unusable' };
    }
    if (answer.status === 0 || answer.status >= 500) lost = link.ticket;
    return answer.status === 400 || answer.status === 422 ? { is: 'unusable' } : troubleOf(answer);
  }

  async function bind(session: Held): Promise<EntryState> {
    const token = session.jwt ?? (await identity.token(session.sessionId));
    session.jwt = null;
    if (typeof token !== 'string' && !token.ok) {
      if (token.status !== 401 && token.status !== 404) return troubleOf(token);
      await drop(session);
      return { is: 'used', interrupted: true };
    }
    const answer = await api.complete(typeof token === 'string' ? token : token.value, session.link);
    if (answer.status === 200) return { is: 'opened' };
    const refused = refusedBy(answer, session);
    if (!refused) return trouble(answer);
    await drop(session);
    return refused;
  }

  /** Lets go of a session; one that this page has begun is ended, since it leads nowhere. */
  async function drop(session: Held): Promise<void> {
    held = null;
    lost = null;
    if (session.begun) await identity.end(session.sessionId);
  }

  function trouble({ status, retryAfter }: { status: number; retryAfter: number | null }): EntryState {
    if (status === 0) return { is: isOnline() ? 'unreachable' : 'offline' };
    return status === 429 ? { is: 'busy', seconds: Math.ceil(retryAfter ?? WAIT_SECONDS) } : { is: 'away' };
  }

  const troubleOf = (refused: IdentityResult<unknown> & { ok: false }): EntryState =>
    trouble({ status: refused.status, retryAfter: refused.retryAfter ?? null });

  return { open };
}

const signedIn = ({ email }: { email: string }): EntryState => ({ is: 'signed-in', email });

/** What a refusal of our API means for good; `undefined` where the same may be asked again. */
function refusedBy({ status, code }: Answer, session: Held): EntryState | undefined {
  switch (code) {
    case 'LINK_USED':
      return { is: 'used', interrupted: false };
    case 'LINK_EXPIRED':
      return { is: 'expired' };
    case 'LINK_REVOKED':
      return { is: 'revoked' };
    case 'NOT_DEMO_ACCOUNT':
      return session.begun ? { is: 'wrong-account' } : signedIn(session);
    case 'NOT_CONFIGURED':
      return { is: 'unavailable' };
  }
  if (status === 400) return { is: 'unusable' };
  if (status === 401) return session.begun ? { is: 'used', interrupted: true } : signedIn(session);
  return status >= 402 && status < 500 && status !== 429 ? { is: 'unavailable' } : undefined;
}
