import { z } from 'zod';
import {
  createSubcommands,
  type CommandOutput,
  exitCode,
  formatMinute,
  type ParsedArguments,
  formatTable,
  defineSubcommand,
  type WithResource,
} from '../../command-line.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { exportMember } from '../../platform/identity/export-member.ts';
import { createMemberManagement, MAX_MEMBERS_PER_PAGE, type Removal } from '../../platform/identity/manage-members.ts';
import { findMembers } from '../../platform/identity/queries.ts';
import type { IdentityProvider, Invitation, SecondFactorReset } from '../../platform/identity/identity-provider.ts';
import type { Slice } from '../../slice.ts';
import { price as priceShape, tier as tierShape } from './contract.ts';
import { formatMinorUnits } from './minor-units.ts';
import { reconcile } from './jobs.ts';
import { selectPlans, selectMemberTiers, selectTiers, setGrant, updatePlan } from './queries.ts';
import { type Grouping, groupings, readRevenue, revenueCsv } from './report-revenue.ts';
import type { ReportName } from './revenue-queries.ts';

/** Dependencies of commands on a member beyond the tier. */
interface MemberDependencies {
  sql: ServiceSql;
  owners: readonly Pick<Slice, 'memberRows' | 'onUserDeleted'>[];
  identityProvider: Pick<
    IdentityProvider,
    | 'resetPassword'
    | 'resetSecondFactor'
    | 'deleteUser'
    | 'countActiveSessions'
    | 'accounts'
    | 'invitations'
    | 'signUpMode'
  >;
}

/**
 * Creates `tally members list|show|set-tier|reset-password|reset-second-factor|export|delete|invite|invitations|
 * revoke-invitation`. The commands list members, show a tier with its reason, grant a tier, print a link that sets a new
 * password, remove a second factor, export or delete a member's data, and invite people.
 */
