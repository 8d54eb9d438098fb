import { createApi, createSend } from '../../../ui/shell/api/call-api.ts';
import type { RevenueFile } from '../contract.ts';

/** Thrown if the service rejects the token. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';
}

/** First and last day (`YYYY-MM-DD`, UTC), both inclusive. An empty string means no bound. */
export interface DateRange {
  from: string;
  to: string;
}

export type RevenueApi = ReturnType<typeof createRevenueApi>;

/**
 * Creates an API client with an operator's token, which is kept only in the page's memory. Its calls throw
 * `InvalidTokenError` or `ApiError`.
 */
export function createRevenueApi(token: string) {
  const throwInvalidToken = (): never => {
    throw new InvalidTokenError('The service rejected the token.');
  };
  const send = createSend({
    // The client requests a fresh token after a 401, but there is no other token.
    token: async ({ forceRefresh } = {}) => (forceRefresh ? throwInvalidToken() : token),
    waitForReauthentication: async () => throwInvalidToken(),
  });
  const call = createApi(send);
  const toQuery = ({ from, to }: DateRange) => ({ ...(from && { from }), ...(to && { to }) });
  return {
    read: (range: DateRange) => call('GET /api/operator/revenue', { query: toQuery(range) }),
    /** Saves one part as a CSV file. */
    async download(file: RevenueFile, range: DateRange): Promise<void> {
      const name = `${file}.csv`;
      const response = await send('GET /api/operator/revenue/{file}', {
        params: { file: name },
        query: toQuery(range),
      });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    },
  };
}
