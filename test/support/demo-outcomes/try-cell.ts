import type { Fault, ProviderCall } from '../../fakes/identity-provider/faults.ts';
import { type Answer, send } from '../identity.ts';
import { ticketOf } from '../demo-links.ts';
import { auditFaults, auditMark } from './audit-faults.ts';
import { believed, type Column } from './expected.ts';
import { isPending, listed, revoke, sessionStatus, type Stage } from './stage.ts';

interface Cell {
  /** What came of the request, in the words of the expected table. */
  outcome: string;
  /** What broke a rule that holds in every cell, as sentences. */
  wrong: string[];
}

/** One request while a call fails in this way, the same again, and once more after recovery. */
export async function tryCell(stage: Stage, column: Column, fault: Fault): Promise<Cell> {
  const mark = await auditMark(stage);
  const ended = new Set(await endedSessions(stage));
  const wrong: string[] = [];
  const check = (holds: boolean, otherwise: string): void => void (holds || wrong.push(otherwise));
  const { outcome, own, secrets } = await tries[column]({ stage, column, fault, check });

  for (const session of await endedSessions(stage))
    check(ended.has(session) || own.includes(session), `a session that is nothing of its was ended: ${session}`);
  wrong.push(...(await auditFaults(stage, mark, [stage.demo.idp.secretKey, ...secrets])));
  return { outcome, wrong };
}

interface Trial {
  stage: Stage;
  column: Column;
  fault: Fault;
  check(holds: boolean, otherwise: string): void;
}

interface Tried {
  outcome: string;
  /** Sessions that may be ended. */
  own: string[];
  /** What must stand in no entry of the audit. */
  secrets: string[];
}

const NO_SUCH: Fault = '404 resource_not_found';

const tries: Record<Column, (trial: Trial) => Promise<Tried>> = {
  'revoke: ticket.revoke': (trial) => revokeUnused(trial, [['ticket.revoke', trial.fault]]),
  'revoke: session.get': (trial) => revokeInUse(trial, [['session.get', trial.fault]]),
  'revoke: session.revoke': (trial) => revokeInUse(trial, [['session.revoke', trial.fault]]),
  'revoke: user.get for a ticket': (trial) =>
    revokeUnused(trial, [
      ['ticket.revoke', NO_SUCH],
      ['user.get', trial.fault],
    ]),
  'revoke: user.get for a session': (trial) =>
    revokeInUse(trial, [
      ['session.get', NO_SUCH],
      ['user.get', trial.fault],
    ]),
  'create: ticket.create': tryCreate,
  'complete: session.get': tryComplete,
  'complete: session.revoke': trySecondViewer,
};

async function revokeUnused(trial: Trial, faults: [ProviderCall, Fault][]): Promise<Tried> {
  const { id, ticket, tokenId } = await trial.stage.unused();
  const outcome = await revokeThrice(trial, id, faults);
  trial.check(isBelieved(trial, outcome) || !(await isPending(trial.stage, tokenId)), 'the ticket can still be used');
  return { outcome, own: [], secrets: [ticket] };
}

async function revokeInUse(trial: Trial, faults: [ProviderCall, Fault][]): Promise<Tried> {
  const { stage, check } = trial;
  const { id, ticket, viewer } = await stage.inUse();
  const outcome = await revokeThrice(trial, id, faults);
  const status = await sessionStatus(stage, viewer.sessionId);
  check(isBelieved(trial, outcome) || status !== 'active', 'the session lives at the provider');
  const me = await send(`${stage.demo.url}/api/me`, 'GET', undefined, { authorization: `Bearer ${viewer.token}` });
  check(me.status === 401, 'the session is admitted');
  return { outcome, own: [viewer.sessionId], secrets: [ticket, viewer.token] };
}

/** Whether the provider said that all was over, and was believed. */
function isBelieved({ column, fault }: Trial, outcome: string): boolean {
  const twoCalls = column.startsWith('revoke: user.get') && outcome === '200';
  return twoCalls || believed.some(([one, other]) => one === column && other === fault);
}

async function revokeThrice({ stage, fault, check }: Trial, id: string, faults: [ProviderCall, Fault][]) {
  const [first, again] = await stage.during(faults, async () => [await revoke(stage, id), await revoke(stage, id)]);
  // What was done before the answer was lost can be confirmed by the next one.
  const same = again.status === first.status || again.status === 200;
  check(same, `the same again while it lasts answered ${again.status}`);
  const code = { 409: 'ACCOUNT_MISMATCH', 503: 'REVOCATION_UNCONFIRMED' }[first.status];
  if (code) check(first.body.code === code, `its code is ${first.body.code}`);
  checkRetryAfter(first, fault, check);
  const after = await listed(stage, id);
  check(
    after!.status === (again.status === 200 ? 'revoked' : 'revocation_pending'),
    `it is listed as ${after!.status}`,
  );
  check(!after!.active, 'it is listed as active');
  const last = await revoke(stage, id);
  check(last.status === 200 && last.body.status === 'revoked', `after recovery it answered ${last.status}`);
  return String(first.status);
}

