import type { Fault, ProviderCall } from '../../fakes/identity-provider/faults.ts';
import { type ApiResponse, sendRequest } from '../identity.ts';
import { getTicket } from '../demo-links.ts';
import { checkAudit, getAuditMark } from './check-audit.ts';
import { type FaultPoint, undetectable } from './oracle.ts';
import { isPending, findListed, revoke, findSessionStatus, type TestBench } from './test-bench.ts';

/** The observed outcome, which the test compares with the oracle. */
interface CaseOutcome {
  status: number;
  left?: 'link' | 'nothing' | 'pending';
  session?: 'active' | 'ended';
  sessionEnds?: 'immediately' | 'by-job';
}

interface CaseResult {
  outcome: CaseOutcome;
  /** Violated invariants of all cases as sentences. */
  violations: string[];
}

/** Sends a request while a call fails in this way, repeats it, and repeats it once more after the recovery. */
export async function runCase(bench: TestBench, point: FaultPoint, fault: Fault): Promise<CaseResult> {
  const mark = await getAuditMark(bench);
  const ended = new Set(await listEndedSessions(bench));
  const violations: string[] = [];
  const check = (condition: boolean, violation: string): void => {
    if (!condition) violations.push(violation);
  };
  const { outcome, sessionIds, secrets } = await cases[point]({ bench, point, fault, check });

  for (const session of await listEndedSessions(bench))
    check(ended.has(session) || sessionIds.includes(session), `a session of another case was ended: ${session}`);
  violations.push(...(await checkAudit(bench, mark, [bench.demo.idp.secretKey, ...secrets])));
  return { outcome, violations };
}

interface Case {
  bench: TestBench;
  point: FaultPoint;
  fault: Fault;
  check(condition: boolean, violation: string): void;
}

interface CaseRun {
  outcome: CaseOutcome;
  /** Ids of the sessions that may end. */
  sessionIds: string[];
  /** Texts that no audit entry may contain. */
  secrets: string[];
}

const NOT_FOUND_FAULT: Fault = '404 resource_not_found';

