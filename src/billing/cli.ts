import {
  type Command,
  exitCode,
  type Io,
  readArguments,
  tableOf,
  usage,
  usageOfVerbs,
  type With,
} from '../command-line.ts';
import type { Database } from '../database/connect.ts';
import type { ServiceSql } from '../database/roles.ts';
import { findMembers } from '../identity/queries.ts';
import { price as priceShape, tier as tierShape } from './contract.ts';
import { deleteGrant, selectPlans, selectTiersOf, updatePlan, upsertGrant } from './queries.ts';

/** `tally members show|set-tier`: which tier a member has and why, and an operator's grant of another. */
export const membersCommand = (withDatabase: With<Database>): Command => ({
  name: 'members',
  summary: 'Show a member’s tier, and grant one',
  help: `tally members show EMAIL|ID [--json]
tally members set-tier EMAIL|ID free|pro|max

show      shows the tier that counts, what is paid for and what an operator has granted.
set-tier  grants a tier beside what is paid for; the higher one counts, at once. No payment overwrites a
          grant, and it is no revenue. "free" takes the grant back and leaves a paid plan as it is.

Exit codes: 0 done, 1 no such member, or several with this address, 2 usage, 3 the database cannot be reached now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb !== 'show' && verb !== 'set-tier') return usageOfVerbs(io, 'members', verb, 'show or set-tier');
    const parsed = readArguments(rest, verb === 'show' ? { json: { type: 'boolean' } } : {});
    const [who, wanted, ...others] = parsed?.positionals ?? [];
    if (verb === 'show') {
      if (!parsed || who === undefined || wanted !== undefined)
        return usage(io, 'members', 'show needs one address or id, and takes --json.');
      const json = 'json' in parsed.values && parsed.values.json === true;
      return withDatabase(({ service }) => withMember(service, who, io, (idpId) => show(service, idpId, json, io)));
    }
    const tier = tierShape.safeParse(wanted);
    if (who === undefined || others.length > 0 || !tier.success)
      return usage(io, 'members', 'set-tier needs one address or id, and free, pro or max.');
    return withDatabase(({ service }) =>
      withMember(service, who, io, async (idpId) => {
        await (tier.data === 'free' ? deleteGrant(service, idpId) : upsertGrant(service, idpId, tier.data));
        return show(service, idpId, false, io);
      }),
    );
  },
});

async function withMember(sql: ServiceSql, who: string, io: Io, work: (idpId: string) => Promise<number>) {
  const [found, ...others] = await findMembers(sql, who);
  if (found !== undefined && others.length === 0) return work(found.idp_id);
  const ids = [found, ...others].map((member) => member?.idp_id).join(', ');
  io.err(
    found === undefined
      ? `tally members: there is no member ${who}.\n`
      : `tally members: several members have this address; name one by its id: ${ids}.\n`,
  );
  return exitCode.refused;
}

async function show(sql: ServiceSql, idpId: string, json: boolean, io: Io): Promise<number> {
  const tiers = await selectTiersOf(sql, idpId);
  if (json) {
    io.out(`${JSON.stringify({ idp_id: idpId, ...tiers })}\n`);
    return exitCode.done;
  }
  const { tier, subscription_tier: paid, subscription_status: status, granted_tier: granted } = tiers;
  io.out(
    `${idpId} is on ${tier}: ${paid ? `paid ${paid} (${status})` : 'nothing paid'}, granted ${granted ?? 'nothing'}.\n`,
  );
  return exitCode.done;
}

/** `tally plans show|set`: what each plan allows and costs. */
export const plansCommand = (withDatabase: With<Database>): Command => ({
  name: 'plans',
  summary: 'Show and set limits and prices of the plans',
  help: `tally plans show [--json]
tally plans set free|pro|max [--limit N] [--amount-minor N --currency USD --interval month|year | --not-for-sale]

show  shows each plan's limit and price.
set   changes what is given. A limit takes effect at once. A price is in the smallest unit of its currency (999 is
      USD 9.99) and holds for what is bought or changed from now on; who subscribed before keeps their price.

Exit codes: 0 done, 2 usage, 3 the database cannot be reached now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb !== 'show' && verb !== 'set') return usageOfVerbs(io, 'plans', verb, 'show or set');
    if (verb === 'show') {
      const parsed = readArguments(rest, { json: { type: 'boolean' } });
      if (!parsed || parsed.positionals.length > 0) return usage(io, 'plans', 'show takes --json alone.');
      return withDatabase(({ service }) => showPlans(service, parsed.values.json === true, io));
    }
    const change = readChange(rest);
    if (!change) return usage(io, 'plans', 'set needs free, pro or max, and a limit or a whole price.');
    return withDatabase(async ({ service }) => {
      await updatePlan(service, change.tier, change);
      return showPlans(service, false, io);
    });
  },
});

function readChange(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const given = readArguments(argv, {
    ...{ limit: text, 'amount-minor': text, currency: text, interval: text },
    'not-for-sale': { type: 'boolean' },
  });
  const tier = tierShape.safeParse(given?.positionals[0]);
  if (!given || given.positionals.length !== 1 || !tier.success) return undefined;
  const { limit, 'amount-minor': amount, currency, interval, 'not-for-sale': gone } = given.values;
  const asked = [amount, currency, interval].filter((part) => part !== undefined);
  const price = priceShape.safeParse({ amount_minor: Number(amount), currency, interval });
  const isPrice = price.success && price.data.amount_minor < 1e9 && /^[A-Z]{3}$/.test(price.data.currency);
  if (asked.length > 0 && (!isPrice || gone === true || tier.data === 'free')) return undefined;
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) return undefined;
  if (limit === undefined && asked.length === 0 && gone !== true) return undefined;
  return {
    tier: tier.data,
    ...(limit !== undefined && { watchlist_limit: Number(limit) }),
    ...(gone === true ? { price: null } : isPrice && { price: price.data }),
  };
}

async function showPlans(sql: ServiceSql, json: boolean, io: Io): Promise<number> {
  const plans = await selectPlans(sql);
  const cells = plans.map(({ tier, watchlist_limit: limit, price }) => [
    ...[tier, String(limit)],
    price ? `${price.amount_minor} ${price.currency} a ${price.interval}` : 'not for sale',
  ]);
  io.out(json ? `${JSON.stringify(plans)}\n` : tableOf([['plan', 'limit', 'price (minor units)'], ...cells]));
  return exitCode.done;
}
