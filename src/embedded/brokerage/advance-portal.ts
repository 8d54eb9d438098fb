import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { BrokerageContext } from './brokerage-context.ts';
import { accountsOf, BROKERAGES, type Scenario, SCENARIOS } from './brokerage-data.ts';
import { updateVisit } from '../shared/visit-queries.ts';
import { insertAuthorization, listAuthorizations, type Portal, PORTALS, setAuthorizationState } from './queries.ts';
import { queueEvent } from './send-webhook.ts';

type Data = Portal['data'];

const USERS: ReadonlySet<string> = new Set([
  ...['user_good', 'user_slow', 'user_late', 'user_lost', 'user_twice', 'user_expiring', 'user_empty'],
]);

/** Seconds after which the webhooks of `user_late` come, and the connection of `user_expiring` breaks. */
const LATE_SECONDS = 60;
const BREAKS_AFTER_SECONDS = 30;

/** What a sent form makes of the page, stored where nobody else was quicker (`undefined` then). */
export async function advancePortal(
  context: BrokerageContext,
  token: string,
  portal: Portal,
  form: URLSearchParams,
): Promise<Portal | undefined> {
  const { error: _shown, ...data } = portal.data;
  const isLeft = form.get('action') === 'cancel';
  const left: Next = { state: 'exited', data: { ...data, result: { status: 'ABANDONED' } } };
  const next = isLeft ? left : judge(data, form);
  const made = await context.sql.transaction(async (sql) => {
    // The page is taken first, so that of two who send it one connects.
    if (!(await updateVisit(sql, PORTALS, token, portal, next))) return undefined;
    const taken = { ...portal, ...next };
    if (next.state === 'exited' && next.data.result?.status === 'ERROR') await tellOfFailure(context, sql, next.data);
    if (next.state !== 'finished') return taken;
    const finished = { ...taken, data: await connect(context, sql, next.data) };
    await updateVisit(sql, PORTALS, token, taken, finished);
    return finished;
  });
  context.wake();
  return made;
}

type Next = Pick<Portal, 'state' | 'data'>;

function judge(data: Data, form: URLSearchParams): Next {
  const refuse = (error: string): Next => ({ state: 'open', data: { ...data, error } });
  if (data.step === 'code') return form.get('code')?.trim() === '1234' ? outcome(data) : refuse('INVALID_MFA');
  const [user = '', password = ''] = [form.get('user')?.trim(), form.get('password') ?? undefined];
  const [, code] = /^error_([A-Z_]{1,60})$/.exec(password) ?? [];
  if (code !== undefined && USERS.has(user)) return refuse(code);
  if (!USERS.has(user) || (password !== 'pass_good' && password !== 'mfa_device')) return refuse('INVALID_CREDENTIALS');
  const chosen: Data = {
    ...{ ...data, user },
    brokerage: pick(form.get('brokerage'), Object.keys(BROKERAGES)),
    scenario: pick(form.get('scenario'), Object.keys(SCENARIOS) as Scenario[]),
  };
  return password === 'mfa_device' ? { state: 'open', data: { ...chosen, step: 'code' } } : outcome(chosen);
}

const pick = <Name extends string>(given: string | null, names: readonly Name[]): Name =>
  names.find((name) => name === given) ?? names[0]!;

function outcome(data: Data): Next {
  const { error } = SCENARIOS[data.scenario!];
  if (!error) return { state: 'finished', data };
  const result = { status: 'ERROR', status_code: String(error.status), error_code: error.code };
  return { state: 'exited', data: { ...data, result } };
}

/** The same sign-in at the same brokerage is the connection that is there, as the real aggregator has it. */
async function connect(context: BrokerageContext, sql: ServiceSql, data: Data): Promise<Data> {
  const { person, reconnect, user = '', brokerage = '', scenario = 'self_directed' } = data;
  const known = (await listAuthorizations(sql, person)).find((one) =>
    reconnect === null
      ? one.state === 'good' && one.data.user === user && one.data.brokerage === brokerage
      : one.id === reconnect,
  );
  const id = known?.id ?? randomUUID();
  const accounts = known?.data.accounts ?? accountsOf(scenario, user);
  if (known) await setAuthorizationState(sql, id, 'good');
  else {
    const now = context.now();
    const breaksAt = new Date(now.getTime() + BREAKS_AFTER_SECONDS * 1_000).toISOString();
    const content = { user, brokerage, accounts, createdAt: now.toISOString() };
    const data = { ...content, ...(user === 'user_expiring' && { breaksAt }) };
    await insertAuthorization(sql, { id, person, state: 'good', data });
  }
  if (user !== 'user_lost') {
    const [times, late] = [user === 'user_twice' ? 2 : 1, user === 'user_late' ? LATE_SECONDS : 0];
    const tell = async (eventType: string, more: object = {}, afterSeconds = 0): Promise<void> => {
      const event = { eventType, userId: person, brokerageAuthorizationId: id, brokerageId: brokerage, ...more };
      await queueEvent(context, sql, event, { afterSeconds: afterSeconds + late, times });
    };
    await tell('CONNECTION_ATTEMPTED', { brokerageAuthorizationId: undefined, connectionAttemptedResult: 'SUCCESS' });
    await tell(reconnect !== null ? 'CONNECTION_FIXED' : known ? 'CONNECTION_UPDATED' : 'CONNECTION_ADDED');
    if (user === 'user_expiring' && !known) await tell('CONNECTION_BROKEN', {}, BREAKS_AFTER_SECONDS);
  }
  return { ...data, result: { status: 'SUCCESS', connection_id: id } };
}

async function tellOfFailure(context: BrokerageContext, sql: ServiceSql, { person, scenario }: Data): Promise<void> {
  const { error } = SCENARIOS[scenario!];
  const attempted = { eventType: 'CONNECTION_ATTEMPTED', connectionAttemptedResult: error?.result };
  await queueEvent(context, sql, { ...attempted, userId: person });
  await queueEvent(context, sql, { eventType: 'CONNECTION_FAILED', userId: person });
}
