import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { FormErrors, type FormProblem } from '../../kit/form-errors.tsx';
import { usePasskeySupport } from '../session/passkey-support.ts';
import { withPasskeys } from './load-passkeys.ts';

/** Button that signs in with a passkey, invisible until it is known whether the browser and the site offer passkeys. */
export function PasskeyButton() {
  const support = usePasskeySupport();
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  if (support === 'no') return null;

  async function signIn(): Promise<void> {
    setPending(true);
    setProblems([]);
    setProblems(await withPasskeys(({ signInWithPasskey }) => signInWithPasskey()));
    setPending(false);
  }

  return (
    <div className={`mt-4 grid gap-4 ${support === 'unknown' ? 'invisible' : ''}`}>
      <FormErrors problems={problems} title="Sign-in failed" />
      <Button
        pending={pending}
        onClick={() => {
          void signIn();
        }}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}
