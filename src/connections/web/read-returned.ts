import type { ReturnedQuery } from '../contract.ts';

const STATUSES: readonly string[] = ['SUCCESS', 'ERROR', 'ABANDONED'] satisfies ReturnedQuery['status'][];

/** The hint that a brokerage's page sends the browser back with; `undefined` where there is none of its shape. */
export function readReturned(query: URLSearchParams): ReturnedQuery | undefined {
  const status = query.get('status');
  if (status === null || !STATUSES.includes(status)) return undefined;
  const [connection_id, error_code, status_code] = [
    part(query, 'connection_id', /^.{1,100}$/),
    part(query, 'error_code', /^[A-Za-z0-9_]{1,40}$/),
    part(query, 'status_code', /^.{1,10}$/),
  ];
  return {
    status: status as ReturnedQuery['status'],
    ...(connection_id !== undefined && { connection_id }),
    ...(error_code !== undefined && { error_code }),
    ...(status_code !== undefined && { status_code }),
  };
}

function part(query: URLSearchParams, name: string, shape: RegExp): string | undefined {
  const value = query.get(name);
  return value !== null && shape.test(value) ? value : undefined;
}
