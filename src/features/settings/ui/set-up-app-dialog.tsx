import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../../ui/kit/copy-button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { FormActions } from '../../../ui/kit/form-actions.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Form } from '../../../ui/kit/form.tsx';
import { QrCode } from '../../../ui/kit/qr-code.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { decode, fields, list, text } from '../../../ui/shell/session/decode.ts';
import { toFormProblems, UNREADABLE_RESPONSE } from '../../../ui/shell/sign-in/problem-text.ts';
import { accountFactorsQuery } from '../../../ui/shell/reauthentication/account-factors.ts';
import { ReauthenticationForm } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';
import { accountSessionsQuery } from './account-sessions.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const decodeSecret = fields({ response: fields({ secret: text, uri: text }) });
const decodeCodes = fields({ response: fields({ backup_codes: list(text) }) });

type AppSecret = ReturnType<typeof decodeSecret>['response'];

/** Dialog that sets up an authenticator app in three steps: the password, a code of the app, the recovery codes. */
export function SetUpAppDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<AppSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function createSecret(): Promise<readonly FormProblem[]> {
    const result = await callFrontendApi('POST', '/v1/me/totp');
    if (!result.ok) return toFormProblems(result.problems);
    const created = decode(decodeSecret, result.body)?.response;
    if (!created) return UNREADABLE_RESPONSE;
    setSecret(created);
    return [];
  }

  // The codes are shown only here, so the dialog closes only by its button.
  if (codes)
    return (
      <Dialog key="codes" title="Two-step verification is on">
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  return (
    <Dialog key="set-up" title="Set up an authenticator app" onClose={onClose}>
      {secret ? (
        <AppForm secret={secret} onTurnedOn={setCodes} onClose={onClose} />
      ) : (
        <>
          <p className="mt-2 mb-5 text-ink-soft">
            You need an authenticator app on your phone, or a password manager that shows codes. This ends your other
            sessions, links for a new password and pending change of email.
          </p>
          <ReauthenticationForm
            errorTitle="Could not start the set-up"
            submitLabel="Continue"
            takesFocus
            makeChange={createSecret}
            onClose={onClose}
          />
        </>
      )}
    </Dialog>
  );
}

interface AppFormProps {
  secret: AppSecret;
  onTurnedOn: (codes: readonly string[]) => void;
  onClose: () => void;
}

/** Shows the secret as a QR code and as text, and asks for a code of the app. */
function AppForm({ secret, onTurnedOn, onClose }: AppFormProps) {
  const queries = useQueryClient();

  async function turnOn(data: FormData): Promise<readonly FormProblem[]> {
    const code = getFieldText(data, 'totp').trim();
    if (code === '') return [{ field: 'totp', message: 'Enter the code that the app shows.' }];
    const result = await callFrontendApi('POST', '/v1/me/totp/attempt_verification', { code });
    if (!result.ok)
      return toFormProblems(result.problems).map((problem, index) =>
        result.problems[index]?.code === 'form_code_incorrect'
          ? { field: 'totp', message: 'This code is incorrect. Enter the one that the app shows now.' }
          : problem,
      );
    await Promise.all([
      queries.invalidateQueries(accountFactorsQuery),
      queries.invalidateQueries(accountSessionsQuery),
    ]);
    const codes = decode(decodeCodes, result.body)?.response.backup_codes;
    if (!codes) return UNREADABLE_RESPONSE;
    onTurnedOn(codes);
    return [];
  }

  return (
    <>
      <p className="mt-2 text-ink-soft">Scan the QR code with the app, then enter the six digits that it shows.</p>
      <div className="my-4 grid justify-items-center gap-3">
        <QrCode text={secret.uri} label="QR code for your authenticator app" />
        <p className="text-small text-ink-soft">
          On this phone?{' '}
          <a className="link" href={secret.uri}>
            Open the app
          </a>
          , or enter this key:
        </p>
        <div className="flex max-w-full items-center gap-1 rounded-control border border-line bg-raised py-1 ps-3 pe-1">
          <code className="w-40 font-mono text-small">{secret.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
          <CopyButton text={secret.secret} label="Copy the key" />
        </div>
      </div>
      <Form errorTitle="Could not turn it on" send={turnOn}>
        {({ pending, getProblem }) => (
          <>
            <TextField
              name="totp"
              label="Code"
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              error={getProblem('totp')}
            />
            <FormActions submitLabel="Turn on" pending={pending} onCancel={onClose} />
          </>
        )}
      </Form>
    </>
  );
}
