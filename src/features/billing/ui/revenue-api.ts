import { createApi, createSend } from '../../../ui/shell/api/call-api.ts';
import type { RevenueFile } from '../contract.ts';

/** The service does not take this token. */
export class WrongToken extends Error {
  override readonly name = 'WrongToken';
}

/** Days (`YYYY-MM-DD`, UTC) from and to which it is asked for, both included; empty without a bound. */
export interface Span {
  from: string;
  to: string;
}

export type RevenueApi = ReturnType<typeof createRevenueApi>;

/** Calls with an operator's token, which stays in the memory of the page. Throws `WrongToken` or `ApiError`. */
export function createRevenueApi(token: string) {
  const wrong = (): never => {
    throw new WrongToken('The service does not take this token.');
  };
  const send = createSend({
    // It is asked for another one where the service has refused the first: there is none.
    token: async ({ fresh } = {}) => (fresh ? wrong() : token),
    recover: async () => wrong(),
  });
  const call = createApi(send);
  const queryOf = ({ from, to }: Span) => ({ ...(from && { from }), ...(to && { to }) });
  return {
    read: (span: Span) => call('GET /api/operator/revenue', { query: queryOf(span) }),
    /** Saves one part as a CSV file. */
    async download(file: RevenueFile, span: Span): Promise<void> {
      const name = `${file}.csv`;
      const response = await send('GET /api/operator/revenue/{file}', { params: { file: name }, query: queryOf(span) });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    },
  };
}
