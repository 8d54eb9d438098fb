import type { IdentityClient, IdentityResult, SignedIn } from './identity-client.ts';
import { makeOnce } from '../../kit/make-once.ts';
import { createStore, type Store } from '../../kit/store.ts';

export type Member = Omit<SignedIn, 'jwt'>;

/**
 * `expired`: the session ended while a page was in use. The page remains until the member signs in again. `signedOutIn`
 * is the tab in which the member signed out, or null if no member was signed in when the page opened.
 */
export type SessionState =
  | { status: 'loading' }
  | { status: 'unreachable' }
  | { status: 'signed-out'; signedOutIn: null | 'this-tab' | 'other-tab' }
  | { status: 'signed-in'; member: Member }
  | { status: 'expired'; member: Member };

/** Thrown by `token()` if the session has ended. */
export class SessionEndedError extends Error {}
/** Thrown by `token()` if the provider does not respond. */
export class IdentityUnavailableError extends Error {}

export interface Session extends Pick<
  IdentityClient,
  'signIn' | 'signInByPasskey' | 'signUp' | 'enterSecondFactor' | 'redeemTicket'
> {
  readonly state: Store<SessionState>;
  /** Reads the sign-in of this browser. Call again after `unreachable`. */
  start(): Promise<void>;
  /**
   * Ends the session in this tab and in the browser's other tabs. The page signs out even if the provider is
   * unavailable.
   */
  signOut(): Promise<void>;
  /** Returns a token that is valid for at least 5 seconds. Concurrent callers share one request. */
  token(options?: { forceRefresh?: boolean }): Promise<string>;
  /**
   * Marks the session as expired and waits until its member has signed in again. Throws if the member leaves instead.
   */
  waitForReauthentication(): Promise<void>;
}

/** Channel on which the tabs of one browser share sign-in and sign-out. `BroadcastChannel` satisfies the interface. */
interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

interface SessionOptions {
  /** Called once, when the session starts. */
  openChannel: () => TabChannel;
  /** Returns the member to show without a network, or null. */
  findCachedMember?: () => Member | null;
  now?: () => number;
}

/** Time in ms before a token's expiry at which it is renewed, so that no call waits for a token. */
export const REFRESH_AHEAD_MS = 15_000;

