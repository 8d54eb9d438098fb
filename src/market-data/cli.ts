import {
  createSubcommands,
  type CommandOutput,
  exitCode,
  formatTable,
  type Io,
  defineSubcommand,
  type WithResource,
} from '../command-line.ts';
import type { CallBudget } from './providers/provider-entries.ts';
import type { MarketDataService } from './services/market-data-service.ts';
import { normalizeSymbol } from './domain/normalize-symbol.ts';

/** Runs `tally market refresh|backfill|budget`: the work of the market-data jobs immediately, and their calls. */
export const marketCommand = (withMarketData: WithResource<MarketDataService>) =>
  createSubcommands({
    name: 'market',
    summary: 'Refresh prices and fetch price history now, show calls of providers',
    help: `tally market refresh [SYMBOL...] [--accept] [--json]
tally market backfill SYMBOL... [--force] [--json]
tally market budget [--json]

refresh   fetches prices: of these symbols, or of all that members hold or watch.
          --accept stores quarantined prices of the named symbols, which look like a
          change of unit.
backfill  fetches a year of daily candles for each stock or ETF, unless that was
          done in the last 20 hours. --force refetches and replaces the stored history.
budget    shows the calls of each provider today and in this minute (UTC), and their limits.

A failure does not stop the remaining symbols.
Exit codes: 0 done, 1 failed (a symbol is unknown, a price was rejected or quarantined,
no provider has candles), 2 usage, 3 no provider is available; try again later.`,
    subcommands: {
      refresh: defineSubcommand(ARGUMENT_SPEC, 'refresh accepts symbols, --json and --accept.', (args, io) =>
        withSymbols(args.symbols, io, (symbols) =>
          args.force || (args.accept && symbols.length === 0)
            ? io.usageError('refresh accepts --accept only with symbols, and no --force.')
            : withMarketData((marketData) => refresh(marketData, symbols, args, io)),
        ),
      ),
      backfill: defineSubcommand(ARGUMENT_SPEC, 'backfill accepts symbols, --json and --force.', (args, io) =>
        withSymbols(args.symbols, io, (symbols) =>
          args.accept || symbols.length === 0
            ? io.usageError('backfill needs one symbol or more, and accepts no --accept.')
            : withMarketData((marketData) => backfill(marketData, symbols, args, io)),
        ),
      ),
      budget: defineSubcommand({ json: 'boolean' }, 'budget takes only --json.', async ({ json }, io) => {
        const budgets = await withMarketData((marketData) => marketData.readCallBudgets());
        return io.succeed(json ? budgets : formatBudgets(budgets));
      }),
    },
  });

function formatBudgets(budgets: readonly CallBudget[]): string {
  if (budgets.length === 0) return 'No provider has a key, so there are no calls.\n';
  const formatLimit = (limit: number | null): string => (limit === null ? 'no limit' : String(limit));
  return formatTable([
    ['provider', 'today', 'for prices', 'per day', 'this minute', 'per minute'],
    ...budgets.map((budget) => [
      budget.provider,
      String(budget.used_today),
      String(budget.quotes_today),
      formatLimit(budget.per_day),
      String(budget.used_this_minute),
      formatLimit(budget.per_minute),
    ]),
  ]);
}

const ARGUMENT_SPEC = { symbols: 'rest', json: 'boolean', accept: 'boolean', force: 'boolean' } as const;
type Flags = Readonly<Record<'json' | 'accept' | 'force', boolean>>;

function withSymbols(
  texts: readonly string[],
  io: CommandOutput,
  work: (symbols: readonly string[]) => number | Promise<number>,
): number | Promise<number> {
  const symbols = texts.map((text) => normalizeSymbol(text));
  const invalidIndex = symbols.indexOf(undefined);
  if (invalidIndex >= 0) return io.usageError(`"${texts[invalidIndex]}" is not a symbol.`);
  return work(symbols.filter((symbol) => symbol !== undefined));
}

