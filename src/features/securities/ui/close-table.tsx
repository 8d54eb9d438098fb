import { formatCalendarDay } from '../../../ui/kit/new-york-time.ts';
import { formatPrice, type PriceUnit } from '../../../ui/kit/price-formats.ts';
import type { Close } from '../contract.ts';

interface CloseTableProps {
  closes: readonly Close[];
  unit: PriceUnit;
  label: string;
}

/** Shows the chart's data as a table, newest day first. */
export function CloseTable({ closes, unit, label }: CloseTableProps) {
  return (
    // The element scrolls, so it must be focusable.
    <div
      tabIndex={0}
      role="region"
      aria-label={`Daily closes of ${label}, as a table`}
      className="max-h-60 overflow-y-auto rounded-control border border-line text-small"
    >
      <table className="w-full">
        <thead className="sticky top-0 bg-sunken text-start">
          <tr>
            <th scope="col" className="px-3 py-1 text-start font-medium">
              Day
            </th>
            <th scope="col" className="px-3 py-1 text-end font-medium">
              Close
            </th>
          </tr>
        </thead>
        <tbody>
          {closes.toReversed().map(([day, close]) => (
            <tr key={day} className="border-t border-line">
              <td className="px-3 py-1">{formatCalendarDay(day)}</td>
              <td className="px-3 py-1 text-end">{formatPrice(close, unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
