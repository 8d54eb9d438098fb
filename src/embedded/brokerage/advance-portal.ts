import { randomUUID } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { BrokerageContext } from './brokerage-context.ts';
import { createAccounts, BROKERAGES, type Scenario, SCENARIOS } from './brokerage-data.ts';
import { updateHostedPageSession } from '../shared/hosted-page-queries.ts';
import { checkSignIn, getDelivery, hasRightCode } from '../shared/test-sign-in.ts';
import { insertAuthorization, listAuthorizations, type Portal, PORTALS, setAuthorizationState } from './queries.ts';
import { enqueueEvent } from './send-webhook.ts';

type PortalData = Portal['data'];

/** Delay in seconds of the expiry of the connection of `user_expiring`. */
const BREAKS_AFTER_SECONDS = 30;

/**
 * Applies a submitted form to the page and stores the new state. Returns `undefined` if a concurrent request changed
 * the page first.
 */
export async function advancePortal(
  context: BrokerageContext,
  token: string,
  portal: Portal,
  form: URLSearchParams,
): Promise<Portal | undefined> {
  const { error: _error, ...data } = portal.data;
  const isCancelled = form.get('action') === 'cancel';
  const cancelled: Transition = { state: 'exited', data: { ...data, result: { status: 'ABANDONED' } } };
  const next = isCancelled ? cancelled : evaluateForm(data, form);
  const updated = await context.sql.transaction(async (sql) => {
    // The page is claimed first, so that only one of two concurrent submissions connects.
    if (!(await updateHostedPageSession(sql, PORTALS, token, portal, next))) return undefined;
    const claimed = { ...portal, ...next };
    if (next.state === 'exited' && next.data.result?.status === 'ERROR')
      await sendFailureEvents(context, sql, next.data);
    if (next.state !== 'finished') return claimed;
    const finished = { ...claimed, data: await connect(context, sql, next.data) };
    await updateHostedPageSession(sql, PORTALS, token, claimed, finished);
    return finished;
  });
  context.wake();
  return updated;
}

type Transition = Pick<Portal, 'state' | 'data'>;

function evaluateForm(data: PortalData, form: URLSearchParams): Transition {
  const showError = (error: string): Transition => ({ state: 'open', data: { ...data, error } });
  if (data.step === 'code') return hasRightCode(form) ? toScenarioTransition(data) : showError('INVALID_MFA');
  const signIn = checkSignIn(form);
  if ('error' in signIn) return showError(signIn.error);
  const { user, asksForCode } = signIn;
  const chosen: PortalData = {
    ...data,
    user,
    brokerage: pick(form.get('brokerage'), Object.keys(BROKERAGES)),
    scenario: pick(form.get('scenario'), Object.keys(SCENARIOS) as Scenario[]),
  };
  return asksForCode ? { state: 'open', data: { ...chosen, step: 'code' } } : toScenarioTransition(chosen);
}

const pick = <Name extends string>(value: string | null, names: readonly Name[]): Name =>
  names.find((name) => name === value) ?? names[0]!;

function toScenarioTransition(data: PortalData): Transition {
  const { error } = SCENARIOS[data.scenario!];
  if (!error) return { state: 'finished', data };
  const result = { status: 'ERROR', status_code: String(error.status), error_code: error.code };
  return { state: 'exited', data: { ...data, result } };
}

/**
 * Connects a brokerage. A repeated sign-in at one brokerage returns the existing connection, as the real aggregator
 * does.
 */
async function connect(context: BrokerageContext, sql: ServiceSql, data: PortalData): Promise<PortalData> {
  const { userId, reconnect, user = '', brokerage = '' } = data;
  const existing = (await listAuthorizations(sql, userId)).find((authorization) =>
    reconnect === null
      ? authorization.state === 'good' && authorization.data.user === user && authorization.data.brokerage === brokerage
      : authorization.id === reconnect,
  );
  const id = existing?.id ?? randomUUID();
  const accounts = existing?.data.accounts ?? createAccounts(user);
  if (existing) await setAuthorizationState(sql, id, 'good');
  else {
    const now = context.now();
    const breaksAt = new Date(now.getTime() + BREAKS_AFTER_SECONDS * 1_000).toISOString();
    const content = { user, brokerage, accounts, createdAt: now.toISOString() };
    const data = { ...content, ...(user === 'user_expiring' && { breaksAt }) };
    await insertAuthorization(sql, { id, userId, state: 'good', data });
  }
  const { times, afterSeconds: delaySeconds } = getDelivery(user);
  if (times > 0) {
    const sendEvent = async (eventType: string, fields: object = {}, afterSeconds = 0): Promise<void> => {
      const event = { eventType, userId, brokerageAuthorizationId: id, brokerageId: brokerage, ...fields };
      await enqueueEvent(context, sql, event, { afterSeconds: afterSeconds + delaySeconds, times });
    };
    await sendEvent('CONNECTION_ATTEMPTED', {
      brokerageAuthorizationId: undefined,
      connectionAttemptedResult: 'SUCCESS',
    });
    const eventType = existing ? 'CONNECTION_UPDATED' : 'CONNECTION_ADDED';
    await sendEvent(reconnect === null ? eventType : 'CONNECTION_FIXED');
    if (user === 'user_expiring' && !existing) await sendEvent('CONNECTION_BROKEN', {}, BREAKS_AFTER_SECONDS);
  }
  return { ...data, result: { status: 'SUCCESS', connection_id: id } };
}

async function sendFailureEvents(
  context: BrokerageContext,
  sql: ServiceSql,
  { userId, scenario }: PortalData,
): Promise<void> {
  const { error } = SCENARIOS[scenario!];
  const attemptEvent = { eventType: 'CONNECTION_ATTEMPTED', connectionAttemptedResult: error?.result };
  await enqueueEvent(context, sql, { ...attemptEvent, userId });
  await enqueueEvent(context, sql, { eventType: 'CONNECTION_FAILED', userId });
}
