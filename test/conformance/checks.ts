import { type ClerkClient, verifyToken } from '@clerk/backend';
import { verifyWebhook } from '@clerk/backend/webhooks';
import { exportSPKI, importJWK } from 'jose';
import { createEmail, SITE, TestBrowser } from '../support/identity.ts';
import type { ConformanceApp } from './conformance-app.ts';
import type { Comparison } from './print-comparison.ts';

interface Bench extends ConformanceApp {
  library: ClerkClient;
  getRejection(call: Promise<unknown>): Promise<unknown>;
}

/** An expected value, and the library's result from the embedded provider's response. */
type Check = Comparison<Bench>;

async function signUpMember({ url }: Bench) {
  const browser = new TestBrowser(url);
  const person = await browser.signUp();
  return { ...person, browser, token: await browser.token(person.sessionId) };
}

async function redeem({ url }: Bench, ticket: string) {
  return (await new TestBrowser(url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket })).body;
}

async function readPublicKey(bench: Bench): Promise<string> {
  const { keys } = await bench.getEmbedded().jwks();
  return exportSPKI((await importJWK(keys[0]!, 'RS256')) as CryptoKey);
}

async function receiveWebhook(
  bench: Bench,
  type: string,
  id: string,
  change: (headers: Headers) => void = () => {},
): Promise<unknown> {
  const { headers, body } = await bench.waitForWebhook(type, id);
  const sent = new Headers({
    'content-type': 'application/json',
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('svix-'))),
  });
  change(sent);
  try {
    const event = await verifyWebhook(new Request('http://localhost/', { method: 'POST', headers: sent, body }), {
      signingSecret: bench.webhookSecret,
    });
    return [event.type, event.data.id];
  } catch {
    return 'refused';
  }
}

