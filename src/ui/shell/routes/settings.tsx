import { BaseCurrencySection } from '../../../features/portfolio/net-worth/ui/base-currency-section.tsx';
import { SettingsPage } from '../../../features/settings/ui/settings-page.tsx';
import { Queries } from '../api/queries.tsx';

/** Renders `/settings` with the section that the portfolio offers. */
export default function Settings() {
  return (
    <SettingsPage
      baseCurrency={
        <Queries>
          <BaseCurrencySection />
        </Queries>
      }
    />
  );
}
