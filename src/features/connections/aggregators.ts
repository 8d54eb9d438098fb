import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Aggregator, ClientSettings } from './aggregator.ts';
import { createBankAggregator } from './bank/bank-aggregator.ts';
import { createBrokerageAggregator } from './brokerage/brokerage-aggregator.ts';
import type { UserStore } from './brokerage/brokerage-users.ts';
import type { ConnectionKind } from './contract.ts';
import type { Sandbox, SandboxOptions } from '../../embedded/shared/sandbox.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { SANDBOX_BANK_PATH } from '../../embedded/bank/bank-context.ts';
import { createSandboxBank } from '../../embedded/bank/sandbox-bank.ts';
import { SANDBOX_BROKERAGE_PATH, SANDBOX_CLIENT_ID } from '../../embedded/brokerage/brokerage-context.ts';
import { createSandboxBrokerage } from '../../embedded/brokerage/sandbox-brokerage.ts';

/** How an aggregator of either kind is reached; without keys the stand-in, where stand-ins are allowed. */
interface ProviderSettings {
  clientId?: string | undefined;
  secret?: string | undefined;
  baseUrl: string;
}

export interface AggregatorSettings {
  /** Keys that seal what is stored, of 64 hexadecimal characters; without them nothing can be connected. */
  keys: { current: string; previous: string | undefined } | undefined;
  bank: ProviderSettings | undefined;
  brokerage: ProviderSettings | undefined;
  /** Whether stand-ins take the place of aggregators without keys. */
  sandbox: boolean;
  /** The stand-ins' clock and slowness, for tests. */
  standIn?: Pick<SandboxOptions, 'now' | 'wait'>;
}

/** How each kind is read, and its stand-in. */
interface Kind {
  create: (settings: ClientSettings, store: UserStore) => Aggregator;
  clientId: string;
  path: string;
  createStandIn: (options: SandboxOptions) => Sandbox;
}
const KINDS: Readonly<Record<ConnectionKind, Kind>> = {
  bank: {
    create: createBankAggregator,
    ...{ clientId: 'sandbox', path: SANDBOX_BANK_PATH, createStandIn: createSandboxBank },
  },
  brokerage: {
    create: createBrokerageAggregator,
    ...{ clientId: SANDBOX_CLIENT_ID, path: SANDBOX_BROKERAGE_PATH, createStandIn: createSandboxBrokerage },
  },
};

/** The aggregators that the settings allow, and the stand-ins among them. */
export function openAggregators(
  settings: AggregatorSettings,
  { sql, logger, baseUrl }: { sql: ServiceSql; logger: Logger; baseUrl: string },
): { ring: KeyRing; aggregators: Aggregator[]; sandboxes: Sandbox[] } {
  const { keys, standIn = {} } = settings;
  // Without a key nothing is sealed; what an earlier one sealed is then opened by none.
  if (!keys) return { ring: createKeyRing(randomBytes(32).toString('hex')), aggregators: [], sandboxes: [] };
  const ring = createKeyRing(keys.current, keys.previous === undefined ? [] : [keys.previous]);
  const store = { sql, ring, logger };
  const [aggregators, sandboxes]: [Aggregator[], Sandbox[]] = [[], []];
  for (const kind of ['bank', 'brokerage'] as const) {
    const { create, clientId, path, createStandIn } = KINDS[kind];
    const { clientId: id, secret: key, baseUrl: realAddress = '' } = settings[kind] ?? {};
    if (id && key) aggregators.push(create({ clientId: id, secret: key, baseUrl: realAddress }, store));
    else if (settings.sandbox) {
      const secret = ring.derive(`sandbox ${kind}`).toString('hex');
      const sandbox = createStandIn({ sql, logger, secret, ...standIn });
      const address = `${new URL(baseUrl).origin}${path}`;
      aggregators.push(create({ clientId, secret, baseUrl: address, fetch: sandbox.fetch, isSandbox: true }, store));
      sandboxes.push(sandbox);
    }
  }
  return { ring, aggregators, sandboxes };
}