export const checks: [name: string, check: Check][] = [
  [
    'users.createUser: every field',
    async ({ library }) => {
      const email = createEmail();
      const user = await library.users.createUser({
        emailAddress: [email],
        password: 'correct horse',
        firstName: 'Ann',
        publicMetadata: { a: 1 },
        privateMetadata: { b: 2 },
        unsafeMetadata: { c: 3 },
      });
      return [
        [email, 'Ann', { a: 1 }, { b: 2 }, { c: 3 }, true, false, 'number', null],
        [
          user.primaryEmailAddress?.emailAddress,
          user.firstName,
          user.publicMetadata,
          user.privateMetadata,
          user.unsafeMetadata,
          user.passwordEnabled,
          user.banned,
          typeof user.createdAt,
          user.lastSignInAt,
        ],
      ];
    },
  ],
  [
    'users.createUser: a taken address',
    async (bench) => {
      const { email } = await signUpMember(bench);
      return [
        [422, 'form_identifier_exists', true],
        await bench.getRejection(bench.library.users.createUser({ emailAddress: [email], password: 'correct horse' })),
      ];
    },
  ],
  [
    'users.createUser: a short password',
    async ({ library, getRejection }) => [
      [422, 'form_password_length_too_short', true],
      await getRejection(library.users.createUser({ emailAddress: [createEmail()], password: 'short' })),
    ],
  ],
  [
    'users.getUser',
    async (bench) => {
      const { userId } = await signUpMember(bench);
      return [userId, (await bench.library.users.getUser(userId)).id];
    },
  ],
  [
    'users.getUser: unknown',
    async ({ library, getRejection }) => [
      [404, 'resource_not_found', true],
      await getRejection(library.users.getUser('user_nobody')),
    ],
  ],
  [
    'users.getUserList by address, with its count',
    async (bench) => {
      const { userId, email } = await signUpMember(bench);
      const { data, totalCount } = await bench.library.users.getUserList({ emailAddress: [email] });
      return [
        [[userId], 1],
        [data.map(({ id }) => id), totalCount],
      ];
    },
  ],
  [
    'users.deleteUser',
    async (bench) => {
      const { userId } = await signUpMember(bench);
      // The library declares a user as the type, although a deletion returns another object.
      const { id, deleted } = (await bench.library.users.deleteUser(userId)) as unknown as {
        id: string;
        deleted: boolean;
      };
      return [
        [userId, true, [404, 'resource_not_found', true]],
        [id, deleted, await bench.getRejection(bench.library.users.getUser(userId))],
      ];
    },
  ],
  [
    'signInTokens: created, redeemed once, no longer revocable',
    async (bench) => {
      const { userId } = await signUpMember(bench);
      const signInToken = await bench.library.signInTokens.createSignInToken({ userId, expiresInSeconds: 60 });
      const first = await redeem(bench, signInToken.token);
      const second = await redeem(bench, signInToken.token);
      return [
        [
          'pending',
          userId,
          'complete',
          'sign_in_token_already_used_code',
          [400, 'sign_in_token_cannot_be_revoked_code', true],
        ],
        [
          signInToken.status,
          signInToken.userId,
          first.response.status,
          second.errors[0].code,
          await bench.getRejection(bench.library.signInTokens.revokeSignInToken(signInToken.id)),
        ],
      ];
    },
  ],
  [
    'signInTokens: revoked, then rejected',
    async (bench) => {
      const { userId } = await signUpMember(bench);
      const signInToken = await bench.library.signInTokens.createSignInToken({ userId, expiresInSeconds: 60 });
      const revoked = await bench.library.signInTokens.revokeSignInToken(signInToken.id);
      return [
        [signInToken.id, 'revoked', 'sign_in_token_revoked_code'],
        [revoked.id, revoked.status, (await redeem(bench, signInToken.token)).errors[0].code],
      ];
    },
  ],
  [
    'signInTokens: for nobody, and an unknown one',
    async ({ library, getRejection }) => [
      [
        [404, 'resource_not_found', true],
        [404, 'resource_not_found', true],
      ],
      [
        await getRejection(library.signInTokens.createSignInToken({ userId: 'user_nobody', expiresInSeconds: 60 })),
        await getRejection(library.signInTokens.revokeSignInToken('sit_none')),
      ],
    ],
  ],
  [
    'sessions.getSession',
    async (bench) => {
      const { userId, sessionId } = await signUpMember(bench);
      const session = await bench.library.sessions.getSession(sessionId);
      return [
        [sessionId, userId, 'active', 7 * 86_400_000],
        [session.id, session.userId, session.status, session.expireAt - session.createdAt],
      ];
    },
  ],
  [
    'sessions.getSessionList',
    async (bench) => {
      const { userId, sessionId } = await signUpMember(bench);
      const { data, totalCount } = await bench.library.sessions.getSessionList({ userId, status: 'active' });
      return [
        [[sessionId], 1],
        [data.map(({ id }) => id), totalCount],
      ];
    },
  ],
  [
    'sessions.revokeSession, once',
    async (bench) => {
      const { sessionId } = await signUpMember(bench);
      const revoked = await bench.library.sessions.revokeSession(sessionId);
      return [
        ['revoked', [400, 'invalid_action_for_session', true]],
        [revoked.status, await bench.getRejection(bench.library.sessions.revokeSession(sessionId))],
      ];
    },
  ],
  [
    'sessions: unknown',
    async ({ library, getRejection }) => [
      [
        [404, 'resource_not_found', true],
        [404, 'resource_not_found', true],
      ],
      [
        await getRejection(library.sessions.getSession('sess_none')),
        await getRejection(library.sessions.revokeSession('sess_none')),
      ],
    ],
  ],
  [
    'a wrong secret key',
    async ({ apiUrl, getRejection }) => {
      const { createClerkClient } = await import('@clerk/backend');
      const wrongKey = createClerkClient({ secretKey: 'sk_live_wrong', apiUrl, telemetry: { disabled: true } });
      return [[401, 'clerk_key_invalid', true], await getRejection(wrongKey.users.getUser('user_nobody'))];
    },
  ],
  [
    'verifyToken with the published keys',
    async (bench) => {
      const { token, userId, sessionId } = await signUpMember(bench);
      const claims = await verifyToken(token, {
        secretKey: bench.secretKey,
        apiUrl: bench.apiUrl,
        authorizedParties: [SITE],
      });
      return [
        [userId, sessionId, SITE, `${SITE}/_idp`, 2],
        [claims.sub, claims.sid, claims.azp, claims.iss, claims.v],
      ];
    },
  ],
  [
    'verifyToken with the key as PEM, before and after a rotation',
    async (bench) => {
      const { token, userId, browser, sessionId } = await signUpMember(bench);
      const jwtKey = await readPublicKey(bench);
      const before = await verifyToken(token, { jwtKey });
      await bench.getEmbedded().rotateKey();
      const after = await verifyToken(await browser.token(sessionId), {
        secretKey: bench.secretKey,
        apiUrl: bench.apiUrl,
        skipJwksCache: true,
      });
      return [
        [userId, userId],
        [before.sub, after.sub],
      ];
    },
  ],
  [
    'verifyToken for another site',
    async (bench) => {
      const { token } = await signUpMember(bench);
      const rejected = await verifyToken(token, {
        secretKey: bench.secretKey,
        apiUrl: bench.apiUrl,
        authorizedParties: ['https://evil.test'],
      }).then(
        () => 'accepted',
        () => 'refused',
      );
      return ['refused', rejected];
    },
  ],
  [
    'authenticateRequest by bearer, and its result for a ticket',
    async (bench) => {
      const { token, userId } = await signUpMember(bench);
      const signInToken = await bench.library.signInTokens.createSignInToken({ userId, expiresInSeconds: 60 });
      const publishableKey = `pk_live_${Buffer.from('tally.test$').toString('base64')}`;
      const canAuthenticate = async (bearer: string) =>
        (
          await bench.library.authenticateRequest(
            new Request(`${SITE}/api/me`, { headers: { authorization: `Bearer ${bearer}` } }),
            { publishableKey, authorizedParties: [SITE] },
          )
        ).isAuthenticated;
      return [
        [true, false],
        [await canAuthenticate(token), await canAuthenticate(signInToken.token)],
      ];
    },
  ],
  [
    'verifyWebhook: user.created, session.created, session.revoked, user.deleted',
    async (bench) => {
      const { userId, sessionId } = await signUpMember(bench);
      await bench.library.sessions.revokeSession(sessionId);
      const events = [
        ['user.created', userId],
        ['session.created', sessionId],
        ['session.revoked', sessionId],
        ['user.deleted', userId],
      ] as const;
      const actual: unknown[] = [];
      for (const [type, id] of events) {
        // Events that still wait are dropped when their user is deleted.
        if (type === 'user.deleted') await bench.library.users.deleteUser(userId);
        actual.push(await receiveWebhook(bench, type, id));
      }
      return [events, actual];
    },
  ],
  [
    'verifyWebhook: another id, another time',
    async (bench) => {
      const { userId } = await signUpMember(bench);
      return [
        ['refused', 'refused'],
        [
          await receiveWebhook(bench, 'user.created', userId, (headers) => headers.set('svix-id', 'msg_other')),
          await receiveWebhook(bench, 'user.created', userId, (headers) =>
            headers.set('svix-timestamp', String(Number(headers.get('svix-timestamp')) + 1)),
          ),
        ],
      ];
    },
  ],
];
