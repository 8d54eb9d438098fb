import type { Fault, ProviderCall } from '../../fakes/identity-provider/faults.ts';
import { type Answer, send } from '../identity.ts';
import { ticketOf } from '../demo-links.ts';
import { checkAudit, getAuditMark } from './check-audit.ts';
import { type FaultPoint, undetectable } from './oracle.ts';
import { isPending, listed, revoke, sessionStatus, type TestBench } from './test-bench.ts';

/** What was observed, to be compared with the oracle. */
interface Outcome {
  status: number;
  left?: 'link' | 'nothing' | 'pending';
  session?: 'kept' | 'ended';
  sessionEnds?: 'at once' | 'by a job';
}

interface CaseResult {
  outcome: Outcome;
  /** Broken invariants of all cases, as sentences. */
  violations: string[];
}

/** One request while a call fails in this way, the same again, and once more after recovery. */
export async function runCase(bench: TestBench, point: FaultPoint, fault: Fault): Promise<CaseResult> {
  const mark = await getAuditMark(bench);
  const ended = new Set(await endedSessions(bench));
  const violations: string[] = [];
  const check = (holds: boolean, otherwise: string): void => void (holds || violations.push(otherwise));
  const { outcome, own, secrets } = await cases[point]({ bench, point, fault, check });

  for (const session of await endedSessions(bench))
    check(ended.has(session) || own.includes(session), `a session that is nothing of its was ended: ${session}`);
  violations.push(...(await checkAudit(bench, mark, [bench.demo.idp.secretKey, ...secrets])));
  return { outcome, violations };
}

interface Case {
  bench: TestBench;
  point: FaultPoint;
  fault: Fault;
  check(holds: boolean, otherwise: string): void;
}

interface CaseRun {
  outcome: Outcome;
  /** Sessions that may be ended. */
  own: string[];
  /** What must stand in no entry of the audit. */
  secrets: string[];
}

const NO_SUCH: Fault = '404 resource_not_found';

const cases: Record<FaultPoint, (testCase: Case) => Promise<CaseRun>> = {
  'revoke: ticket.revoke': (testCase) => revokeUnused(testCase, [['ticket.revoke', testCase.fault]]),
  'revoke: session.get': (testCase) => revokeInUse(testCase, [['session.get', testCase.fault]]),
  'revoke: session.revoke': (testCase) => revokeInUse(testCase, [['session.revoke', testCase.fault]]),
  'revoke: user.get for a ticket': (testCase) =>
    revokeUnused(testCase, [
      ['ticket.revoke', NO_SUCH],
      ['user.get', testCase.fault],
    ]),
  'revoke: user.get for a session': (testCase) =>
    revokeInUse(testCase, [
      ['session.get', NO_SUCH],
      ['user.get', testCase.fault],
    ]),
  'create: ticket.create': runCreate,
  'complete: session.get': runComplete,
  'complete: session.revoke': runSecondViewer,
};

async function revokeUnused(testCase: Case, faults: [ProviderCall, Fault][]): Promise<CaseRun> {
  const { id, ticket, tokenId } = await testCase.bench.createUnusedInvitation();
  const outcome = await revokeThrice(testCase, id, faults);
  testCase.check(
    isUndetectable(testCase, outcome) || !(await isPending(testCase.bench, tokenId)),
    'the ticket can still be used',
  );
  return { outcome, own: [], secrets: [ticket] };
}

async function revokeInUse(testCase: Case, faults: [ProviderCall, Fault][]): Promise<CaseRun> {
  const { bench, check } = testCase;
  const { id, ticket, viewer } = await bench.createUsedInvitation();
  const outcome = await revokeThrice(testCase, id, faults);
  const status = await sessionStatus(bench, viewer.sessionId);
  check(isUndetectable(testCase, outcome) || status !== 'active', 'the session lives at the provider');
  const me = await send(`${bench.demo.url}/api/me`, 'GET', undefined, { authorization: `Bearer ${viewer.token}` });
  check(me.status === 401, 'the session is admitted');
  return { outcome, own: [viewer.sessionId], secrets: [ticket, viewer.token] };
}

/** Whether the provider said that all was over, and was believed. */
function isUndetectable({ point, fault }: Case, { status }: Outcome): boolean {
  const twoCalls = point.startsWith('revoke: user.get') && status === 200;
  return twoCalls || undetectable.some(([one, other]) => one === point && other === fault);
}

async function revokeThrice(
  { bench, fault, check }: Case,
  id: string,
  faults: [ProviderCall, Fault][],
): Promise<Outcome> {
  const [first, again] = await bench.withFaults(faults, async () => [await revoke(bench, id), await revoke(bench, id)]);
  // What was done before the answer was lost can be confirmed by the next one.
  const same = again.status === first.status || again.status === 200;
  check(same, `the same again while it lasts answered ${again.status}`);
  const code = { 409: 'ACCOUNT_MISMATCH', 503: 'REVOCATION_UNCONFIRMED' }[first.status];
  if (code) check(first.body.code === code, `its code is ${first.body.code}`);
  checkRetryAfter(first, fault, check);
  const after = await listed(bench, id);
  check(
    after!.status === (again.status === 200 ? 'revoked' : 'revocation_pending'),
    `it is listed as ${after!.status}`,
  );
  check(!after!.active, 'it is listed as active');
  const last = await revoke(bench, id);
  check(last.status === 200 && last.body.status === 'revoked', `after recovery it answered ${last.status}`);
  return { status: first.status };
}

