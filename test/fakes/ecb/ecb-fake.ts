import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strToU8, zipSync } from 'fflate';

/** Answer of the fake to every request, instead of its rates. */
export interface EcbAnswer {
  status?: number;
  body?: string | Uint8Array;
  /** True if the body never ends. */
  hangs?: boolean;
}

export interface EcbFake {
  url: string;
  /** Published days, oldest first: rates for one euro by currency. */
  days: { date: string; rates: Record<string, string> }[];
  /** Replaces the answer until it is undefined again. */
  answer: EcbAnswer | undefined;
  /** Paths of the requests so far. */
  requests: string[];
  close(): Promise<void>;
}

/**
 * Starts a server with the files of the European Central Bank, in the form in which they are published: the daily file
 * has its last day, the archive all days.
 */
export async function startEcbFake(days: EcbFake['days']): Promise<EcbFake> {
  const server = createServer((request, response) => {
    fake.requests.push(request.url ?? '');
    const { status = 200, body, hangs = false } = fake.answer ?? {};
    response.statusCode = status;
    if (hangs) return response.write('<?xml version="1.0"');
    return response.end(body ?? renderFile(request.url ?? '', fake.days));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const fake: EcbFake = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    days,
    answer: undefined,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return fake;
}

function renderFile(path: string, days: EcbFake['days']): string | Uint8Array {
  if (path.endsWith('eurofxref-daily.xml')) return renderDaily(days.at(-1)!);
  return zipSync({ 'eurofxref-hist.csv': strToU8(renderHistory(days)) });
}

/** Renders the daily file, with the quotes and the indentation of the original. */
export const renderDaily = ({ date, rates }: EcbFake['days'][number]): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='${date}'>
${Object.entries(rates)
  .map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`)
  .join('\n')}
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>`;

/** Renders the history: newest day first, `N/A` without a rate, and a comma at the end of each line. */
function renderHistory(days: EcbFake['days']): string {
  const currencies = [...new Set(days.flatMap(({ rates }) => Object.keys(rates)))];
  const lines = days
    .toReversed()
    .map(({ date, rates }) => `${[date, ...currencies.map((currency) => rates[currency] ?? 'N/A')].join(',')},`);
  return `Date,${currencies.join(',')},\n${lines.join('\n')}\n`;
}
