import {
  createSubcommands,
  type CommandOutput,
  exitCode,
  formatMinute,
  formatTable,
  defineSubcommand,
} from '../../command-line.ts';
import { AppError } from '../../errors.ts';
import type { Invitation } from './contract.ts';
import { createOperatorClient, type Deployment } from './operator-client.ts';
import type { DemoReset, ResetOptions } from './reset-demo.ts';

/** Reads the operator's settings from a file. Environment variables take precedence. Throws `ConfigError`. */
type ReadDeployment = (envFile: string | undefined) => Deployment;

type OperatorClient = ReturnType<typeof createOperatorClient>;

/** Command `tally demo-access create|list|revoke`: manages sign-in links. */
export const demoAccessCommand = (readDeployment: ReadDeployment) => {
  const createClient = (envFile: string | undefined): OperatorClient => createOperatorClient(readDeployment(envFile));
  return createSubcommands({
    name: 'demo-access',
    summary: 'Create, list and revoke sign-in links of the demo account',
    help: `tally demo-access create --label LABEL [--json] [--env-file FILE]
tally demo-access list [--json] [--env-file FILE]
tally demo-access revoke ID... [--env-file FILE]

create  creates a link for one viewer and prints only the link on standard output. It works
        once, within 24 hours, and cannot be shown again. --json prints its id, label, link
        and deadline instead.
list    shows every link with its state, newest first.
revoke  revokes links and ends their sessions. Safe to repeat.

The commands call the deployment at BASE_URL with its DEMO_ACCESS_OPERATOR_TOKEN;
both are read from the environment or from FILE (default .env.demo-staging.local).
To manage the demo account itself, use tally demo-account.
Exit codes: 0 done, 1 failed, 2 usage, 3 try again later; for several ids the highest.`,
    subcommands: {
      create: defineSubcommand(
        { label: 'string', ...JSON_AND_ENV_FILE },
        'create needs --label, a line of 1 to 120 characters, and accepts --json and --env-file.',
        ({ label, json, 'env-file': file }, io) =>
          isLabel(label) ? createLink(io, createClient(file), label, json) : undefined,
      ),
      list: defineSubcommand(
        JSON_AND_ENV_FILE,
        'list accepts --json and --env-file.',
        ({ json, 'env-file': file }, io) => listLinks(io, createClient(file), json),
      ),
      revoke: defineSubcommand(
        { ids: 'rest', 'env-file': 'string' },
        'revoke needs the id of one link or more, and takes --env-file; see tally demo-access list.',
        ({ ids, 'env-file': file }, io) => (ids.length > 0 ? revokeLinks(io, createClient(file), ids) : undefined),
      ),
    },
  });
};

interface DemoAccountOptions {
  readDeployment: ReadDeployment;
  /** Resets the demo data. It runs on the deployment itself. */
  reset: (options: ResetOptions) => Promise<DemoReset>;
}

/** Command `tally demo-account candidates|reset`: manages the sessions and data of the demo account. */
export const demoAccountCommand = ({ readDeployment, reset }: DemoAccountOptions) =>
  createSubcommands({
    name: 'demo-account',
    summary: 'List unlinked sessions of the demo account, reset its data',
    help: `tally demo-account candidates [--json] [--env-file FILE]
tally demo-account reset [--replace]

candidates  shows active sessions of the demo account without a known link. It ends none.
            It calls the deployment at BASE_URL with its DEMO_ACCESS_OPERATOR_TOKEN; both
            are read from the environment or from FILE
            (default .env.demo-staging.local).
reset       resets the demo account's data. It runs on the deployment, with its settings.
            The first reset needs --replace, which allows it to delete the account's data.

Exit codes: 0 done, 1 failed, 2 usage, 3 try again later.`,
    subcommands: {
      candidates: defineSubcommand(
        JSON_AND_ENV_FILE,
        'candidates accepts --json and --env-file.',
        ({ json, 'env-file': file }, io) => printOrphanedSessions(io, createOperatorClient(readDeployment(file)), json),
      ),
      reset: defineSubcommand({ replace: 'boolean' }, 'reset takes only --replace.', ({ replace }, io) =>
        resetData(io, () => reset({ replace })),
      ),
    },
  });

const JSON_AND_ENV_FILE = { json: 'boolean', 'env-file': 'string' } as const;

