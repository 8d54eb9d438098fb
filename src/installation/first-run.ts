import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type LocalSecrets, saveLocalSecrets } from './local-secrets.ts';
import { writeFileDurably } from '../platform/database/durable-files.ts';
import type { SeededPeople } from '../feature.ts';

/** The content of `<DATA_DIR>/first-run.json`: everything that a new operator needs to try the service. */
export interface FirstRun {
  base_url: string;
  api_key: string;
  /** Absent if a hosted identity provider is used without the setting, since none is generated then. */
  operator_token?: string;
  /** Token of the revenue report. Absent if an external database is used without the setting. */
  revenue_operator_token?: string;
  /** Absent if a hosted identity provider is used without the setting. */
  demo_account_idp_user_id?: string;
  members: SeededPeople['members'];
  /** Steps for an operator with a hosted identity provider, where the service cannot create accounts. */
  next_steps?: string[];
}

/** What a first run created. */
export interface Seeded {
  people: Pick<SeededPeople, 'demoAccountIdpUserId' | 'members'>;
  apiKey: string;
}

/**
 * Seeds an empty installation once, and may be repeated after an interruption. `seeded_at` in the secrets records that
 * the seed is complete, so the file may be deleted. Later starts only update the address in the file.
 */
export async function seedFirstRun(deps: {
  /**
   * Creates accounts, plans, lists, holdings and an API key, and passes them to `store`. Safe to repeat until `store`
   * has returned. Returns undefined and changes nothing if the database has members of its own.
   */
  seed<T>(store: (seeded: Seeded) => T): Promise<T | undefined>;
  dataDir: string;
  baseUrl: string;
  secrets: LocalSecrets;
  /** Token from the setting, which takes precedence over the local secret. */
  operatorToken?: string | undefined;
  /** Set if a hosted identity provider manages the accounts, with the demo account of the settings. */
  hosted?: { demoAccountId: string | undefined } | undefined;
  /** Token of the revenue report, if there is one. */
  revenueToken?: string | undefined;
}): Promise<FirstRun | undefined> {
  const { seed, dataDir, baseUrl, secrets, revenueToken, hosted } = deps;
  const operatorToken = deps.operatorToken ?? (hosted ? undefined : secrets.demo_access_operator_token);
  const storeFirstRun = ({ people, apiKey }: Seeded): FirstRun => {
    const demoAccountId = people.demoAccountIdpUserId ?? hosted?.demoAccountId;
    const created: FirstRun = {
      base_url: baseUrl,
      api_key: apiKey,
      ...(operatorToken !== undefined && { operator_token: operatorToken }),
      ...(revenueToken !== undefined && { revenue_operator_token: revenueToken }),
      ...(demoAccountId !== undefined && { demo_account_idp_user_id: demoAccountId }),
      members: people.members,
      ...(hosted && { next_steps: [...NEXT_STEPS] }),
    };
    writeFirstRun(dataDir, created);
    secrets.demo_account_idp_user_id = people.demoAccountIdpUserId ?? null;
    return created;
  };
  const isSeeded = secrets.seeded_at !== null;
  const firstRun = isSeeded ? undefined : await seed(storeFirstRun);
  if (firstRun === undefined) updateFirstRun(dataDir, baseUrl, revenueToken);
  if (!isSeeded) {
    secrets.seeded_at = new Date().toISOString();
    saveLocalSecrets(dataDir, secrets);
  }
  return firstRun;
}

/**
 * Follows a changed port or BASE_URL, and adds a token of a newer version. A missing or replaced file stays as it is.
 */
function updateFirstRun(dataDir: string, baseUrl: string, revenueToken: string | undefined): void {
  const storedFirstRun = readFirstRun(dataDir);
  if (!storedFirstRun) return;
  const current = {
    ...storedFirstRun,
    base_url: baseUrl,
    ...(revenueToken && { revenue_operator_token: revenueToken }),
  };
  if (!isDeepStrictEqual(current, storedFirstRun)) writeFirstRun(dataDir, current);
}

const NEXT_STEPS = [
  'The hosted identity provider manages the accounts, so no sample members and no demo account were created.',
  'Sign up at /sign-up; give a member another plan with: node bin/tally.mjs members set-tier EMAIL pro',
  'At the provider, send events of users and sessions to /api/webhooks/identity, signed with IDP_WEBHOOK_SECRET.',
  'For sign-in links, create a demo account at the provider and set DEMO_ACCOUNT_IDP_USER_ID and ' +
    'DEMO_ACCESS_OPERATOR_TOKEN: see docs/how-to/share-the-demo-account.md.',
] as const;

/** Reads the file of the first start. Returns `undefined` if it is missing or invalid, since no start depends on it. */
export function readFirstRun(dataDir: string): FirstRun | undefined {
  try {
    const storedFirstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
    const isComplete = typeof storedFirstRun.base_url === 'string' && typeof storedFirstRun.api_key === 'string';
    return isComplete && Array.isArray(storedFirstRun.members) ? storedFirstRun : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns three lines for the terminal: the sign-in address, the first member's credentials, and a call that counts
 * tokens.
 */
export function formatFirstSteps({ base_url: url, api_key: key, members }: FirstRun): string {
  const member = members.find(({ tier }) => tier === 'pro') ?? members[0];
  const body = '{"model":"claude-sonnet-5","messages":[{"role":"user","content":"Hello, world"}]}';
  const headers = `-H 'x-api-key: ${key}' -H 'svc-version: 2023-06-01' -H 'content-type: application/json'`;
  return [
    `Sign in at ${url}/sign-in`,
    member ? `as ${member.email} with the password ${member.password}` : 'with an account that you create there',
    `curl ${url}/v1/messages/count_tokens ${headers} -d '${body}'`,
    '',
  ].join('\n');
}

function writeFirstRun(dataDir: string, firstRun: FirstRun): void {
  writeFileDurably(join(dataDir, 'first-run.json'), `${JSON.stringify(firstRun, null, 2)}\n`);
}
