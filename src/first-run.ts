import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalSecrets, saveLocalSecrets } from './local-secrets.ts';
import type { SeededPeople } from './slice.ts';

/** What `<DATA_DIR>/first-run.json` holds: everything a newcomer needs to try the service. */
export interface FirstRun {
  base_url: string;
  api_key: string;
  /** Absent beside a hosted identity provider without the setting: nothing stands in for it there. */
  operator_token?: string;
  /** Opens the revenue report; absent where no token is set beside a database of one's own. */
  revenue_operator_token?: string;
  /** Absent beside a hosted identity provider without the setting. */
  demo_account_idp_user_id?: string;
  members: SeededPeople['members'];
  /** What to do instead where a hosted identity provider keeps the people, so that none could be made. */
  next_steps?: string[];
}

/**
 * Fills an empty installation, once; safe to repeat after an interruption. `seeded_at` in the secrets, not the file,
 * records that it is done, so the file may be deleted. Later starts only keep its address up to date.
 */
export async function seedFirstRun(deps: {
  /** Makes the people, their plans, lists and holdings, and a key; safe to repeat. */
  seed(): Promise<{ people: Pick<SeededPeople, 'demoAccountIdpUserId' | 'members'>; apiKey: string }>;
  dataDir: string;
  baseUrl: string;
  secrets: LocalSecrets;
  /** The setting's, where there is one, in the place of the local secret. */
  operatorToken?: string | undefined;
  /** A hosted identity provider keeps the people; with the demo account that the settings name. */
  hosted?: { demoAccountId: string | undefined } | undefined;
  /** The revenue report's, where there is one. */
  revenueToken?: string | undefined;
}): Promise<FirstRun | undefined> {
  const { seed, dataDir, baseUrl, secrets, revenueToken, hosted } = deps;
  const operatorToken = deps.operatorToken ?? (hosted ? undefined : secrets.demo_access_operator_token);
  if (secrets.seeded_at !== null) {
    // Follows a changed port or BASE_URL; a file that is gone or was replaced is left alone.
    const storedFirstRun = readFirstRun(dataDir);
    if (storedFirstRun && storedFirstRun.base_url !== baseUrl)
      writeFirstRun(dataDir, { ...storedFirstRun, base_url: baseUrl });
    return undefined;
  }
  const { people, apiKey } = await seed();
  const demoAccountId = people.demoAccountIdpUserId ?? hosted?.demoAccountId;
  const firstRun: FirstRun = {
    base_url: baseUrl,
    api_key: apiKey,
    ...(operatorToken !== undefined && { operator_token: operatorToken }),
    ...(revenueToken !== undefined && { revenue_operator_token: revenueToken }),
    ...(demoAccountId !== undefined && { demo_account_idp_user_id: demoAccountId }),
    members: people.members,
    ...(hosted && { next_steps: [...NEXT_STEPS] }),
  };
  writeFirstRun(dataDir, firstRun);
  secrets.demo_account_idp_user_id = people.demoAccountIdpUserId ?? null;
  secrets.seeded_at = new Date().toISOString();
  saveLocalSecrets(dataDir, secrets);
  return firstRun;
}

const NEXT_STEPS = [
  'The hosted identity provider keeps the people, so no sample members and no demo account were made.',
  'Sign up at /sign-up; give a member another plan with: npx tally members set-tier EMAIL pro',
  'At the provider, let events of users and sessions go to /api/webhooks/identity, signed with IDP_WEBHOOK_SECRET.',
  'For sign-in links, make a demo account at the provider and set DEMO_ACCOUNT_IDP_USER_ID and ' +
    'DEMO_ACCESS_OPERATOR_TOKEN: see docs/how-to/share-the-demo-account.md.',
] as const;

/** What the first start wrote; `undefined` where the file is gone or something else, since no start depends on it. */
export function readFirstRun(dataDir: string): FirstRun | undefined {
  try {
    const storedFirstRun = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
    const isComplete = typeof storedFirstRun.base_url === 'string' && typeof storedFirstRun.api_key === 'string';
    return isComplete && Array.isArray(storedFirstRun.members) ? storedFirstRun : undefined;
  } catch {
    return undefined;
  }
}

/** Three lines for the terminal: where to sign in, as whom, and a call to paste that counts tokens. */
export function formatFirstSteps({ base_url: url, api_key: key, members }: FirstRun): string {
  const member = members.find(({ tier }) => tier === 'pro') ?? members[0];
  const body = '{"model":"claude-sonnet-5","messages":[{"role":"user","content":"Hello, world"}]}';
  const headers = `-H 'x-api-key: ${key}' -H 'svc-version: 2023-06-01' -H 'content-type: application/json'`;
  return [
    `Sign in at ${url}/sign-in`,
    member ? `as ${member.email} with the password ${member.password}` : 'with an account that you make there',
    `curl ${url}/v1/messages/count_tokens ${headers} -d '${body}'`,
    '',
  ].join('\n');
}

function writeFirstRun(dataDir: string, firstRun: FirstRun): void {
  const draft = join(dataDir, `.first-run-${process.pid}.json`);
  writeFileSync(draft, `${JSON.stringify(firstRun, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, join(dataDir, 'first-run.json'));
}
