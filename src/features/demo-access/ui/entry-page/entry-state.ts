/** What the page shows; each is a page of its own. */
export type EntryState =
  | { is: 'ready' | 'opening'; expiresAt: Date | null }
  /** `interrupted`: by this very page, whose connection broke before it had a session. */
  | { is: 'used'; interrupted: boolean }
  /** Somebody is signed in already; `email` is empty where it is not known. */
  | { is: 'signed-in'; email: string }
  | { is: 'busy'; seconds: number }
  | { is: PlainState };

/** States of which there is nothing more to say. */
export type PlainState =
  | ('no-link' | 'altered' | 'malformed' | 'refreshed' | 'opened' | 'expired' | 'revoked' | 'unusable' | 'in-demo')
  | ('wrong-account' | 'unavailable' | 'offline' | 'unreachable' | 'away');
