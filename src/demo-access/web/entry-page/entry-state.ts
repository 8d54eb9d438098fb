/** What the page shows; each is a page of its own. */
export type EntryState =
  | { is: 'ready'; goodUntil: Date | null }
  | { is: 'no-link' }
  | { is: 'malformed' }
  | { is: 'refreshed' }
  | { is: 'opening'; goodUntil: Date | null }
  | { is: 'opened' }
  /** `interrupted`: by this very page, whose connection broke before it had a session. */
  | { is: 'used'; interrupted: boolean }
  | { is: 'expired' }
  | { is: 'revoked' }
  | { is: 'unusable' }
  /** Somebody is signed in already; `email` is empty where it is not known. */
  | { is: 'signed-in'; email: string }
  | { is: 'in-demo' }
  | { is: 'wrong-account' }
  | { is: 'unavailable' }
  | { is: 'offline' }
  | { is: 'unreachable' }
  | { is: 'away' }
  | { is: 'busy'; seconds: number };

/** Whether the same link can be tried again. */
export const canRetry = ({ is }: EntryState): boolean =>
  ['signed-in', 'offline', 'unreachable', 'away', 'busy'].includes(is);
