import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { useAccounts } from '../../holdings/ui/accounts-query.ts';

export interface ImportOptions {
  /** Manual account that receives all rows. Null: the accounts of the file. */
  accountId: string | null;
  existing: 'replace' | 'keep';
}

const FILE_ACCOUNTS = 'file';

/** Selects the account of the rows, and what becomes of holdings that are there already. */
export function ImportOptionFields({
  options,
  onChange,
}: {
  options: ImportOptions;
  onChange: (options: ImportOptions) => void;
}) {
  const manual = useAccounts().data?.accounts.filter(({ kind }) => kind === 'manual') ?? [];
  if (manual.length === 0) return null;
  const { accountId, existing } = options;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        id="import-account"
        label="Account"
        value={accountId ?? FILE_ACCOUNTS}
        onChange={({ target: { value } }) => onChange({ existing, accountId: value === FILE_ACCOUNTS ? null : value })}
      >
        <option value={FILE_ACCOUNTS}>As in the file</option>
        {manual.map(({ id, name, currency }) => (
          <option key={id} value={id}>
            {`${name} (${currency})`}
          </option>
        ))}
      </SelectField>
      <SelectField
        id="import-existing"
        label="If it is there already"
        value={existing}
        onChange={({ target: { value } }) => onChange({ accountId, existing: value === 'keep' ? 'keep' : 'replace' })}
      >
        <option value="replace">Replace it</option>
        <option value="keep">Keep it</option>
      </SelectField>
    </div>
  );
}
