import type { IdentityClient, IdentityResult, SignedIn } from './identity-client.ts';
import { makeOnce } from '../../kit/make-once.ts';
import { createStore, type Store } from '../../kit/store.ts';

export type Member = Omit<SignedIn, 'jwt'>;

/** `expired`: the session ended beneath a page in use; the page stays as it is until the member signs in again. */
export type SessionState =
  | { status: 'loading' }
  | { status: 'unreachable' }
  | { status: 'signed-out'; how: 'never' | 'here' | 'elsewhere' }
  | { status: 'signed-in'; member: Member }
  | { status: 'expired'; member: Member };

/** Thrown by `token()` when the session has ended. */
export class SessionEnded extends Error {}
/** Thrown by `token()` when the provider does not answer. */
export class IdentityUnreachable extends Error {}

export interface Session extends Pick<IdentityClient, 'signIn' | 'signUp'> {
  readonly state: Store<SessionState>;
  /** Finds out who is signed in in this browser; again after `unreachable`. */
  start(): Promise<void>;
  /** Ends the session here and in this browser's other tabs; ends it on the page even when the provider is away. */
  signOut(): Promise<void>;
  /** A token good for the next seconds. Callers at the same time share one request. */
  token(options?: { fresh?: boolean }): Promise<string>;
  /** Marks the session as ended and waits until the same member has signed in again; throws when they leave instead. */
  recover(): Promise<void>;
}

/** Tabs of one browser tell each other about sign-in and sign-out. `BroadcastChannel` fits. */
interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

interface SessionOptions {
  /** Called once, when the session starts. */
  openChannel: () => TabChannel;
  now?: () => number;
}

/** Asked for again this long before a token runs out, in ms: no call should wait for one. */
export const REFRESH_AHEAD_MS = 15_000;

/** The state machine behind sign-in. The token lives in memory only; the session itself in the provider's cookie. */
export function createSession(identity: IdentityClient, options: SessionOptions): Session {
  const { openChannel, now = () => performance.now() } = options;
  const state = createStore<SessionState>({ status: 'loading' });
  let token: SessionToken | null = null;
  let refreshing: Promise<string> | null = null;
  // Answers that were asked for before the latest sign-in or sign-out are void.
  let epoch = 0;

  const enterState = (next: SessionState, jwt: string | null = null): void => {
    epoch += 1;
    refreshing = null;
    token = jwt === null ? null : readToken(jwt, now());
    state.set(next);
  };
  const enter = ({ jwt, ...member }: SignedIn): void => enterState({ status: 'signed-in', member }, jwt);

  const joinChannel = makeOnce(() => {
    const channel = openChannel();
    channel.addEventListener('message', ({ data }) => {
      const current = state.get();
      if (data === 'signed-out' && current.status !== 'signed-out')
        enterState({ status: 'signed-out', how: 'elsewhere' });
      if (data === 'signed-in' && current.status !== 'signed-in') void start();
    });
    return channel;
  });

  async function start(): Promise<void> {
    joinChannel();
    const begun = epoch;
    const found = await identity.current();
    if (begun !== epoch) return;
    // A page in use stays as it is when the provider is away for a moment.
    if (!found.ok) return state.get().status === 'expired' ? undefined : enterState({ status: 'unreachable' });
    if (found.value) enter(found.value);
    else enterState({ status: 'signed-out', how: 'never' });
  }

  async function entering(answer: Promise<IdentityResult<SignedIn>>): Promise<IdentityResult<SignedIn>> {
    const result = await answer;
    if (result.ok) {
      enter(result.value);
      joinChannel().postMessage('signed-in');
    }
    return result;
  }

  async function refresh(member: Member): Promise<string> {
    const begun = epoch;
    const answer = await identity.token(member.sessionId);
    if (begun !== epoch) throw new SessionEnded();
    if (answer.ok) {
      token = readToken(answer.value, now());
      return answer.value;
    }
    if (answer.status === 401 || answer.status === 404) {
      enterState({ status: 'expired', member });
      throw new SessionEnded();
    }
    throw new IdentityUnreachable();
  }

  return {
    state,
    start,
    signIn: (form) => entering(identity.signIn(form)),
    signUp: (form) => entering(identity.signUp(form)),
    async signOut() {
      const current = state.get();
      if (current.status !== 'signed-in' && current.status !== 'expired') return;
      enterState({ status: 'signed-out', how: 'here' });
      joinChannel().postMessage('signed-out');
      if (current.status === 'signed-in') await identity.end(current.member.sessionId);
    },
    async token({ fresh = false } = {}) {
      const current = state.get();
      if (current.status !== 'signed-in') throw new SessionEnded();
      if (!fresh && token && token.goodUntil - now() > 5_000) return token.jwt;
      const mine = (refreshing ??= refresh(current.member).finally(() => {
        if (refreshing === mine) refreshing = null;
      }));
      return mine;
    },
    recover() {
      const current = state.get();
      if (current.status === 'signed-in') enterState({ status: 'expired', member: current.member });
      const asked = state.get();
      const userId = asked.status === 'expired' ? asked.member.userId : null;
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          const next = state.get();
          if (userId !== null && next.status === 'expired') return;
          stop();
          if (next.status === 'signed-in' && next.member.userId === userId) resolve();
          else reject(new SessionEnded());
        };
        const stop = state.subscribe(settle);
        settle();
      });
    },
  };
}

/** A session token with the time, on the page's monotonic clock in ms, at which it stops being good. */
interface SessionToken {
  jwt: string;
  goodUntil: number;
}

const ASSUMED_LIFE_S = 60;

/**
 * Reads a token's life from its own `iat` and `exp`, counted from now on: the page's clock may be wrong, a difference
 * is not. The signature is the server's business.
 */
function readToken(jwt: string, now: number): SessionToken {
  return { jwt, goodUntil: now + lifeSeconds(jwt) * 1000 };
}

function lifeSeconds(jwt: string): number {
  try {
    const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { iat, exp } = JSON.parse(atob(payload)) as { iat?: unknown; exp?: unknown };
    return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : ASSUMED_LIFE_S;
  } catch {
    return ASSUMED_LIFE_S;
  }
}
