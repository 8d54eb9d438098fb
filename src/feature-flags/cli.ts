import { type Command, exitCode, type Io, readArguments, usage, usageOfVerbs, type With } from '../command-line.ts';
import type { Database } from '../database/connect.ts';
import { deleteFlag, deleteFlagMember, type FlagRow, selectFlags, upsertFlag, upsertFlagMember } from './queries.ts';

/** `tally flags set|delete|list`: which members a rollout has reached. */
export const flagsCommand = (withDatabase: With<Database>): Command => ({
  name: 'flags',
  summary: 'Show and change rollout flags',
  help: `tally flags set FLAG --percent 0..100
tally flags set FLAG --member ID --on|--off|--clear
tally flags delete FLAG
tally flags list [--json]

set    with --percent sets the share of members for whom the flag is on; a member who is in at
       10 is in at 20. With --member it is on or off for that one whatever the share, until --clear.
delete removes a flag with what was set for members; it is off for everybody then.
list   shows every flag with its share and its members.

Running servers follow within five seconds.
Exit codes: 0 done, 1 refused, 2 usage, 3 the database cannot be reached now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb === 'set') return set(rest, io, withDatabase);
    if (verb === 'delete') return remove(rest, io, withDatabase);
    if (verb === 'list') return list(rest, io, withDatabase);
    return usageOfVerbs(io, 'flags', verb, 'set, delete or list');
  },
});

async function set(argv: readonly string[], io: Io, withDatabase: With<Database>): Promise<number> {
  const parsed = readArguments(argv, {
    percent: { type: 'string' },
    member: { type: 'string' },
    on: { type: 'boolean' },
    off: { type: 'boolean' },
    clear: { type: 'boolean' },
  });
  const [flag, ...others] = parsed?.positionals ?? [];
  if (!parsed || flag === undefined || others.length > 0)
    return usage(io, 'flags', 'set takes one flag, and --percent or --member.');
  if (!/^[a-z0-9-]{1,100}$/.test(flag))
    return usage(io, 'flags', 'a flag has 1 to 100 lower case letters, digits and hyphens.');
  const { percent, member, on, off, clear } = parsed.values;
  const changes = [on, off, clear].filter(Boolean).length;
  if (percent !== undefined && member === undefined && changes === 0) {
    if (!/^(\d{1,2}|100)$/.test(percent)) return usage(io, 'flags', '--percent is a whole number from 0 to 100.');
    await withDatabase(({ service: sql }) => upsertFlag(sql, flag, Number(percent)));
    io.out(`${flag} is on for ${Number(percent)} % of members.\n`);
    return exitCode.done;
  }
  if (member === undefined || percent !== undefined || changes !== 1)
    return usage(io, 'flags', 'set takes --percent, or --member with one of --on, --off and --clear.');
  return setMember(io, withDatabase, flag, member, clear ? undefined : on === true);
}

async function setMember(
  io: Io,
  withDatabase: With<Database>,
  flag: string,
  member: string,
  enabled: boolean | undefined,
): Promise<number> {
  if (enabled === undefined) {
    const cleared = await withDatabase(({ service: sql }) => deleteFlagMember(sql, flag, member));
    if (!cleared) return refused(io, `${flag} has no setting of its own for ${member}.`);
    io.out(`${flag} follows its share again for ${member}.\n`);
    return exitCode.done;
  }
  const done = await withDatabase(({ service: sql }) => upsertFlagMember(sql, flag, member, enabled));
  if (!done) return refused(io, `there is no member ${member}.`);
  io.out(`${flag} is ${enabled ? 'on' : 'off'} for ${member}.\n`);
  return exitCode.done;
}

function refused(io: Io, sentence: string): number {
  io.err(`tally flags: ${sentence}\n`);
  return exitCode.refused;
}

async function remove(argv: readonly string[], io: Io, withDatabase: With<Database>): Promise<number> {
  const [flag, ...others] = readArguments(argv, {})?.positionals ?? [];
  if (flag === undefined || others.length > 0) return usage(io, 'flags', 'delete takes one flag.');
  const deleted = await withDatabase(({ service: sql }) => deleteFlag(sql, flag));
  if (!deleted) return refused(io, `there is no flag ${flag}.`);
  io.out(`${flag} is deleted, and off for everybody.\n`);
  return exitCode.done;
}

async function list(argv: readonly string[], io: Io, withDatabase: With<Database>): Promise<number> {
  const parsed = readArguments(argv, { json: { type: 'boolean' } });
  if (!parsed || parsed.positionals.length > 0) return usage(io, 'flags', 'list takes --json alone.');
  const flags = await withDatabase(({ service: sql }) => selectFlags(sql));
  io.out(parsed.values.json ? `${JSON.stringify(flags)}\n` : flags.map(inWords).join('') || 'There are no flags.\n');
  return exitCode.done;
}

function inWords({ flag, percentage, on_for, off_for }: FlagRow): string {
  const members = [
    on_for.length > 0 && `on for ${on_for.join(', ')}`,
    off_for.length > 0 && `off for ${off_for.join(', ')}`,
  ].filter(Boolean);
  return `${[`${flag}  ${percentage} %`, ...members].join('; ')}\n`;
}
