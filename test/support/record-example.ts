import { appendFileSync } from 'node:fs';
import { apiRoutes } from './documented-routes.ts';

/** Appends a request and its successful response to the file RECORD_EXAMPLES, one a line, for `npm run record-examples`. */
export function recordExample({ pathname, searchParams }: URL, method: string, body: unknown, response: unknown): void {
  for (const { pattern, operations } of apiRoutes) {
    const id = operations[method.toLowerCase()]?.operationId;
    const match = id === undefined ? null : pattern.exec(pathname);
    if (!match) continue;
    const example = {
      ...(match.groups && { params: match.groups }),
      ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
      ...(body !== undefined && { body }),
      ...(response !== '' && { response }),
    };
    appendFileSync(process.env['RECORD_EXAMPLES']!, `${JSON.stringify({ id, example })}\n`);
    return;
  }
}
