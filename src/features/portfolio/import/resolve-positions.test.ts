import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { FilePosition } from './holdings-file.ts';
import { distinguishSearches } from './distinguish-searches.ts';
import type { Listing } from './listings.ts';
import { resolvePositions } from './resolve-positions.ts';

const listed = (symbol: string, currency: string, name: string, isin?: string) => ({
  symbol,
  currency,
  name,
  exchange: null,
  assetType: 'stock' as const,
  logo: null,
  ...(isin !== undefined && { isin }),
});
let app: InvestmentsApp;
setUpInvestmentsApp(
  (started) => {
    app = started;
  },
  {
    listings: [
      listed('VFV.TO', 'CAD', 'Vanguard S&P 500 Index ETF'),
      listed('VWRL.L', 'GBP', 'Vanguard FTSE All-World UCITS ETF'),
      listed('VWRL.AS', 'EUR', 'Vanguard FTSE All-World UCITS ETF', 'IE00B3RBWM25'),
      listed('VWRD.L', 'USD', 'Vanguard FTSE All-World UCITS ETF', 'IE00B3RBWM25'),
      listed('ALV', 'USD', 'Autoliv, Inc.', 'US0528001094'),
      listed('ALV.DE', 'EUR', 'Allianz SE', 'DE0008404005'),
      listed('SAN.MC', 'EUR', 'Banco Santander, S.A.'),
      listed('ABCD', 'USD', 'Company without ISIN'),
    ],
  },
);

interface Provider {
  /** Listings that look-ups find, by symbol or ISIN. */
  lookUps?: Record<string, Listing>;
  /** Hits of a search, by text. */
  searches?: Record<string, Listing[]>;
  choices?: Record<string, string>;
}

/** Resolves one position. Returns its listing or the reason why there is none, and the look-ups and searches. */
async function resolve(fields: Partial<FilePosition>, { lookUps = {}, searches = {}, choices = {} }: Provider = {}) {
  const position: FilePosition = {
    lines: [2],
    accountKey: '',
    identifiers: [],
    search: fields.name ?? fields.identifiers?.[0] ?? 'text',
    exchange: null,
    name: null,
    quantity: '1',
    costBasis: '10',
    isCostPerUnit: false,
    currency: null,
    ...fields,
  };
  const calls: string[] = [];
  const resolved = await resolvePositions(
    {
      sql: app.database.service,
      lookUp: async (symbol) => {
        calls.push(symbol);
        const listing = lookUps[symbol];
        return listing ? { ok: true, listing } : { ok: false, reason: 'unknown' };
      },
      search: async (text) => {
        calls.push(`search ${text}`);
        return searches[text] ?? [];
      },
    },
    [position],
    new Map(Object.entries(choices)),
  );
  assert.ok(resolved.ok);
  const resolution = resolved.resolutions.get(position)!;
  if (resolution.kind !== 'listing') return { found: resolution.kind, calls };
  const { listing, isCostComparable } = resolution;
  return { found: `${listing.symbol} ${isCostComparable ? 'with' : 'without'} cost`, calls };
}

const stock = (symbol: string, currency: string, name: string): Listing => ({
  symbol,
  currency,
  name,
  asset_type: 'stock',
});

test('finds the listing at the exchange of the file when another company has the symbol elsewhere', async () => {
  const name = 'Vanguard S&P 500 Index ETF';
  for (const exchange of ['XTSE', 'TSX', 'Toronto Stock Exchange', '.TO'])
    for (const identifiers of [['VFV'], ['VFV.TO']])
      assert.deepEqual(
        await resolve({ identifiers, exchange, name }),
        { found: 'VFV.TO with cost', calls: [] },
        exchange,
      );
  assert.equal((await resolve({ identifiers: ['AAPL'], exchange: 'XTSE' })).found, 'unknown');
  assert.equal(
    (await resolve({ identifiers: ['AAPL'], exchange: 'NASDAQ', currency: 'EUR' })).found,
    'AAPL without cost',
  );
});

test('finds the listing at another exchange of the same currency when the named exchange lacks it', async () => {
  const { found } = await resolve({ identifiers: ['VFV'], exchange: 'XTSX', name: 'Vanguard S&P 500 Index' });
  assert.equal(found, 'VFV.TO with cost');
});

test('finds the listing in the currency of the file when its exchange is not named', async () => {
  const name = 'VANGUARD FTSE ALL WORLD';
  for (const [currency, symbol] of [
    ['GBP', 'VWRL.L'],
    ['EUR', 'VWRL.AS'],
  ])
    assert.deepEqual(await resolve({ identifiers: ['VWRL'], currency: currency!, name }), {
      found: `${symbol} with cost`,
      calls: [],
    });
});

test('searches the listing in the currency of the file when the catalog lacks it', async () => {
  const asml = stock('ASML.AS', 'EUR', 'ASML Holding N.V.');
  const provider = {
    searches: { ASML: [stock('ASML.SW', 'CHF', 'ASML Holding N.V.'), asml, stock('ASMLX', 'EUR', 'ASML Fund')] },
    lookUps: { 'ASML.AS': asml },
  };
  const wanted = { identifiers: ['ASML'], currency: 'EUR', name: 'ASML HOLDING NV' };
  assert.deepEqual(await resolve(wanted, provider), {
    found: 'ASML.AS with cost',
    calls: ['search ASML', 'ASML.AS'],
  });
  assert.equal((await resolve(wanted)).found, 'other_currency');
});

