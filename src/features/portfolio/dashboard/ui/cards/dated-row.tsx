import type { ReactNode } from 'react';
import { Badge } from '../../../../../ui/kit/badge.tsx';
import { formatCalendarDay } from '../../../../../ui/kit/new-york-time.ts';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import { splitDate } from './card-formats.ts';

interface DatedRowProps {
  /** ISO day. */
  date: string;
  security: { symbol: string; name: string | null; held: boolean; watching: boolean };
  /** What happens on the day. On a phone the text wraps instead of covering the symbol. */
  children: ReactNode;
}

/** Row of a card with a day, the security and what happens to it, as a link over the whole row. */
export function DatedRow({ date, security: { symbol, name, held, watching }, children }: DatedRowProps) {
  const { month, day } = splitDate(date);
  return (
    <li
      className={
        'relative flex min-h-13 items-center gap-3 border-t border-line px-4 py-0.5 ' +
        'first:border-transparent hover:bg-sunken sm:px-5'
      }
    >
      <time dateTime={date} className="grid w-8 shrink-0 justify-items-center leading-none">
        <span className="sr-only">{formatCalendarDay(date)}</span>
        <span aria-hidden="true" className="text-micro text-ink-faint">
          {month}
        </span>
        <span aria-hidden="true" className="text-lead font-semibold">
          {day}
        </span>
      </time>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          <SecurityLink symbol={symbol} className="after:absolute after:inset-0 after:content-['']">
            {symbol}
          </SecurityLink>
        </p>
        <p className="flex items-center gap-2">
          {watching && !held && <Badge tone="accent">Watching</Badge>}
          <span className="min-w-0 truncate text-small text-ink-soft">{name}</span>
        </p>
      </div>
      <div className="max-w-1/2 text-end text-small">{children}</div>
    </li>
  );
}
