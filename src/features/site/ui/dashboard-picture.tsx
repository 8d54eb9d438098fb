import { themeChoice } from '../../../ui/shell/theme/theme.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import dark from './pictures/dashboard-dark.webp';
import light from './pictures/dashboard-light.webp';
import phoneDark from './pictures/dashboard-phone-dark.webp';
import phoneLight from './pictures/dashboard-phone-light.webp';

const WIDE = { width: 1216, height: 720 };
const PHONE = { width: 390, height: 480 };
const ON_PHONES = '(max-width: 639px)';
const IN_THE_DARK = '(prefers-color-scheme: dark)';

/** Shows the dashboard of the sample portfolio in the theme of the page. `npm run pictures` takes the pictures. */
export function DashboardPicture() {
  const choice = useStore(themeChoice);
  const isDark = choice === 'dark';
  const followsSystem = choice === 'system';
  return (
    <picture>
      {followsSystem && <source media={`${ON_PHONES} and ${IN_THE_DARK}`} srcSet={phoneDark} {...PHONE} />}
      <source media={ON_PHONES} srcSet={isDark ? phoneDark : phoneLight} {...PHONE} />
      {followsSystem && <source media={IN_THE_DARK} srcSet={dark} {...WIDE} />}
      <img
        src={isDark ? dark : light}
        alt="The dashboard of a portfolio with its net worth over the past year and its holdings"
        {...WIDE}
        decoding="async"
        className="h-auto w-full rounded-card border border-line shadow-raised"
      />
    </picture>
  );
}
