import {
  createSubcommands,
  type CommandOutput,
  exitCode,
  type Io,
  defineSubcommand,
  type WithResource,
} from '../../command-line.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { BYTE_ORDER_MARK, formatCsvLine } from '../../platform/http/csv.ts';
import type { ReferralContext } from './context.ts';
import { findReferrer, type ListedReferral, selectReferrals } from './queries.ts';
import { attributeReferral } from './attribute-referral.ts';

const MAX_LISTED = 100;
const PAGE_SIZE = 1_000;
const COLUMNS = [
  'id',
  'referred_idp_id',
  'referrer_idp_id',
  'status',
  'source',
  'signed_up_at',
  'completed_at',
  'recorded_at',
  'in_cycle',
] as const;

const ERROR_MESSAGES = {
  unknown_member: 'There is no member with the identifier of --referred.',
  unknown_referrer: 'There is no member with the identifier or link of --referrer.',
  self_referral: 'A member cannot refer themselves.',
  special_account: 'The demo account and the sample user neither refer nor are referred.',
  already_attributed: 'Another referrer is recorded. Use --replace to replace them.',
  completed: 'The referral is completed and cannot be changed.',
} as const;

/** Creates `tally referrals list|attribute|export`, which list, attribute and export referrals. */
export const referralsCommand = (withReferrals: WithResource<ReferralContext>) =>
  createSubcommands({
    name: 'referrals',
    summary: 'List, attribute and export referrals',
    help: `tally referrals list [--referrer ID|LINK] [--json]
tally referrals attribute --referred ID --referrer ID|LINK --reason TEXT [--replace]
tally referrals export [--referrer ID|LINK]

list       shows the newest ${MAX_LISTED} referrals. "cycle" marks members who referred each other, and
           "-" a deleted member.
attribute  attributes a missed sign-up. The referral is completed immediately if the member has
           connected an account. --replace replaces another referrer, unless that referral is
           completed. The audit keeps the reason (1 to 300 characters, no names) permanently.
export     writes every referral as CSV, safe to open in a spreadsheet.

Exit codes: 0 done, 1 failed, 2 usage, 3 the database is unavailable; try again later.`,
    subcommands: {
      list: defineSubcommand(
        { referrer: 'string', json: 'boolean' },
        'list accepts --referrer and --json.',
        ({ referrer, json }, io) =>
          withReferrals((context) =>
            withReferrer(context, referrer, io, async (id) => {
              const rows = await selectReferrals(context.sql, { referrer: id, limit: MAX_LISTED });
              return io.succeed(json ? rows : rows.map(formatReferral).join('') || 'There are no referrals.\n');
            }),
          ),
      ),
      attribute: defineSubcommand(
        { referred: 'string', referrer: 'string', reason: 'string', replace: 'boolean' },
        'attribute accepts --referred, --referrer, --reason and --replace.',
        async ({ referred, referrer, reason = '', replace }, io) => {
          if (!referred || !referrer) return undefined;
          if (reason.trim() === '' || reason.length > 300)
            return io.usageError('attribute needs a --reason of 1 to 300 characters.');
          const result = await withReferrals((context) =>
            attributeReferral(context, { referred, referrer, reason, replace }),
          );
          if (!result.ok) return io.fail(ERROR_MESSAGES[result.reason]);
          const state = result.completed ? 'completed' : 'signed up';
          return io.succeed(
            result.change === 'none'
              ? `Nothing to change: this referrer is recorded, ${state}.\n`
              : `The referral is ${result.change}: ${state}.\n`,
          );
        },
      ),
      export: defineSubcommand({ referrer: 'string' }, 'export accepts only --referrer.', ({ referrer }, io) =>
        withReferrals((context) => withReferrer(context, referrer, io, (id) => exportAll(context.sql, id, io))),
      ),
    },
  });

async function exportAll(sql: ServiceSql, referrer: string | undefined, io: Io): Promise<number> {
  io.out(BYTE_ORDER_MARK + formatCsvLine(COLUMNS));
  let after: ListedReferral | undefined;
  do {
    const rows = await selectReferrals(sql, { referrer, after, limit: PAGE_SIZE });
    io.out(rows.map((row) => formatCsvLine(COLUMNS.map((column) => toCell(row[column])))).join(''));
    after = rows.length === PAGE_SIZE ? rows.at(-1) : undefined;
  } while (after);
  return exitCode.done;
}

/** Runs the work for the named referrer, or for all. */
async function withReferrer(
  { sql }: ReferralContext,
  linkOrId: string | undefined,
  io: CommandOutput,
  work: (referrer: string | undefined) => Promise<number>,
): Promise<number> {
  const referrer = linkOrId === undefined ? undefined : await findReferrer(sql, linkOrId);
  return linkOrId !== undefined && referrer === undefined ? io.fail(ERROR_MESSAGES.unknown_referrer) : work(referrer);
}

function toCell(value: string | boolean | Date | null): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value ?? '';
}

const formatReferral = (row: ListedReferral): string =>
  `${[
    row.recorded_at.toISOString(),
    `${row.referrer_idp_id ?? '-'} -> ${row.referred_idp_id ?? '-'}`,
    row.status,
    row.source,
    ...(row.in_cycle ? ['cycle'] : []),
  ].join('  ')}\n`;
