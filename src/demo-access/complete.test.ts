import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDemoApp } from '../../test/support/demo-access.ts';
import { send } from '../../test/support/identity.ts';

test('a link signs one viewer in, and binds their session to it', async (t) => {
  const demo = await startDemoApp(t);
  const { id, ticket } = await demo.invite();
  const viewer = await demo.open(ticket);
  const me = () => send(`${demo.url}/api/me`, 'GET', undefined, { authorization: `Bearer ${viewer.token}` });
  assert.equal((await me()).status, 401);
  const answer = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.deepEqual([answer.status, answer.body], [200, { redirect_to: '/dashboard' }]);
  assert.equal((await me()).status, 200);
  const again = await demo.complete(viewer, { invitation_id: id, ticket });
  assert.equal(again.status, 200);
  const revoked = await demo.operate('DELETE', `/${id}`);
  assert.deepEqual([revoked.status, revoked.body], [200, { id, status: 'revoked' }]);
  assert.equal((await me()).status, 401);
  assert.equal(await demo.statusOf(viewer.sessionId), 'revoked');
});
