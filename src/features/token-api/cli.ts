import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Command,
  type CommandOutput,
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
import { compareCounts, toDifferenceRows } from './command/compare-counts.ts';
import { countLines, type LineResult } from './command/count-lines.ts';
import { splitLines } from './command/split-lines.ts';
import {
  type CountedRequest,
  countFile,
  type CountFileOptions,
  formatCount,
  formatTranscriptNotes,
} from './count-file.ts';
import { createApiKey } from './create-api-key.ts';
import { type ApiKeyRow, listApiKeys, type UsageTier } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/** Defines `tally count`, which prints the total of a request and its parts. Needs no server, key or database. */
export const countCommand: Command<Pick<ProgramIo, 'out' | 'err' | 'readInput'>> = {
  name: 'count',
  summary: 'Count the input tokens of a request in a file',
  help: `tally count FILE|- [--model ID] [--keeps-earlier-thinking] [--json]
tally count FILE|- FILE|- [--model ID] [--keeps-earlier-thinking] [--json]
tally count --lines FILE|- [--model ID] [--keeps-earlier-thinking] [--json]

Counts the input tokens of a message request and shows the tokens of each part. "-" reads standard input.
FILE is the JSON body of POST /v1/messages/count_tokens or of POST /v1/messages, of which it ignores what counting
does not take (max_tokens, stream, …), or a session file of Claude Code (~/.claude/projects/*/*.jsonl), whose last
branch is counted. Such a file has no system prompt and no tools; the lines that were left out are on standard error.
Two files are compared: both totals, and each part that differs.

  --model ID   count for this model instead of the one in the request. Identifiers of Vertex AI, Bedrock, OpenRouter
               and LiteLLM are understood as well
  --keeps-earlier-thinking
               count thinking of earlier turns on models that keep it (Opus 4.5, the 4.6 models and later), which the
               endpoint never counts
  --lines      count a request on each line (JSON Lines, or the requests of a message batch), a result a line
  --json       print { "input_tokens", "breakdown": [{ "path", "kind", "name", "tokens", "exact" }],
               "uncertainty": { "low", "high", "parts": [{ "path", "kind" }] } }: the bounds of
               nine in ten recorded requests of its kind, and the estimated parts. "model" is the model taken, if the
               request spells it differently, and "left_out" lists the lines of a session that were left out.
               Of two files: { "input_tokens": [first, second], "difference", "parts": [{ "path", "kind", "name",
               "tokens": [first, second], "difference" }] }.
               With --lines: { "line", "custom_id", "input_tokens", "low", "high", "model" } or { "line", "error" }

Exit codes: 0 counted, 1 a request is not valid, 2 usage.`,
  async run(argv, io) {
    const output = createCommandOutput('count', io);
    const parsed = parseArguments(argv, {
      files: 'rest',
      model: 'string',
      'keeps-earlier-thinking': 'boolean',
      lines: 'boolean',
      json: 'boolean',
    });
    if (!parsed) return output.usageError('takes --model, --keeps-earlier-thinking, --lines and --json.');
    const options = { ...parsed, keepsEarlierThinking: parsed['keeps-earlier-thinking'] };
    const { files, lines } = options;
    const [first, second] = files;
    if (first === undefined || files.length > (lines ? 1 : 2))
      return output.usageError('name one file, or two to compare (with --lines one), or "-" for standard input.');
    if (first === '-' && second === '-') return output.usageError('only one of the files can be standard input.');
    if (lines) return runLines(first, options, output, io);
    const readOptions = { ...options, printsNotes: !options.json || second !== undefined };
    const counted = [];
    for (const file of files) {
      const result = await readAndCount(file, readOptions, output, io);
      if (!result.ok) return output.fail(result.message);
      counted.push(result.counted);
    }
    const [firstCount, secondCount] = counted;
    if (firstCount === undefined) return exitCode.failed;
    if (secondCount !== undefined) {
      const difference = compareCounts(firstCount.request, secondCount.request);
      return output.succeed(options.json ? difference : formatTable(toDifferenceRows(difference)));
    }
    return output.succeed(options.json ? firstCount.json : formatCount(firstCount.request));
  },
};

interface CountOptions extends CountFileOptions {
  json: boolean;
}

interface ReadCountOptions extends CountFileOptions {
  /** Whether notes go to standard error, because the printed JSON does not contain them. */
  printsNotes: boolean;
}

type ReadCount = { ok: true; counted: { request: CountedRequest; json: object } } | { ok: false; message: string };

/** Counts a file and prints which model was taken and which lines were left out, unless they are part of the JSON. */
async function readAndCount(
  file: string,
  options: ReadCountOptions,
  output: CommandOutput,
  io: Pick<ProgramIo, 'readInput'>,
): Promise<ReadCount> {
  let bytes: Buffer;
  try {
    bytes = file === '-' ? await io.readInput() : await readFile(file);
  } catch (error) {
    return { ok: false, message: `${file}: cannot be read: ${(error as Error).message}` };
  }
  const result = await countFile(bytes, file, options);
  if (!result.ok) return result;
  const { counted: request, transcript } = result;
  const { count, uncertainty, takenModel } = request;
  const notes = [
    ...(takenModel === undefined ? [] : [`"${takenModel.given}" is counted as ${takenModel.taken}`]),
    ...(transcript === undefined ? [] : formatTranscriptNotes(transcript)),
  ];
  if (options.printsNotes) for (const note of notes) output.err(`tally count: ${file}: ${note}\n`);
  const json = {
    ...count,
    ...(takenModel !== undefined && { model: takenModel.taken }),
    ...(transcript !== undefined && { left_out: transcript.leftOut }),
    uncertainty,
  };
  return { ok: true, counted: { request, json } };
}

/** Counts a JSON Lines file without holding it in memory. Lines that cannot be counted are reported one by one. */
async function runLines(
  file: string,
  options: CountOptions,
  output: CommandOutput,
  io: Pick<ProgramIo, 'readInput'>,
): Promise<number> {
  let counted = 0;
  let failed = 0;
  try {
    const chunks = file === '-' ? [await io.readInput()] : (createReadStream(file) as AsyncIterable<Buffer>);
    for await (const result of countLines(splitLines(chunks), options)) {
      if ('error' in result) {
        failed += 1;
        if (!options.json) output.err(`tally count: ${file}:${result.line}: ${result.error}\n`);
      } else counted += 1;
      if (options.json) output.out(`${JSON.stringify(result)}\n`);
      else if (!('error' in result)) output.out(formatLineResult(result));
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return output.fail(`${file}: cannot be read: ${error.message}`);
  }
  if (counted + failed === 0) return output.fail(`${file}: the file has no lines.`);
  return failed === 0 ? exitCode.done : exitCode.failed;
}

function formatLineResult({
  line,
  custom_id,
  input_tokens,
  model,
}: Extract<LineResult, { input_tokens: number }>): string {
  const names = [custom_id, model].filter((name) => name !== undefined);
  return `${[String(line).padStart(6), String(input_tokens).padStart(8), ...names].join('  ')}\n`;
}

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
