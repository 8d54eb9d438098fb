import { formatMoney } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { Explained } from '../../explain/ui/explained.tsx';
import { AmountChange } from '../../../../ui/kit/amount-change.tsx';
import { formatSignedAmount } from '../../../../ui/kit/price-formats.ts';
import { roundChange } from '../../../../ui/kit/round-change.ts';
import type { BaseNetWorth } from '../contract.ts';
import { getPeriodLabel, type PeriodDays } from './net-worth-history.ts';

type NetWorthChange = BaseNetWorth['changes'][number];

interface ChangeProps {
  /** Says what the change contains that the day change of holdings has not. */
  scope?: string | undefined;
  change: NetWorthChange;
  currency: string;
  days: PeriodDays;
  privacy: boolean;
}

/** Shows the gain of a period, which does not count flows, with the time-weighted percentage. */
export function NetWorthGain({ change, currency, days, privacy, scope }: ChangeProps) {
  const label = getPeriodLabel(change, days);
  return (
    <Explained figure={{ of: 'net-worth-change', part: 'gain', period: change.period, name: label }}>
      <AmountChange
        amount={change.gain}
        percent={change.percent}
        currency={currency}
        label={scope === undefined ? label : `${label} · ${scope}`}
        reason="No earlier day"
        privacy={privacy}
      />
    </Explained>
  );
}

/** Shows the parts of a change: market, flows and, with other currencies, exchange rates. */
export function ChangeParts({ change, currency, days, privacy }: ChangeProps) {
  const [market, exchangeRates] = roundChange(change, currency);
  const amounts = { market, exchange_rates: exchangeRates, flows: change.flows };
  const flows = formatFlows(change.flows, currency) ?? 'nothing added';
  const parts: { part: keyof typeof amounts; text: string }[] = [
    { part: 'market', text: `Market ${formatSignedAmount(market, currency)}` },
    { part: 'exchange_rates', text: `Currency ${formatSignedAmount(exchangeRates, currency)}` },
    { part: 'flows', text: flows.replace(/^./, (first) => first.toUpperCase()) },
  ];
  const name = getPeriodLabel(change, days);
  return (
    <ul aria-label="Parts of the change" className="flex flex-wrap gap-x-3 text-micro leading-6 text-ink-soft">
      {parts
        .filter(({ part }) => part !== 'exchange_rates' || exchangeRates !== 0)
        .map(({ part, text }) => (
          <li key={part} className="whitespace-nowrap">
            <Explained
              figure={
                change[part] === 0
                  ? undefined
                  : { of: 'net-worth-change', part, period: change.period, name, shown: amounts[part] }
              }
            >
              <MaskedAmount hidden={privacy} mask="Market $8,888.88">
                {text}
              </MaskedAmount>
            </Explained>
          </li>
        ))}
    </ul>
  );
}

/** Formats flows: `added $900.00`, `withdrawn $50.00`. Undefined without any. */
export function formatFlows(flows: number, currency: string, format = formatMoney): string | undefined {
  if (flows === 0) return undefined;
  return `${flows > 0 ? 'added' : 'withdrawn'} ${format(Math.abs(flows), currency)}`;
}
