/** A limit beyond one file was reached: the request's bytes, the organisation's minute, what the server may hold. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
  readonly which: 'request' | 'minute' | 'memory';

  constructor(which: 'request' | 'minute' | 'memory') {
    super(which);
    this.which = which;
  }
}

const URL_BUDGET = {
  /** Requests that may be fetching at a time: of one organisation, and of all. */
  requestsEach: 6,
  requestsAll: 32,
  /** Bytes that one organisation may have fetched in a minute; what is not used for a minute does not add up. */
  bytesAMinute: 256 * 1024 * 1024,
  /** What a connection costs at least, in bytes: it bounds how many are opened a minute at others' servers. */
  connectionBytes: 256 * 1024,
};

/** Organisations remembered; each is forgotten once it has been quiet for a minute. */
const MAX_ORGANISATIONS = 10_000;

interface Standing {
  requests: number;
  /** Bytes left at `at`; they come back evenly over a minute. */
  left: number;
  at: number;
}

export interface UrlAllowance {
  /** Whether so many bytes more may be fetched this minute; 0 stands for a connection. */
  spend(bytes: number): boolean;
  /** Ends the request's place; once is enough. */
  leave(): void;
}

/** What each organisation may fetch, in this process. Time comes from a monotonic clock, in milliseconds. */
export class UrlBudget {
  private readonly limits: typeof URL_BUDGET;
  private readonly now: () => number;
  private readonly standings = new Map<string, Standing>();
  private requests = 0;

  constructor(limits = URL_BUDGET, now: () => number = () => performance.now()) {
    this.limits = limits;
    this.now = now;
  }

  /** A place among those that fetch: `minute` when the organisation's share is used up, `busy` when none is free. */
  enter(organisation: string): UrlAllowance | 'minute' | 'busy' {
    const { requestsEach, requestsAll } = this.limits;
    const standing = this.standingOf(organisation);
    if (!standing || this.requests >= requestsAll) return 'busy';
    if (standing.requests >= requestsEach || standing.left < this.limits.connectionBytes) return 'minute';
    standing.requests += 1;
    this.requests += 1;
    let here = true;
    return {
      spend: (bytes) => this.spend(standing, bytes === 0 ? this.limits.connectionBytes : bytes),
      leave: () => {
        if (!here) return;
        here = false;
        standing.requests -= 1;
        this.requests -= 1;
      },
    };
  }

  /** How many organisations are remembered. */
  get size(): number {
    return this.standings.size;
  }

  private spend(standing: Standing, bytes: number): boolean {
    if (this.refill(standing).left < bytes) return false;
    standing.left -= bytes;
    return true;
  }

  private standingOf(organisation: string): Standing | undefined {
    const known = this.standings.get(organisation);
    if (known) return this.refill(known);
    if (this.standings.size >= MAX_ORGANISATIONS) this.forgetQuiet();
    if (this.standings.size >= MAX_ORGANISATIONS) return undefined;
    const fresh: Standing = { requests: 0, left: this.limits.bytesAMinute, at: this.now() };
    this.standings.set(organisation, fresh);
    return fresh;
  }

  private refill(standing: Standing): Standing {
    const now = this.now();
    const { bytesAMinute } = this.limits;
    standing.left = Math.min(bytesAMinute, standing.left + ((now - standing.at) / 60_000) * bytesAMinute);
    standing.at = now;
    return standing;
  }

  private forgetQuiet(): void {
    for (const [organisation, standing] of this.standings) {
      const { requests, left } = this.refill(standing);
      if (requests === 0 && left >= this.limits.bytesAMinute) this.standings.delete(organisation);
    }
  }
}
