import { formatDay } from '../../web/lib/formats.ts';
import { Card } from '../../web/ui/card.tsx';
import type { BillingResponse } from '../contract.ts';
import { minorWords } from './price-words.ts';

const words: Readonly<Record<string, string>> = { paid: 'Paid', open: 'Open', void: 'Void', uncollectible: 'Not paid' };

/** The invoices, the newest first, each with the provider's page of it. */
export function Invoices({ invoices }: Pick<BillingResponse, 'invoices'>) {
  return (
    <Card title="Invoices">
      {invoices.length === 0 ? (
        <p className="text-ink-soft">There are none yet.</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {invoices.map(({ number, status, amount_minor: amount, currency, url, created_at: at }) => (
            <li key={`${number} ${at}`} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
              <span>{formatDay(at)}</span>
              <span className="num">{minorWords(amount, currency)}</span>
              <span className="text-ink-soft">{words[status] ?? status}</span>
              {url && status === 'open' ? (
                <a className="link" href={url}>
                  Pay {number}
                </a>
              ) : (
                <span className="text-small text-ink-faint">{number}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
