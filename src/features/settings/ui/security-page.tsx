import { Queries } from '../../../ui/shell/api/queries.tsx';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { useIsSampleUser } from '../../../ui/shell/session/sample-user.ts';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingsLayout } from './settings-layout.tsx';
import { TwoStepSection } from './two-step-section.tsx';

/** Renders `/settings/security`: how members sign in, and where. Accounts that visitors share have neither. */
export default function SecurityPage() {
  const isDemo = useDemoAccount() !== null;
  const isSample = useIsSampleUser();
  if (isDemo || isSample)
    return (
      <SettingsLayout title="Security">
        <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
          {isDemo ? 'The shared demo account' : 'The sample portfolio'} has no password. Sign up for your own account to
          choose how you sign in.
        </p>
      </SettingsLayout>
    );
  return (
    <SettingsLayout title="Security">
      <Queries>
        <PasswordSection />
        <TwoStepSection />
        <PasskeysSection />
        <SessionsSection />
      </Queries>
    </SettingsLayout>
  );
}
