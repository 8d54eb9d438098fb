import { FieldError, TextField } from '../../../../ui/kit/text-field.tsx';
import { type FormProblem, getFieldProblem } from '../../../../ui/kit/form-errors.tsx';
import { baseCurrencies } from '../../net-worth/ui/base-currency.ts';
import type { Accounts } from './accounts-query.ts';

/** Option that creates an account. */
export const NEW_ACCOUNT = 'new';

interface AccountFieldProps {
  accounts: Accounts['accounts'];
  chosen: string;
  problems: readonly FormProblem[];
  onChoose: (id: string) => void;
}

/** Selects the account of a holding, or the name and currency of a new one. */
export function AccountField({ accounts, chosen, problems, onChoose }: AccountFieldProps) {
  const problem = getFieldProblem(problems, 'account');
  return (
    <>
      {accounts.length > 0 && (
        <div className="grid gap-1.5">
          <label htmlFor="account" className="text-small font-medium">
            Account
          </label>
          <select
            id="account"
            name="account"
            value={chosen}
            className="field"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'account-problem' : undefined}
            onChange={(event) => onChoose(event.target.value)}
          >
            {accounts.map(({ id, name, currency }) => (
              <option key={id} value={id}>
                {`${name} (${currency})`}
              </option>
            ))}
            <option value={NEW_ACCOUNT}>New account…</option>
          </select>
          {problem && (
            <p id="account-problem" className="text-small text-loss">
              {problem}
            </p>
          )}
        </div>
      )}
      {chosen === NEW_ACCOUNT && (
        <div className="grid grid-cols-[1fr_7rem] gap-3">
          <TextField
            name="account_name"
            label="Name of the account"
            defaultValue={accounts.length === 0 ? 'Brokerage' : ''}
            maxLength={120}
            autoComplete="off"
            error={getFieldProblem(problems, 'account_name')}
          />
          <CurrencyField problems={problems} />
        </div>
      )}
    </>
  );
}

/** Currencies with an exchange rate, and then all others. */
const listCurrencies = (): string[] => [...new Set([...baseCurrencies, ...Intl.supportedValuesOf('currency')])];

/** Selects the currency of a new account. */
export function CurrencyField({ problems }: { problems: readonly FormProblem[] }) {
  const problem = getFieldProblem(problems, 'account_currency');
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor="account_currency" className="text-small font-medium">
        Currency
      </label>
      <select
        id="account_currency"
        name="account_currency"
        defaultValue="USD"
        className="field"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'account_currency-problem' : undefined}
      >
        {listCurrencies().map((code) => (
          <option key={code}>{code}</option>
        ))}
      </select>
      {problem && <FieldError id="account_currency-problem" text={problem} />}
    </div>
  );
}
