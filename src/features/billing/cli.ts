import {
  type CommandOutput,
  createSubcommands,
  defineSubcommand,
  formatTable,
  type ParsedArguments,
  type WithResource,
} from '../../command-line.ts';
import { isCurrency } from '../../market-data/contract.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { type Price, tier as tierShape } from './contract.ts';
import { reconcile } from './jobs.ts';
import { formatMinorUnits } from './minor-units.ts';
import { selectPlans, updatePlan } from './queries.ts';

/** Creates `tally plans show|set`, which show and set the limits and prices of plans. */
export const plansCommand = (withDatabase: WithResource<Database>) =>
  createSubcommands({
    name: 'plans',
    summary: 'Show and set limits and prices of the plans',
    help: `tally plans show [--json]
tally plans set free|pro|max [--limit N] [--amount-minor N --currency USD --interval month|year | --not-for-sale]

show  shows each plan's limit and price.
set   changes the given values. A limit takes effect immediately. A price is in the smallest unit of its currency (999
      USD is $9.99, 1200 JPY is ¥1,200). It applies to later purchases and plan changes, and existing subscribers keep
      their price.

Exit codes: 0 done, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      show: defineSubcommand({ json: 'boolean' }, 'show accepts only --json.', ({ json }, io) =>
        withDatabase(({ service }) => showPlans(service, json, io)),
      ),
      set: defineSubcommand(
        PLAN_OPTIONS,
        'set needs free, pro or max, and accepts --limit, --amount-minor, --currency, --interval and --not-for-sale.',
        (options, io) => {
          const change = parsePlanChange(options);
          if (typeof change === 'string') return io.usageError(change);
          return withDatabase(async ({ service }) => {
            await updatePlan(service, change.tier, change);
            return showPlans(service, false, io);
          });
        },
      ),
    },
  });

const PLAN_OPTIONS = {
  plan: 'positional',
  limit: 'string',
  'amount-minor': 'string',
  currency: 'string',
  interval: 'string',
  'not-for-sale': 'boolean',
} as const;

/** Returns the change, or one sentence that describes the wrong option. */
function parsePlanChange(options: ParsedArguments<typeof PLAN_OPTIONS>) {
  const tier = tierShape.safeParse(options.plan);
  if (!tier.success) return `the plan must be free, pro or max, but got "${options.plan}".`;
  const { limit, 'amount-minor': amount, currency, interval, 'not-for-sale': isNotForSale } = options;
  // Only digits are accepted, because `Number` parses an empty string as 0 and `1e3` as 1000.
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) return '--limit must be a whole number from 1 to 999999.';
  if (amount !== undefined && !/^[1-9]\d{0,8}$/.test(amount))
    return '--amount-minor must be a whole number from 1 to 999999999, in the smallest unit of the currency.';
  if (currency !== undefined && !isCurrency(currency))
    return `--currency must be the code of a currency, such as USD, but got "${currency}".`;
  if (interval !== undefined && !isInterval(interval)) return '--interval must be month or year.';
  const priceOptions = [amount, currency, interval].filter((option) => option !== undefined);
  const hasPrice = amount !== undefined && currency !== undefined && interval !== undefined;
  if (priceOptions.length > 0 && !hasPrice) return 'a price needs --amount-minor, --currency and --interval.';
  if (hasPrice && isNotForSale) return '--not-for-sale takes no price.';
  if (hasPrice && tier.data === 'free') return 'the plan free has no price.';
  if (limit === undefined && !hasPrice && !isNotForSale) return 'set needs --limit, a price or --not-for-sale.';
  return {
    tier: tier.data,
    ...(limit !== undefined && { watchlist_limit: Number(limit) }),
    ...(isNotForSale && { price: null }),
    ...(hasPrice && { price: { amount_minor: Number(amount), currency, interval } }),
  };
}

const isInterval = (text: string): text is Price['interval'] => text === 'month' || text === 'year';

async function showPlans(sql: ServiceSql, json: boolean, io: CommandOutput): Promise<number> {
  const plans = await selectPlans(sql);
  if (json) return io.succeed(plans);
  const cells = plans.map(({ tier, watchlist_limit: limit, price }) => [
    tier,
    String(limit),
    price ? `${formatMinorUnits(price.amount_minor, price.currency)} a ${price.interval}` : 'not for sale',
  ]);
  return io.succeed(formatTable([['plan', 'limit', 'price'], ...cells]));
}

/** Creates `tally billing sync`, which synchronizes every customer with the payment provider. */
export const billingCommand = (withDatabase: WithResource<Database>) =>
  createSubcommands({
    name: 'billing',
    summary: 'Synchronize every customer with the payment provider',
    help: `tally billing sync

Enqueues a sync for every customer, at most 1,000 at once. The worker runs the syncs. It also does so every night.

Exit codes: 0 done, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      sync: defineSubcommand({}, 'sync accepts no arguments.', async (_none, io) => {
        const count = await withDatabase(({ service }) => reconcile(service, 0));
        return io.succeed(`${count} ${count === 1 ? 'customer' : 'customers'} will be synchronized.\n`);
      }),
    },
  });
