import { Queries } from '../../../ui/shell/api/queries.tsx';
import { AccountSection } from './account-section.tsx';
import { BaseCurrencySection } from './base-currency-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { DataSection } from './data-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { SettingsLayout } from './settings-layout.tsx';

/** Renders `/settings`: account, base currency, appearance, privacy and one's data. */
export default function SettingsPage() {
  return (
    <SettingsLayout title="Settings">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 min-[80rem]:grid-cols-2">
        <AccountSection />
        <Queries>
          <BaseCurrencySection />
        </Queries>
        <AppearanceSection />
        <PrivacySection />
        <DataSection />
      </div>
    </SettingsLayout>
  );
}
