import type { ReactNode } from 'react';
import { AccountSection } from './account-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { DataSection } from './data-section.tsx';
import { PrivacySection } from './privacy-section.tsx';
import { SettingsLayout } from './settings-layout.tsx';

/** Renders `/settings`: account, base currency, number format, appearance, privacy and one's data. */
export function SettingsPage({ baseCurrency, numberFormat }: Record<'baseCurrency' | 'numberFormat', ReactNode>) {
  return (
    <SettingsLayout title="Settings">
      <div className="cards grid grid-cols-[minmax(0,1fr)] gap-5">
        <AccountSection />
        {baseCurrency}
        {numberFormat}
        <AppearanceSection />
        <PrivacySection />
        <DataSection />
      </div>
    </SettingsLayout>
  );
}
