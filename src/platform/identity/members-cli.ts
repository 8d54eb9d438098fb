import { z } from 'zod';
import {
  type CommandOutput,
  createSubcommands,
  defineSubcommand,
  exitCode,
  formatMinute,
  formatTable,
  type WithResource,
} from '../../command-line.ts';
import type { ServiceSql } from '../database/roles.ts';
import { exportMember } from './export-member.ts';
import type { IdentityProvider, Invitation, SecondFactorReset } from './identity-provider.ts';
import { createMemberManagement, MAX_MEMBERS_PER_PAGE, type Removal } from './manage-members.ts';
import { findMembers } from './queries.ts';
import type { Feature } from '../../feature.ts';
import { type Tier, tier as tierShape } from '../../features/billing/contract.ts';

interface MemberCommandContext {
  sql: ServiceSql;
  owners: readonly Pick<Feature, 'memberRows' | 'onUserDeleted'>[];
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
  /** Reads and grants tiers, which billing owns. */
  billing: {
    getTierParts(idpId: string): Promise<{
      tier: Tier;
      subscription_tier: Tier | null;
      subscription_status: string | null;
      granted_tier: Tier | null;
    }>;
    getTiers(idpIds: readonly string[]): Promise<ReadonlyMap<string, Tier>>;
    setTier(idpId: string, tier: Tier): Promise<void>;
  };
}

type Billing = MemberCommandContext['billing'];

/**
 * Creates `tally members list|show|set-tier|reset-password|reset-second-factor|export|delete|invite|invitations|
 * revoke-invitation`. The commands list members, show a tier with its reason, grant a tier, print a link that sets a new
 * password, remove a second factor, export or delete a member's data, and invite people.
 */
export const membersCommand = (withMembers: WithResource<MemberCommandContext>) =>
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
          if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_MEMBERS_PER_PAGE)
            return io.usageError(`--limit must be a whole number from 1 to ${MAX_MEMBERS_PER_PAGE}.`);
          const query = { search: search || undefined, after, limit: Number(limit) };
          return withMembers(async (context) => {
            const page = await createManagement(context).list(query);
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
          return withMembers((context) =>
            withMember(context.sql, who, io, async (idpId) =>
              reportRemoval(idpId, await createManagement(context).remove(idpId), io),
            ),
          );
        },
      ),
      show: defineSubcommand(
        { who: 'positional', json: 'boolean' },
        'show needs one address or id, and accepts --json.',
        ({ who, json }, io) =>
          withMembers(({ sql, billing }) => withMember(sql, who, io, (idpId) => showTiers(billing, idpId, json, io))),
      ),
      'set-tier': defineSubcommand(
        { who: 'positional', wanted: 'positional' },
        'set-tier needs one address or id, and free, pro or max.',
        ({ who, wanted }, io) => {
          const tier = tierShape.safeParse(wanted);
          if (!tier.success) return io.usageError(`the tier must be free, pro or max, but got "${wanted}".`);
          return withMembers(({ sql, billing }) =>
            withMember(sql, who, io, async (idpId) => {
              await billing.setTier(idpId, tier.data);
              return showTiers(billing, idpId, false, io);
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
        if (!address.success) return io.usageError('--email must be an email address.');
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

/** Runs `work` for the member with this address or id. Fails if there is none, or if several members have the address. */
async function withMember(sql: ServiceSql, who: string, io: CommandOutput, work: (idpId: string) => Promise<number>) {
  const [found, ...others] = await findMembers(sql, who);
  if (found === undefined) return io.fail(`there is no member ${who}.`);
  if (others.length === 0) return work(found.idp_id);
  const ids = [found, ...others].map((member) => member.idp_id).join(', ');
  return io.fail(`several members have this address; use one of these ids: ${ids}.`);
}

const createManagement = ({ sql, owners, identityProvider, billing }: MemberCommandContext) =>
  createMemberManagement({ sql, owners, provider: identityProvider, readTiers: billing.getTiers });

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
  identityProvider: MemberCommandContext['identityProvider'],
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
    `${idpId} is signed out everywhere, and their open links, passkeys, API keys and assistant tokens are revoked. ` +
      'The link is shown only once. Give it to the member:\n',
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
  { invitations, signUpMode }: MemberCommandContext['identityProvider'],
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

async function showTiers(billing: Billing, idpId: string, json: boolean, io: CommandOutput): Promise<number> {
  const tiers = await billing.getTierParts(idpId);
  if (json) return io.succeed({ idp_id: idpId, ...tiers });
  const { tier, subscription_tier: paid, subscription_status: status, granted_tier: granted } = tiers;
  return io.succeed(
    `${idpId} is on ${tier}: ${paid ? `paid ${paid} (${status})` : 'nothing paid'}, granted ${granted ?? 'nothing'}.\n`,
  );
}
