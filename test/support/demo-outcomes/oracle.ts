import type { Fault } from '../../fakes/identity-provider/faults.ts';

/** The calls that can fail, each in the one request that needs it. */
export const faultPoints = [
  'revoke: ticket.revoke',
  'revoke: session.get',
  'revoke: session.revoke',
  'revoke: user.get for a ticket',
  'revoke: user.get for a session',
  'create: ticket.create',
  'complete: session.get',
  'complete: session.revoke',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** A revocation, also the same one again while the fault lasts. Afterwards its status is 200. */
interface RevokeOutcome {
  status: 200 | 409 | 503;
}
/** `left`: a link in use, nothing, or an invitation that is pending until a ticket which may exist has expired. */
interface CreateOutcome {
  status: 201 | 409 | 503;
  left: 'link' | 'nothing' | 'pending';
}
/** After a 503 the same request is answered with 200; so is one after a 401 that kept the session. */
interface CompleteOutcome {
  status: 200 | 401 | 503;
  session: 'kept' | 'ended';
}
/** A second viewer, who is told 410: when their session is over. */
interface SecondViewerOutcome {
  status: 410;
  sessionEnds: 'at once' | 'by a job';
}
type Revoke = RevokeOutcome;
type Row = readonly [Revoke, Revoke, Revoke, Revoke, Revoke, CreateOutcome, CompleteOutcome, SecondViewerOutcome];

const done: RevokeOutcome = { status: 200 };
const mismatch: RevokeOutcome = { status: 409 };
const unsure: RevokeOutcome = { status: 503 };
const link: CreateOutcome = { status: 201, left: 'link' };
const conflict: CreateOutcome = { status: 409, left: 'nothing' };
const nothing: CreateOutcome = { status: 503, left: 'nothing' };
const pending: CreateOutcome = { status: 503, left: 'pending' };
const bound: CompleteOutcome = { status: 200, session: 'kept' };
const retry: CompleteOutcome = { status: 503, session: 'kept' };
const ended: CompleteOutcome = { status: 401, session: 'ended' };
const foreign: CompleteOutcome = { status: 401, session: 'kept' };
const atOnce: SecondViewerOutcome = { status: 410, sessionEnds: 'at once' };
const byJob: SecondViewerOutcome = { status: 410, sessionEnds: 'by a job' };

/**
 * What is specified, by hand. Any 404 in JSON completes beside the demo user alone; of the 400s the ticket's own code;
 * a session is looked at once more after a revocation that was not confirmed; everything else is unconfirmed.
 * The provider chooses a new ticket's id, so that no id is a violations one there.
 */
// oxfmt-ignore
export const oracle: Readonly<Record<Fault, Row>> = {
  //                               ticket    session   session   user      user      ticket    session  session
  //                               revoke    get       revoke    (ticket)  (session) create    get      revoke
  'right body':                     [done,     done,     done,     done,     done,     link,     bound,   atOnce],
  'right body with a charset':      [done,     done,     done,     done,     done,     link,     bound,   atOnce],
  'body of another id':             [unsure,   unsure,   unsure,   unsure,   unsure,   link,     retry,   byJob],
  'body of another id, work done':  [unsure,   unsure,   done,     unsure,   unsure,   link,     retry,   atOnce],
  'body of another user':           [unsure,   mismatch, unsure,   unsure,   unsure,   pending,  foreign, byJob],
  'body without its fields':        [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  'body of another status':         [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  'empty body':                     [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  'page with 200':                  [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  '400 known code':                 [done,     unsure,   unsure,   unsure,   unsure,   conflict, retry,   byJob],
  '400 unknown code':               [unsure,   unsure,   unsure,   unsure,   unsure,   conflict, retry,   byJob],
  '400 without a code':             [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  '401':                            [unsure,   unsure,   unsure,   unsure,   unsure,   nothing,  retry,   byJob],
  '403':                            [unsure,   unsure,   unsure,   unsure,   unsure,   nothing,  retry,   byJob],
  '403 page':                       [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  '404 resource_not_found':         [done,     done,     done,     mismatch, mismatch, conflict, ended,   byJob],
  '404 another code':               [done,     done,     done,     mismatch, mismatch, conflict, ended,   byJob],
  '404 without a code':             [done,     done,     done,     mismatch, mismatch, conflict, ended,   byJob],
  '404 page':                       [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  '409':                            [unsure,   unsure,   unsure,   unsure,   unsure,   conflict, retry,   byJob],
  '422':                            [unsure,   unsure,   unsure,   unsure,   unsure,   conflict, retry,   byJob],
  '429':                            [unsure,   unsure,   unsure,   unsure,   unsure,   nothing,  retry,   byJob],
  '500':                            [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  '502 page':                       [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  '503':                            [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  'cut body':                       [unsure,   unsure,   done,     unsure,   unsure,   pending,  retry,   atOnce],
  'reset in the body':              [unsure,   unsure,   done,     unsure,   unsure,   pending,  retry,   atOnce],
  'reset before the work':          [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  'reset after the work':           [unsure,   unsure,   done,     unsure,   unsure,   pending,  retry,   atOnce],
  'no answer':                      [unsure,   unsure,   unsure,   unsure,   unsure,   pending,  retry,   byJob],
  'late success':                   [unsure,   unsure,   done,     unsure,   unsure,   pending,  retry,   atOnce],
};

/** Wrong answers that nothing shows to be wrong: a ticket or session stays active at the provider. */
export const undetectable: readonly [FaultPoint, Fault][] = [
  ['revoke: ticket.revoke', '400 known code'],
  ...(['404 resource_not_found', '404 another code', '404 without a code'] as const).flatMap(
    (fault): [FaultPoint, Fault][] => [
      ['revoke: ticket.revoke', fault],
      ['revoke: session.get', fault],
      ['revoke: session.revoke', fault],
    ],
  ),
];
