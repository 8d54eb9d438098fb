import type { Uncertainty } from '../counter/uncertainty.ts';
import type { TokenCount } from '../counter/request-types.ts';

/** What the playground lets one type. */
export interface Draft {
  model: string;
  system: string;
  message: string;
}

/** To the worker; `id` grows, so that an answer to an older draft is known as such. */
export interface CountOrder {
  id: number;
  draft: Draft;
}

/** From the worker. */
export interface CountReport {
  id: number;
  count: TokenCount;
  uncertainty: Uncertainty;
}
