import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import type { ReferenceCurrency } from '../../../market-data/contract.ts';
import { baseCurrencies, changeBaseCurrency } from './base-currency.ts';

/** Small select of the member's base currency. It shows the choice while it is being saved. */
export function BaseCurrencySelect({ currency }: { currency: ReferenceCurrency }) {
  const queries = useQueryClient();
  const [pending, setPending] = useState<ReferenceCurrency | null>(null);

  async function choose(chosen: ReferenceCurrency): Promise<void> {
    setPending(chosen);
    await changeBaseCurrency(queries, chosen);
    setPending(null);
  }

  return (
    <label className="relative inline-flex items-center rounded-control border border-line text-small hover:bg-sunken">
      <span className="sr-only">Base currency</span>
      <select
        value={pending ?? currency}
        aria-busy={pending !== null}
        onChange={(event) => {
          void choose(event.target.value as ReferenceCurrency);
        }}
        className="min-h-8 cursor-pointer appearance-none rounded-control bg-transparent ps-2.5 pe-7 font-medium"
      >
        {baseCurrencies.map((code) => (
          <option key={code} value={code} className="bg-raised text-ink">
            {code}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 end-2 grid place-items-center">
        <Icon name="chevron" size={12} />
      </span>
    </label>
  );
}
