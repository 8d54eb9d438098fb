import { type ReactNode, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { getFieldText } from '../../kit/field-text.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { Form } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import type { SecondFactorCode, WaitingSignIn } from '../session/identity-client.ts';
import { session } from '../session/session.ts';
import { toSignInProblems } from './sign-in-problems.ts';

interface SecondFactorFormProps {
  waiting: WaitingSignIn;
  /** Returns to the form of email and password, which shows the reasons. */
  onStartOver: (reasons: readonly FormProblem[]) => void;
  /** Renders the buttons that submit the form and leave it. */
  renderActions: (pending: boolean) => ReactNode;
}

/** Form for the code of the authenticator app, or a recovery code, after the password. */
export function SecondFactorForm({ waiting, onStartOver, renderActions }: SecondFactorFormProps) {
  const [strategy, setStrategy] = useState<SecondFactorCode['strategy']>('totp');
  const isApp = strategy === 'totp';

  async function send(data: FormData): Promise<readonly FormProblem[]> {
    const code = getFieldText(data, strategy).trim();
    if (code === '') return [{ field: strategy, message: isApp ? 'Enter the code.' : 'Enter a recovery code.' }];
    const result = await session.enterSecondFactor(waiting.id, { strategy, code });
    if (result.ok) return [];
    const [problem] = result.problems;
    switch (problem?.code) {
      case 'resource_not_found':
        onStartOver([{ field: null, message: 'This sign-in has expired. Enter your password again.' }]);
        return [];
      case 'verification_failed':
        onStartOver([{ field: null, message: problem.message }]);
        return [];
      case 'form_code_incorrect':
        return [{ field: strategy, message: isApp ? 'This code is incorrect.' : 'This recovery code is incorrect.' }];
      default:
        return toSignInProblems(result.problems);
    }
  }

  return (
    <>
      <p role="status" className="mt-1 mb-6 text-ink-soft">
        {isApp ? 'Enter the code of your authenticator app.' : 'Enter one of your recovery codes.'}
      </p>
      <Form errorTitle="Sign-in failed" send={send} key={strategy}>
        {({ pending, getProblem }) => (
          <>
            {isApp ? (
              <TextField
                name="totp"
                label="Code"
                hint="Six digits"
                inputMode="numeric"
                autoComplete="one-time-code"
                autoFocus
                error={getProblem('totp')}
              />
            ) : (
              <TextField
                name="backup_code"
                label="Recovery code"
                hint="Each code works once."
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
                error={getProblem('backup_code')}
              />
            )}
            {renderActions(pending)}
            {waiting.hasRecoveryCodes && (
              <Button variant="quiet" onClick={() => setStrategy(isApp ? 'backup_code' : 'totp')}>
                {isApp ? 'Use a recovery code' : 'Use the authenticator app'}
              </Button>
            )}
          </>
        )}
      </Form>
    </>
  );
}
