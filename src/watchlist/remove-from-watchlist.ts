import type { RequestContext } from './context.ts';
import { deleteItem } from './queries.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Removes one of the caller's rows under the caller's own rights and says which symbol it was; `undefined` where it is not there or another member's. */
export async function removeFromWatchlist({ sql }: RequestContext, id: string): Promise<string | undefined> {
  return UUID.test(id) ? deleteItem(sql, id) : undefined;
}
