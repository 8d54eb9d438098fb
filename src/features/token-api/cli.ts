import { readFile } from 'node:fs/promises';
import {
  type Command,
  createSubcommands,
  createCommandOutput,
  exitCode,
  formatMinute,
  type ProgramIo,
  parseArguments,
  formatTable,
  defineSubcommand,
  type WithResource,
} from '../../command-line.ts';
import type { Database } from '../../platform/database/connect.ts';
import { PLAIN_LINE } from '../../platform/database/contract.ts';
import { countFile } from './count-file.ts';
import { createApiKey } from './create-api-key.ts';
import { type ApiKeyRow, listApiKeys, type UsageTier } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/** Defines `tally count FILE|-`, which prints the total and its parts. Needs no server, key or database. */
export const countCommand: Command<Pick<ProgramIo, 'out' | 'err' | 'readInput'>> = {
  name: 'count',
  summary: 'Count the input tokens of a request in a file',
  help: `tally count FILE|- [--model ID] [--json]

Counts the input tokens of a message request (the JSON body of POST /v1/messages/count_tokens)
and shows the tokens of each part. "-" reads standard input.

  --model ID   count for this model instead of the one in the request
  --json       print { "input_tokens", "breakdown": [{ "path", "kind", "tokens", "exact" }],
               "uncertainty": { "low", "high", "parts": [{ "path", "kind" }] } }: the bounds of
               nine in ten recorded requests of its kind, and the estimated parts

Exit codes: 0 counted, 1 the request is not valid, 2 usage.`,
  async run(argv, io) {
    const { succeed, fail, usageError } = createCommandOutput('count', io);
    const options = parseArguments(argv, { file: 'positional', model: 'string', json: 'boolean' });
    if (!options) return usageError('name one file, or "-" for standard input.');
    const { file, model, json } = options;
    let bytes: Buffer;
    try {
      bytes = file === '-' ? await io.readInput() : await readFile(file);
    } catch (error) {
      return fail(`${file} cannot be read: ${(error as Error).message}`);
    }
    const counted = await countFile(bytes, model);
    if (!counted.ok) return fail(counted.message);
    return succeed(json ? { ...counted.count, uncertainty: counted.uncertainty } : counted.table);
  },
};

/** Defines `tally keys create|list|revoke`, with which operators manage API keys. */
export const keysCommand = (withDatabase: WithResource<Database>) =>
  createSubcommands({
    name: 'keys',
    summary: 'Create, list and revoke API keys',
    help: `tally keys create --name NAME [--organisation NAME] [--tier 1..4] [--json]
tally keys list [--all] [--json]
tally keys revoke ID

create   prints a new key on standard output. It cannot be shown again.
         The organisation (default "Default") is created if missing. --tier sets its usage tier.
list     shows active keys. --all includes revoked keys.
revoke   revokes a key. Running servers reject it within five seconds.

Exit codes: 0 done, 1 rejected, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      create: defineSubcommand(
        { name: 'string', organisation: 'string', tier: 'string', json: 'boolean' },
        'create takes --name, --organisation, --tier and --json.',
        async ({ name, organisation = 'Default', tier, json }, io) => {
          if (!isValidName(name) || !isValidName(organisation))
            return io.usageError(
              'create needs --name (and --organisation) of 1 to 120 characters, none of control or of direction.',
            );
          if (tier !== undefined && !/^[1-4]$/.test(tier)) return io.usageError('--tier is 1, 2, 3 or 4.');
          const usageTier = tier === undefined ? undefined : (Number(tier) as UsageTier);
          const created = await withDatabase(({ service: sql }) =>
            createApiKey(sql, { organisation, usageTier }, name),
          );
          if (!created.ok) return io.fail(`the limit of ${created.limit} keys is reached. Revoke a key first.`);
          const { key, row } = created;
          if (json) return io.succeed({ key, ...row });
          io.out(`${key}\n`);
          io.err(`Key ${row.id} of "${organisation}" (usage tier ${row.usage_tier}). It is not shown again.\n`);
          return exitCode.done;
        },
      ),
      list: defineSubcommand(
        { all: 'boolean', json: 'boolean' },
        'list takes --all and --json.',
        async ({ all, json }, io) => {
          const rows = await withDatabase(({ service: sql }) => listApiKeys(sql));
          const listedRows = rows.filter((row) => all || row.revoked_at === null);
          return io.succeed(json ? listedRows : formatKeyTable(listedRows));
        },
      ),
      revoke: defineSubcommand(
        { id: 'positional' },
        'revoke needs the id of one key; see tally keys list.',
        async ({ id }, io) => {
          const row = await withDatabase(({ service: sql }) => revokeApiKey(sql, id));
          if (!row) return io.fail(`there is no key ${id}.`);
          return io.succeed(`Key ${row.id} ("${row.name}", …${row.hint}) of "${row.organisation}" is revoked.\n`);
        },
      ),
    },
  });

function formatKeyTable(rows: readonly ApiKeyRow[]): string {
  if (rows.length === 0) return 'There are no keys. Create one with: tally keys create --name NAME\n';
  const cells = rows.map((row) => [
    row.id,
    `…${row.hint}`,
    row.organisation,
    String(row.usage_tier),
    row.name,
    formatMinute(row.created_at),
    formatMinute(row.last_used_at),
    row.revoked_at ? formatMinute(row.revoked_at) : 'no',
  ]);
  return formatTable([['id', 'ends in', 'organisation', 'tier', 'name', 'created', 'last used', 'revoked'], ...cells]);
}

const isValidName = (text: string | undefined): text is string =>
  text !== undefined && text.trim() !== '' && text.length <= 120 && PLAIN_LINE.test(text);
