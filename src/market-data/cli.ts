import type { Command, Io, With } from '../command-line.ts';
import { exitCode, readArguments, usage, usageOfVerbs } from '../command-line.ts';
import type { MarketDataRoom } from './market-data.ts';
import { normaliseSymbol } from './normalise-symbol.ts';

/** `tally market refresh|backfill`: what the market-data jobs do, at once. */
export const marketCommand = (withMarketData: With<MarketDataRoom>): Command => ({
  name: 'market',
  summary: 'Refresh prices and fetch price history now',
  help: `tally market refresh [SYMBOL...] [--accept] [--json]
tally market backfill SYMBOL... [--again] [--json]

refresh   fetches prices: of these symbols, or of all that members hold or watch.
          --accept takes prices of the named symbols that were held back because
          they look like a change of unit.
backfill  fetches a year of daily candles for each symbol, unless that was done in
          the last 20 hours. --again fetches anew and replaces what is stored.

Exit codes: 0 done, 1 refused (a symbol is unknown, a price was held back), 2 usage, 3 the provider gave nothing now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    const parsed = readArguments(rest, { json: { type: 'boolean' }, accept: { type: 'boolean' }, again: { type: 'boolean' } });
    if (verb !== 'refresh' && verb !== 'backfill') return usageOfVerbs(io, 'market', verb, 'refresh or backfill');
    if (!parsed) return usage(io, 'market', `${verb} takes symbols, --json and ${verb === 'refresh' ? '--accept' : '--again'}.`);
    const { values, positionals } = parsed;
    const symbols = positionals.map((text) => normaliseSymbol(text));
    const wrong = symbols.indexOf(undefined);
    if (wrong >= 0) return usage(io, 'market', `"${positionals[wrong]}" is no symbol.`);
    const named = symbols.filter((symbol) => symbol !== undefined);
    if (verb === 'refresh') {
      if (values.again || (values.accept && named.length === 0)) return usage(io, 'market', 'refresh takes --accept with symbols, and no --again.');
      return withMarketData((room) => refresh(room, named, values, io));
    }
    if (values.accept || named.length === 0) return usage(io, 'market', 'backfill needs one symbol or more, and takes no --accept.');
    return withMarketData((room) => backfill(room, named, values, io));
  },
});

interface Flags {
  json?: boolean;
  accept?: boolean;
  again?: boolean;
}

async function refresh(room: MarketDataRoom, symbols: readonly string[], { json, accept }: Flags, io: Io): Promise<number> {
  for (const symbol of symbols) {
    const registered = await room.registerSymbol(symbol);
    if (!registered.ok) {
      io.err(`tally market: ${symbol} is ${registered.reason}.\n`);
      return registered.reason === 'unavailable' ? exitCode.retryLater : exitCode.refused;
    }
  }
  const result = await room.refreshNow(symbols.length > 0 ? symbols : 'in use', { accept });
  const { written, quarantined, refused, missing, unanswered, unasked } = result;
  const without = missing + unanswered + unasked;
  io.out(json ? `${JSON.stringify({ source: room.source, ...result })}\n` : `${written} prices written from ${room.source}; ${quarantined} held back, ${refused} refused, ${without} missing.\n`);
  if (quarantined > 0) return exitCode.refused;
  return without > 0 && written === 0 ? exitCode.retryLater : exitCode.done;
}

const outcomes = { nobody: 'no provider has candles for it', taken: 'fetched lately', implausible: 'not stored: it jumps by about a hundred, or is far shorter than what is there' } as const;

const later = { away: 'no answer now', busy: 'no call is free now, or somebody is fetching it' } as const;

async function backfill(room: MarketDataRoom, symbols: readonly string[], { json, again = false }: Flags, io: Io): Promise<number> {
  let code: number = exitCode.done;
  for (const symbol of symbols) {
    const registered = await room.registerSymbol(symbol);
    const done = registered.ok ? await room.backfillNow(symbol, again) : { outcome: registered.reason };
    if (done.outcome === 'later' || done.outcome === 'unavailable') code = Math.max(code, exitCode.retryLater);
    if (done.outcome === 'unknown' || done.outcome === 'unsupported' || done.outcome === 'implausible') code = Math.max(code, exitCode.refused);
    const words = 'candles' in done ? `${done.candles} candles stored` : done.outcome === 'later' ? later[done.why] : (outcomes[done.outcome as keyof typeof outcomes] ?? done.outcome);
    io.out(json ? `${JSON.stringify({ symbol, ...done })}\n` : `${symbol}: ${words}\n`);
  }
  return code;
}
