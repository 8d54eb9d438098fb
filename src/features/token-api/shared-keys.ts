import { z } from 'zod';
import { parseJson } from '../../platform/http/parse-json.ts';
import type { SharedRedis } from '../../platform/http/shared-redis.ts';
import type { KeyHolder } from './queries.ts';

/** The holder of a key as the database returned it to one of the processes. */
interface FoundHolder {
  holder: KeyHolder;
  /** Milliseconds since the query started. */
  ageMs: number;
}

/** Holders of keys that all processes with one Redis share. */
export interface SharedKeys {
  /** Returns the stored holders by hash. Returns none if Redis is unavailable. Never rejects. */
  find(hashes: readonly string[]): Promise<ReadonlyMap<string, FoundHolder>>;
  /** Stores holders from a query that started `ageMs` ago. Never rejects. */
  save(holders: readonly KeyHolder[], ageMs: number): Promise<void>;
}

const holderSchema: z.ZodType<KeyHolder> = z.object({
  hash: z.string(),
  id: z.string(),
  organisation_id: z.string(),
  usage_tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
});

const toRedisKey = (hash: string): string => `tally:api-key:${hash}`;

/**
 * Shares found keys through Redis until `lifetimeMs` after their query. The age is derived from the remaining lifetime,
 * so that the clocks of the servers do not matter.
 */
export function createSharedKeys(redis: SharedRedis, lifetimeMs: number): SharedKeys {
  return {
    async find(hashes) {
      const replies = await redis.run((client) => {
        const reads = client.pipeline();
        for (const hash of hashes) reads.get(toRedisKey(hash)).pttl(toRedisKey(hash));
        return reads.exec();
      });
      const found = new Map<string, FoundHolder>();
      for (const [index, hash] of hashes.entries()) {
        const stored = replies?.[2 * index]?.[1];
        const remainingMs = replies?.[2 * index + 1]?.[1];
        if (typeof stored !== 'string' || typeof remainingMs !== 'number' || remainingMs <= 0) continue;
        // Another version of the service may have stored other fields.
        const holder = holderSchema.safeParse(parseJson(stored));
        if (holder.success) found.set(hash, { holder: holder.data, ageMs: lifetimeMs - remainingMs });
      }
      return found;
    },
    async save(holders, ageMs) {
      const remainingMs = Math.floor(lifetimeMs - ageMs);
      if (holders.length === 0 || remainingMs <= 0) return;
      await redis.run((client) => {
        const writes = client.pipeline();
        for (const holder of holders) writes.set(toRedisKey(holder.hash), JSON.stringify(holder), 'PX', remainingMs);
        return writes.exec();
      });
    },
  };
}
