import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Invitation } from '../../src/demo-access/contract.ts';
import type { TestService } from '../support/service.ts';
import { someAddress } from './people.ts';

/** A link as its viewer gets it, and what is in it. */
export interface Link {
  id: string;
  /** From the path on, so that it can be opened on whatever address the service has. */
  path: string;
  code: string;
  ticket: string;
}

type Service = Pick<TestService, 'url' | 'firstRun'>;

async function operate<T>({ url, firstRun }: Service, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/api/internal/demo-access${path}`, {
    method,
    headers: {
      authorization: `Bearer ${firstRun.operator_token}`,
      // What one address may send a minute is limited.
      'x-forwarded-for': someAddress(),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text) as T;
}

/** Makes a link as an operator does. */
export async function makeLink(service: Service, label = 'A viewer'): Promise<Link> {
  const { id, link } = await operate<{ id: string; link: string }>(service, 'POST', '', { label });
  const { pathname, hash } = new URL(link);
  const code = hash.slice('#code='.length);
  const text = Buffer.from(code, 'base64url').toString();
  return { id, path: pathname + hash, code, ticket: text.slice(text.indexOf('.') + 1) };
}

export const revokeLink = (service: Service, id: string): Promise<unknown> => operate(service, 'DELETE', `/${id}`);

/** What operators see of a link. */
export async function statusOf(service: Service, id: string): Promise<Invitation> {
  const { invitations } = await operate<{ invitations: Invitation[] }>(service, 'GET', '');
  return invitations.find((invitation) => invitation.id === id)!;
}

/** Presses the button, and waits for the page that it leads to: the heading of that name. */
export async function pressOpen(page: Page, title: string | RegExp = 'Dashboard', name = 'Open demo'): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** Which state the entry page shows. */
export const shows = (page: Page, state: string): Promise<void> =>
  page.locator(`main[data-state="${state}"]`).waitFor();
