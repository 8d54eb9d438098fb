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
import { type CountLimits, listExceededLimits, parseLimits } from './command/count-limits.ts';
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
  help: `tally count FILE|- [--model ID] [--max-tokens N] [--max-share P] [--keeps-earlier-thinking] [--json]
tally count FILE|- FILE|- [--model ID] [--max-tokens N] [--max-share P] [--keeps-earlier-thinking] [--json]
tally count --lines FILE|- [--model ID] [--max-tokens N] [--max-share P] [--keeps-earlier-thinking] [--json]

Counts the input tokens of a message request and shows the tokens of each part, the share of the model's context
window, and what the input costs at the list price, also when it is read from the cache. "-" reads standard input.
FILE is the JSON body of POST /v1/messages/count_tokens or of POST /v1/messages, of which it ignores what counting
does not take (max_tokens, stream, …), or a session file of Claude Code (~/.claude/projects/*/*.jsonl). If the file
has requests as they were sent (api-request lines, which newer versions write), the last one is counted, with system
prompt, tools and reminders. Otherwise the conversation of the last branch is counted, with the reminders and the
snapshot of system prompt and tools that the file has. Older versions write neither. Standard error says which of the
three was counted, and which lines were left out. Two files are compared: both totals, and each part that differs.

  --model ID   count for this model instead of the one in the request. Identifiers of Vertex AI, Bedrock, OpenRouter
               and LiteLLM are understood as well
  --max-tokens N
               exit with 1 if a request has more input tokens
  --max-share P
               exit with 1 if the input takes more than P percent of the context window, or if its size is unknown
  --keeps-earlier-thinking
               count thinking of earlier turns on models that keep it (Opus 4.5, the 4.6 models and later), which the
               endpoint never counts
  --lines      count a request on each line (JSON Lines, or the requests of a message batch), a result a line
  --json       print { "input_tokens", "breakdown": [{ "path", "kind", "name", "tokens", "exact" }],
               "uncertainty": { "low", "high", "parts": [{ "path", "kind" }] } }: the bounds of
               nine in ten recorded requests of its kind, and the estimated parts. "context_window", "share_percent",
               "remaining_tokens" (for the answer), "cost_usd" with an empty cache and "cached_cost_usd" with all read
               from it up to the last breakpoint, or everything if there is none, are null for a model about which
               nothing is published. "model" is the model taken, if the request spells it differently. Of a session,
               "counted" is "last_request", "snapshot" or "conversation", and "left_out" lists the lines that were left
               out.
               Of two files: { "input_tokens": [first, second], "difference", "parts": [{ "path", "kind", "name",
               "tokens": [first, second], "difference" }] }.
               With --lines: { "line", "custom_id", "input_tokens", "low", "high", "context_window", …, "model" } or
               { "line", "error" }

Exit codes: 0 counted, 1 a request is not valid or exceeds a limit, 2 usage.`,
  async run(argv, io) {
    const output = createCommandOutput('count', io);
    const parsed = parseArguments(argv, {
      files: 'rest',
      model: 'string',
      'max-tokens': 'string',
      'max-share': 'string',
      'keeps-earlier-thinking': 'boolean',
      lines: 'boolean',
      json: 'boolean',
    });
    if (!parsed)
      return output.usageError(
        'takes --model, --max-tokens, --max-share, --keeps-earlier-thinking, --lines and --json.',
      );
    const parsedLimits = parseLimits(parsed);
    if (!parsedLimits.ok) return output.usageError(parsedLimits.message);
    const { limits } = parsedLimits;
    const options = { ...parsed, limits, keepsEarlierThinking: parsed['keeps-earlier-thinking'] };
    const { files, lines } = options;
    const [first, second] = files;
    if (first === undefined || files.length > (lines ? 1 : 2))
      return output.usageError('name one file, or two to compare (with --lines one), or "-" for standard input.');
    if (first === '-' && second === '-') return output.usageError('only one of the files can be standard input.');
    if (lines) return runLines(first, options, output, io);
    const readOptions = { ...options, printsNotes: !options.json || second !== undefined };
    const counted = [];
    const exceeded: string[] = [];
    for (const file of files) {
      const result = await readAndCount(file, readOptions, output, io);
      if (!result.ok) return output.fail(result.message);
      counted.push(result.counted);
      const { count, use } = result.counted.request;
      const messages = listExceededLimits({ input_tokens: count.input_tokens, ...use }, limits);
      exceeded.push(...messages.map((message) => `${file}: ${message}`));
    }
    const [firstCount, secondCount] = counted;
    if (firstCount === undefined) return exitCode.failed;
    if (secondCount !== undefined) {
      const difference = compareCounts(firstCount.request, secondCount.request);
      output.succeed(options.json ? difference : formatTable(toDifferenceRows(difference)));
    } else output.succeed(options.json ? firstCount.json : formatCount(firstCount.request));
    for (const message of exceeded) output.fail(message);
    return exceeded.length === 0 ? exitCode.done : exitCode.failed;
  },
};

interface CountOptions extends CountFileOptions {
  json: boolean;
  limits: CountLimits;
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
  const { count, uncertainty, use, takenModel } = request;
  const notes = [
    ...(takenModel === undefined ? [] : [`"${takenModel.given}" is counted as ${takenModel.taken}`]),
    ...(transcript === undefined ? [] : formatTranscriptNotes(transcript)),
  ];
  if (options.printsNotes) for (const note of notes) output.err(`tally count: ${file}: ${note}\n`);
  const json = {
    ...count,
    ...(takenModel !== undefined && { model: takenModel.taken }),
    ...(transcript !== undefined && {
      counted: transcript.counted,
      left_out: transcript.leftOut,
    }),
    uncertainty,
    ...use,
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
  const reportLine = (line: number, message: string): void => output.err(`tally count: ${file}:${line}: ${message}\n`);
  try {
    const chunks = file === '-' ? [await io.readInput()] : (createReadStream(file) as AsyncIterable<Buffer>);
    for await (const result of countLines(splitLines(chunks), options)) {
      if (options.json) output.out(`${JSON.stringify(result)}\n`);
      if ('error' in result) {
        failed += 1;
        if (!options.json) reportLine(result.line, result.error);
        continue;
      }
      counted += 1;
      if (!options.json) output.out(formatLineResult(result));
      const exceeded = listExceededLimits(result, options.limits);
      if (exceeded.length > 0) failed += 1;
      for (const message of exceeded) reportLine(result.line, message);
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
