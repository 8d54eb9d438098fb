import { readFileSync } from 'node:fs';

/** A request and its response. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  response?: unknown;
}

/** Examples by operation id. `npm run record-examples` adds what tests send and receive. */
export const examples = JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Example>
>;
