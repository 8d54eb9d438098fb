import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { ProviderClient } from '../../platform/identity/provider-client.ts';
import type { SessionGate } from './session-gate.ts';

/** Dependencies shared by all operations on sign-in links. */
export interface DemoAccessContext {
  sql: ServiceSql;
  logger: Logger;
  /** Client of the identity provider's Backend API. */
  provider: ProviderClient;
  accounts: ReservedAccounts;
  /** Rejects revoked sessions. `clear` removes all cached admissions after a revocation. */
  gate: Pick<SessionGate, 'clear' | 'isStrict'>;
}
