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

/** A revocation, or its repetition while the fault lasts. After the fault its status is 200. */
interface RevokeOutcome {
  status: 200 | 409 | 503;
}
/** The state after a creation. `pending` is an invitation that waits until a possibly existing ticket has expired. */
interface CreateOutcome {
  status: 201 | 409 | 503;
  left: 'link' | 'nothing' | 'pending';
}
/** After a 503, or after a 401 that kept the session, the repeated request returns 200. */
interface CompleteOutcome {
  status: 200 | 401 | 503;
  session: 'active' | 'ended';
}
/** A second viewer, who gets 410. `sessionEnds` is the end of their session. */
interface SecondViewerOutcome {
  status: 410;
  sessionEnds: 'immediately' | 'by-job';
}
type Revoke = RevokeOutcome;
type ExpectedOutcomes = readonly [
  Revoke,
  Revoke,
  Revoke,
  Revoke,
  Revoke,
  CreateOutcome,
  CompleteOutcome,
  SecondViewerOutcome,
];

const done: RevokeOutcome = { status: 200 };
const mismatch: RevokeOutcome = { status: 409 };
const unconfirmed: RevokeOutcome = { status: 503 };
const link: CreateOutcome = { status: 201, left: 'link' };
const conflict: CreateOutcome = { status: 409, left: 'nothing' };
const failedCleanly: CreateOutcome = { status: 503, left: 'nothing' };
const pending: CreateOutcome = { status: 503, left: 'pending' };
const bound: CompleteOutcome = { status: 200, session: 'active' };
const retry: CompleteOutcome = { status: 503, session: 'active' };
const ended: CompleteOutcome = { status: 401, session: 'ended' };
const rejectedSession: CompleteOutcome = { status: 401, session: 'active' };
const endedAtOnce: SecondViewerOutcome = { status: 410, sessionEnds: 'immediately' };
const endedByJob: SecondViewerOutcome = { status: 410, sessionEnds: 'by-job' };

/**
 * The specified outcomes, written by hand. Any 404 in JSON counts as done except for the demo user. Of the 400s only
 * the ticket's own code counts as done. A session is read once more after an unconfirmed revocation. Everything else is
 * unconfirmed. The provider chooses a new ticket's id, so a response without an id is no contradiction there.
 */
// oxfmt-ignore
export const oracle: Readonly<Record<Fault, ExpectedOutcomes>> = {
  //                               ticket    session   session   user      user      ticket    session  session
  //                               revoke    get       revoke    (ticket)  (session) create    get      revoke
  'right body':                     [done,     done,     done,     done,     done,     link,     bound,   endedAtOnce],
  'right body with a charset':      [done,     done,     done,     done,     done,     link,     bound,   endedAtOnce],
  'body of another id':             [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   link,     retry,   endedByJob],
  'body of another id, work done':  [unconfirmed,   unconfirmed,   done,     unconfirmed,   unconfirmed,   link,     retry,   endedAtOnce],
  'body of another user':           [unconfirmed,   mismatch, unconfirmed,   unconfirmed,   unconfirmed,   pending,  rejectedSession, endedByJob],
  'body without its fields':        [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  'body of another status':         [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  'empty body':                     [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  'page with 200':                  [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  '400 known code':                 [done,     unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   conflict, retry,   endedByJob],
  '400 unknown code':               [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   conflict, retry,   endedByJob],
  '400 without a code':             [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  '401':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   failedCleanly,  retry,   endedByJob],
  '403':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   failedCleanly,  retry,   endedByJob],
  '403 page':                       [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  '404 resource_not_found':         [done,     done,     done,     mismatch, mismatch, conflict, ended,   endedByJob],
  '404 another code':               [done,     done,     done,     mismatch, mismatch, conflict, ended,   endedByJob],
  '404 without a code':             [done,     done,     done,     mismatch, mismatch, conflict, ended,   endedByJob],
  '404 page':                       [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  '409':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   conflict, retry,   endedByJob],
  '422':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   conflict, retry,   endedByJob],
  '429':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   failedCleanly,  retry,   endedByJob],
  '500':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  '502 page':                       [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  '503':                            [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  'cut body':                       [unconfirmed,   unconfirmed,   done,     unconfirmed,   unconfirmed,   pending,  retry,   endedAtOnce],
  'reset in the body':              [unconfirmed,   unconfirmed,   done,     unconfirmed,   unconfirmed,   pending,  retry,   endedAtOnce],
  'reset before the work':          [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  'reset after the work':           [unconfirmed,   unconfirmed,   done,     unconfirmed,   unconfirmed,   pending,  retry,   endedAtOnce],
  'no answer':                      [unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   unconfirmed,   pending,  retry,   endedByJob],
  'late success':                   [unconfirmed,   unconfirmed,   done,     unconfirmed,   unconfirmed,   pending,  retry,   endedAtOnce],
};

/** Wrong responses that the service cannot detect: a ticket or session stays active at the provider. */
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
