import { readFile } from 'node:fs/promises';
import {
  type Command,
  exitCode,
  type Io,
  type ProgramIo,
  readArguments,
  tableOf,
  usage,
  usageOfVerbs,
  type With,
} from '../command-line.ts';
import type { Database } from '../database/connect.ts';
import { PLAIN_LINE } from '../database/contract.ts';
import { countFile } from './count-file.ts';
import { createApiKey } from './create-api-key.ts';
import { type ApiKeyRow, listApiKeys, type UsageTier } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/** `tally count FILE|-`: the total and its parts, without a server, a key or a database. */
export const countCommand: Command<Pick<ProgramIo, 'out' | 'err' | 'readInput'>> = {
  name: 'count',
  summary: 'Count the input tokens of a request in a file',
  help: `tally count FILE|- [--model ID] [--json]

Counts the input tokens of a message request (the JSON body of POST /v1/messages/count_tokens)
and shows what each part of it costs. "-" reads standard input.

  --model ID   count for this model instead of the one in the request
  --json       print { "input_tokens", "breakdown": [{ "path", "kind", "tokens", "exact" }],
               "uncertainty": { "low", "high", "parts": [{ "path", "kind" }] } }: the bounds that
               nine in ten recorded requests of its kind keep to, and what is uncertain

Exit codes: 0 counted, 1 the request is not valid, 2 usage.`,
  async run(argv, io) {
    const parsed = readArguments(argv, { model: { type: 'string' }, json: { type: 'boolean' } });
    const [file, ...others] = parsed?.positionals ?? [];
    if (!parsed || file === undefined || others.length > 0)
      return usage(io, 'count', 'name one file, or "-" for standard input.');
    let bytes: Buffer;
    try {
      bytes = file === '-' ? await io.readInput() : await readFile(file);
    } catch (error) {
      io.err(`tally count: ${file} cannot be read: ${(error as Error).message}\n`);
      return exitCode.refused;
    }
    const { model, json } = parsed.values;
    const counted = await countFile(bytes, model);
    if (!counted.ok) {
      io.err(`tally count: ${counted.message}\n`);
      return exitCode.refused;
    }
    io.out(json ? `${JSON.stringify({ ...counted.count, uncertainty: counted.uncertainty })}\n` : counted.table);
    return exitCode.done;
  },
};

/** `tally keys create|list|revoke`: the operator's view of API keys. */
export const keysCommand = (withDatabase: With<Database>): Command => ({
  name: 'keys',
  summary: 'Create, list and revoke API keys',
  help: `tally keys create --name NAME [--organisation NAME] [--tier 1..4] [--json]
tally keys list [--all] [--json]
tally keys revoke ID

create   prints a new key on standard output, once; it cannot be shown again.
         The organisation (default "Default") is made where it is missing; --tier sets its usage tier.
list     shows working keys, with --all revoked ones too.
revoke   ends a key; running servers refuse it within five seconds.

Exit codes: 0 done, 1 refused, 2 usage, 3 the database cannot be reached now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb === 'create') return create(rest, io, withDatabase);
    if (verb === 'list') return list(rest, io, withDatabase);
    if (verb === 'revoke') return revoke(rest, io, withDatabase);
    return usageOfVerbs(io, 'keys', verb, 'create, list or revoke');
  },
});

async function create(argv: readonly string[], io: Io, withDatabase: With<Database>): Promise<number> {
  const parsed = readArguments(argv, {
    name: { type: 'string' },
    organisation: { type: 'string' },
    tier: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (!parsed || parsed.positionals.length > 0)
    return usage(io, 'keys', 'create takes --name, --organisation, --tier and --json.');
  const { name, organisation = 'Default', tier, json } = parsed.values;
  if (!isName(name) || !isName(organisation))
    return usage(
      io,
      'keys',
      'create needs --name (and --organisation) of 1 to 120 characters, none of control or of direction.',
    );
  if (tier !== undefined && !/^[1-4]$/.test(tier)) return usage(io, 'keys', '--tier is 1, 2, 3 or 4.');
  const usageTier = tier === undefined ? undefined : (Number(tier) as UsageTier);
  const created = await withDatabase(({ service: sql }) => createApiKey(sql, { organisation, usageTier }, name));
  if (!created.ok) {
    io.err(`tally keys: there are ${created.limit} keys already; revoke one first.\n`);
    return exitCode.refused;
  }
  io.out(json ? `${JSON.stringify({ key: created.key, ...created.row })}\n` : `${created.key}\n`);
  if (!json)
    io.err(
      `Key ${created.row.id} of "${organisation}" (usage tier ${created.row.usage_tier}). It is not shown again.\n`,
    );
  return exitCode.done;
}

async function list(argv: readonly string[], io: Io, withDatabase: With<Database>): Promise<number> {
  const parsed = readArguments(argv, { all: { type: 'boolean' }, json: { type: 'boolean' } });
  if (!parsed || parsed.positionals.length > 0) return usage(io, 'keys', 'list takes --all and --json.');
  const { all, json } = parsed.values;
  const rows = (await withDatabase(({ service: sql }) => listApiKeys(sql))).filter(
    (row) => all || row.revoked_at === null,
  );
  io.out(json ? `${JSON.stringify(rows)}\n` : tableOfKeys(rows));
  return exitCode.done;
}

async function revoke(argv: readonly string[], io: Io, withDatabase: With<Database>): Promise<number> {
  const parsed = readArguments(argv, {});
  const [id, ...others] = parsed?.positionals ?? [];
  if (id === undefined || others.length > 0)
    return usage(io, 'keys', 'revoke needs the id of one key; see tally keys list.');
  const row = await withDatabase(({ service: sql }) => revokeApiKey(sql, id));
  if (!row) {
    io.err(`tally keys: there is no key ${id}.\n`);
    return exitCode.refused;
  }
  io.out(`Key ${row.id} ("${row.name}", …${row.hint}) of "${row.organisation}" is revoked.\n`);
  return exitCode.done;
}

function tableOfKeys(rows: readonly ApiKeyRow[]): string {
  if (rows.length === 0) return 'There are no keys. Make one with: tally keys create --name NAME\n';
  const date = (value: Date | null): string => value?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';
  const cells = rows.map((row) => [
    row.id,
    `…${row.hint}`,
    row.organisation,
    String(row.usage_tier),
    row.name,
    date(row.created_at),
    date(row.last_used_at),
    row.revoked_at ? date(row.revoked_at) : 'no',
  ]);
  return tableOf([['id', 'ends in', 'organisation', 'tier', 'name', 'created', 'last used', 'revoked'], ...cells]);
}

const isName = (text: string | undefined): text is string =>
  text !== undefined && text.trim() !== '' && text.length <= 120 && PLAIN_LINE.test(text);
