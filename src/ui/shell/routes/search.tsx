import { type SearchCommand, SearchDialog } from '../../../features/search/ui/search-dialog.tsx';
import { settingsPages } from '../../../features/settings/ui/settings-pages.ts';
import { developersPages } from '../../../features/site/ui/developers-pages.ts';
import { useStore } from '../../kit/use-store.ts';
import { Queries } from '../api/queries.tsx';
import { openAlertList } from '../alerts/alert-request.ts';
import type { NavigationEntry } from '../navigation/entries.ts';
import { navigate, openPanel } from '../navigation/location.ts';
import { isShortcutListOpen } from '../navigation/shortcut-list.ts';
import { useNavigationEntries } from '../navigation/watchlist-offer.ts';
import { openSecurity } from '../navigation/security-url.ts';
import { privacyMode, setPrivacyMode } from '../session/privacy-mode.ts';
import { useIsSampleUser } from '../session/sample-user.ts';
import { signOut } from '../session/sign-out.ts';
import { chooseTheme, type ThemeChoice, themeChoices } from '../theme/theme.ts';
import { themeLabels } from '../theme/theme-choice.tsx';

/** Search with the pages and actions that the member has. */
export default function Search({ onClose }: { onClose: () => void }) {
  const entries = useNavigationEntries();
  const isSample = useIsSampleUser();
  const isPrivate = useStore(privacyMode);
  const pages = [
    ...entries.map((entry): SearchCommand => toDestination(entry)),
    ...(isSample ? [] : settingsPages.map(({ label, href }) => toSettingsPage(`Settings: ${label}`, href))),
    ...(isSample ? [] : [toPage('Plans', 'arrow', '/plans', 'price upgrade subscription cost')]),
    ...developersPages.map(({ label, href }) => toPage(label, 'arrow', href)),
  ];
  return (
    <Queries>
      <SearchDialog
        pages={pages}
        actions={[...(isSample ? [] : portfolioActions), ...getAppActions(isPrivate)]}
        onSelectSecurity={({ symbol }) => openSecurity(symbol)}
        onClose={onClose}
      />
    </Queries>
  );
}

/** Words for what a page of the header shows or does. */
const pageKeywords: Partial<Record<NavigationEntry['href'], string>> = {
  '/dashboard': 'net worth movers earnings dividends news',
  '/portfolio': 'holdings dividends income import export csv',
  '/watchlist': 'tickers export csv',
  '/assistant': 'chat questions reports',
};

/** Icon of each page of the settings, and words for what it does. */
const settings: Record<(typeof settingsPages)[number]['href'], { icon: SearchCommand['icon']; keywords: string }> = {
  '/settings': {
    icon: 'person',
    keywords:
      'base currency number format language email theme privacy export download data delete close leave account',
  },
  '/settings/security': {
    icon: 'lock',
    keywords:
      'password two-step verification second factor authenticator app totp 2fa passkey codes sessions devices sign out',
  },
  '/settings/connections': { icon: 'bank', keywords: 'bank brokerage institution disconnect' },
  '/settings/billing': { icon: 'cycle', keywords: 'invoice payment card cancel subscription plan' },
  '/settings/api-keys': { icon: 'link', keywords: 'token counting developers' },
  '/settings/assistant': { icon: 'chat', keywords: 'conversations tokens mcp' },
  '/settings/invite': { icon: 'plus', keywords: 'referral link share' },
};

const toSettingsPage = (label: string, href: keyof typeof settings): SearchCommand =>
  toPage(label, settings[href].icon, href, settings[href].keywords);

const toPage = (label: string, icon: SearchCommand['icon'], href: string, keywords = ''): SearchCommand => ({
  label,
  icon,
  keywords,
  run: () => navigate(href),
});

/** Opens a destination as the header or the tab bar does, whichever the window shows. */
const toDestination = ({ label, icon, href, panel }: NavigationEntry): SearchCommand => ({
  label,
  icon,
  keywords: pageKeywords[href] ?? '',
  run: () => {
    const isBeside = panel !== undefined && window.location.pathname !== href && matchMedia('(width >= 40rem)').matches;
    if (isBeside) openPanel(panel);
    else navigate(href);
  },
});

/** Actions whose dialogs open on Home. */
const portfolioActions: readonly SearchCommand[] = [
  {
    label: 'Connect an account',
    icon: 'bank',
    keywords: 'bank brokerage institution link',
    run: () => navigate('/dashboard?open=connect'),
  },
  {
    label: 'Add investment',
    icon: 'plus',
    keywords: 'holding buy position',
    run: () => navigate('/dashboard?open=investment'),
  },
  {
    label: 'Arrange cards',
    icon: 'cards',
    keywords: 'add remove restore move home order',
    run: () => navigate('/dashboard?open=arrange'),
  },
];

const getAppActions = (isPrivate: boolean): SearchCommand[] => [
  {
    label: 'Keyboard shortcuts',
    icon: 'search',
    keywords: 'keys help hotkeys',
    run: () => isShortcutListOpen.set(true),
  },
  { label: 'Alerts', icon: 'bell', keywords: 'price alert notification bell', run: openAlertList },
  {
    label: isPrivate ? 'Leave privacy mode' : 'Privacy mode',
    icon: isPrivate ? 'eye' : 'eye-off',
    keywords: 'hide show amounts blur',
    run: () => setPrivacyMode(!isPrivate),
  },
  ...themeChoices.map((choice: ThemeChoice): SearchCommand => ({
    label: `Theme: ${themeLabels[choice]}`,
    icon: 'contrast',
    keywords: 'appearance mode',
    run: () => chooseTheme(choice),
  })),
  {
    label: 'Sign out',
    icon: 'person',
    keywords: 'log out logout',
    run: () => {
      void signOut();
    },
  },
];
