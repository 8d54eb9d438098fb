import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { TestService } from '../support/service.ts';

/** Signs the page's browser in by a link of its own, with the calls that the link's page makes; returns the link's id. */
export async function visitDemo(page: Page, { url, firstRun }: TestService): Promise<string> {
  const { request } = page.context();
  const post = async (path: string, authorization: string | undefined, sent: { data?: object; form?: object }) => {
    const headers = { origin: new URL(url).origin, ...(authorization && { authorization }) };
    const answer = await request.post(`${url}${path}`, { headers, ...(sent as { data?: object }) });
    assert.ok(answer.ok(), `${path} answered ${answer.status()}: ${await answer.text()}`);
    return answer.json();
  };
  const operator = `Bearer ${firstRun.operator_token}`;
  const { id, link } = await post('/api/internal/demo-access', operator, { data: { label: 'A viewer' } });
  const code = Buffer.from(new URL(link).hash.slice('#code='.length), 'base64url').toString();
  const ticket = code.slice(code.indexOf('.') + 1);
  const signedIn = await post('/_idp/v1/client/sign_ins', undefined, { form: { strategy: 'ticket', ticket } });
  const { created_session_id } = signedIn.response;
  const { jwt } = await post(`/_idp/v1/client/sessions/${created_session_id}/tokens`, undefined, {});
  await post('/api/demo-access/complete', `Bearer ${jwt}`, { data: { invitation_id: id, ticket } });
  return id;
}
