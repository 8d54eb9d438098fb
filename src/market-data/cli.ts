import { commandOfVerbs, type Endings, exitCode, type Io, verb, type With } from '../command-line.ts';
import type { MarketDataService } from './services/market-data-service.ts';
import { normaliseSymbol } from './domain/normalise-symbol.ts';

/** `tally market refresh|backfill`: what the market-data jobs do, at once. */
export const marketCommand = (withMarketData: With<MarketDataService>) =>
  commandOfVerbs({
    name: 'market',
    summary: 'Refresh prices and fetch price history now',
    help: `tally market refresh [SYMBOL...] [--accept] [--json]
tally market backfill SYMBOL... [--again] [--json]

refresh   fetches prices: of these symbols, or of all that members hold or watch.
          --accept takes quarantined prices of the named symbols, which look like a
          change of unit.
backfill  fetches a year of daily candles for each stock or ETF, unless that was
          done in the last 20 hours. --again fetches anew and replaces what is stored.

What can be done is done, whatever else is refused.
Exit codes: 0 done, 1 refused (a symbol is unknown, a price was refused or quarantined,
no provider has candles), 2 usage, 3 the provider gave nothing now.`,
    verbs: {
      refresh: verb(TAKES, 'refresh takes symbols, --json and --accept.', (given, io) =>
        withSymbols(given.symbols, io, (symbols) =>
          given.again || (given.accept && symbols.length === 0)
            ? io.usage('refresh takes --accept with symbols, and no --again.')
            : withMarketData((room) => refresh(room, symbols, given, io)),
        ),
      ),
      backfill: verb(TAKES, 'backfill takes symbols, --json and --again.', (given, io) =>
        withSymbols(given.symbols, io, (symbols) =>
          given.accept || symbols.length === 0
            ? io.usage('backfill needs one symbol or more, and takes no --accept.')
            : withMarketData((room) => backfill(room, symbols, given, io)),
        ),
      ),
    },
  });

const TAKES = { symbols: 'rest', json: 'boolean', accept: 'boolean', again: 'boolean' } as const;
type Flags = Readonly<Record<'json' | 'accept' | 'again', boolean>>;

function withSymbols(
  texts: readonly string[],
  io: Endings,
  work: (symbols: readonly string[]) => number | Promise<number>,
): number | Promise<number> {
  const symbols = texts.map((text) => normaliseSymbol(text));
  const wrong = symbols.indexOf(undefined);
  if (wrong >= 0) return io.usage(`"${texts[wrong]}" is no symbol.`);
  return work(symbols.filter((symbol) => symbol !== undefined));
}

async function refresh(
  room: MarketDataService,
  symbols: readonly string[],
  { json, accept }: Flags,
  io: Io,
): Promise<number> {
  let code: number = exitCode.done;
  const known: string[] = [];
  const unregistered: { symbol: string; reason: string }[] = [];
  for (const symbol of symbols) {
    const registered = await room.registerSymbol(symbol);
    if (registered.ok) {
      known.push(symbol);
      continue;
    }
    unregistered.push({ symbol, reason: registered.reason });
    io.err(`tally market: ${symbol} is ${registered.reason}.\n`);
    code = Math.max(code, registered.reason === 'unavailable' ? exitCode.retryLater : exitCode.refused);
  }
  const result = await room.refreshNow(symbols.length > 0 ? known : 'in use', { accept });
  const { written, quarantined, refused, missing, unanswered, unasked } = result;
  const without = missing + unanswered + unasked;
  const counts = `${quarantined} quarantined, ${refused} refused, ${without} missing`;
  const words = `${written} prices written from ${room.source}; ${counts}.`;
  io.out(json ? `${JSON.stringify({ source: room.source, ...result, unregistered })}\n` : `${words}\n`);
  if (quarantined + refused > 0) return Math.max(code, exitCode.refused);
  return without > 0 && written === 0 ? exitCode.retryLater : code;
}

/** A fund or a bond is asked for in vain, today and always. */
const backfillOne = async (room: MarketDataService, symbol: string, again: boolean) => {
  const registered = await room.registerSymbol(symbol);
  if (!registered.ok) return { outcome: registered.reason };
  const kind = registered.ticker.asset_type;
  return kind === 'mutual_fund' || kind === 'bond'
    ? { outcome: 'no_candles' as const }
    : room.backfillNow(symbol, again);
};

async function backfill(
  room: MarketDataService,
  symbols: readonly string[],
  { json, again }: Flags,
  io: Io,
): Promise<number> {
  let code: number = exitCode.done;
  for (const symbol of symbols) {
    const done = await backfillOne(room, symbol, again);
    const [own, words] = tell(done, again);
    code = Math.max(code, own);
    io.out(json ? `${JSON.stringify({ symbol, ...done })}\n` : `${symbol}: ${words}\n`);
  }
  return code;
}

/** The exit code that an outcome is, and what it is in words. */
function tell(done: Awaited<ReturnType<typeof backfillOne>>, again: boolean): [code: number, words: string] {
  switch (done.outcome) {
    case 'stored':
      return done.candles > 0
        ? [exitCode.done, `${done.candles} candles stored`]
        : [exitCode.refused, 'there was nothing: the provider has no candles of the last year'];
    case 'taken':
      // Where a fresh copy was asked for, none was made.
      return again
        ? [exitCode.retryLater, 'fetched a moment ago; try again in a minute']
        : [exitCode.done, 'fetched lately'];
    case 'later':
      return [exitCode.retryLater, later[done.why]];
    case 'unavailable':
      return [exitCode.retryLater, done.outcome];
    case 'nobody':
      return [exitCode.refused, 'no provider has candles for it'];
    case 'no_candles':
      return [exitCode.refused, 'funds and bonds have no candles'];
    case 'implausible':
      return [exitCode.refused, 'not stored: it jumps by about a hundred, or is far shorter than what is there'];
    default:
      return [exitCode.refused, done.outcome];
  }
}

const later = { away: 'no answer now', busy: 'no call is free now, or another process is fetching it' } as const;
