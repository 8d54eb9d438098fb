import fc from 'fast-check';
import { signInViewer } from '../demo-viewer.ts';
import { SITE, TestBrowser } from '../identity.ts';
import { startService, type TestService } from '../service.ts';
import { findContradiction, type Operation, operations } from './contract.ts';
import { fillPlaceholders, type Request, createRequests } from './requests.ts';

const REVENUE_TOKEN = 'e0'.repeat(32);
/** Marker in everything that the bystander owns, a member who sends no requests. */
const MARK = 'zzsentinelzz';

interface Caller {
  name: string;
  getHeaders(path: string): Promise<Record<string, string>> | Record<string, string>;
  /** Ids from earlier responses by path, for later requests. */
  ids: Map<string, string[]>;
  /** Returns true if the path's operations are meant for this caller. */
  accepts(path: string): boolean;
}

interface FuzzResult {
  /** Number of operations that returned 2xx at least once. */
  succeeded: number;
  findings: string[];
}

/**
 * Fuzzes a service without limits with callers of each kind, beside a bystander who owns rows and sends no requests.
 */
export async function fuzzContract({ requests, seed }: { requests: number; seed: number }): Promise<FuzzResult> {
  const service = await startService({
    BASE_URL: SITE,
    SANDBOX: 'on',
    WORKER: 'off',
    TOKEN_COUNT_RATE_LIMITS: 'off',
    REFERRAL_RATE_LIMITS: 'off',
    API_RATE_LIMIT: '1000000',
    DEMO_ACCESS_RATE_LIMIT: '1000000',
    TOKEN_COUNT_FETCH_URLS: 'off',
    REVENUE_OPERATOR_TOKEN: REVENUE_TOKEN,
  });
  try {
    const bystander = await createBystander(service);
    const bystanderRows = await bystander.readRows();
    const callers = createCallers(service);
    const result = await sendAll(service, callers, bystander, { requests, seed });
    const after = await bystander.readRows();
    if (after !== bystanderRows) result.findings.push(`rows of the bystander have changed: ${after}`);
    return result;
  } finally {
    await service.stop();
  }
}

