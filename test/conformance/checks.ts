import { type ClerkClient, verifyToken } from '@clerk/backend';
import { verifyWebhook } from '@clerk/backend/webhooks';
import { exportSPKI, importJWK } from 'jose';
import { newEmail, SITE, TestBrowser } from '../support/identity.ts';
import type { ConformanceApp } from './conformance-app.ts';
import type { Comparison } from './print-compared.ts';

interface Bench extends ConformanceApp {
  library: ClerkClient;
  refusalOf(call: Promise<unknown>): Promise<unknown>;
}

/** What we hold to be true, and what the library made of the embedded provider's answer. */
type Check = Comparison<Bench>;

async function signedUp({ url }: Bench) {
  const browser = new TestBrowser(url);
  const person = await browser.signUp();
  return { ...person, browser, token: await browser.token(person.sessionId) };
}

async function redeem({ url }: Bench, ticket: string) {
  return (await new TestBrowser(url).call('POST', '/client/sign_ins', { strategy: 'ticket', ticket })).body;
}

async function pem(bench: Bench): Promise<string> {
  const { keys } = await bench.embedded().jwks();
  return exportSPKI((await importJWK(keys[0]!, 'RS256')) as CryptoKey);
}

async function received(
  bench: Bench,
  type: string,
  id: string,
  change: (headers: Headers) => void = () => {},
): Promise<unknown> {
  const { headers, body } = await bench.webhook(type, id);
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
      const email = newEmail();
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
      const { email } = await signedUp(bench);
      return [
        [422, 'form_identifier_exists', true],
        await bench.refusalOf(bench.library.users.createUser({ emailAddress: [email], password: 'correct horse' })),
      ];
    },
  ],
  [
    'users.createUser: a short password',
    async ({ library, refusalOf }) => [
      [422, 'form_password_length_too_short', true],
      await refusalOf(library.users.createUser({ emailAddress: [newEmail()], password: 'short' })),
    ],
  ],
  [
    'users.getUser',
    async (bench) => {
      const { userId } = await signedUp(bench);
      return [userId, (await bench.library.users.getUser(userId)).id];
    },
  ],
  [
    'users.getUser: unknown',
    async ({ library, refusalOf }) => [
      [404, 'resource_not_found', true],
      await refusalOf(library.users.getUser('user_nobody')),
    ],
  ],
  [
    'users.getUserList by address, with its count',
    async (bench) => {
      const { userId, email } = await signedUp(bench);
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
      const { userId } = await signedUp(bench);
      // Typed as a user by the library, and a deletion by what it holds.
      const { id, deleted } = (await bench.library.users.deleteUser(userId)) as unknown as {
        id: string;
        deleted: boolean;
      };
      return [
        [userId, true, [404, 'resource_not_found', true]],
        [id, deleted, await bench.refusalOf(bench.library.users.getUser(userId))],
      ];
    },
  ],
  [
    'signInTokens: created, redeemed once, no longer revocable',
    async (bench) => {
      const { userId } = await signedUp(bench);
      const made = await bench.library.signInTokens.createSignInToken({ userId, expiresInSeconds: 60 });
      const first = await redeem(bench, made.token);
      const second = await redeem(bench, made.token);
      return [
        [
          'pending',
          userId,
          'complete',
          'sign_in_token_already_used_code',
          [400, 'sign_in_token_cannot_be_revoked_code', true],
        ],
        [
          made.status,
          made.userId,
          first.response.status,
          second.errors[0].code,
          await bench.refusalOf(bench.library.signInTokens.revokeSignInToken(made.id)),
        ],
      ];
    },
  ],
  [
    'signInTokens: revoked, then refused',
    async (bench) => {
      const { userId } = await signedUp(bench);
      const made = await bench.library.signInTokens.createSignInToken({ userId, expiresInSeconds: 60 });
      const revoked = await bench.library.signInTokens.revokeSignInToken(made.id);
      return [
        [made.id, 'revoked', 'sign_in_token_revoked_code'],
        [revoked.id, revoked.status, (await redeem(bench, made.token)).errors[0].code],
      ];
    },
  ],
  [
    'signInTokens: for nobody, and an unknown one',
    async ({ library, refusalOf }) => [
      [
        [404, 'resource_not_found', true],
        [404, 'resource_not_found', true],
      ],
      [
        await refusalOf(library.signInTokens.createSignInToken({ userId: 'user_nobody', expiresInSeconds: 60 })),
        await refusalOf(library.signInTokens.revokeSignInToken('sit_none')),
      ],
    ],
  ],
  [
    'sessions.getSession',
    async (bench) => {
      const { userId, sessionId } = await signedUp(bench);
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
      const { userId, sessionId } = await signedUp(bench);
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
      const { sessionId } = await signedUp(bench);
      const revoked = await bench.library.sessions.revokeSession(sessionId);
      return [
        ['revoked', [400, 'invalid_action_for_session', true]],
        [revoked.status, await bench.refusalOf(bench.library.sessions.revokeSession(sessionId))],
      ];
    },
  ],
  [
    'sessions: unknown',
    async ({ library, refusalOf }) => [
      [
        [404, 'resource_not_found', true],
        [404, 'resource_not_found', true],
      ],
      [
        await refusalOf(library.sessions.getSession('sess_none')),
        await refusalOf(library.sessions.revokeSession('sess_none')),
      ],
    ],
  ],
  [
    'a wrong secret key',
    async ({ apiUrl, refusalOf }) => {
      const { createClerkClient } = await import('@clerk/backend');
      const wrongKey = createClerkClient({ secretKey: 'sk_live_wrong', apiUrl, telemetry: { disabled: true } });
      return [[401, 'clerk_key_invalid', true], await refusalOf(wrongKey.users.getUser('user_nobody'))];
    },
  ],
  [
    'verifyToken with the published keys',
    async (bench) => {
      const { token, userId, sessionId } = await signedUp(bench);
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
      const { token, userId, browser, sessionId } = await signedUp(bench);
      const jwtKey = await pem(bench);
      const before = await verifyToken(token, { jwtKey });
      await bench.embedded().rotateKey();
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
      const { token } = await signedUp(bench);
      const refused = await verifyToken(token, {
        secretKey: bench.secretKey,
        apiUrl: bench.apiUrl,
        authorizedParties: ['https://evil.test'],
      }).then(
        () => 'accepted',
        () => 'refused',
      );
      return ['refused', refused];
    },
  ],
  [
    'authenticateRequest by bearer, and what it says of a ticket',
    async (bench) => {
      const { token, userId } = await signedUp(bench);
      const made = await bench.library.signInTokens.createSignInToken({ userId, expiresInSeconds: 60 });
      const publishableKey = `pk_live_${Buffer.from('tally.test$').toString('base64')}`;
      const ask = async (bearer: string) =>
        (
          await bench.library.authenticateRequest(
            new Request(`${SITE}/api/me`, { headers: { authorization: `Bearer ${bearer}` } }),
            { publishableKey, authorizedParties: [SITE] },
          )
        ).isAuthenticated;
      return [
        [true, false],
        [await ask(token), await ask(made.token)],
      ];
    },
  ],
  [
    'verifyWebhook: user.created, session.created, session.revoked, user.deleted',
    async (bench) => {
      const { userId, sessionId } = await signedUp(bench);
      await bench.library.sessions.revokeSession(sessionId);
      await bench.library.users.deleteUser(userId);
      const events = [
        ['user.created', userId],
        ['session.created', sessionId],
        ['session.revoked', sessionId],
        ['user.deleted', userId],
      ] as const;
      const actual: unknown[] = [];
      for (const [type, id] of events) actual.push(await received(bench, type, id));
      return [events, actual];
    },
  ],
  [
    'verifyWebhook: another id, another time',
    async (bench) => {
      const { userId } = await signedUp(bench);
      return [
        ['refused', 'refused'],
        [
          await received(bench, 'user.created', userId, (headers) => headers.set('svix-id', 'msg_other')),
          await received(bench, 'user.created', userId, (headers) =>
            headers.set('svix-timestamp', String(Number(headers.get('svix-timestamp')) + 1)),
          ),
        ],
      ];
    },
  ],
];
