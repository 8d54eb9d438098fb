import { PasswordSection } from '../../identity/web/password-section.tsx';
import { AccountSection } from './account-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { SettingsFrame } from './settings-frame.tsx';

/** `/settings`: the account, its password, and how the pages look. */
export default function SettingsPage() {
  return (
    <SettingsFrame title="Settings">
      <AccountSection />
      <PasswordSection />
      <AppearanceSection />
    </SettingsFrame>
  );
}