test('takes no company with the same symbol when its name has no word of the file', async () => {
  const sanofi = stock('SAN.PA', 'EUR', 'Sanofi');
  const wanted = { identifiers: ['SAN'], currency: 'EUR' };
  const provider = { searches: { SAN: [sanofi] }, lookUps: { 'SAN.PA': sanofi } };
  assert.equal((await resolve({ ...wanted, name: 'SANOFI SA' }, provider)).found, 'SAN.PA with cost');
  assert.equal((await resolve({ ...wanted, name: 'BANCO SANTANDER' }, provider)).found, 'SAN.MC with cost');
  assert.equal((await resolve({ ...wanted, name: 'SANDVIK AB' }, provider)).found, 'unknown');
  assert.equal((await resolve(wanted, provider)).found, 'unknown', 'two companies without a name in the file');
  assert.equal((await resolve(wanted)).found, 'SAN.MC with cost', 'one company without a name in the file');
});

test('prefers an ISIN to a symbol, and its listing in the currency of the file', async () => {
  const allianz = { identifiers: ['ALV', 'DE0008404005'] };
  assert.equal((await resolve(allianz)).found, 'ALV.DE with cost');
  assert.equal((await resolve({ ...allianz, currency: 'USD' })).found, 'ALV.DE without cost');
  const world = { identifiers: ['IE00B3RBWM25'] };
  assert.equal((await resolve({ ...world, currency: 'USD' })).found, 'VWRD.L with cost');
  assert.equal((await resolve({ ...world, currency: 'EUR' })).found, 'VWRL.AS with cost');
  const francs = stock('VWRL.SW', 'CHF', 'Vanguard FTSE All-World UCITS ETF');
  const provider = { searches: { IE00B3RBWM25: [francs] }, lookUps: { 'VWRL.SW': francs } };
  assert.equal((await resolve({ ...world, currency: 'CHF' }, provider)).found, 'VWRL.SW with cost');
  assert.equal((await resolve({ ...world, currency: 'CHF' })).found, 'VWRD.L without cost');
});

test('looks up an ISIN before it takes a symbol whose ISIN is unknown', async () => {
  const isin = 'DE0007164600';
  const sap = stock('SAP.DE', 'EUR', 'SAP SE');
  const wanted = { identifiers: ['ABCD', isin] };
  assert.deepEqual(await resolve(wanted, { lookUps: { [isin]: sap } }), { found: 'SAP.DE with cost', calls: [isin] });
  assert.deepEqual(await resolve(wanted), { found: 'ABCD with cost', calls: [isin] });
  assert.deepEqual(await resolve({ ...wanted, currency: 'USD' }), { found: 'ABCD with cost', calls: [] });
});

test("takes the member's choice when the file names no listing", async () => {
  const name = 'APPLE INC.';
  const choices = { [name]: 'AAPL' };
  assert.equal((await resolve({ name, currency: 'EUR' })).found, 'unknown');
  assert.equal((await resolve({ name, currency: 'EUR' }, { choices })).found, 'AAPL without cost');
  assert.equal((await resolve({ name, identifiers: ['MSFT'] }, { choices })).found, 'MSFT with cost');
  const apc = stock('APC.DE', 'EUR', 'Apple Inc.');
  const provider = { choices: { [name]: 'APC.DE' }, lookUps: { 'APC.DE': apc } };
  assert.deepEqual(await resolve({ name, identifiers: ['AAPL'], currency: 'EUR' }, provider), {
    found: 'APC.DE with cost',
    calls: ['APC.DE'],
  });
});

test('looks up and searches at most 50 texts when a file has more', async () => {
  const calls: string[] = [];
  const positions = Array.from({ length: 120 }, (_, index) => `NOSUCH${index}`).map((symbol): FilePosition => ({
    lines: [2],
    accountKey: '',
    identifiers: [symbol],
    search: symbol,
    exchange: null,
    name: null,
    quantity: '1',
    costBasis: null,
    isCostPerUnit: false,
    currency: 'EUR',
  }));
  const resolved = await resolvePositions(
    {
      sql: app.database.service,
      lookUp: async (symbol) => {
        calls.push(symbol);
        return { ok: false, reason: 'unknown' };
      },
      search: async (text) => {
        calls.push(text);
        return [];
      },
    },
    positions,
    new Map(),
  );
  assert.ok(resolved.ok);
  const kinds = positions.map((position) => resolved.resolutions.get(position)!.kind);
  assert.equal(calls.length, 50);
  assert.deepEqual([kinds[0], kinds.at(-1)], ['unknown', 'not_looked_up']);
});

test('names two share classes by their symbols when they have one name', () => {
  const toPosition = (symbol: string, search: string) => ({ identifiers: [symbol], search }) as unknown as FilePosition;
  const positions = [toPosition('GOOG', 'ALPHABET'), toPosition('GOOGL', 'ALPHABET'), toPosition('AAPL', 'APPLE')];
  assert.deepEqual(
    distinguishSearches(positions).map(({ search }) => search),
    ['GOOG', 'GOOGL', 'APPLE'],
  );
});
