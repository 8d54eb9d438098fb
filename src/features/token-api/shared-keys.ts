import { z } from 'zod';
import { parseJson } from '../../platform/http/parse-json.ts';
import type { SharedRedis } from '../../platform/http/shared-redis.ts';
import type { KeyHolder } from './queries.ts';

/** A key's holder as the database returned it some time ago, to this process or another. */
interface FoundHolder {
  holder: KeyHolder;
  /** Milliseconds since the query. */
  ageMs: number;
}

/** Holders of keys that one of several processes has found in the database. */
export interface SharedKeys {
  /** Returns the stored holders by hash. Returns none if the store is unavailable. Never rejects. */
  find(hashes: readonly string[]): Promise<ReadonlyMap<string, FoundHolder>>;
  /** Stores holders that the database has just returned. Never rejects. */
  save(holders: readonly KeyHolder[]): Promise<void>;
}

const holderSchema: z.ZodType<KeyHolder> = z.object({
  hash: z.string(),
  id: z.string(),
  organisation_id: z.string(),
  usage_tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
});

const toRedisKey = (hash: string): string => `tally:api-key:${hash}`;

/**
 * Shares found keys between processes through Redis, each for `lifetimeMs`. The age is derived from the remaining
 * lifetime, so that the clocks of the servers do not matter.
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
    async save(holders) {
      if (holders.length === 0) return;
      await redis.run((client) => {
        const writes = client.pipeline();
        for (const holder of holders) writes.set(toRedisKey(holder.hash), JSON.stringify(holder), 'PX', lifetimeMs);
        return writes.exec();
      });
    },
  };
}
