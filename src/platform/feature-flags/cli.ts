import { createSubcommands, type CommandOutput, defineSubcommand, type WithResource } from '../../command-line.ts';
import type { Database } from '../database/connect.ts';
import type { ServiceSql } from '../database/roles.ts';
import { deleteFlag, deleteFlagMember, type FlagRow, selectFlags, upsertFlag, upsertFlagMember } from './queries.ts';

/** Defines `tally flags set|delete|list`, which controls the members of a rollout. */
export const flagsCommand = (withDatabase: WithResource<Database>) =>
  createSubcommands({
    name: 'flags',
    summary: 'Show and change rollout flags',
    help: `tally flags set FLAG --percent 0..100
tally flags set FLAG --member ID --on|--off|--clear
tally flags delete FLAG
tally flags list [--json]

set    --percent sets the share of members for whom the flag is on. A member who is included at 10 is
       included at 20. --member sets the flag for one member, whatever the share, until --clear.
delete removes a flag with its settings for members. The flag is then off for all members.
list   shows every flag with its share and its members.

Running servers apply a change within five seconds.
Exit codes: 0 done, 1 rejected, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      set: defineSubcommand(
        { flag: 'positional', percent: 'string', member: 'string', on: 'boolean', off: 'boolean', clear: 'boolean' },
        'set takes one flag, and --percent or --member.',
        async ({ flag, percent, member, on, off, clear }, io) => {
          if (!/^[a-z0-9-]{1,100}$/.test(flag))
            return io.usageError('a flag has 1 to 100 lower case letters, digits and hyphens.');
          const changes = [on, off, clear].filter(Boolean).length;
          if (percent !== undefined && member === undefined && changes === 0) {
            if (!/^(\d{1,2}|100)$/.test(percent)) return io.usageError('--percent is a whole number from 0 to 100.');
            await withDatabase(({ service: sql }) => upsertFlag(sql, flag, Number(percent)));
            return io.succeed(`${flag} is on for ${Number(percent)} % of members.\n`);
          }
          if (member === undefined || percent !== undefined || changes !== 1)
            return io.usageError('set takes --percent, or --member with one of --on, --off and --clear.');
          return withDatabase(({ service: sql }) =>
            clear ? clearMember(sql, flag, member, io) : setMember(sql, flag, member, on, io),
          );
        },
      ),
      delete: defineSubcommand({ flag: 'positional' }, 'delete takes one flag.', async ({ flag }, io) =>
        (await withDatabase(({ service: sql }) => deleteFlag(sql, flag)))
          ? io.succeed(`${flag} is deleted and off for all members.\n`)
          : io.fail(`there is no flag ${flag}.`),
      ),
      list: defineSubcommand({ json: 'boolean' }, 'list takes only --json.', async ({ json }, io) => {
        const flags = await withDatabase(({ service: sql }) => selectFlags(sql));
        return io.succeed(json ? flags : flags.map(formatFlag).join('') || 'There are no flags.\n');
      }),
    },
  });

async function setMember(sql: ServiceSql, flag: string, member: string, enabled: boolean, io: CommandOutput) {
  if (!(await upsertFlagMember(sql, flag, member, enabled))) return io.fail(`there is no member ${member}.`);
  return io.succeed(`${flag} is ${enabled ? 'on' : 'off'} for ${member}.\n`);
}

async function clearMember(sql: ServiceSql, flag: string, member: string, io: CommandOutput) {
  if (!(await deleteFlagMember(sql, flag, member))) return io.fail(`${flag} has no setting for ${member}.`);
  return io.succeed(`${flag} uses its share again for ${member}.\n`);
}

function formatFlag({ flag, percentage, on_for, off_for }: FlagRow): string {
  const members = [
    on_for.length > 0 && `on for ${on_for.join(', ')}`,
    off_for.length > 0 && `off for ${off_for.join(', ')}`,
  ].filter(Boolean);
  return `${[`${flag}  ${percentage} %`, ...members].join('; ')}\n`;
}