export const membersCommand = (withDatabase: WithResource<Database>, withMembers: WithResource<MemberDependencies>) =>
  createSubcommands({
    name: 'members',
    summary: 'List, invite and delete members, grant a tier, reset a password, export data',
    help: `tally members list [--search TEXT] [--limit N] [--after ID] [--json]
tally members show EMAIL|ID [--json]
tally members set-tier EMAIL|ID free|pro|max
tally members reset-password EMAIL|ID
tally members reset-second-factor EMAIL|ID
tally members export EMAIL|ID
tally members delete EMAIL|ID --yes
tally members invite [--email EMAIL]
tally members invitations [--json]
tally members revoke-invitation ID

list      lists members with tier and active sessions, newest first. --search takes a whole id or a part of an address.
          --limit is 1 to ${MAX_MEMBERS_PER_PAGE} (default 50), and --after the last id of the previous page.
show      shows the member's tier, with the paid and the granted tier.
set-tier  grants a tier in addition to the paid one. The higher tier applies immediately. Payments do not change a
          grant, and a grant is not revenue. "free" removes the grant and does not change a paid plan.
reset-password
          prints a link once, with which the member sets a new password. It works once, within a day. The old
          password stops working at once. All sessions end, and so do sign-in tickets, API keys, assistant (MCP)
          tokens, passkeys, open links, known browsers and a pending change of address. Running servers reject keys
          and tokens within five seconds, and session tokens within 65 seconds. What stays: authenticator app, recovery
          codes, unfinished account connections and unfinished checkouts. With a hosted identity provider, reset the
          password there.
reset-second-factor
          removes the authenticator app, the recovery codes and the passkeys of a member who has lost them, and ends all
          sessions. The password alone then signs the member in, so make sure that the member asks you. What stays:
          password, API keys, assistant tokens, links for a new password, links that confirm the email, unfinished
          account connections and unfinished checkouts. With a hosted identity provider, remove them there.
export    writes every row of the member as JSON to standard output, by table. Secrets (hashes, encrypted tokens) and
          data of other members are omitted, and left_out lists them. A hosted identity provider and the payment
          provider export their own data.
invite    prints a link once, with which one person signs up within seven days, also with SIGN_UP=invite. With
          --email only this address can use it. A hosted identity provider has invitations of its own.
invitations
          lists the invitations of the last 30 days with their status.
revoke-invitation
          makes the link of an invitation useless. An account that was created with it stays.
delete    deletes the account and every row of the member at once, and ends a subscription. Export first: it cannot be
          undone. Money and counts stay under a pseudonym. The demo account and the sample user cannot be deleted. With
          a hosted identity provider, delete the account there; its event deletes the member here.

Exit codes: 0 done, 1 no such member, several members with this address, no password or second factor here, or not
deletable here, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      list: defineSubcommand(
        { search: 'string', limit: 'string', after: 'string', json: 'boolean' },
        `list takes --search TEXT, --limit 1 to ${MAX_MEMBERS_PER_PAGE}, --after ID and --json.`,
        ({ search, limit = '50', after, json }, io) => {
          if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_MEMBERS_PER_PAGE) return undefined;
          const query = { search: search || undefined, after, limit: Number(limit) };
          return withMembers(async (deps) => {
            const page = await createManagement(deps).list(query);
            if (json) return io.succeed(page);
            const code = io.succeed(formatMembers(page.members));
            if (page.next !== null) io.err(`There are more: add --after ${page.next}.\n`);
            return code;
          });
        },
      ),
      delete: defineSubcommand(
        { who: 'positional', yes: 'boolean' },
        'delete needs one address or id, and --yes.',
        ({ who, yes }, io) => {
          if (!yes) return io.usageError(`delete cannot be undone: add --yes to delete ${who}.`);
          return withMembers((deps) =>
            withMember(deps.sql, who, io, async (idpId) =>
              reportRemoval(idpId, await createManagement(deps).remove(idpId), io),
            ),
          );
        },
      ),
      show: defineSubcommand(
        { who: 'positional', json: 'boolean' },
        'show needs one address or id, and accepts --json.',
        ({ who, json }, io) =>
          withDatabase(({ service }) => withMember(service, who, io, (idpId) => show(service, idpId, json, io))),
      ),
      'set-tier': defineSubcommand(
        { who: 'positional', wanted: 'positional' },
        'set-tier needs one address or id, and free, pro or max.',
        ({ who, wanted }, io) => {
          const tier = tierShape.safeParse(wanted);
          if (!tier.success) return undefined;
          return withDatabase(({ service }) =>
            withMember(service, who, io, async (idpId) => {
              await setGrant(service, idpId, tier.data);
              return show(service, idpId, false, io);
            }),
          );
        },
      ),
      'reset-password': defineSubcommand(
        { who: 'positional' },
        'reset-password needs one address or id.',
        ({ who }, io) =>
          withMembers(({ sql, identityProvider }) =>
            withMember(sql, who, io, (idpId) => resetPassword(identityProvider, idpId, io)),
          ),
      ),
      'reset-second-factor': defineSubcommand(
        { who: 'positional' },
        'reset-second-factor needs one address or id.',
        ({ who }, io) =>
          withMembers(({ sql, identityProvider }) =>
            withMember(sql, who, io, async (idpId) =>
              reportSecondFactorReset(idpId, await identityProvider.resetSecondFactor(idpId), io),
            ),
          ),
      ),
      invite: defineSubcommand({ email: 'string' }, 'invite accepts only --email.', ({ email }, io) => {
        const address = z.email().max(254).optional().safeParse(email?.trim().toLowerCase());
        if (!address.success) return undefined;
        return withMembers(({ identityProvider }) => invite(identityProvider, address.data ?? null, io));
      }),
      invitations: defineSubcommand({ json: 'boolean' }, 'invitations accepts only --json.', ({ json }, io) =>
        withMembers(async ({ identityProvider: { invitations } }) => {
          if (!invitations) return io.fail(HOSTED_INVITATIONS);
          return showInvitations(await invitations.list(), json, io);
        }),
      ),
      'revoke-invitation': defineSubcommand(
        { id: 'positional' },
        'revoke-invitation needs one id of "tally members invitations".',
        ({ id }, io) =>
          withMembers(async ({ identityProvider: { invitations } }) => {
            if (!invitations) return io.fail(HOSTED_INVITATIONS);
            const status = await invitations.revoke(id);
            if (status === undefined) return io.fail(`there is no invitation ${id}.`);
            if (status !== 'revoked') return io.fail(`the invitation ${id} is ${status}.`);
            return io.succeed(`${id} is revoked.\n`);
          }),
      ),
      export: defineSubcommand({ who: 'positional' }, 'export needs one address or id.', ({ who }, io) =>
        withMembers(({ sql, owners }) =>
          withMember(sql, who, io, async (idpId) => {
            const { parts, tables, rows } = await exportMember(sql, idpId, owners);
            for (const part of parts) io.out(part);
            io.err(`${rows} rows of ${idpId} in ${tables} tables.\n`);
            return exitCode.done;
          }),
        ),
      ),
    },
  });

async function withMember(sql: ServiceSql, who: string, io: CommandOutput, work: (idpId: string) => Promise<number>) {
  const [found, ...others] = await findMembers(sql, who);
  if (found === undefined) return io.fail(`there is no member ${who}.`);
  if (others.length === 0) return work(found.idp_id);
  const ids = [found, ...others].map((member) => member.idp_id).join(', ');
  return io.fail(`several members have this address; use one of these ids: ${ids}.`);
}

const createManagement = ({ sql, owners, identityProvider }: MemberDependencies) =>
  createMemberManagement({ sql, owners, provider: identityProvider, readTiers: (ids) => selectTiers(sql, ids) });

type Management = ReturnType<typeof createMemberManagement>;

function formatMembers(members: Awaited<ReturnType<Management['list']>>['members']): string {
  if (members.length === 0) return 'There are no such members.\n';
  const cells = members.map((member) => [
    member.idp_id,
    member.email ?? '-',
    member.tier,
    String(member.sessions ?? '-'),
    formatMinute(member.created_at),
    member.reserved ?? '-',
  ]);
  return formatTable([['id', 'address', 'tier', 'sessions', 'since', 'reserved'], ...cells]);
}

function reportRemoval(idpId: string, removal: Removal, io: CommandOutput): number {
  if (removal === 'done') return io.succeed(`${idpId} is deleted.\n`);
  return io.fail(REMOVAL_REFUSALS[removal]);
}

const REMOVAL_REFUSALS: Readonly<Record<Exclude<Removal, 'done'>, string>> = {
  not_found: 'there is no such member.',
  demo_account: 'this is the demo account, which sign-in links open; it cannot be deleted.',
  sample_user: 'this is the user of the sample portfolio, who cannot be deleted.',
  external_provider:
    'the identity provider has their account: delete it in its dashboard. Its event user.deleted deletes the member here.',
};

/** Only the link is written to standard output, so that it can be piped. */
async function resetPassword(
  identityProvider: MemberDependencies['identityProvider'],
  idpId: string,
  io: CommandOutput,
): Promise<number> {
  const result = await identityProvider.resetPassword(idpId);
  if (!result.ok)
    return io.fail(
      result.reason === 'external_provider'
        ? 'the identity provider has their password; reset it there.'
        : 'this account signs in without a password.',
    );
  io.err(
    `${idpId} is signed out everywhere, and their open links, passkeys, API keys and assistant tokens are revoked. The link is shown only ` +
      'once. Give it to the member:\n',
  );
  return io.succeed(`${result.link}\n`);
}

function reportSecondFactorReset(idpId: string, result: SecondFactorReset, io: CommandOutput): number {
  if (result === 'done')
    return io.succeed(
      `${idpId} has no second factor and is signed out everywhere. The password alone signs them in.\n`,
    );
  return io.fail(
    result === 'external_provider'
      ? 'the identity provider has their second factor; remove it there.'
      : 'this account has no second factor.',
  );
}

const HOSTED_INVITATIONS = 'the identity provider has the invitations; invite people there.';

/** Only the link is written to standard output, so that it can be piped. */
async function invite(
  { invitations, signUpMode }: MemberDependencies['identityProvider'],
  email: string | null,
  io: CommandOutput,
): Promise<number> {
  if (!invitations) return io.fail(HOSTED_INVITATIONS);
  if (signUpMode === 'closed') return io.fail('SIGN_UP is "closed", so nobody can use an invitation.');
  const { id, link, expiresAt } = await invitations.create(email);
  io.err(
    `${id} is for ${email ?? 'any address'}, works once until ${formatMinute(expiresAt)}, and is shown only once. ` +
      'Give this link to the person:\n',
  );
  return io.succeed(`${link}\n`);
}

function showInvitations(invitations: readonly Invitation[], json: boolean, io: CommandOutput): number {
  if (json)
    return io.succeed(
      invitations.map(({ id, email, status, createdAt, expiresAt }) => ({
        id,
        email,
        status,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      })),
    );
  const rows = invitations.map(({ id, email, status, createdAt, expiresAt }) => [
    id,
    email ?? '-',
    status,
    formatMinute(createdAt),
    formatMinute(expiresAt),
  ]);
  return io.succeed(formatTable([['id', 'email', 'status', 'created', 'expires'], ...rows]));
}

async function show(sql: ServiceSql, idpId: string, json: boolean, io: CommandOutput): Promise<number> {
  const tiers = await selectMemberTiers(sql, idpId);
  if (json) return io.succeed({ idp_id: idpId, ...tiers });
  const { tier, subscription_tier: paid, subscription_status: status, granted_tier: granted } = tiers;
  return io.succeed(
    `${idpId} is on ${tier}: ${paid ? `paid ${paid} (${status})` : 'nothing paid'}, granted ${granted ?? 'nothing'}.\n`,
  );
}

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
      set: defineSubcommand(PLAN_OPTIONS, 'set needs free, pro or max, and a limit or a whole price.', (given, io) => {
        const change = parsePlanChange(given);
        if (!change) return undefined;
        return withDatabase(async ({ service }) => {
          await updatePlan(service, change.tier, change);
          return showPlans(service, false, io);
        });
      }),
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

function parsePlanChange(options: ParsedArguments<typeof PLAN_OPTIONS>) {
  const tier = tierShape.safeParse(options.plan);
  if (!tier.success) return undefined;
  const { limit, 'amount-minor': amount, currency, interval, 'not-for-sale': isNotForSale } = options;
  const priceArguments = [amount, currency, interval].filter((argument) => argument !== undefined);
  // Only digits are accepted, because `Number` parses an empty string as 0 and `1e3` as 1000.
  const amountMinor = amount !== undefined && /^\d{1,9}$/.test(amount) ? Number(amount) : undefined;
  const price = priceShape.safeParse({ amount_minor: amountMinor, currency, interval });
  const isValidPrice = price.success && /^[A-Z]{3}$/.test(price.data.currency);
  if (priceArguments.length > 0 && (!isValidPrice || isNotForSale || tier.data === 'free')) return undefined;
  if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit)) return undefined;
  if (limit === undefined && priceArguments.length === 0 && !isNotForSale) return undefined;
  return {
    tier: tier.data,
    ...(limit !== undefined && { watchlist_limit: Number(limit) }),
    ...(isNotForSale ? { price: null } : isValidPrice && { price: price.data }),
  };
}

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

/** Creates `tally revenue report|mrr|cohorts|funnel`, which print revenue as a table, JSON or CSV. */
export const revenueCommand = (withDatabase: WithResource<Database>) => {
  const createReportVerb = (name: ReportName | 'report') =>
    defineSubcommand(REPORT_OPTIONS, 'a report takes days as YYYY-MM-DD, and --json or --csv.', async (given, io) => {
      const query = parseReportQuery(given, name === 'report');
      if (!query) return undefined;
      const grouping = name === 'report' ? query.by : name;
      const rows = await withDatabase(({ service }) => readRevenue(service, grouping, query));
      return io.succeed(formatReport(rows, query.form, name));
    });
  return createSubcommands({
    name: 'revenue',
    summary: 'Report revenue by entry source, and its changes',
    help: `tally revenue report [--from DAY] [--to DAY] [--by source|bucket|tier] [--json|--csv]
tally revenue mrr|cohorts|funnel [--from DAY] [--to DAY] [--json|--csv]

report   net revenue (paid invoices without tax, less refunds and disputes) and new subscriptions.
mrr      monthly recurring revenue: start + new + expansion + reactivation + contraction + churn = end.
cohorts  payers by the month and source of their first subscription, and what they pay a month now.
funnel   members by the day of their first step to a plan, and how many took each step within 30 days.

Money is in the smallest unit of its currency; currencies are never added. A DAY is YYYY-MM-DD in UTC.
Exit codes: 0 done, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      report: createReportVerb('report'),
      mrr: createReportVerb('mrr'),
      cohorts: createReportVerb('cohorts'),
      funnel: createReportVerb('funnel'),
    },
  });
};

const REPORT_OPTIONS = { from: 'string', to: 'string', by: 'string', json: 'boolean', csv: 'boolean' } as const;

const isDay = (text: string | undefined): boolean =>
  text === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)));

function parseReportQuery(options: ParsedArguments<typeof REPORT_OPTIONS>, isGrouped: boolean) {
  const { from, to, by = 'source', json, csv } = options;
  const grouping = groupings.find((name) => name === by);
  const isValid = isDay(from) && isDay(to) && !(json && csv) && (isGrouped || options.by === undefined);
  if (!grouping || !isValid) return undefined;
  const textForm = csv ? 'csv' : 'table';
  return { from, to, by: grouping satisfies Grouping, form: json ? 'json' : textForm } as const;
}

function formatReport(
  rows: Awaited<ReturnType<typeof readRevenue>>,
  form: 'json' | 'csv' | 'table',
  name: ReportName | 'report',
): string {
  if (form === 'json') return `${JSON.stringify(rows)}\n`;
  if (form === 'csv') return revenueCsv(rows, name);
  const columns = Object.keys(rows[0] ?? { [name]: null });
  return formatTable([columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]);
}
