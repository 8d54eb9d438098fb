import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { getFieldText } from './field-text.ts';
import { Button } from './button.tsx';
import { guardInput } from './guard-input.ts';
import { FormErrors, type FormProblem, getFieldProblem } from './form-errors.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';
import { TextField } from './text-field.tsx';

interface NewSecretProps<Choices> {
  /** Noun of the secret, such as "key". */
  secretNoun: string;
  submitLabel: string;
  /** Title above the error. */
  failureTitle: string;
  placeholder: string;
  create: UseMutationResult<{ id: string; name: string; secret: string }, Error, Choices>;
  /** Builds the request from the name and the further fields. */
  toRequest: (name: string, fields: FormData) => Choices;
  /** Further fields. */
  children?: ReactNode;
  /** Called with a new secret, and with undefined when the secret is hidden. */
  onSecret?: (secret: string | undefined) => void;
}

/** Creates a secret with a name. The new secret is shown below until the member hides it or leaves the page. */
export function NewSecret<Choices>(props: NewSecretProps<Choices>) {
  const { secretNoun, submitLabel, failureTitle, placeholder, create, toRequest, children, onSecret } = props;
  const nameField = `${secretNoun}-name`;
  const [nameProblems, setNameProblems] = useState<readonly FormProblem[]>([]);
  const problems: readonly FormProblem[] = create.isError
    ? [{ field: null, message: create.error.message }]
    : nameProblems;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (create.isPending) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const name = getFieldText(fields, nameField).trim();
    create.reset();
    onSecret?.(undefined);
    const message = `Give the ${secretNoun} a name so you can recognize it later.`;
    setNameProblems(name === '' ? [{ field: nameField, message }] : []);
    if (name === '') return;
    create.mutate(toRequest(name, fields), {
      onSuccess: ({ secret }) => {
        form.reset();
        onSecret?.(secret);
      },
    });
  }

  function dismissSecret(): void {
    create.reset();
    onSecret?.(undefined);
    document.getElementById(nameField)?.focus();
  }

  return (
    <div className="grid gap-4">
      <form ref={guardInput} noValidate onSubmit={submit} className="grid gap-4">
        <FormErrors problems={problems} title={failureTitle} />
        <div className="flex flex-wrap items-end gap-3">
          <div className="flex-1 basis-60">
            <TextField
              name={nameField}
              label="Name"
              maxLength={120}
              autoComplete="off"
              placeholder={placeholder}
              error={getFieldProblem(problems, nameField)}
            />
          </div>
          {children}
          <Button type="submit" variant="primary" pending={create.isPending} className="min-h-10">
            {submitLabel}
          </Button>
        </div>
      </form>
      {create.data && (
        <OneTimeSecret
          key={create.data.id}
          secretNoun={secretNoun}
          name={create.data.name}
          secret={create.data.secret}
          onDone={dismissSecret}
        />
      )}
    </div>
  );
}
