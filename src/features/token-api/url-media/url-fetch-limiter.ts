/** A limit beyond one file was reached: the request's bytes, the organisation's minute, what the server may hold. */
export class LimitExceededError extends Error {
  override readonly name = 'OverBudget';
  readonly limit: 'request' | 'minute' | 'memory';

  constructor(limit: 'request' | 'minute' | 'memory') {
    super(limit);
    this.limit = limit;
  }
}

const DEFAULT_LIMITS = {
  /** Requests that may be fetching at a time: of one organisation, and of all. */
  maxConcurrentPerOrg: 6,
  maxConcurrent: 32,
  /** Bytes that one organisation may have fetched in a minute; what is not used for a minute does not add up. */
  bytesPerMinute: 256 * 1024 * 1024,
  /** What a connection costs at least, in bytes: it bounds how many are opened a minute at others' servers. */
  minConnectionBytes: 256 * 1024,
};

/** Organisations remembered; each is forgotten once it has been quiet for a minute. */
const MAX_ORGANISATIONS = 10_000;

interface TokenBucket {
  activeRequests: number;
  /** Bytes left at `at`; they come back evenly over a minute. */
  availableBytes: number;
  refilledAt: number;
}

export interface FetchPermit {
  /** Whether so many bytes more may be fetched this minute; 0 stands for a connection. */
  tryConsume(bytes: number): boolean;
  /** Ends the request's place; once is enough. */
  release(): void;
}

/** What each organisation may fetch, in this process. Time comes from a monotonic clock, in milliseconds. */
export class UrlFetchLimiter {
  private readonly limits: typeof DEFAULT_LIMITS;
  private readonly now: () => number;
  private readonly buckets = new Map<string, TokenBucket>();
  private activeRequests = 0;

  constructor(limits = DEFAULT_LIMITS, now: () => number = () => performance.now()) {
    this.limits = limits;
    this.now = now;
  }

  /** A place among those that fetch: `minute` when the organisation's share is used up, `busy` when none is free. */
  acquire(organisation: string): FetchPermit | 'minute' | 'busy' {
    const { maxConcurrentPerOrg, maxConcurrent } = this.limits;
    const bucket = this.getBucket(organisation);
    if (!bucket || this.activeRequests >= maxConcurrent) return 'busy';
    if (bucket.activeRequests >= maxConcurrentPerOrg || bucket.availableBytes < this.limits.minConnectionBytes)
      return 'minute';
    bucket.activeRequests += 1;
    this.activeRequests += 1;
    let isActive = true;
    return {
      tryConsume: (bytes) => this.tryConsume(bucket, bytes === 0 ? this.limits.minConnectionBytes : bytes),
      release: () => {
        if (!isActive) return;
        isActive = false;
        bucket.activeRequests -= 1;
        this.activeRequests -= 1;
      },
    };
  }

  /** How many organisations are remembered. */
  get size(): number {
    return this.buckets.size;
  }

  private tryConsume(bucket: TokenBucket, bytes: number): boolean {
    if (this.refill(bucket).availableBytes < bytes) return false;
    bucket.availableBytes -= bytes;
    return true;
  }

  private getBucket(organisation: string): TokenBucket | undefined {
    const existing = this.buckets.get(organisation);
    if (existing) return this.refill(existing);
    if (this.buckets.size >= MAX_ORGANISATIONS) this.evictIdle();
    if (this.buckets.size >= MAX_ORGANISATIONS) return undefined;
    const created: TokenBucket = {
      activeRequests: 0,
      availableBytes: this.limits.bytesPerMinute,
      refilledAt: this.now(),
    };
    this.buckets.set(organisation, created);
    return created;
  }

  private refill(bucket: TokenBucket): TokenBucket {
    const now = this.now();
    const { bytesPerMinute } = this.limits;
    bucket.availableBytes = Math.min(
      bytesPerMinute,
      bucket.availableBytes + ((now - bucket.refilledAt) / 60_000) * bytesPerMinute,
    );
    bucket.refilledAt = now;
    return bucket;
  }

  private evictIdle(): void {
    for (const [organisation, bucket] of this.buckets) {
      const { activeRequests, availableBytes } = this.refill(bucket);
      if (activeRequests === 0 && availableBytes >= this.limits.bytesPerMinute) this.buckets.delete(organisation);
    }
  }
}
