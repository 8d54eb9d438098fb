import type { ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { FormErrors, problemOf } from '../../kit/form-errors.tsx';
import { TextField } from '../../kit/text-field.tsx';
import type { CredentialsForm } from './use-credentials-form.ts';

interface AccountCardProps {
  title: string;
  lead: ReactNode;
  form: CredentialsForm;
  /** Heads the list of problems. */
  failure: string;
  submit: string;
  password: { autoComplete: 'current-password' | 'new-password'; hint?: string };
  /** The way to the other page. */
  other: ReactNode;
}

/** The sign-up and sign-in pages: a narrow column with the form of address and password. */
export function AccountCard({ title, lead, form, failure, submit, password, other }: AccountCardProps) {
  const { problems, pending, onSubmit } = form;
  return (
    <div className="mx-auto max-w-sm py-6 sm:py-14">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{lead}</p>
      <form noValidate onSubmit={onSubmit} className="grid gap-5">
        <FormErrors problems={problems} title={failure} />
        <TextField
          name="email"
          label="E-mail address"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          error={problemOf(problems, 'email')}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          {...password}
          error={problemOf(problems, 'password')}
        />
        <Button type="submit" look="primary" pending={pending}>
          {submit}
        </Button>
      </form>
      <p className="mt-6 border-t border-line pt-5 text-ink-soft">{other}</p>
    </div>
  );
}
