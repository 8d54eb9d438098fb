import assert from 'node:assert/strict';
import type { Invitation } from '../../src/features/demo-access/contract.ts';
import type { TestService } from './service.ts';
import { createRandomAddress } from './random-address.ts';

/** A link as its viewer receives it, with its parts. */
export interface Link {
  id: string;
  /** The address without its origin, so that a test can open it on any address of the service. */
  path: string;
  code: string;
  ticket: string;
}

type Service = { url: string; firstRun: Pick<TestService['firstRun'], 'operator_token'> };

async function operate<T>({ url, firstRun }: Service, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/internal/demo-access${path}`, {
    method,
    headers: {
      authorization: `Bearer ${firstRun.operator_token}`,
      // Requests per address and minute are limited.
      'x-forwarded-for': createRandomAddress(),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return JSON.parse(text) as T;
}

/** Parses a link. */
function parseLink(link: string): Link {
  const { pathname, hash } = new URL(link);
  const code = hash.slice('#code='.length);
  const text = Buffer.from(code, 'base64url').toString();
  const dot = text.indexOf('.');
  return { id: text.slice(0, dot), path: pathname + hash, code, ticket: text.slice(dot + 1) };
}

/** Returns the ticket in a link's fragment. */
export const getTicket = (link: string): string => parseLink(link).ticket;

/** Creates a link as an operator does. */
export async function makeLink(service: Service, label = 'A viewer'): Promise<Link> {
  const { id, link } = await operate<{ id: string; link: string }>(service, 'POST', '', { label });
  const read = parseLink(link);
  assert.equal(read.id, id);
  return read;
}

export const revokeLink = (service: Service, id: string): Promise<unknown> => operate(service, 'DELETE', `/${id}`);

/** Returns a link as operators see it. */
export async function findInvitation(service: Service, id: string): Promise<Invitation> {
  const { invitations } = await operate<{ invitations: Invitation[] }>(service, 'GET', '');
  return invitations.find((invitation) => invitation.id === id)!;
}
