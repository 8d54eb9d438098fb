import { useQuery } from '@tanstack/react-query';
import { portfolioSettingsQuery } from '../../../features/portfolio/net-worth/ui/base-currency.ts';
import { BaseCurrencySection } from '../../../features/portfolio/net-worth/ui/base-currency-section.tsx';
import { NumberFormatSection } from '../../../features/settings/ui/number-format-section.tsx';
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
      numberFormat={
        <Queries>
          <NumberFormat />
        </Queries>
      }
    />
  );
}

/** Shows the number format by an amount in the member's base currency. */
const NumberFormat = () => (
  <NumberFormatSection currency={useQuery(portfolioSettingsQuery).data?.base_currency ?? 'USD'} />
);
