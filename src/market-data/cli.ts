import { parseArgs } from 'node:util';
import type { MarketDataRoom } from './market-data.ts';
import { normaliseSymbol } from './normalise-symbol.ts';

/** What a command may touch of the outside. */
interface Io {
  out(text: string): void;
  err(text: string): void;
}

interface Command {
  name: string;
  summary: string;
  help: string;
  run(argv: readonly string[], io: Io): Promise<number>;
}

/** Opens the room on the database and the providers that the settings name, runs the work with it and closes what it opened. */
type WithMarketData = <T>(work: (room: MarketDataRoom) => Promise<T>) => Promise<T>;

const DONE = 0;
const REFUSED = 1;
const USAGE = 2;
const RETRY_LATER = 3;

/** `tally market refresh|backfill`: what the market-data jobs do, at once. */
export const marketCommand = (withMarketData: WithMarketData): Command => ({
  name: 'market',
  summary: 'Refresh prices and fetch price history now',
  help: `tally market refresh [SYMBOL...] [--accept] [--json]
tally market backfill SYMBOL... [--again] [--json]

refresh   fetches prices: of these symbols, or of all that members hold or watch.
          --accept takes prices of the named symbols that were held back because
          they look like a change of unit.
backfill  fetches a year of daily candles for each symbol, unless that was done in
          the last 20 hours. --again throws the stored history away and fetches anew.

Exit codes: 0 done, 1 refused (a symbol is unknown, a price was held back), 2 usage, 3 the provider gave nothing now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    const parsed = parse(rest);
    if (verb !== 'refresh' && verb !== 'backfill') return usage(io, verb === undefined ? 'say refresh or backfill.' : `there is no "${verb}"; say refresh or backfill.`);
    if (!parsed) return usage(io, `${verb} takes symbols, --json and ${verb === 'refresh' ? '--accept' : '--again'}.`);
    const { values, positionals } = parsed;
    const symbols = positionals.map((text) => normaliseSymbol(text));
    const wrong = symbols.indexOf(undefined);
    if (wrong >= 0) return usage(io, `"${positionals[wrong]}" is no symbol.`);
    const named = symbols.filter((symbol) => symbol !== undefined);
    if (verb === 'refresh') {
      if (values.again || (values.accept && named.length === 0)) return usage(io, 'refresh takes --accept with symbols, and no --again.');
      return withMarketData((room) => refresh(room, named, values, io));
    }
    if (values.accept || named.length === 0) return usage(io, 'backfill needs one symbol or more, and takes no --accept.');
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
      return registered.reason === 'unavailable' ? RETRY_LATER : REFUSED;
    }
  }
  const result = await room.refreshNow(symbols.length > 0 ? symbols : 'in use', { accept });
  const { written, quarantined, refused, missing, unasked } = result;
  io.out(json ? `${JSON.stringify({ source: room.source, ...result })}\n` : `${written} prices written from ${room.source}; ${quarantined} held back, ${refused} refused, ${missing + unasked} missing.\n`);
  if (quarantined > 0) return REFUSED;
  return missing + unasked > 0 && written === 0 ? RETRY_LATER : DONE;
}

const outcomes = { nobody: 'no provider has candles for it', taken: 'fetched lately, or being fetched now', implausible: 'not stored: it jumps by about a hundred' } as const;

async function backfill(room: MarketDataRoom, symbols: readonly string[], { json, again = false }: Flags, io: Io): Promise<number> {
  let code = DONE;
  for (const symbol of symbols) {
    const registered = await room.registerSymbol(symbol);
    const done = registered.ok ? await room.backfillNow(symbol, again) : { outcome: registered.reason };
    if (done.outcome === 'later' || done.outcome === 'unavailable') code = Math.max(code, RETRY_LATER);
    if (done.outcome === 'unknown' || done.outcome === 'unsupported' || done.outcome === 'implausible') code = Math.max(code, REFUSED);
    const words = 'candles' in done ? `${done.candles} candles stored` : done.outcome === 'later' ? 'no answer now' : (outcomes[done.outcome as keyof typeof outcomes] ?? done.outcome);
    io.out(json ? `${JSON.stringify({ symbol, ...done })}\n` : `${symbol}: ${words}\n`);
  }
  return code;
}

function parse(argv: readonly string[]): { values: Flags; positionals: string[] } | undefined {
  try {
    return parseArgs({ args: [...argv], options: { json: { type: 'boolean' }, accept: { type: 'boolean' }, again: { type: 'boolean' } }, allowPositionals: true });
  } catch {
    return undefined;
  }
}

function usage(io: Io, sentence: string): number {
  io.err(`tally market: ${sentence} See tally market --help.\n`);
  return USAGE;
}
