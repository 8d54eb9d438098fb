import type { ReactNode, Ref } from 'react';
import { Button } from '../../kit/button.tsx';
import { FormErrors, getFieldProblem } from '../../kit/form-errors.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { NarrowPage } from './narrow-page.tsx';
import type { CredentialsForm } from './use-credentials-form.ts';

interface AccountCardProps {
  title: string;
  introduction: ReactNode;
  form: CredentialsForm;
  /** Heading of the error summary. */
  errorTitle: string;
  submitLabel: string;
  /** Such as `guardInput`, which asks before typed text is lost. */
  formRef?: Ref<HTMLFormElement>;
  password: { autoComplete: 'current-password' | 'new-password'; hint?: string };
  /** Line below the form. */
  help?: ReactNode;
  /** Link to the other page. */
  footer: ReactNode;
}

/** Card of the sign-up and sign-in pages: a narrow column with the form of email and password. */
export function AccountCard({
  title,
  introduction,
  form,
  errorTitle,
  submitLabel,
  formRef,
  password,
  help,
  footer,
}: AccountCardProps) {
  const { problems, pending, email, onSubmit } = form;
  return (
    <NarrowPage title={title} introduction={introduction}>
      <form ref={formRef} noValidate onSubmit={onSubmit} className="grid gap-5">
        <FormErrors problems={problems} title={errorTitle} />
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={email}
          error={getFieldProblem(problems, 'email')}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          {...password}
          error={getFieldProblem(problems, 'password')}
        />
        <Button type="submit" variant="primary" pending={pending}>
          {submitLabel}
        </Button>
      </form>
      {help}
      <p className="mt-6 border-t border-line pt-5 text-ink-soft">{footer}</p>
    </NarrowPage>
  );
}
