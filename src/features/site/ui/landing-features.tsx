import type { ReactNode } from 'react';
import { formatMoney } from '../../../ui/kit/formats.ts';
import { accounts, changes, tickers } from './sample-figures.ts';
import { SampleSecurities } from './sample-securities.tsx';

/** Shows four things that the product does, each with a picture from the sample portfolio. */
export const LandingFeatures = () => (
  <div className="grid gap-12">
    <Feature
      title="Net worth that explains itself"
      text="Every figure says what it is made of: the accounts behind a total, and how much of a change you added yourself."
    >
      <dl className="grid gap-2 p-4 sm:p-5">
        <Rows rows={accounts} />
        <Total name="Net worth" value={sum(accounts)} />
        <Rows rows={changes} />
        <Total name="Change in a year" value={sum(changes)} />
      </dl>
    </Feature>
    <Feature
      title="A watchlist in your order"
      text="Follow stocks, ETFs, funds and bonds that you do not own, with the day’s change, a month of prices, earnings and news. Put them in your order, and it stays."
    >
      <div className="-mt-px">
        <SampleSecurities label="Sample watchlist" securities={tickers} />
      </div>
    </Feature>
    <Feature
      title="Import or connect"
      text="Connect a bank or a brokerage, import the CSV or Excel file of your broker, or type your holdings in."
    >
      <table className="w-full text-start text-small">
        <caption className="px-4 py-3 text-start text-ink-faint sm:px-5">
          holdings.csv: every row is shown before it is saved
        </caption>
        <thead>
          <tr className="border-t border-line text-ink-faint">
            {['Symbol', 'Quantity', 'Cost'].map((name) => (
              <th key={name} scope="col" className="px-4 py-2 text-start font-medium sm:px-5">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {IMPORTED_ROWS.map(([symbol, quantity, cost]) => (
            <tr key={symbol} className="border-t border-line">
              <td className="px-4 py-2 font-medium sm:px-5">{symbol}</td>
              <td className="px-4 py-2 sm:px-5">{quantity}</td>
              <td className="px-4 py-2 sm:px-5">{formatMoney(cost, 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Feature>
    <Feature
      title="Ask about your own data"
      text="The assistant reads your holdings and your watchlist and changes nothing. Your own assistant can read them too, over MCP."
    >
      <div className="grid gap-3 p-4 sm:p-5">
        <p className="justify-self-end rounded-card bg-accent-soft px-4 py-2">
          Which of my holdings gained most, and by how much?
        </p>
        <p className="text-small text-ink-faint">Read: holdings, prices</p>
        <p>VTI, with {formatMoney(13_608, 'USD', 0)} over its cost. It is 45% of your brokerage account.</p>
      </div>
    </Feature>
  </div>
);

const IMPORTED_ROWS = [
  ['VTI', '180', 41_220],
  ['MSFT', '58', 21_890],
  ['KO', '140', 8_274],
] as const;

/** Shows a title and a text beside a picture, which is on the other side in every second part. */
const Feature = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <section className="group grid items-center gap-5 lg:grid-cols-2 lg:gap-12">
    <div className="lg:group-even:order-last">
      <h2 className="text-title font-semibold tracking-tight">{title}</h2>
      <p className="mt-2 max-w-prose text-lead text-ink-soft">{text}</p>
    </div>
    <div className="card overflow-hidden">{children}</div>
  </section>
);

type Row = Readonly<{ name: string; value: number }>;

const sum = (rows: readonly Row[]): number => rows.reduce((total, { value }) => total + value, 0);

const Rows = ({ rows }: { rows: readonly Row[] }) =>
  rows.map(({ name, value }) => (
    <div key={name} className="flex justify-between gap-4 text-ink-soft">
      <dt>{name}</dt>
      <dd>{formatMoney(value, 'USD', 0)}</dd>
    </div>
  ));

const Total = ({ name, value }: Row) => (
  <div className="flex justify-between gap-4 border-t border-line pt-2 font-semibold not-last:mb-3">
    <dt>{name}</dt>
    <dd>{formatMoney(value, 'USD', 0)}</dd>
  </div>
);
