import { type Command, exitCode, type Io, readArguments, usage, usageOfVerbs, type With } from '../command-line.ts';
import { BYTE_ORDER_MARK, csvLine } from '../http/csv.ts';
import type { ReferralContext } from './context.ts';
import { findReferrer, type ListedReferral, selectReferrals } from './queries.ts';
import { repairReferral } from './repair-referral.ts';

const MOST_LISTED = 100;
const PAGE = 1_000;
const COLUMNS = [
  ...['id', 'referred_idp_id', 'referrer_idp_id', 'status', 'source'],
  ...['signed_up_at', 'completed_at', 'recorded_at', 'in_loop'],
] as const;

const SENTENCES = {
  unknown_member: 'There is no member with the identifier of --referred.',
  unknown_referrer: 'There is no member with the identifier or link of --referrer.',
  self_referral: 'Nobody refers themselves.',
  special_account: 'The demo account and the sample user neither refer nor are referred.',
  taken: 'Another referrer is recorded; --replace puts this one in their place.',
  completed: 'The referral is completed, which stays as it is.',
} as const;

/** `tally referrals list|repair|export`: what operators see and mend of referrals. */
export const referralsCommand = (withReferrals: With<ReferralContext>): Command => ({
  name: 'referrals',
  summary: 'List, repair and export referrals',
  help: `tally referrals list [--referrer ID|LINK] [--json]
tally referrals repair --referred ID --referrer ID|LINK --reason TEXT [--replace]
tally referrals export [--referrer ID|LINK]

list    shows the newest ${MOST_LISTED} referrals; "loop" marks members who referred each other, "-" a deleted member.
repair  attributes a sign-up that was missed, completed at once where the member has connected an
        account. --replace takes the place of another referrer, unless that referral is completed.
        The reason (1 to 300 characters, no names) is kept in the audit for good.
export  writes every referral as CSV, safe to open in a spreadsheet.

Exit codes: 0 done, 1 refused, 2 usage, 3 the database cannot be reached now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb === 'list') return list(rest, io, withReferrals);
    if (verb === 'repair') return repair(rest, io, withReferrals);
    if (verb === 'export') return exportAll(rest, io, withReferrals);
    return usageOfVerbs(io, 'referrals', verb, 'list, repair or export');
  },
});

async function list(argv: readonly string[], io: Io, withReferrals: With<ReferralContext>): Promise<number> {
  const parsed = readArguments(argv, { referrer: { type: 'string' }, json: { type: 'boolean' } });
  if (!parsed || parsed.positionals.length > 0) return usage(io, 'referrals', 'list takes --referrer and --json.');
  const rows = await withReferrals((context) =>
    ofReferrer(context, parsed.values.referrer, (referrer) =>
      selectReferrals(context.sql, { referrer, limit: MOST_LISTED }),
    ),
  );
  if (!rows) return refuse(io, SENTENCES.unknown_referrer);
  io.out(parsed.values.json ? `${JSON.stringify(rows)}\n` : rows.map(inWords).join('') || 'There are no referrals.\n');
  return exitCode.done;
}

async function repair(argv: readonly string[], io: Io, withReferrals: With<ReferralContext>): Promise<number> {
  const parsed = readArguments(argv, {
    referred: { type: 'string' },
    referrer: { type: 'string' },
    reason: { type: 'string' },
    replace: { type: 'boolean' },
  });
  const { referred, referrer, reason = '', replace = false } = parsed?.values ?? {};
  if (!parsed || parsed.positionals.length > 0 || !referred || !referrer)
    return usage(io, 'referrals', 'repair takes --referred, --referrer, --reason and --replace.');
  if (reason.trim() === '' || reason.length > 300)
    return usage(io, 'referrals', 'repair needs --reason of 1 to 300 characters.');
  const repaired = await withReferrals((context) => repairReferral(context, { referred, referrer, reason, replace }));
  if (!repaired.ok) return refuse(io, SENTENCES[repaired.reason]);
  const state = repaired.completed ? 'completed' : 'signed up';
  io.out(
    repaired.change === 'none'
      ? `Nothing to repair: this referrer is recorded, ${state}.\n`
      : `The referral is ${repaired.change}: ${state}.\n`,
  );
  return exitCode.done;
}

async function exportAll(argv: readonly string[], io: Io, withReferrals: With<ReferralContext>): Promise<number> {
  const parsed = readArguments(argv, { referrer: { type: 'string' } });
  if (!parsed || parsed.positionals.length > 0) return usage(io, 'referrals', 'export takes --referrer alone.');
  const done = await withReferrals((context) =>
    ofReferrer(context, parsed.values.referrer, async (referrer) => {
      io.out(BYTE_ORDER_MARK + csvLine(COLUMNS));
      let after: ListedReferral | undefined;
      do {
        const rows = await selectReferrals(context.sql, { referrer, after, limit: PAGE });
        io.out(rows.map((row) => csvLine(COLUMNS.map((column) => cellOf(row[column])))).join(''));
        after = rows.length === PAGE ? rows.at(-1) : undefined;
      } while (after);
      return true;
    }),
  );
  return done ? exitCode.done : refuse(io, SENTENCES.unknown_referrer);
}

/** Does the work for the named referrer, or for all; `undefined` where the one who is named is unknown. */
async function ofReferrer<T>(
  context: ReferralContext,
  named: string | undefined,
  work: (referrer: string | undefined) => Promise<T>,
): Promise<T | undefined> {
  if (named === undefined) return work(undefined);
  const referrer = await findReferrer(context.sql, named);
  return referrer === undefined ? undefined : work(referrer);
}

function refuse(io: Io, sentence: string): number {
  io.err(`tally referrals: ${sentence}\n`);
  return exitCode.refused;
}

function cellOf(value: string | boolean | Date | null): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value ?? '');
}

const inWords = (row: ListedReferral): string =>
  `${[
    row.recorded_at.toISOString(),
    `${row.referrer_idp_id ?? '-'} -> ${row.referred_idp_id ?? '-'}`,
    row.status,
    row.source,
    ...(row.in_loop ? ['loop'] : []),
  ].join('  ')}\n`;
