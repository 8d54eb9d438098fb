import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectMenu } from '../../../../ui/kit/select-menu.tsx';
import type { ReferenceCurrency } from '../../../../market-data/contract.ts';
import { baseCurrencies, changeBaseCurrency } from './base-currency.ts';

const currencyLabels = Object.fromEntries(baseCurrencies.map((code) => [code, code])) as Record<
  ReferenceCurrency,
  string
>;

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
    <SelectMenu
      label="Base currency"
      value={pending ?? currency}
      options={currencyLabels}
      isBusy={pending !== null}
      onChange={(chosen) => {
        void choose(chosen);
      }}
      className="border border-line"
      selectClassName="min-h-8 ps-2"
    />
  );
}
