/** A limit across files was reached: bytes of the request, the organization's minute, or memory of the server. */
export class LimitExceededError extends Error {
  override readonly name = 'LimitExceededError';
  readonly limit: 'request' | 'organisation' | 'memory';

  constructor(limit: 'request' | 'organisation' | 'memory') {
    super(limit);
    this.limit = limit;
  }
}

const DEFAULT_LIMITS = {
  /** Maximum number of concurrent fetching requests, per organization and in total. */
  maxConcurrentPerOrg: 6,
  maxConcurrent: 32,
  /** Bytes that one organization may fetch per minute. Unused bytes of earlier minutes do not accumulate. */
  bytesPerMinute: 256 * 1024 * 1024,
  /** Minimum cost of a connection in bytes. It limits the connections per minute to other servers. */
  minConnectionBytes: 256 * 1024,
};

/** Maximum number of tracked organizations. Each is removed after one idle minute. */
const MAX_ORGANISATIONS = 10_000;

interface TokenBucket {
  activeRequests: number;
  /** Bytes available at `at`. They refill evenly over one minute. */
  availableBytes: number;
  refilledAt: number;
}

export interface FetchPermit {
  /** Takes bytes from the budget of this minute and returns whether they were available. 0 is a connection. */
  tryConsume(bytes: number): boolean;
  /** Frees the permit. May be called repeatedly. */
  release(): void;
}

/** `organisation`: the limit of the organization is reached. `busy`: no permit is free. */
type AcquireResult = { ok: true; permit: FetchPermit } | { ok: false; reason: 'organisation' | 'busy' };

/** Limits fetches per organization in this process. Times are ms of a monotonic clock. */
export class UrlFetchLimiter {
  private readonly limits: typeof DEFAULT_LIMITS;
  private readonly now: () => number;
  private readonly buckets = new Map<string, TokenBucket>();
  private activeRequests = 0;

  constructor(limits = DEFAULT_LIMITS, now: () => number = () => performance.now()) {
    this.limits = limits;
    this.now = now;
  }

  /** Acquires a fetch permit, or returns the limit that is reached. */
  acquire(organisation: string): AcquireResult {
    const { maxConcurrentPerOrg, maxConcurrent } = this.limits;
    const bucket = this.getBucket(organisation);
    if (!bucket || this.activeRequests >= maxConcurrent) return { ok: false, reason: 'busy' };
    if (bucket.activeRequests >= maxConcurrentPerOrg || bucket.availableBytes < this.limits.minConnectionBytes)
      return { ok: false, reason: 'organisation' };
    bucket.activeRequests += 1;
    this.activeRequests += 1;
    let isActive = true;
    const permit: FetchPermit = {
      tryConsume: (bytes) => this.tryConsume(bucket, bytes === 0 ? this.limits.minConnectionBytes : bytes),
      release: () => {
        if (!isActive) return;
        isActive = false;
        bucket.activeRequests -= 1;
        this.activeRequests -= 1;
      },
    };
    return { ok: true, permit };
  }

  /** Number of tracked organizations. */
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