async function sendAll(
  service: TestService,
  callers: readonly Caller[],
  { ids }: { ids: readonly string[] },
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzResult> {
  const findings = new Map<string, string>();
  const isValid = new Set<string>();
  for (let n = 0; n < requests; n += 1) {
    // The operations take turns, each time with the next caller.
    const operation = operations[n % operations.length]!;
    const acceptingCallers = callers.filter(({ accepts: asks }) => asks(operation.path));
    const round = Math.floor(n / operations.length);
    // In three of four cases the caller is one of those that may call the operation.
    const caller =
      round % 4 === 3 ? callers[(n + round) % callers.length]! : acceptingCallers[round % acceptingCallers.length]!;
    const area = operation.path
      .split('/')
      .slice(0, 4)
      .join('/')
      .replace(/\/\{.*/, '');
    const areaIds = caller.ids.get(area) ?? [];
    const accounts = caller.ids.get('/api/accounts') ?? [];
    const knownIds = [...ids, ...accounts.slice(-1), ...areaIds.slice(-2)];
    const [made] = fc.sample(createRequests(operation), { seed: seed + n, numRuns: 1 }) as [Request];
    const request = fillPlaceholders(made, knownIds);
    const answer = await sendOne(service.url, request, await caller.getHeaders(operation.path));
    if (answer.status < 300) isValid.add(operation.id);
    if (answer.status < 300) caller.ids.set(area, [...areaIds, ...collectIds(answer.text)].slice(-20));
    const problem = findProblem(operation, answer, service);
    const normalizedProblem = problem?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|req_\w+|\d{4,}/g, '…');
    if (problem && !findings.has(normalizedProblem!.slice(0, 90)))
      findings.set(
        normalizedProblem!.slice(0, 90),
        `${problem}\n    seed ${seed}, request ${n} as ${caller.name}: ${request.method} ${request.path} ` +
          `${JSON.stringify(request.headers)} ${request.body?.slice(0, 400) ?? 'without a body'}`,
      );
  }
  return { succeeded: isValid.size, findings: [...findings.values()] };
}

interface Received {
  status: number;
  type: string | undefined;
  text: string;
}

async function sendOne(url: string, request: Request, headers: Record<string, string>): Promise<Received> {
  const body = request.body === undefined ? undefined : Buffer.from(request.body);
  const sent = { ...request.headers, ...headers };
  const response = await fetch(`${url}${request.path}`, {
    method: request.method,
    headers: sent,
    redirect: 'manual',
    ...(body && { body }),
    signal: AbortSignal.timeout(20_000),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? undefined,
    text: await response.text(),
  };
}

/** Texts that no response may contain: traces of the program, and words of the database. */
const TRACES = /\n\s+at |node_modules|file:\/\/|\.ts:\d+|\bpg_|violates|SQLSTATE|syntax error at|relation "/;

function findProblem(operation: Operation, answer: Received, service: TestService): string | undefined {
  const { id } = operation;
  const shortBody = answer.text.slice(0, 300);
  if (answer.status >= 500 && answer.status !== 503) return `${id} answered ${answer.status}: ${shortBody}`;
  if (answer.text.includes(MARK)) return `${id} ${answer.status} tells of another member: ${shortBody}`;
  const secrets = [service.firstRun.operator_token, REVENUE_TOKEN, service.firstRun.api_key, 'c0'.repeat(32)];
  if (secrets.some((secret) => answer.text.includes(secret))) return `${id} ${answer.status} tells a secret`;
  if (answer.status >= 400) {
    const trace = id === 'runSql' ? undefined : TRACES.exec(answer.text)?.[0];
    if (trace) return `${id} ${answer.status} tells of the program (${trace}): ${shortBody}`;
    // The specification defines this body without a message.
    const isComplete = id === 'getReadiness' || answer.text.startsWith('{"code":"WATCHLIST_LIMIT_REACHED",');
    if (!isComplete && !hasCodeAndMessage(answer.text))
      return `${id} ${answer.status} lacks code or message: ${shortBody}`;
  }
  return findContradiction(operation, answer);
}

function hasCodeAndMessage(text: string): boolean {
  try {
    const body = JSON.parse(text) as { code?: string; message?: string; error?: { type?: string; message?: string } };
    return Boolean((body.code ?? body.error?.type) && (body.message ?? body.error?.message));
  } catch {
    return false;
  }
}

const collectIds = (text: string): string[] =>
  text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g)?.slice(0, 5) ?? [];

function createCallers(service: TestService): Caller[] {
  const signInMember = (tier: string): Caller =>
    createMemberCaller(`a member on ${tier}`, async () => {
      const { email, password } = service.firstRun.members.find((member) => member.tier === tier)!;
      const browser = new TestBrowser(service.url);
      const { body } = await browser.call('POST', '/client/sign_ins', { identifier: email, password });
      return { browser, sessionId: body.response.created_session_id };
    });
  const operator = { authorization: `Bearer ${service.firstRun.operator_token}` };
  const key = { 'x-api-key': service.firstRun.api_key };
  const revenue = { authorization: `Bearer ${REVENUE_TOKEN}` };
  const withToken: Caller = {
    name: 'the operator, or the holder of a key',
    getHeaders(path) {
      if (path.startsWith('/v1/')) return key;
      return path.includes('/revenue') ? revenue : operator;
    },
    ids: new Map(),
    accepts: (path) => !isMemberRoute(path),
  };
  const forgedToken = { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.', 'x-api-key': 'k' };
  return [
    signInMember('pro'),
    signInMember('free'),
    signInMember('max'),
    createMemberCaller('a viewer of the demo account', async () => {
      const { browser, sessionId } = await signInViewer(service, SITE);
      return { browser, sessionId };
    }),
    withToken,
    { name: 'nobody', getHeaders: () => ({}), ids: new Map(), accepts: () => false },
    { name: 'a forger', getHeaders: () => forgedToken, ids: new Map(), accepts: () => false },
  ];
}

const isMemberRoute = (path: string): boolean => !/^\/v1\/|\/internal\/|\/operator\//.test(path);

/** Signs in again if the session has ended, for example after an operator revoked a link. */
function createMemberCaller(name: string, signIn: () => Promise<{ browser: TestBrowser; sessionId: string }>): Caller {
  let token = '';
  let at = -Infinity;
  let session = signIn();
  const refresh = async (): Promise<string> => {
    const { browser, sessionId } = await session;
    return browser.token(sessionId);
  };
  return {
    name,
    ids: new Map(),
    accepts: isMemberRoute,
    async getHeaders() {
      if (performance.now() - at > 30_000) {
        token = await refresh().catch(() => {
          session = signIn();
          return refresh();
        });
        at = performance.now();
      }
      return { authorization: `Bearer ${token}` };
    },
  };
}

/** Creates a member with marked rows of each kind, whose ids all callers get. */
async function createBystander(service: TestService): Promise<{ ids: string[]; readRows(): Promise<string> }> {
  const browser = new TestBrowser(service.url);
  const { userId, sessionId } = await browser.signUp(`${MARK}@example.com`);
  const headers = { authorization: `Bearer ${await browser.token(sessionId)}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, { id: string }>;
  };
  await send('GET', '/api/me');
  const account = await send('POST', '/api/accounts', { name: `Account ${MARK}` });
  const ids = [
    account['account']!.id,
    (
      await send('POST', '/api/investments/holdings', {
        account_id: account['account']!.id,
        symbol: 'AAPL',
        quantity: 7,
      })
    )['holding']!.id,
    (await send('POST', '/api/watchlist', { symbol: 'AAPL' }))['item']!.id,
    ...Object.values(await send('POST', '/api/api-keys', { name: `Key ${MARK}` })).flatMap((part) =>
      part?.id ? [part.id] : [],
    ),
    ...Object.values(await send('POST', '/api/assistant/tokens', { name: `Token ${MARK}` })).flatMap((part) =>
      part?.id ? [part.id] : [],
    ),
  ];
  const tables = ['accounts', 'manual_public_holdings', 'watchlist_items', 'assistant_tokens', 'dashboard_layouts'];
  return {
    ids,
    async readRows() {
      const all = await Promise.all(
        tables.map((table) =>
          service.database.owner<{ rows: string }>(
            `select coalesce(string_agg(t::text, ' ' order by t::text), '') as rows
               from public.${table} t where idp_id = $1`,
            [userId],
          ),
        ),
      );
      return all.map(([row]) => row!.rows).join('\n');
    },
  };
}
