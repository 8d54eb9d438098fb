import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Aggregator } from './aggregator.ts';
import { createBankAggregator } from './bank/bank-aggregator.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import type { Sandbox } from './sandbox.ts';
import { SANDBOX_BANK_PATH } from './sandbox-bank/bank-context.ts';
import { createSandboxBank } from './sandbox-bank/sandbox-bank.ts';

/** How an aggregator of either kind is reached; without it the stand-in, where stand-ins are allowed. */
interface ProviderSettings {
  clientId: string;
  secret: string;
  baseUrl: string;
}

export interface AggregatorSettings {
  /** Keys that seal what is stored, of 64 hexadecimal characters; without them nothing can be connected. */
  keys: { current: string; previous: string | undefined } | undefined;
  bank: ProviderSettings | undefined;
  /** Whether stand-ins take the place of aggregators without keys. */
  sandbox: boolean;
  /** The stand-ins' clock and slowness, for tests. */
  standIn?: { now?: () => Date; wait?: (milliseconds: number) => Promise<unknown> };
}

/** The aggregators that the settings allow, and the stand-ins among them. */
export function openAggregators(
  { keys, bank, sandbox, standIn: clock = {} }: AggregatorSettings,
  { sql, logger, baseUrl }: { sql: ServiceSql; logger: Logger; baseUrl: string },
): { ring: KeyRing; aggregators: Aggregator[]; sandboxes: Sandbox[] } {
  // Without a key nothing is sealed; what an earlier one sealed is then opened by none.
  if (!keys) return { ring: createKeyRing(randomBytes(32).toString('hex')), aggregators: [], sandboxes: [] };
  const ring = createKeyRing(keys.current, keys.previous === undefined ? [] : [keys.previous]);
  if (bank) return { ring, aggregators: [createBankAggregator(bank)], sandboxes: [] };
  if (!sandbox) return { ring, aggregators: [], sandboxes: [] };
  const secret = ring.derive('sandbox bank').toString('hex');
  const standIn = createSandboxBank({ sql, logger, secret, ...clock });
  const origin = new URL(baseUrl).origin;
  return {
    ring,
    aggregators: [
      createBankAggregator({
        ...{ clientId: 'sandbox', secret, baseUrl: `${origin}${SANDBOX_BANK_PATH}`, isSandbox: true },
        fetch: standIn.fetch,
      }),
    ],
    sandboxes: [standIn],
  };
}
