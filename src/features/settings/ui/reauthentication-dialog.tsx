import type { ReactNode } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Form, type FormState } from '../../../ui/kit/form.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { useSession } from '../../../ui/shell/session/session.ts';
import { reenterPassword } from './reenter-password.ts';

interface ReauthenticationDialogProps {
  title: string;
  introduction: ReactNode;
  errorTitle: string;
  submitLabel: string;
  cancelLabel?: string;
  variant?: 'primary' | 'danger';
  /** Whether the heading takes the focus first, for a text that has to be read. */
  startsAtHeading?: boolean;
  /** Draws fields before the password. */
  renderFields?: (state: FormState) => ReactNode;
  /** Returns the problems of these fields that can be found without a request. */
  validate?: (data: FormData) => FormProblem[];
  /** Makes the change after the password was accepted. Returns the problems, or none after a success. */
  makeChange: (data: FormData) => Promise<readonly FormProblem[]>;
  onClose: () => void;
}

/** Dialog that makes a change of the account after the member has entered the password again. */
export function ReauthenticationDialog({
  title,
  introduction,
  errorTitle,
  submitLabel,
  cancelLabel = 'Cancel',
  variant = 'primary',
  startsAtHeading = false,
  renderFields,
  validate,
  makeChange,
  onClose,
}: ReauthenticationDialogProps) {
  const state = useSession();
  const sessionId = state.status === 'signed-in' ? state.member.sessionId : '';

  async function send(data: FormData): Promise<readonly FormProblem[]> {
    const password = getFieldText(data, PASSWORD);
    const inputProblems = validate?.(data) ?? [];
    if (password === '') inputProblems.push({ field: PASSWORD, message: 'Enter your password.' });
    if (inputProblems.length > 0) return inputProblems;
    const passwordProblems = await reenterPassword(sessionId, password, PASSWORD);
    return passwordProblems.length > 0 ? passwordProblems : makeChange(data);
  }

  return (
    <Dialog title={title} onClose={onClose} startsAtHeading={startsAtHeading}>
      <div className="mt-2 mb-5 grid gap-3 text-ink-soft">{introduction}</div>
      <Form errorTitle={errorTitle} send={send}>
        {(form) => (
          <>
            {renderFields?.(form)}
            <TextField
              name={PASSWORD}
              label="Your password"
              type="password"
              autoComplete="current-password"
              autoFocus={!startsAtHeading && !renderFields}
              error={form.getProblem(PASSWORD)}
            />
            <div className="flex flex-wrap justify-end gap-3">
              <Button variant="quiet" onClick={onClose}>
                {cancelLabel}
              </Button>
              <Button type="submit" variant={variant} pending={form.pending}>
                {submitLabel}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const PASSWORD = 'confirm-password';
