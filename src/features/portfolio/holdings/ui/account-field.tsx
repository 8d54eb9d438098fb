import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
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
  return (
    <>
      {accounts.length > 0 && (
        <SelectField
          name="account"
          label="Account"
          value={chosen}
          error={getFieldProblem(problems, 'account')}
          onChange={(event) => onChoose(event.target.value)}
        >
          {accounts.map(({ id, name, currency }) => (
            <option key={id} value={id}>
              {`${name} (${currency})`}
            </option>
          ))}
          <option value={NEW_ACCOUNT}>New account…</option>
        </SelectField>
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
export const CurrencyField = ({ problems }: { problems: readonly FormProblem[] }) => (
  <SelectField
    name="account_currency"
    label="Currency"
    defaultValue="USD"
    error={getFieldProblem(problems, 'account_currency')}
    className="content-start"
  >
    {listCurrencies().map((code) => (
      <option key={code}>{code}</option>
    ))}
  </SelectField>
);
