import type { Logger } from 'pino';
import type { ServiceSql } from '../platform/database/roles.ts';
import { createEmbeddedBank } from './bank/embedded-bank.ts';
import { createEmbeddedBrokerage } from './brokerage/embedded-brokerage.ts';
import { createEmbeddedProvider, type EmbeddedProviderOptions } from './identity/provider.ts';
import { findReservedAccounts } from './identity/seed-people.ts';
import { createStoredIdentityData } from './identity/stored-data.ts';
import { createSimulatedRates } from './market-data/simulated-rates.ts';
import { createSimulator } from './market-data/simulator.ts';
import { createEmbeddedPayments } from './payments/embedded-payments.ts';

interface EmbeddedProvidersOptions {
  sql: ServiceSql;
  logger: Logger;
  /** Public base URL of the service, which serves the pages and APIs of the providers. */
  baseUrl: string;
  /** Options of the identity provider, or undefined if a hosted one is in use. */
  identity: Omit<EmbeddedProviderOptions, 'sql' | 'logger' | 'baseUrl'> | undefined;
  /** The providers that are offered. Bank and brokerage also need `key`, the CONNECTIONS_KEY. */
  sandbox: { payments: boolean; bank: boolean; brokerage: boolean; key: string | undefined };
  /** Returns the id under which the service requests the bank's pages of a member. */
  toClientUserId: (idpId: string) => string;
}

/** Creates the providers that run without keys. A provider is undefined if a real one is in use or it is not offered. */
export async function createEmbeddedProviders(options: EmbeddedProvidersOptions) {
  const { sql, logger, baseUrl, identity, sandbox, toClientUserId } = options;
  const { key } = sandbox;
  const shared = { sql, logger, baseUrl };
  return {
    identity:
      identity &&
      createEmbeddedProvider({ ...shared, ...identity, accounts: await findReservedAccounts(sql, identity.accounts) }),
    storedIdentityData: createStoredIdentityData(sql),
    payments: sandbox.payments ? createEmbeddedPayments(shared) : undefined,
    bank: sandbox.bank && key !== undefined ? createEmbeddedBank({ ...shared, key, toClientUserId }) : undefined,
    brokerage: sandbox.brokerage && key !== undefined ? createEmbeddedBrokerage({ ...shared, key }) : undefined,
    createMarketData: createSimulator,
    createExchangeRates: createSimulatedRates,
  };
}
