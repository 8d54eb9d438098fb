import { type FormEvent, useState } from 'react';
import { fieldText } from '../../web/lib/field-text.ts';
import { Button } from '../../web/ui/button.tsx';
import { FormErrors, type FormProblem, problemOf } from '../../web/ui/form-errors.tsx';
import { ShownOnce } from '../../web/ui/shown-once.tsx';
import { TextField } from '../../web/ui/text-field.tsx';
import type { TokenScope } from '../mcp/contract.ts';
import { useCreateToken } from './token-requests.ts';

const uses: readonly { value: string; label: string; scopes: TokenScope[] }[] = [
  { value: 'both', label: 'Reports and queries', scopes: ['reports', 'sql'] },
  { value: 'reports', label: 'Ready-made reports alone', scopes: ['reports'] },
  { value: 'sql', label: 'Read-only queries alone', scopes: ['sql'] },
];
const terms = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'A year' },
] as const;

/** Makes a token; it stands below until it is put away. `onFresh` hears of it, and of its end. */
export function CreateToken({ onFresh }: { onFresh: (token: string | undefined) => void }) {
  const create = useCreateToken();
  const [missing, setMissing] = useState<readonly FormProblem[]>([]);
  const problems: readonly FormProblem[] = create.isError ? [{ field: null, message: create.error.message }] : missing;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (create.isPending) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const name = fieldText(fields, 'token-name').trim();
    create.reset();
    onFresh(undefined);
    setMissing(
      name === '' ? [{ field: 'token-name', message: 'Give the token a name that tells where it is used.' }] : [],
    );
    if (name === '') return;
    const { scopes } = uses.find(({ value }) => value === fieldText(fields, 'token-use')) ?? uses[0]!;
    const choices = { name, scopes, expires_in_days: Number(fieldText(fields, 'token-days')) };
    create.mutate(choices, {
      onSuccess: ({ token }) => {
        form.reset();
        onFresh(token);
      },
    });
  }

  function putAway(): void {
    create.reset();
    onFresh(undefined);
    document.getElementById('token-name')?.focus();
  }

  return (
    <div className="grid gap-4">
      <form noValidate onSubmit={submit} className="grid gap-4">
        <FormErrors problems={problems} title="The token was not made" />
        <div className="flex flex-wrap items-end gap-3">
          <div className="flex-1 basis-60">
            <TextField
              name="token-name"
              label="Name"
              maxLength={120}
              autoComplete="off"
              placeholder="Laptop"
              error={problemOf(problems, 'token-name')}
            />
          </div>
          <Choice name="token-use" label="May read" options={uses} initial="both" />
          <Choice
            name="token-days"
            label="Ends after"
            options={terms.map(({ days, label }) => ({ value: String(days), label }))}
            initial="90"
          />
          <Button type="submit" look="primary" pending={create.isPending} className="min-h-10">
            Make token
          </Button>
        </div>
      </form>
      {create.data && (
        <ShownOnce
          key={create.data.assistant_token.id}
          what="token"
          name={create.data.assistant_token.name}
          secret={create.data.token}
          onDone={putAway}
        />
      )}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  initial: string;
}

function Choice({ name, label, options, initial }: ChoiceProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="text-small font-medium">
        {label}
      </label>
      <select id={name} name={name} defaultValue={initial} className="field">
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