const isLabel = (label: string | undefined): label is string =>
  label !== undefined && label.trim() !== '' && label.trim().length <= 120;

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Prints why a call failed and returns the exit code. */
const fail = (io: CommandOutput, { retry, message }: { retry: boolean; message: string }): number =>
  io.fail(message, retry ? exitCode.retryLater : exitCode.failed);

async function createLink(io: CommandOutput, client: OperatorClient, label: string, json: boolean): Promise<number> {
  const created = await client.create(label.trim());
  if (!created.ok) {
    const code = fail(io, created);
    if (!created.isRejected)
      io.err('If a link was created, it was not shown: find it with tally demo-access list and revoke it.\n');
    return code;
  }
  const { id, link, expires_at } = created.value;
  io.out(`${json ? JSON.stringify(created.value) : link}\n`);
  io.err(
    `Link ${id} for "${created.value.label}": works once, until ${formatMinute(expires_at)} UTC. It is not shown again.\n`,
  );
  return exitCode.done;
}

async function listLinks(io: CommandOutput, client: OperatorClient, json: boolean): Promise<number> {
  const all: Invitation[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.list(cursor);
    if (!page.ok) return fail(io, page);
    all.push(...page.value.invitations);
    cursor = page.value.next_cursor ?? undefined;
  } while (cursor !== undefined);
  if (json) io.out(`${JSON.stringify({ invitations: all })}\n`);
  else if (all.length === 0) io.err('There are no links. Create one with: tally demo-access create --label LABEL\n');
  else io.out(formatTable([HEADERS, ...all.map(toCells)]));
  if (all.some(({ session_status }) => session_status === 'unknown'))
    io.err('The identity provider did not return every session: unknown sessions show their last known values.\n');
  return exitCode.done;
}

const HEADERS = ['id', 'label', 'status', 'use by (UTC)', 'first used', 'last active', 'session ends', 'session'];

const toCells = (row: Invitation): string[] => [
  row.id,
  row.label,
  row.status,
  formatMinute(row.expires_at),
  formatMinute(row.usedAt),
  formatMinute(row.session_last_active_at),
  formatMinute(row.session_expires_at),
  row.session_status ?? '-',
];

async function revokeLinks(io: CommandOutput, client: OperatorClient, ids: readonly string[]): Promise<number> {
  let highestCode: number = exitCode.done;
  for (const id of ids) {
    if (!isUuid(id)) {
      // The argument may be a secret link, so the message does not repeat it.
      highestCode = Math.max(highestCode, io.fail('An argument is not the id of a link; see tally demo-access list.'));
      continue;
    }
    const revoked = await client.revoke(id);
    if (revoked.ok) io.err(`${id} is revoked.${revoked.value.warning ? ` ${revoked.value.warning}` : ''}\n`);
    else
      highestCode = Math.max(
        highestCode,
        fail(io, { ...revoked, message: `${id} is not revoked. ${revoked.message}` }),
      );
  }
  return highestCode;
}

async function printOrphanedSessions(io: CommandOutput, client: OperatorClient, json: boolean): Promise<number> {
  const found = await client.candidates();
  if (!found.ok) return fail(io, found);
  const { sessions } = found.value;
  if (json) io.out(`${JSON.stringify(found.value)}\n`);
  else if (sessions.length > 0) {
    const rows = sessions.map((session) => [
      session.session_id,
      session.idp_user_id,
      formatMinute(session.created_at),
      formatMinute(session.last_active_at),
    ]);
    io.out(formatTable([['session', 'user', 'created', 'last active'], ...rows]));
  }
  io.err(
    sessions.length === 0
      ? 'Every active session of the demo account belongs to a link.\n'
      : 'These sessions have no known link, and this command does not end them: check each one.\n',
  );
  return exitCode.done;
}

async function resetData(io: CommandOutput, reset: () => Promise<DemoReset>): Promise<number> {
  const done = await reset().catch((error: unknown) => {
    // An error with a cause means that the database is unavailable. The program prints that error.
    if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE' || error.cause !== undefined) throw error;
    return { ok: false as const, retry: true, message: error.message };
  });
  if (!done.ok) return fail(io, { retry: false, ...done });
  io.err(`The demo data of ${done.idpUserId} was reset.\n`);
  return exitCode.done;
}
