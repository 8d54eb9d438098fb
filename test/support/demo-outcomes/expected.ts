import type { Fault } from '../../fakes/identity-provider/faults.ts';

/** The calls that can fail, each in the one request that needs it. */
export const columns = [
  'revoke: ticket.revoke',
  'revoke: session.get',
  'revoke: session.revoke',
  'revoke: user.get for a ticket',
  'revoke: user.get for a session',
  'create: ticket.create',
  'complete: session.get',
  'complete: session.revoke',
] as const;
export type Column = (typeof columns)[number];

/** Status of a revocation, also of the same one again while the fault lasts. Afterwards it is 200. */
type Revoke = '200' | '409' | '503';
/**
 * Status of a creation, and what is left: a link in use, nothing, or an invitation that is pending until a ticket which
 * may exist has expired.
 */
type Create = '201' | '409 nothing' | '503 nothing' | '503 pending';
/**
 * Status of a completion, and its session afterwards. After a 503 the same request is answered with 200; so is one
 * after `kept`, since the session was left alone.
 */
type Complete = '200' | '503' | '401 ended' | '401 kept';
/** When the session of a second viewer, who is told 410, is over. */
type Ended = 'at once' | 'by a job';

type Row = readonly [Revoke, Revoke, Revoke, Revoke, Revoke, Create, Complete, Ended];

/**
 * What is specified, by hand. Any 404 in JSON completes beside the demo user alone; of the 400s the ticket's own code;
 * a session is looked at once more after a revocation that was not confirmed; everything else is unconfirmed.
 * The provider chooses a new ticket's id, so that no id is a wrong one there.
 */
// oxfmt-ignore
export const expected: Readonly<Record<Fault, Row>> = {
  //                                ticket  session  session  user    user     ticket         session      session
  //                                revoke  get      revoke   ticket  session  create         get          revoke
  'right body':                    ['200', '200',   '200',   '200',  '200',   '201',         '200',       'at once'],
  'right body with a charset':     ['200', '200',   '200',   '200',  '200',   '201',         '200',       'at once'],
  'body of another id':            ['503', '503',   '503',   '503',  '503',   '201',         '503',       'by a job'],
  'body of another id, work done': ['503', '503',   '200',   '503',  '503',   '201',         '503',       'at once'],
  'body of another user':          ['503', '409',   '503',   '503',  '503',   '503 pending', '401 kept',  'by a job'],
  'body without its fields':       ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  'body of another status':        ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  'empty body':                    ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  'page with 200':                 ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  '400 known code':                ['200', '503',   '503',   '503',  '503',   '409 nothing', '503',       'by a job'],
  '400 unknown code':              ['503', '503',   '503',   '503',  '503',   '409 nothing', '503',       'by a job'],
  '400 without a code':            ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  '401':                           ['503', '503',   '503',   '503',  '503',   '503 nothing', '503',       'by a job'],
  '403':                           ['503', '503',   '503',   '503',  '503',   '503 nothing', '503',       'by a job'],
  '403 page':                      ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  '404 resource_not_found':        ['200', '200',   '200',   '409',  '409',   '409 nothing', '401 ended', 'by a job'],
  '404 another code':              ['200', '200',   '200',   '409',  '409',   '409 nothing', '401 ended', 'by a job'],
  '404 without a code':            ['200', '200',   '200',   '409',  '409',   '409 nothing', '401 ended', 'by a job'],
  '404 page':                      ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  '409':                           ['503', '503',   '503',   '503',  '503',   '409 nothing', '503',       'by a job'],
  '422':                           ['503', '503',   '503',   '503',  '503',   '409 nothing', '503',       'by a job'],
  '429':                           ['503', '503',   '503',   '503',  '503',   '503 nothing', '503',       'by a job'],
  '500':                           ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  '502 page':                      ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  '503':                           ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  'cut body':                      ['503', '503',   '200',   '503',  '503',   '503 pending', '503',       'at once'],
  'reset in the body':             ['503', '503',   '200',   '503',  '503',   '503 pending', '503',       'at once'],
  'reset before the work':         ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  'reset after the work':          ['503', '503',   '200',   '503',  '503',   '503 pending', '503',       'at once'],
  'no answer':                     ['503', '503',   '503',   '503',  '503',   '503 pending', '503',       'by a job'],
  'late success':                  ['503', '503',   '200',   '503',  '503',   '503 pending', '503',       'at once'],
};

/** Answers that are believed though they are not true, so that a living ticket or session is left at the provider. */
export const believed: readonly [Column, Fault][] = [
  ['revoke: ticket.revoke', '400 known code'],
  ...(['404 resource_not_found', '404 another code', '404 without a code'] as const).flatMap(
    (fault): [Column, Fault][] => [
      ['revoke: ticket.revoke', fault],
      ['revoke: session.get', fault],
      ['revoke: session.revoke', fault],
    ],
  ),
];
