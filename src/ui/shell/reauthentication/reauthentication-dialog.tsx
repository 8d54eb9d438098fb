import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { getFieldText } from '../../kit/field-text.ts';
import { FormActions } from '../../kit/form-actions.tsx';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { Form, type FormState } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useSession } from '../session/session.ts';
import { accountFactorsQuery } from './account-factors.ts';
import { CODE_FIELD, PASSWORD_FIELD, reauthenticate } from './reauthenticate.ts';

interface ReauthenticationFormProps {
  errorTitle: string;
  submitLabel: string;
  cancelLabel?: string;
  variant?: 'primary' | 'danger';
  /** Whether the password takes the focus, unless there are fields before it. */
  takesFocus?: boolean;
  /** Renders fields before the password. */
  renderFields?: (state: FormState) => ReactNode;
  /** Returns the problems of these fields that can be found without a request. */
  validate?: (data: FormData) => readonly FormProblem[];
  /** Makes the change after the credentials were accepted. Returns the problems, or none after a success. */
  makeChange: (data: FormData) => Promise<readonly FormProblem[]>;
  onClose: () => void;
}

interface ReauthenticationDialogProps extends Omit<ReauthenticationFormProps, 'takesFocus'> {
  title: string;
  introduction: ReactNode;
  /** Whether the heading takes the focus first, for a text that has to be read. */
  startsAtHeading?: boolean;
}

/** Dialog that makes a change of the account after the member has entered the credentials again. */
export function ReauthenticationDialog({
  title,
  introduction,
  startsAtHeading = false,
  ...form
}: ReauthenticationDialogProps) {
  return (
    <Dialog title={title} onClose={form.onClose} startsAtHeading={startsAtHeading}>
      <div className="mt-2 mb-5 grid gap-3 text-ink-soft">{introduction}</div>
      <ReauthenticationForm takesFocus={!startsAtHeading} {...form} />
    </Dialog>
  );
}

/** Form of the password, and of a code if the member has an authenticator app, before a change of the account. */
export function ReauthenticationForm({
  errorTitle,
  submitLabel,
  cancelLabel = 'Cancel',
  variant = 'primary',
  takesFocus = false,
  renderFields,
  validate,
  makeChange,
  onClose,
}: ReauthenticationFormProps) {
  const sessionState = useSession();
  const factors = useQuery(accountFactorsQuery);
  const [isCodeRequired, setCodeRequired] = useState(false);
  const sessionId = sessionState.status === 'signed-in' ? sessionState.member.sessionId : '';
  const needsCode = isCodeRequired || (factors.data?.hasApp ?? false);

  async function send(data: FormData): Promise<readonly FormProblem[]> {
    const password = getFieldText(data, PASSWORD_FIELD);
    const code = getFieldText(data, CODE_FIELD).trim();
    const inputProblems = [...(validate?.(data) ?? [])];
    if (password === '') inputProblems.push({ field: PASSWORD_FIELD, message: 'Enter your password.' });
    if (needsCode && code === '')
      inputProblems.push({ field: CODE_FIELD, message: 'Enter the code of your authenticator app.' });
    if (inputProblems.length > 0) return inputProblems;
    const problems = await reauthenticate(sessionId, password, code);
    // The app may have been set up in another browser since the state was read.
    if (problems.some(({ field }) => field === CODE_FIELD)) setCodeRequired(true);
    return problems.length > 0 ? problems : makeChange(data);
  }

  return (
    <Form errorTitle={errorTitle} send={send}>
      {(form) => (
        <>
          {renderFields?.(form)}
          <TextField
            name={PASSWORD_FIELD}
            label="Your password"
            type="password"
            autoComplete="current-password"
            autoFocus={takesFocus && !renderFields}
            error={form.getProblem(PASSWORD_FIELD)}
          />
          {needsCode && (
            <TextField
              name={CODE_FIELD}
              label="Code"
              hint="Six digits of your authenticator app, or a recovery code."
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              error={form.getProblem(CODE_FIELD)}
            />
          )}
          <FormActions
            submitLabel={submitLabel}
            cancelLabel={cancelLabel}
            variant={variant}
            pending={form.pending}
            onCancel={onClose}
          />
        </>
      )}
    </Form>
  );
}
