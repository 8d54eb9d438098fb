import type { ServiceSql } from '../database/roles.ts';
import type { Asking } from './ask-providers.ts';
import type { TickerRow } from './catalog-queries.ts';
import { findTicker, insertTickers } from './catalog-queries.ts';
import { newTicker } from './new-ticker.ts';
import { isCoin, isNeverListed, normaliseSymbol } from './normalise-symbol.ts';

export type Registered = { ok: true; ticker: TickerRow; isNew: boolean } | { ok: false; reason: 'unknown' | 'unsupported' | 'unavailable' };

const LOOKUP_MS = 3_000;
/** A symbol that nobody knew is not asked for again in this time: an import asks first for its preview and then in earnest. */
const ABSENT_MS = 10 * 60_000;
const ABSENT_MOST = 2_000;

export interface RegisterDependencies {
  sql: ServiceSql;
  asking: Asking;
}

/** Makes sure that the catalog has a symbol: out of the catalog where it is there, else by asking who it is. */
export function createRegistration(deps: RegisterDependencies, clock: () => number = Date.now): (text: string) => Promise<Registered> {
  const absent = new Map<string, { until: number; reason: 'unknown' | 'unsupported' }>();
  return async (text) => {
    const symbol = normaliseSymbol(text);
    const known = symbol === undefined ? undefined : absent.get(symbol);
    if (known && known.until > clock() && !(await findTicker(deps.sql, symbol!))) return { ok: false, reason: known.reason };
    const registered = await register(deps, symbol);
    if (symbol !== undefined && !registered.ok && registered.reason !== 'unavailable') {
      if (absent.size >= ABSENT_MOST) absent.delete(absent.keys().next().value!);
      absent.set(symbol, { until: clock() + ABSENT_MS, reason: registered.reason });
    }
    return registered;
  };
}

async function register(deps: RegisterDependencies, symbol: string | undefined): Promise<Registered> {
  if (symbol === undefined) return { ok: false, reason: 'unknown' };
  const known = await findTicker(deps.sql, symbol);
  if (known) return { ok: true, ticker: known, isNew: false };
  if (isNeverListed(symbol)) return { ok: false, reason: 'unsupported' };

  const answer = await deps.asking.ask('lookup', (provider) => provider.lookup(symbol, AbortSignal.timeout(LOOKUP_MS)));
  if (!answer.ok) {
    if (answer.reason === 'unsupported') return { ok: false, reason: 'unsupported' };
    if (answer.reason !== 'unknown') return { ok: false, reason: 'unavailable' };
    return { ok: false, reason: isCoin(symbol) ? 'unsupported' : 'unknown' };
  }
  // The provider's own spelling might differ; the row is made under the symbol that was asked for and normalised by us.
  const made = await insertTickers(deps.sql, [newTicker({ ...answer.value, symbol })]);
  const ticker = await findTicker(deps.sql, symbol);
  return ticker ? { ok: true, ticker, isNew: made.length > 0 } : { ok: false, reason: 'unavailable' };
}