/** Creates the state machine of the session. The token is only in memory. The session is in the provider's cookie. */
export function createSession(identity: IdentityClient, options: SessionOptions): Session {
  const { openChannel, findCachedMember, now = () => performance.now() } = options;
  const state = createStore<SessionState>({ status: 'loading' });
  let token: SessionToken | null = null;
  let pendingRefresh: Promise<string> | null = null;
  // Incremented on every sign-in and sign-out. Responses of an earlier epoch are discarded.
  let epoch = 0;

  const transitionTo = (next: SessionState, jwt: string | null = null): void => {
    epoch += 1;
    pendingRefresh = null;
    token = jwt === null ? null : parseToken(jwt, now());
    state.set(next);
  };
  const enterSignedIn = ({ jwt, ...member }: SignedIn): void => transitionTo({ status: 'signed-in', member }, jwt);

  const getTabChannel = makeOnce(() => {
    const channel = openChannel();
    channel.addEventListener('message', ({ data }) => {
      const current = state.get();
      if (data === 'signed-out' && current.status !== 'signed-out')
        transitionTo({ status: 'signed-out', signedOutIn: 'other-tab' });
      if (data === 'signed-in' && current.status !== 'signed-in') void start();
    });
    return channel;
  });

  async function start(): Promise<void> {
    getTabChannel();
    const startEpoch = epoch;
    const signInResult = await identity.getCurrentSignIn();
    if (startEpoch !== epoch) return;
    const kept = signInResult.ok || signInResult.status !== 0 ? null : findCachedMember?.();
    if (kept) return enterSignedIn({ ...kept, jwt: null });
    // A page in use remains unchanged if the provider is briefly unavailable.
    if (!signInResult.ok) return state.get().status === 'expired' ? undefined : transitionTo({ status: 'unreachable' });
    if (signInResult.value) enterSignedIn(signInResult.value);
    else transitionTo({ status: 'signed-out', signedOutIn: null });
  }

  async function authenticate(attempt: Promise<IdentityResult<SignedIn>>): Promise<IdentityResult<SignedIn>> {
    const result = await attempt;
    if (result.ok) {
      enterSignedIn(result.value);
      getTabChannel().postMessage('signed-in');
    }
    return result;
  }

  async function refresh(member: Member): Promise<string> {
    const startEpoch = epoch;
    const result = await identity.createToken(member.sessionId);
    if (startEpoch !== epoch) throw new SessionEndedError();
    if (result.ok) {
      token = parseToken(result.value, now());
      return result.value;
    }
    if (result.status === 401 || result.status === 404) {
      transitionTo({ status: 'expired', member });
      throw new SessionEndedError();
    }
    throw new IdentityUnavailableError();
  }

  function startRefresh(member: Member): Promise<string> {
    const request = refresh(member).finally(() => {
      if (pendingRefresh === request) pendingRefresh = null;
    });
    return request;
  }

  return {
    state,
    start,
    signIn: (form) => authenticate(identity.signIn(form)),
    signInByPasskey: (form) => authenticate(identity.signInByPasskey(form)),
    signUp: (form) => authenticate(identity.signUp(form)),
    enterSecondFactor: (signInId, code) => authenticate(identity.enterSecondFactor(signInId, code)),
    redeemTicket: (ticket) => authenticate(identity.redeemTicket(ticket)),
    async signOut() {
      const current = state.get();
      if (current.status !== 'signed-in' && current.status !== 'expired') return;
      transitionTo({ status: 'signed-out', signedOutIn: 'this-tab' });
      getTabChannel().postMessage('signed-out');
      if (current.status === 'signed-in') await identity.endSession(current.member.sessionId);
    },
    async token({ forceRefresh = false } = {}) {
      const current = state.get();
      if (current.status !== 'signed-in') throw new SessionEndedError();
      if (!forceRefresh && token && token.expiresAt - now() > 5_000) return token.jwt;
      pendingRefresh ??= startRefresh(current.member);
      return pendingRefresh;
    },
    waitForReauthentication() {
      const current = state.get();
      if (current.status === 'signed-in') transitionTo({ status: 'expired', member: current.member });
      const expiredState = state.get();
      const userId = expiredState.status === 'expired' ? expiredState.member.userId : null;
      return new Promise((resolve, reject) => {
        const settleOnSignIn = (): void => {
          const next = state.get();
          if (userId !== null && next.status === 'expired') return;
          unsubscribe();
          if (next.status === 'signed-in' && next.member.userId === userId) resolve();
          else reject(new SessionEndedError());
        };
        const unsubscribe = state.subscribe(settleOnSignIn);
        settleOnSignIn();
      });
    },
  };
}

/** Session token with its expiry on the page's monotonic clock in ms. */
interface SessionToken {
  jwt: string;
  expiresAt: number;
}

const DEFAULT_TOKEN_LIFETIME_S = 60;

/**
 * Computes a token's lifetime from its `iat` and `exp`, starting now. The page's clock may be wrong, but the difference
 * is correct. The server verifies the signature.
 */
function parseToken(jwt: string, now: number): SessionToken {
  return { jwt, expiresAt: now + getLifetimeSeconds(jwt) * 1000 };
}

function getLifetimeSeconds(jwt: string): number {
  try {
    const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { iat, exp } = JSON.parse(atob(payload)) as { iat?: unknown; exp?: unknown };
    return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : DEFAULT_TOKEN_LIFETIME_S;
  } catch {
    return DEFAULT_TOKEN_LIFETIME_S;
  }
}