async function runCreate({ bench, fault, check }: Case): Promise<CaseRun> {
  const create = () => bench.demo.operate('POST', '', { label: 'Bo' });
  const before = await idsOf(bench);
  const first = await bench.withFaults([['ticket.create', fault]], create);
  checkRetryAfter(first, fault, check);
  const after = await create();
  check(after.status === 201, `after recovery it answered ${after.status}`);
  const left = (await idsOf(bench)).filter((id) => !before.includes(id) && id !== after.body.id);
  const secrets = [ticketOf(after.body.link as string)];
  if (first.status === 201) {
    check(left.length === 1 && left[0] === first.body.id, 'the link has no row');
    return {
      outcome: { status: 201, left: 'link' },
      own: [],
      secrets: [...secrets, ticketOf(first.body.link as string)],
    };
  }
  check(!JSON.stringify(first.body).includes('#code='), 'a refusal holds a link');
  if (left.length === 0) return { outcome: { status: first.status, left: 'nothing' }, own: [], secrets };
  const [id] = left as [string];
  check((await listed(bench, id))!.status === 'revocation_pending', 'what may exist is not listed as pending');
  check((await revoke(bench, id)).status === 503, 'a ticket that nobody can name is called revoked');
  await bench.demo.owner(
    `update public.demo_access_invitations
        set created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours' where id = $1`,
    [id],
  );
  check((await revoke(bench, id)).status === 200, 'it is not settled once the ticket has expired');
  return { outcome: { status: first.status, left: 'pending' }, own: [], secrets };
}

async function runComplete({ bench, fault, check }: Case): Promise<CaseRun> {
  const { demo } = bench;
  const { id, ticket } = await bench.createUnusedInvitation();
  const viewer = await demo.open(ticket);
  const complete = () => demo.complete(viewer, { invitation_id: id, ticket });
  const [first, again] = await bench.withFaults([['session.get', fault]], async () => [
    await complete(),
    await complete(),
  ]);
  check(first.status === again.status, `the same again while it lasts answered ${again.status}`);
  checkRetryAfter(first, fault, check);
  const kept = (await sessionStatus(bench, viewer.sessionId)) === 'active';
  const last = await complete();
  check(last.status === (kept ? 200 : 401), `after recovery it answered ${last.status}`);
  const outcome: Outcome = { status: first.status, session: kept ? 'kept' : 'ended' };
  return { outcome, own: kept ? [] : [viewer.sessionId], secrets: [ticket, viewer.token] };
}

async function runSecondViewer({ bench, fault, check }: Case): Promise<CaseRun> {
  const { demo } = bench;
  const { id, ticket, viewer: winner } = await bench.createUsedInvitation();
  const loser = await bench.createUnboundSession();
  const lose = () => demo.complete(loser, { invitation_id: id, ticket });
  const first = await bench.withFaults([['session.revoke', fault]], lose);
  check(first.status === 410 && first.body.code === 'LINK_USED', `the second viewer is told ${first.status}`);
  const sessionEnds = (await sessionStatus(bench, loser.sessionId)) === 'active' ? 'by a job' : 'at once';
  const jobs = await demo.jobs('demo-access-end-session');
  for (const job of jobs) await demo.runJob('demo-access-end-session', job);
  await demo.owner(`delete from graphile_worker._private_jobs`);
  check((await sessionStatus(bench, winner.sessionId)) === 'active', 'the first viewer was signed out');
  check((await sessionStatus(bench, loser.sessionId)) !== 'active', 'the session of the second viewer lives');
  const bearer = { authorization: `Bearer ${loser.token}` };
  const me = await send(`${demo.url}/api/me`, 'GET', undefined, bearer);
  check(me.status === 401, 'the session of the second viewer is admitted');
  return { outcome: { status: first.status, sessionEnds }, own: [loser.sessionId], secrets: [ticket, loser.token] };
}

function checkRetryAfter(answer: Answer, fault: Fault, check: Case['check']): void {
  if (answer.status !== 503) return;
  const seconds = Number(answer.headers.get('retry-after'));
  check(fault === '429' ? seconds === 7 : seconds >= 1, `its retry-after is ${answer.headers.get('retry-after')}`);
}

async function idsOf({ demo }: TestBench): Promise<string[]> {
  return (await demo.owner<{ id: string }>('select id from public.demo_access_invitations')).map(({ id }) => id);
}

async function endedSessions({ demo }: TestBench): Promise<string[]> {
  const rows = await demo.owner<{ id: string }>(`select id from idp.sessions where status <> 'active'`);
  return rows.map(({ id }) => id);
}
