import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';
import type { SessionGate } from './session-gate.ts';

/** What everything about sign-in links stands on. */
export interface DemoAccessContext {
  sql: ServiceSql;
  logger: Logger;
  /** The identity provider's Backend API. */
  provider: ProviderClient;
  accounts: ReservedAccounts;
  /** Refuses revoked sessions; it forgets what it has admitted as soon as one is. */
  gate: Pick<SessionGate, 'clear' | 'isStrict'>;
}
