import { formatInteger, formatMonth } from '../../../ui/kit/formats.ts';
import type { ReferralMonth } from '../contract.ts';

/** Shows the months since the first sign-up, newest first, with figures after a bar of proportional length. */
export function MonthTable({ months }: { months: readonly ReferralMonth[] }) {
  const first = months.findIndex(({ signups, completions }) => signups + completions > 0);
  const shownMonths = months.slice(first === -1 ? -1 : first).toReversed();
  const maxCount = Math.max(1, ...shownMonths.flatMap(({ signups, completions }) => [signups, completions]));
  return (
    <table className="w-full border-collapse text-small">
      <caption className="pb-2 text-start text-ink-faint">Last 12 months</caption>
      <thead>
        <tr className="border-b border-line text-ink-faint">
          <th scope="col" className="py-1.5 text-start font-medium">
            Month
          </th>
          {['Signed up', 'Completed'].map((name) => (
            <th key={name} scope="col" className="py-1.5 text-end font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shownMonths.map(({ month, signups, completions }) => (
          <tr key={month} className="border-b border-line">
            <th scope="row" className="py-1.5 text-start font-normal whitespace-nowrap">
              {formatMonth(month)}
            </th>
            <Count value={signups} maxCount={maxCount} />
            <Count value={completions} maxCount={maxCount} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({ value, maxCount }: { value: number; maxCount: number }) {
  return (
    <td className="py-1.5 ps-4 text-end font-medium">
      <span aria-hidden="true" className="me-2 inline-flex h-2 w-16 justify-end sm:w-32">
        <span className="rounded-full bg-ink-faint" style={{ width: `${(value / maxCount) * 100}%` }} />
      </span>
      {formatInteger(value)}
    </td>
  );
}
