import { getFieldText } from '../../../ui/kit/field-text.ts';
import { NewSecret } from '../../../ui/kit/new-secret.tsx';
import { SelectField } from '../../../ui/kit/select-field.tsx';
import type { TokenScope } from '../mcp/contract.ts';
import { useCreateToken } from './token-requests.ts';

const scopeOptions: readonly { value: string; label: string; scopes: TokenScope[] }[] = [
  { value: 'both', label: 'Reports and queries', scopes: ['reports', 'sql'] },
  { value: 'reports', label: 'Reports only', scopes: ['reports'] },
  { value: 'sql', label: 'Queries only (read-only SQL)', scopes: ['sql'] },
];
const expiryOptions = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];

/** Form that creates a token. `onSecret` receives the token, and `undefined` when it is dismissed. */
export function CreateToken({ onSecret }: { onSecret: (token: string | undefined) => void }) {
  const create = useCreateToken();
  return (
    <NewSecret
      secretNoun="token"
      submitLabel="Create token"
      failureTitle="Could not create the token"
      placeholder="Laptop"
      create={create}
      toRequest={(name, fields) => {
        const { scopes } =
          scopeOptions.find(({ value }) => value === getFieldText(fields, 'token-use')) ?? scopeOptions[0]!;
        return { name, scopes, expires_in_days: Number(getFieldText(fields, 'token-days')) };
      }}
      onSecret={onSecret}
    >
      <SelectField name="token-use" label="Access" defaultValue="both">
        {scopeOptions.map(renderOption)}
      </SelectField>
      <SelectField name="token-days" label="Expires after" defaultValue="90">
        {expiryOptions.map(renderOption)}
      </SelectField>
    </NewSecret>
  );
}

const renderOption = ({ value, label }: { value: string; label: string }) => (
  <option key={value} value={value}>
    {label}
  </option>
);
