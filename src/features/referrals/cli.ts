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
  'in_loop',
] as const;

const ERROR_MESSAGES = {
  unknown_member: 'There is no member with the identifier of --referred.',
  unknown_referrer: 'There is no member with the identifier or link of --referrer.',
  self_referral: 'Nobody refers themselves.',
  special_account: 'The demo account and the sample user neither refer nor are referred.',
  already_attributed: 'Another referrer is recorded; --replace puts this one in their place.',
  completed: 'The referral is completed, which stays as it is.',
} as const;

/** Creates `tally referrals list|repair|export`, which list, attribute and export referrals. */
export const referralsCommand = (withReferrals: WithResource<ReferralContext>) =>
  createSubcommands({
    name: 'referrals',
    summary: 'List, repair and export referrals',
    help: `tally referrals list [--referrer ID|LINK] [--json]
tally referrals repair --referred ID --referrer ID|LINK --reason TEXT [--replace]
tally referrals export [--referrer ID|LINK]

list    shows the newest ${MAX_LISTED} referrals; "loop" marks members who referred each other, "-" a deleted member.
repair  attributes a sign-up that was missed, completed at once where the member has connected an
        account. --replace takes the place of another referrer, unless that referral is completed.
        The reason (1 to 300 characters, no names) is kept in the audit for good.
export  writes every referral as CSV, safe to open in a spreadsheet.

Exit codes: 0 done, 1 refused, 2 usage, 3 the database cannot be reached now.`,
    subcommands: {
      list: defineSubcommand(
        { referrer: 'string', json: 'boolean' },
        'list takes --referrer and --json.',
        ({ referrer, json }, io) =>
          withReferrals((context) =>
            withReferrer(context, referrer, io, async (id) => {
              const rows = await selectReferrals(context.sql, { referrer: id, limit: MAX_LISTED });
              return io.succeed(json ? rows : rows.map(formatReferral).join('') || 'There are no referrals.\n');
            }),
          ),
      ),
      repair: defineSubcommand(
        { referred: 'string', referrer: 'string', reason: 'string', replace: 'boolean' },
        'repair takes --referred, --referrer, --reason and --replace.',
        async ({ referred, referrer, reason = '', replace }, io) => {
          if (!referred || !referrer) return undefined;
          if (reason.trim() === '' || reason.length > 300)
            return io.usageError('repair needs --reason of 1 to 300 characters.');
          const result = await withReferrals((context) =>
            attributeReferral(context, { referred, referrer, reason, replace }),
          );
          if (!result.ok) return io.fail(ERROR_MESSAGES[result.reason]);
          const state = result.completed ? 'completed' : 'signed up';
          return io.succeed(
            result.change === 'none'
              ? `Nothing to repair: this referrer is recorded, ${state}.\n`
              : `The referral is ${result.change}: ${state}.\n`,
          );
        },
      ),
      export: defineSubcommand({ referrer: 'string' }, 'export takes --referrer alone.', ({ referrer }, io) =>
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
    ...(row.in_loop ? ['loop'] : []),
  ].join('  ')}\n`;
