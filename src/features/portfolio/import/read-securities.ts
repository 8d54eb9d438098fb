import { toIsin } from '../../../market-data/domain/bond-identifier.ts';
import { findExchange } from '../../../market-data/domain/exchange-codes.ts';
import { normalizeSymbol } from '../../../market-data/domain/normalize-symbol.ts';
import { selectListings } from '../../../market-data/services/catalog/catalog-queries.ts';
import { loadSpelling } from '../../../market-data/services/catalog/catalog-spelling.ts';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { forEachInSlices, mapInSlices } from '../../../platform/fairness/in-slices.ts';
import type { FilePosition } from './holdings-file.ts';
import type { Listing } from './listings.ts';

/** What the catalog or a look-up says about a symbol. */
export type LookupAnswer = { kind: 'listings'; listings: readonly Listing[] } | { kind: 'unknown' | 'unsupported' };

/** Symbol or identifier that may name the listing. */
export interface Candidate {
  /** In the spelling of the catalog. */
  symbol: string;
  /** Text of the file, or the member's choice. */
  text: string;
  /**
   * `isin`: the same security in every currency. `at_exchange`: one listing, in every currency. `symbol`: in another
   * currency, an equal symbol may name another company. `choice` of the member, where the others name no listing.
   */
  kind: 'isin' | 'at_exchange' | 'symbol' | 'choice';
}

/** What the positions of one security say about it. */
export interface Security {
  /** Most reliable first. */
  candidates: readonly Candidate[];
  isin: string | undefined;
  /** Symbol of the file, for listings at other exchanges and for a search. */
  symbol: string | undefined;
  name: string | null;
  /** Currency of the cost, else that of the exchange. */
  currency: string | null;
}

/** Reads the listings of all candidates. Returns the securities with their positions, and the answers by catalog symbol. */
export async function readSecurities(
  sql: ServiceSql,
  positions: readonly FilePosition[],
  choices: ReadonlyMap<string, string>,
): Promise<{
  positionsBySecurity: ReadonlyMap<Security, readonly FilePosition[]>;
  answers: Map<string, LookupAnswer>;
}> {
  const keys = await mapInSlices(positions, toKey);
  const groups = [...Map.groupBy(positions, (_, index) => keys[index]!).values()];
  const typed = await mapInSlices(groups, (group) => ({ group, security: toSecurity(group[0]!, choices) }));
  const symbols = new Set(typed.flatMap(({ security }) => security.candidates.map(({ symbol }) => symbol)));
  const { toCatalogSymbol, existing } = await loadSpelling(sql, [...symbols]);
  const isins = new Set((await mapInSlices(symbols, (symbol) => toIsin(symbol) ?? [])).flat());
  const listings = await selectListings(sql, { symbols: [...existing], isins: [...isins] });
  const byIsin = Map.groupBy(listings, ({ isin }) => isin);
  const answers = new Map<string, LookupAnswer>();
  for (const listing of listings) answers.set(listing.symbol, { kind: 'listings', listings: [listing] });
  await forEachInSlices(symbols, (symbol) => {
    const isin = toIsin(symbol);
    const ofIsin = isin === undefined ? undefined : byIsin.get(isin);
    if (ofIsin) answers.set(symbol, { kind: 'listings', listings: ofIsin });
  });
  const spell = ({ symbol, ...candidate }: Candidate): Candidate => ({
    ...candidate,
    symbol: answers.has(symbol) ? symbol : toCatalogSymbol(symbol),
  });
  const positionsBySecurity = new Map(
    await mapInSlices(
      typed,
      ({ group, security }) => [{ ...security, candidates: security.candidates.map(spell) }, group] as const,
    ),
  );
  return { positionsBySecurity, answers };
}

/** Positions with the same key have one listing. */
const toKey = ({ identifiers, exchange, currency, name, search }: FilePosition): string =>
  JSON.stringify([identifiers, exchange, currency, name, search]);

function toSecurity(position: FilePosition, choices: ReadonlyMap<string, string>): Security {
  const { identifiers, name } = position;
  const exchange = position.exchange === null ? undefined : findExchange(position.exchange);
  const currency = position.currency ?? exchange?.currency ?? null;
  const choice = choices.get(position.search);
  const symbols = identifiers.flatMap((text) => {
    const symbol = normalizeSymbol(text);
    return symbol === undefined ? [] : [{ text, symbol, isin: toIsin(symbol) }];
  });
  const byIsin = symbols.filter(({ isin }) => isin !== undefined);
  const bySymbol = symbols.filter(({ isin }) => isin === undefined);
  return {
    candidates: [
      ...byIsin.flatMap(({ text }) => toCandidates(text, 'isin')),
      ...bySymbol.flatMap(({ text, symbol }) =>
        exchange ? toCandidates(`${exchange.code}:${symbol}`, 'at_exchange') : toCandidates(text, 'symbol'),
      ),
      ...(choice === undefined ? [] : toCandidates(choice, 'choice')),
    ],
    isin: byIsin[0]?.isin,
    symbol: bySymbol[0]?.symbol,
    name,
    currency,
  };
}

function toCandidates(text: string, kind: Candidate['kind']): Candidate[] {
  const symbol = normalizeSymbol(text);
  return symbol === undefined ? [] : [{ symbol, text, kind }];
}
