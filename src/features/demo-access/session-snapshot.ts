import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import type { SessionSnapshot } from './queries.ts';

/** Returns whether the provider reports a session as permanently ended. */
export const hasEnded = ({ status }: Pick<ProviderSession, 'status'>): boolean =>
  status !== 'active' && status !== 'pending';

export const toSessionSnapshot = (session: ProviderSession): SessionSnapshot => ({
  sessionId: session.id,
  status: session.status,
  lastActiveAt: new Date(session.last_active_at),
  expiresAt: new Date(session.expire_at),
});
