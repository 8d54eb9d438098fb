import type { ProviderSession } from '../../platform/identity/provider-shapes.ts';
import type { SessionSnapshot } from './queries.ts';

/** Whether the provider says that a session is over for good. */
export const hasEnded = ({ status }: Pick<ProviderSession, 'status'>): boolean =>
  status !== 'active' && status !== 'pending';

export const toSessionSnapshot = (session: ProviderSession): SessionSnapshot => ({
  sessionId: session.id,
  status: session.status,
  lastActiveAt: new Date(session.last_active_at),
  expiresAt: new Date(session.expire_at),
});
