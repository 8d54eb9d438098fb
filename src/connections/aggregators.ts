import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Aggregator } from './aggregator.ts';
import { createBankAggregator } from './bank/bank-aggregator.ts';
import { createBrokerageAggregator } from './brokerage/brokerage-aggregator.ts';
import type { ConnectionKind } from './contract.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import type { Sandbox, SandboxOptions } from '../http/sandbox/sandbox.ts';
import { SANDBOX_BANK_PATH } from './sandbox-bank/bank-context.ts';
import { createSandboxBank } from './sandbox-bank/sandbox-bank.ts';
import { SANDBOX_BROKERAGE_PATH, SANDBOX_CLIENT_ID } from './sandbox-brokerage/brokerage-context.ts';
import { createSandboxBrokerage } from './sandbox-brokerage/sandbox-brokerage.ts';

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
const KINDS: Readonly<
  Record<
    ConnectionKind,
    {
      clientId: string;
      path: string;
      standIn: (options: SandboxOptions) => Sandbox;
      create: (
        settings: { clientId: string; secret: string; baseUrl: string; fetch?: typeof fetch; isSandbox?: boolean },
        store: { sql: ServiceSql; ring: KeyRing; logger: Logger },
      ) => Aggregator;
    }
  >
> = {
  bank: {
    ...{ clientId: 'sandbox', path: SANDBOX_BANK_PATH, standIn: createSandboxBank },
    create: (settings) => createBankAggregator(settings),
  },
  brokerage: {
    ...{ clientId: SANDBOX_CLIENT_ID, path: SANDBOX_BROKERAGE_PATH, standIn: createSandboxBrokerage },
    create: ({ secret, ...settings }, store) => createBrokerageAggregator({ ...settings, consumerKey: secret }, store),
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
  const [aggregators, sandboxes]: [Aggregator[], Sandbox[]] = [[], []];
  for (const kind of ['bank', 'brokerage'] as const) {
    const { clientId, path, standIn: createStandIn, create } = KINDS[kind];
    const [store, given] = [{ sql, ring, logger }, settings[kind]];
    const { clientId: id, secret: key, baseUrl: realAddress = '' } = given ?? {};
    if (id && key) aggregators.push(create({ clientId: id, secret: key, baseUrl: realAddress }, store));
    else if (settings.sandbox) {
      const secret = ring.derive(`sandbox ${kind}`).toString('hex');
      const sandbox = createStandIn({ sql, logger, secret, ...standIn });
      sandboxes.push(sandbox);
      const { fetch } = sandbox;
      const address = `${new URL(baseUrl).origin}${path}`;
      aggregators.push(create({ clientId, secret, baseUrl: address, fetch, isSandbox: true }, store));
    }
  }
  return { ring, aggregators, sandboxes };
}