async function tryCreate({ stage, fault, check }: Trial): Promise<Tried> {
  const create = () => stage.demo.operate('POST', '', { label: 'Bo' });
  const before = await idsOf(stage);
  const first = await stage.during([['ticket.create', fault]], create);
  checkRetryAfter(first, fault, check);
  const after = await create();
  check(after.status === 201, `after recovery it answered ${after.status}`);
  const left = (await idsOf(stage)).filter((id) => !before.includes(id) && id !== after.body.id);
  const secrets = [ticketOf(after.body.link as string)];
  if (first.status === 201) {
    check(left.length === 1 && left[0] === first.body.id, 'the link has no row');
    return { outcome: '201', own: [], secrets: [...secrets, ticketOf(first.body.link as string)] };
  }
  check(!JSON.stringify(first.body).includes('#code='), 'a refusal holds a link');
  if (left.length === 0) return { outcome: `${first.status} nothing`, own: [], secrets };
  const [id] = left as [string];
  check((await listed(stage, id))!.status === 'revocation_pending', 'what may exist is not listed as pending');
  check((await revoke(stage, id)).status === 503, 'a ticket that nobody can name is called revoked');
  await stage.demo.owner(
    `update public.demo_access_invitations
        set created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours' where id = $1`,
    [id],
  );
  check((await revoke(stage, id)).status === 200, 'it is not settled once the ticket has expired');
  return { outcome: `${first.status} pending`, own: [], secrets };
}

async function tryComplete({ stage, fault, check }: Trial): Promise<Tried> {
  const { demo } = stage;
  const { id, ticket } = await stage.unused();
  const viewer = await demo.open(ticket);
  const complete = () => demo.complete(viewer, { invitation_id: id, ticket });
  const [first, again] = await stage.during([['session.get', fault]], async () => [await complete(), await complete()]);
  check(first.status === again.status, `the same again while it lasts answered ${again.status}`);
  checkRetryAfter(first, fault, check);
  const kept = (await sessionStatus(stage, viewer.sessionId)) === 'active';
  const last = await complete();
  check(last.status === (kept ? 200 : 401), `after recovery it answered ${last.status}`);
  const rest = { own: kept ? [] : [viewer.sessionId], secrets: [ticket, viewer.token] };
  if (first.status === 401) return { outcome: `401 ${kept ? 'kept' : 'ended'}`, ...rest };
  check(kept, 'the session is not kept');
  return { outcome: String(first.status), ...rest };
}

async function trySecondViewer({ stage, fault, check }: Trial): Promise<Tried> {
  const { demo } = stage;
  const { id, ticket, viewer: winner } = await stage.inUse();
  const loser = await stage.loose();
  const lose = () => demo.complete(loser, { invitation_id: id, ticket });
  const first = await stage.during([['session.revoke', fault]], lose);
  check(first.status === 410 && first.body.code === 'LINK_USED', `the second viewer is told ${first.status}`);
  const outcome = (await sessionStatus(stage, loser.sessionId)) === 'active' ? 'by a job' : 'at once';
  const jobs = await demo.jobs('demo-access-end-session');
  for (const job of jobs) await demo.runJob('demo-access-end-session', job);
  await demo.owner(`delete from graphile_worker._private_jobs`);
  check((await sessionStatus(stage, winner.sessionId)) === 'active', 'the first viewer was signed out');
  check((await sessionStatus(stage, loser.sessionId)) !== 'active', 'the session of the second viewer lives');
  const bearer = { authorization: `Bearer ${loser.token}` };
  const me = await send(`${demo.url}/api/me`, 'GET', undefined, bearer);
  check(me.status === 401, 'the session of the second viewer is admitted');
  return { outcome, own: [loser.sessionId], secrets: [ticket, loser.token] };
}

function checkRetryAfter(answer: Answer, fault: Fault, check: Trial['check']): void {
  if (answer.status !== 503) return;
  const seconds = Number(answer.headers.get('retry-after'));
  check(fault === '429' ? seconds === 7 : seconds >= 1, `its retry-after is ${answer.headers.get('retry-after')}`);
}

async function idsOf({ demo }: Stage): Promise<string[]> {
  return (await demo.owner<{ id: string }>('select id from public.demo_access_invitations')).map(({ id }) => id);
}

async function endedSessions({ demo }: Stage): Promise<string[]> {
  const rows = await demo.owner<{ id: string }>(`select id from idp.sessions where status <> 'active'`);
  return rows.map(({ id }) => id);
}
