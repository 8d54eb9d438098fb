import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Aggregator, ClientSettings } from './aggregator.ts';
import { createBankAggregator } from './bank/bank-aggregator.ts';
import { createBrokerageAggregator } from './brokerage/brokerage-aggregator.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';

export interface AggregatorSettings {
  /**
   * Encryption keys of 64 hexadecimal characters. Without keys connections are disabled. `isPreviousLost` deletes
   * stored credentials that they do not decrypt.
   */
  keys: { current: string; previous: string | undefined; isPreviousLost?: boolean } | undefined;
  /** Settings of each aggregator. Without settings its kind is not offered. */
  bank: ClientSettings | undefined;
  brokerage: ClientSettings | undefined;
}

/** Creates the configured aggregators, and the key ring for their secrets. */
export function createAggregators(
  { keys, bank, brokerage }: AggregatorSettings,
  { sql, logger }: { sql: ServiceSql; logger: Logger },
): { ring: KeyRing; aggregators: Aggregator[] } {
  // Without a key nothing is encrypted, and earlier ciphertexts cannot be decrypted.
  if (!keys) return { ring: createKeyRing(randomBytes(32).toString('hex')), aggregators: [] };
  const ring = createKeyRing(keys.current, keys.previous === undefined ? [] : [keys.previous]);
  const aggregators: Aggregator[] = [];
  if (bank) aggregators.push(createBankAggregator(bank));
  if (brokerage) aggregators.push(createBrokerageAggregator(brokerage, { sql, ring, logger }));
  return { ring, aggregators };
}
