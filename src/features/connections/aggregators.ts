import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Aggregator, ClientSettings } from './aggregator.ts';
import { createBankAggregator } from './bank/bank-aggregator.ts';
import { createBrokerageAggregator } from './brokerage/brokerage-aggregator.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';

export interface AggregatorSettings {
  /** Keys that seal what is stored, of 64 hexadecimal characters; without them nothing can be connected. */
  keys: { current: string; previous: string | undefined } | undefined;
  /** How each aggregator is reached; without it the kind is not offered. */
  bank: ClientSettings | undefined;
  brokerage: ClientSettings | undefined;
}

/** The aggregators that the settings allow, and the keys that seal what they return. */
export function createAggregators(
  { keys, bank, brokerage }: AggregatorSettings,
  { sql, logger }: { sql: ServiceSql; logger: Logger },
): { ring: KeyRing; aggregators: Aggregator[] } {
  // Without a key nothing is sealed, and nothing that an earlier key sealed is opened.
  if (!keys) return { ring: createKeyRing(randomBytes(32).toString('hex')), aggregators: [] };
  const ring = createKeyRing(keys.current, keys.previous === undefined ? [] : [keys.previous]);
  const aggregators: Aggregator[] = [];
  if (bank) aggregators.push(createBankAggregator(bank));
  if (brokerage) aggregators.push(createBrokerageAggregator(brokerage, { sql, ring, logger }));
  return { ring, aggregators };
}
