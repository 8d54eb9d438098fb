import { createApi, createSend } from '../../../ui/shell/api/call-api.ts';
import type { RevenueFile } from '../contract.ts';

/** The service does not take this token. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';
}

/** Days (`YYYY-MM-DD`, UTC) from and to which it is asked for, both included; empty without a bound. */
export interface DateRange {
  from: string;
  to: string;
}

export type RevenueApi = ReturnType<typeof createRevenueApi>;

/** Calls with an operator's token, which stays in the memory of the page. Throws `InvalidTokenError` or `ApiError`. */
export function createRevenueApi(token: string) {
  const throwInvalidToken = (): never => {
    throw new InvalidTokenError('The service does not take this token.');
  };
  const send = createSend({
    // It is asked for another one where the service has refused the first: there is none.
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
