import { formatMoney } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import type { Connection } from '../../../connections/contract.ts';
import { Explained } from '../../explain/ui/explained.tsx';
import { roundAccountValues, useAccounts } from '../../holdings/ui/accounts-query.ts';

interface AccountAmountsProps {
  account: Connection['accounts'][number];
  privacy: boolean;
}

/** Shows the value of a connected account in the base currency, as Home does, and how much of it is cash or debt. */
export function AccountAmounts({ account: { id, name, balance, currency }, privacy }: AccountAmountsProps) {
  const accounts = useAccounts().data;
  const value = accounts ? (roundAccountValues(accounts).get(id) ?? null) : null;
  const cashLabel = balance < 0 ? 'owed' : 'in cash';
  return (
    <div className="text-end">
      {accounts && value !== null && (
        <p className="font-medium">
          <Explained figure={{ of: 'account-value', id, name, shown: value }}>
            <MaskedAmount hidden={privacy}>{formatMoney(value, accounts.currency)}</MaskedAmount>
          </Explained>
        </p>
      )}
      <p className="text-small text-ink-faint">
        <MaskedAmount hidden={privacy}>{formatMoney(Math.abs(balance), currency)}</MaskedAmount>
        {` ${cashLabel}`}
      </p>
    </div>
  );
}
