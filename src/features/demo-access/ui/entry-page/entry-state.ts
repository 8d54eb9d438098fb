/** State of the page. Each state is a screen of its own. */
export type EntryState =
  | { kind: 'ready' | 'opening'; expiresAt: Date | null }
  /** `interrupted`: the link was used by this page, whose connection broke before it had a session. */
  | { kind: 'used'; interrupted: boolean }
  /** A user is already signed in. `email` is empty if it is unknown. */
  | { kind: 'signed-in'; email: string }
  | { kind: 'busy'; seconds: number }
  | { kind: PlainState };

/** States without further data. */
export type PlainState =
  | ('no-link' | 'altered' | 'malformed' | 'refreshed' | 'opened' | 'expired' | 'revoked' | 'unusable' | 'in-demo')
  | ('wrong-account' | 'unavailable' | 'offline' | 'unreachable' | 'server-error');