const cases: Record<FaultPoint, (testCase: Case) => Promise<CaseRun>> = {
  'revoke: ticket.revoke': (testCase) => revokeUnused(testCase, [['ticket.revoke', testCase.fault]]),
  'revoke: session.get': (testCase) => revokeInUse(testCase, [['session.get', testCase.fault]]),
  'revoke: session.revoke': (testCase) => revokeInUse(testCase, [['session.revoke', testCase.fault]]),
  'revoke: user.get for a ticket': (testCase) =>
    revokeUnused(testCase, [
      ['ticket.revoke', NOT_FOUND_FAULT],
      ['user.get', testCase.fault],
    ]),
  'revoke: user.get for a session': (testCase) =>
    revokeInUse(testCase, [
      ['session.get', NOT_FOUND_FAULT],
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
  return { outcome, sessionIds: [], secrets: [ticket] };
}

async function revokeInUse(testCase: Case, faults: [ProviderCall, Fault][]): Promise<CaseRun> {
  const { bench, check } = testCase;
  const { id, ticket, viewer } = await bench.createUsedInvitation();
  const outcome = await revokeThrice(testCase, id, faults);
  const status = await findSessionStatus(bench, viewer.sessionId);
  check(isUndetectable(testCase, outcome) || status !== 'active', 'the session is active at the provider');
  const me = await sendRequest(`${bench.demo.url}/api/me`, 'GET', undefined, {
    authorization: `Bearer ${viewer.token}`,
  });
  check(me.status === 401, 'the session is admitted');
  return { outcome, sessionIds: [viewer.sessionId], secrets: [ticket, viewer.token] };
}

/** Returns true if the provider reported success wrongly and the service accepted that. */
function isUndetectable({ point, fault }: Case, { status }: CaseOutcome): boolean {
  const needsTwoCalls = point.startsWith('revoke: user.get') && status === 200;
  return (
    needsTwoCalls || undetectable.some(([firstFault, secondFault]) => firstFault === point && secondFault === fault)
  );
}

async function revokeThrice(
  { bench, fault, check }: Case,
  id: string,
  faults: [ProviderCall, Fault][],
): Promise<CaseOutcome> {
  const [firstResponse, repeated] = await bench.withFaults(faults, async () => [
    await revoke(bench, id),
    await revoke(bench, id),
  ]);
  // The next request can confirm work that was done before a response was lost.
  const isSameAnswer = repeated.status === firstResponse.status || repeated.status === 200;
  check(isSameAnswer, `the repeated request during the fault returned ${repeated.status}`);
  const code = { 409: 'ACCOUNT_MISMATCH', 503: 'REVOCATION_UNCONFIRMED' }[firstResponse.status];
  if (code) check(firstResponse.body.code === code, `its code is ${firstResponse.body.code}`);
  checkRetryAfter(firstResponse, fault, check);
  const after = await findListed(bench, id);
  check(
    after!.status === (repeated.status === 200 ? 'revoked' : 'revocation_pending'),
    `it is listed as ${after!.status}`,
  );
  check(!after!.active, 'it is listed as active');
  const finalResponse = await revoke(bench, id);
  check(
    finalResponse.status === 200 && finalResponse.body.status === 'revoked',
    `after recovery the request returned ${finalResponse.status}`,
  );
  return { status: firstResponse.status };
}

async function runCreate({ bench, fault, check }: Case): Promise<CaseRun> {
  const create = () => bench.demo.operate('POST', '', { label: 'Bo' });
  const before = await listInvitationIds(bench);
  const firstResponse = await bench.withFaults([['ticket.create', fault]], create);
  checkRetryAfter(firstResponse, fault, check);
  const after = await create();
  check(after.status === 201, `after recovery the request returned ${after.status}`);
  const left = (await listInvitationIds(bench)).filter((id) => !before.includes(id) && id !== after.body.id);
  const secrets = [getTicket(after.body.link as string)];
  if (firstResponse.status === 201) {
    check(left.length === 1 && left[0] === firstResponse.body.id, 'the link has no row');
    return {
      outcome: { status: 201, left: 'link' },
      sessionIds: [],
      secrets: [...secrets, getTicket(firstResponse.body.link as string)],
    };
  }
  check(!JSON.stringify(firstResponse.body).includes('#code='), 'a rejection contains a link');
  if (left.length === 0) return { outcome: { status: firstResponse.status, left: 'nothing' }, sessionIds: [], secrets };
  const [id] = left as [string];
  check(
    (await findListed(bench, id))!.status === 'revocation_pending',
    'an invitation with a possible ticket is not listed as pending',
  );
  check((await revoke(bench, id)).status === 503, 'an unknown ticket is reported as revoked');
  await bench.demo.owner(
    `update public.demo_access_invitations
        set created_at = created_at - interval '25 hours', expires_at = expires_at - interval '25 hours' where id = $1`,
    [id],
  );
  check((await revoke(bench, id)).status === 200, 'the invitation is not settled once the ticket has expired');
  return { outcome: { status: firstResponse.status, left: 'pending' }, sessionIds: [], secrets };
}

async function runComplete({ bench, fault, check }: Case): Promise<CaseRun> {
  const { demo } = bench;
  const { id, ticket } = await bench.createUnusedInvitation();
  const viewer = await demo.signInWithTicket(ticket);
  const complete = () => demo.complete(viewer, { invitation_id: id, ticket });
  const [firstResponse, repeated] = await bench.withFaults([['session.get', fault]], async () => [
    await complete(),
    await complete(),
  ]);
  check(firstResponse.status === repeated.status, `the repeated request during the fault returned ${repeated.status}`);
  checkRetryAfter(firstResponse, fault, check);
  const isSessionActive = (await findSessionStatus(bench, viewer.sessionId)) === 'active';
  const finalResponse = await complete();
  check(
    finalResponse.status === (isSessionActive ? 200 : 401),
    `after recovery the request returned ${finalResponse.status}`,
  );
  const outcome: CaseOutcome = { status: firstResponse.status, session: isSessionActive ? 'active' : 'ended' };
  return { outcome, sessionIds: isSessionActive ? [] : [viewer.sessionId], secrets: [ticket, viewer.token] };
}

async function runSecondViewer({ bench, fault, check }: Case): Promise<CaseRun> {
  const { demo } = bench;
  const { id, ticket, viewer: winner } = await bench.createUsedInvitation();
  const loser = await bench.createUnboundSession();
  const completeAsLoser = () => demo.complete(loser, { invitation_id: id, ticket });
  const firstResponse = await bench.withFaults([['session.revoke', fault]], completeAsLoser);
  check(
    firstResponse.status === 410 && firstResponse.body.code === 'LINK_USED',
    `the second viewer gets ${firstResponse.status}`,
  );
  const sessionEnds = (await findSessionStatus(bench, loser.sessionId)) === 'active' ? 'by-job' : 'immediately';
  const jobs = await demo.listJobs('demo-access-revoke-session');
  for (const job of jobs) await demo.runJob('demo-access-revoke-session', job);
  await demo.owner(`delete from graphile_worker._private_jobs`);
  check((await findSessionStatus(bench, winner.sessionId)) === 'active', 'the first viewer was signed out');
  check((await findSessionStatus(bench, loser.sessionId)) !== 'active', 'the session of the second viewer is active');
  const bearer = { authorization: `Bearer ${loser.token}` };
  const me = await sendRequest(`${demo.url}/api/me`, 'GET', undefined, bearer);
  check(me.status === 401, 'the session of the second viewer is admitted');
  return {
    outcome: { status: firstResponse.status, sessionEnds },
    sessionIds: [loser.sessionId],
    secrets: [ticket, loser.token],
  };
}

function checkRetryAfter(response: ApiResponse, fault: Fault, check: Case['check']): void {
  if (response.status !== 503) return;
  const seconds = Number(response.headers.get('retry-after'));
  check(fault === '429' ? seconds === 7 : seconds >= 1, `its retry-after is ${response.headers.get('retry-after')}`);
}

async function listInvitationIds({ demo }: TestBench): Promise<string[]> {
  return (await demo.owner<{ id: string }>('select id from public.demo_access_invitations')).map(({ id }) => id);
}

async function listEndedSessions({ demo }: TestBench): Promise<string[]> {
  const rows = await demo.owner<{ id: string }>(`select id from idp.sessions where status <> 'active'`);
  return rows.map(({ id }) => id);
}
