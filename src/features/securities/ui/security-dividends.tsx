import { formatCalendarDay } from '../../../ui/kit/new-york-time.ts';
import { formatPerShare, statusLabels } from './shared/dividend-texts.ts';
import type { ShownSecurity } from '../contract.ts';

/** Shows the last dividends per share, newest first. Without any it shows nothing. */
export function SecurityDividends({ dividends }: Pick<ShownSecurity, 'dividends'>) {
  if (dividends.length === 0) return null;
  return (
    <section aria-label="Dividends">
      <h3 className="mb-1 text-small font-semibold">Dividends per share</h3>
      <ul className="text-small">
        {dividends.map((dividend) => (
          <li
            key={`${dividend.ex_date} ${dividend.per_year}`}
            className="flex justify-between gap-4 border-t border-line py-1.5"
          >
            <span className="text-ink-faint">
              {statusLabels[dividend.status]} {formatCalendarDay(dividend.date)}
              {dividend.payment_date === null && ' (ex-date)'}
            </span>
            <span className="text-end font-medium">{formatPerShare(dividend)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
