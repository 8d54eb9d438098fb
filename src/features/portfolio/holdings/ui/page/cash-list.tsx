import { formatMoney } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { roundParts } from '../../../../../ui/kit/round-parts.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import type { AccountCash, PortfolioHoldings } from '../../contract.ts';
import { roundNetWorth } from '../../../net-worth/ui/round-net-worth.ts';

interface CashListProps {
  portfolio: Pick<PortfolioHoldings, 'cash' | 'base' | 'currency'>;
  privacy: boolean;
}

/** Lists the cash and the debt of each account, with their totals in the base currency. */
export function CashList({ portfolio: { cash, base, currency }, privacy }: CashListProps) {
  if (cash.length === 0) return null;
  const rounded = roundNetWorth(base, currency);
  const isDebt = ({ balance }: AccountCash): boolean => balance < 0;
  const groups = [
    { label: 'Cash', part: 'cash' as const, accounts: cash.filter((account) => !isDebt(account)) },
    { label: 'Liabilities', part: 'liabilities' as const, accounts: cash.filter(isDebt) },
  ];
  return groups
    .filter(({ accounts }) => accounts.length > 0)
    .map(({ label, part, accounts }) => {
      const amounts = roundParts(
        accounts.map((account) => account.base),
        rounded[part],
        currency,
      );
      return (
        <section key={part} aria-label={label} className="card overflow-hidden">
          <div className="flex items-baseline justify-between gap-3 bg-sunken px-4 py-2 sm:px-5">
            <h2 className="font-semibold">{label}</h2>
            <p className="font-semibold">
              <Explained figure={{ of: 'net-worth', part, shown: rounded[part] }}>
                <MaskedAmount hidden={privacy}>{formatMoney(rounded[part], currency)}</MaskedAmount>
              </Explained>
            </p>
          </div>
          <ul aria-label={`${label} by account`}>
            {accounts.map((account, index) => (
              <CashRow
                key={account.account_id}
                account={account}
                amount={amounts[index]!}
                baseCurrency={currency}
                privacy={privacy}
              />
            ))}
          </ul>
        </section>
      );
    });
}

interface CashRowProps {
  account: AccountCash;
  /** Amount in the base currency as it is shown. Null without a rate. */
  amount: number | null;
  baseCurrency: string;
  privacy: boolean;
}

/** Shows the cash of an account in its currency, and below it in the base currency if that is another one. */
const CashRow = ({ account, amount, baseCurrency, privacy }: CashRowProps) => {
  const { account_id: id, account_name: name, balance, currency } = account;
  const isConverted = currency !== baseCurrency;
  return (
    <li className="flex min-h-13 items-center justify-between gap-3 border-t border-line px-4 py-1 sm:px-5">
      <span className="min-w-0 truncate">{name}</span>
      <span className="shrink-0 text-end">
        <span className="block font-medium">
          <Explained figure={{ of: 'cash', id, name }}>
            <MaskedAmount hidden={privacy}>
              {/* In the base currency the rounded amount is shown, which adds up with the others. */}
              {formatMoney(isConverted ? balance : (amount ?? balance), currency)}
            </MaskedAmount>
          </Explained>
        </span>
        {isConverted && (
          <span className="block text-micro text-ink-faint">
            {amount === null ? (
              'no rate'
            ) : (
              <MaskedAmount hidden={privacy}>{formatMoney(amount, baseCurrency)}</MaskedAmount>
            )}
          </span>
        )}
      </span>
    </li>
  );
};