async function refresh(
  marketData: MarketDataService,
  symbols: readonly string[],
  { json, accept }: Flags,
  io: Io,
): Promise<number> {
  let code: number = exitCode.done;
  const registeredSymbols: string[] = [];
  const unregistered: { symbol: string; reason: string }[] = [];
  for (const symbol of symbols) {
    const registered = await marketData.registerSymbol(symbol);
    if (registered.ok) {
      registeredSymbols.push(symbol);
      continue;
    }
    unregistered.push({ symbol, reason: registered.reason });
    io.err(`tally market: ${symbol} is ${registered.reason}.\n`);
    code = Math.max(code, registered.reason === 'unavailable' ? exitCode.retryLater : exitCode.failed);
  }
  const result = await marketData.refreshNow(symbols.length > 0 ? registeredSymbols : 'in use', { accept });
  const { written, quarantined, rejected, missing, noResponse, notRequested } = result;
  const notUpdated = missing + noResponse + notRequested;
  const counts = `${quarantined} quarantined, ${rejected} rejected, ${notUpdated} missing`;
  const message = `${written} prices written from ${marketData.source}; ${counts}.`;
  const report = {
    source: marketData.source,
    written,
    quarantined,
    refused: rejected,
    missing,
    unanswered: noResponse,
    unasked: notRequested,
    unregistered,
  };
  io.out(json ? `${JSON.stringify(report)}\n` : `${message}\n`);
  if (quarantined + rejected > 0) return Math.max(code, exitCode.failed);
  return notUpdated > 0 && written === 0 ? exitCode.retryLater : code;
}

/** Skips funds and bonds, which never have candles. */
const backfillOne = async (marketData: MarketDataService, symbol: string, force: boolean) => {
  const registered = await marketData.registerSymbol(symbol);
  if (!registered.ok) return { outcome: registered.reason };
  const kind = registered.ticker.asset_type;
  return kind === 'mutual_fund' || kind === 'bond'
    ? { outcome: 'no_candles' as const }
    : marketData.backfillNow(symbol, force);
};

async function backfill(
  marketData: MarketDataService,
  symbols: readonly string[],
  { json, force }: Flags,
  io: Io,
): Promise<number> {
  let code: number = exitCode.done;
  for (const symbol of symbols) {
    const outcome = await backfillOne(marketData, symbol, force);
    const [outcomeCode, message] = describeOutcome(outcome, force);
    code = Math.max(code, outcomeCode);
    io.out(json ? `${JSON.stringify({ symbol, ...outcome })}\n` : `${symbol}: ${message}\n`);
  }
  return code;
}

/** Returns the exit code and message of an outcome. */
function describeOutcome(
  outcome: Awaited<ReturnType<typeof backfillOne>>,
  force: boolean,
): [code: number, message: string] {
  switch (outcome.outcome) {
    case 'stored':
      return outcome.candles > 0
        ? [exitCode.done, `${outcome.candles} candles stored`]
        : [exitCode.failed, 'no candles: the provider has none for the last year'];
    case 'recently_fetched':
      // The operator requested a fresh copy, and none was fetched.
      return force
        ? [exitCode.retryLater, 'fetched a moment ago; try again in a minute']
        : [exitCode.done, 'fetched recently'];
    case 'retry_later':
      return [exitCode.retryLater, RETRY_MESSAGES[outcome.why]];
    case 'unavailable':
      return [exitCode.retryLater, outcome.outcome];
    case 'no_provider':
      return [exitCode.failed, 'no provider has candles for it'];
    case 'no_candles':
      return [exitCode.failed, 'funds and bonds have no candles'];
    case 'implausible':
      return [
        exitCode.failed,
        'not stored: prices jump by a factor of about 100, or the history is far shorter than the stored one',
      ];
    default:
      return [exitCode.failed, outcome.outcome];
  }
}

const RETRY_MESSAGES = {
  unavailable: 'no provider responded; try again later',
  busy: 'the quota is exhausted, or another process is fetching it; try again later',
} as const;
