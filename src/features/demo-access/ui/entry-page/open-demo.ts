import type { IdentityClient, IdentityResult } from '../../../../ui/shell/session/identity-client.ts';
import type { DemoApiResponse, DemoApi } from './demo-api.ts';
import type { EntryState } from './entry-state.ts';
import type { DemoLink } from './read-link.ts';

interface SignInFlowDependencies {
  identity: Pick<IdentityClient, 'getCurrentSignIn' | 'redeemTicket' | 'createToken' | 'endSession'>;
  api: DemoApi;
  isOnline(): boolean;
  now(): number;
}

/** A session that has to be bound to its link. */
interface PendingSession {
  link: DemoLink;
  sessionId: string;
  email: string;
  /** The first token, returned with the session. */
  jwt: string | null;
  /** Whether this page created the session. The page ends no other session. */
  isCreatedHere: boolean;
}

const DEFAULT_RETRY_SECONDS = 30;

/**
 * Creates the sign-in flow of a link: it looks up a session, redeems the ticket, and binds the new session. Each call
 * continues at the failed step of the previous call, so that a redeemed ticket is not redeemed again.
 */
export function createSignInFlow({ identity, api, isOnline, now }: SignInFlowDependencies) {
  let pendingSession: PendingSession | null = null;
  /** Ticket of a redemption whose response was lost. The provider may have created a session. */
  let lostTicket: string | null = null;

  async function open(link: DemoLink): Promise<EntryState> {
    if (pendingSession && pendingSession.link.ticket !== link.ticket) await discardSession(pendingSession);
    const found = pendingSession ?? (await findOrStartSession(link));
    if ('kind' in found) return found;
    pendingSession = found;
    return bind(found);
  }

  async function findOrStartSession(link: DemoLink): Promise<PendingSession | EntryState> {
    const current = await identity.getCurrentSignIn();
    if (!current.ok) return classifyError(current);
    if (!current.value) return redeem(link);
    const existing: PendingSession = { link, ...current.value, jwt: null, isCreatedHere: false };
    return lostTicket === link.ticket ? existing : classifyExisting(existing);
  }

  /**
   * Classifies an existing session. Only a session of the demo account that the API does not accept yet is bound to the
   * link.
   */
  async function classifyExisting(existing: PendingSession): Promise<PendingSession | EntryState> {
    const token = await identity.createToken(existing.sessionId);
    if (!token.ok) return classifyError(token);
    const response = await api.fetchIdentity(token.value);
    if (response.isDemoAccount !== null)
      return response.isDemoAccount ? { kind: 'in-demo' } : createSignedInState(existing);
    return response.status === 401 ? existing : toErrorState(response);
  }

  async function redeem(link: DemoLink): Promise<PendingSession | EntryState> {
    const response = await identity.redeemTicket(link.ticket);
    if (response.ok) return { link, ...response.value, isCreatedHere: true };
    switch (response.problems[0]?.code ?? '') {
      case 'session_exists': {
        const other = await identity.getCurrentSignIn();
        return createSignedInState({ email: (other.ok && other.value?.email) || '' });
      }
      case 'sign_in_token_revoked_code':
        return { kind: 'revoked' };
      case 'sign_in_token_already_used_code':
        return { kind: 'used', interrupted: lostTicket === link.ticket };
      case 'sign_in_token_cannot_be_used_code':
        return { kind: link.expiresAt !== null && link.expiresAt.getTime() <= now() ? 'expired' : 'unusable' };
    }
    if (response.status === 0 || response.status >= 500) lostTicket = link.ticket;
    return response.status === 400 || response.status === 422 ? { kind: 'unusable' } : classifyError(response);
  }

  async function bind(session: PendingSession): Promise<EntryState> {
    const token = session.jwt ?? (await identity.createToken(session.sessionId));
    session.jwt = null;
    if (typeof token !== 'string' && !token.ok) {
      if (token.status !== 401 && token.status !== 404) return classifyError(token);
      await discardSession(session);
      return { kind: 'used', interrupted: true };
    }
    const response = await api.complete(typeof token === 'string' ? token : token.value, session.link);
    if (response.status === 200) return { kind: 'opened' };
    const rejectedState = toRejectedState(response, session);
    if (!rejectedState) return toErrorState(response);
    await discardSession(session);
    return rejectedState;
  }

  /** Discards a session. A session that this page created is ended, because it cannot be used. */
  async function discardSession(session: PendingSession): Promise<void> {
    pendingSession = null;
    lostTicket = null;
    if (session.isCreatedHere) await identity.endSession(session.sessionId);
  }

  function toErrorState({ status, retryAfter }: { status: number; retryAfter: number | null }): EntryState {
    if (status === 0) return { kind: isOnline() ? 'unreachable' : 'offline' };
    return status === 429
      ? { kind: 'busy', seconds: Math.ceil(retryAfter ?? DEFAULT_RETRY_SECONDS) }
      : { kind: 'server-error' };
  }

  const classifyError = (failed: IdentityResult<unknown> & { ok: false }): EntryState =>
    toErrorState({ status: failed.status, retryAfter: failed.retryAfter ?? null });

  return { open };
}

const createSignedInState = ({ email }: { email: string }): EntryState => ({ kind: 'signed-in', email });

/** Returns the final state for a rejection of our API, or `undefined` if the call may be repeated. */
function toRejectedState({ status, code }: DemoApiResponse, session: PendingSession): EntryState | undefined {
  switch (code) {
    case 'LINK_USED':
      return { kind: 'used', interrupted: false };
    case 'LINK_EXPIRED':
      return { kind: 'expired' };
    case 'LINK_REVOKED':
      return { kind: 'revoked' };
    case 'NOT_DEMO_ACCOUNT':
      return session.isCreatedHere ? { kind: 'wrong-account' } : createSignedInState(session);
    case 'NOT_CONFIGURED':
      return { kind: 'unavailable' };
  }
  if (status === 400) return { kind: 'unusable' };
  if (status === 401) return session.isCreatedHere ? { kind: 'used', interrupted: true } : createSignedInState(session);
  return status >= 402 && status < 500 && status !== 429 ? { kind: 'unavailable' } : undefined;
}
