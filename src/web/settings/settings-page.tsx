import { AccountSection } from './account-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { SettingsFrame } from './settings-frame.tsx';

/** `/settings`: the account, and how the pages look. */
export default function SettingsPage() {
  return (
    <SettingsFrame title="Settings">
      <AccountSection />
      <AppearanceSection />
    </SettingsFrame>
  );
}
