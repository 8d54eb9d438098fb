import './policy-safe-styles.ts';

const OPENING_OPERATION = '#tag/token-counting/POST/v1/messages/count_tokens';
const darkTheme = matchMedia('(prefers-color-scheme: dark)');

/** Returns the theme of the page: the choice made in the app, or that of the operating system. */
function getTheme(): 'dark' | 'light' {
  const choice = document.documentElement.dataset['theme'];
  if (choice === 'dark' || choice === 'light') return choice;
  return darkTheme.matches ? 'dark' : 'light';
}

const getConfiguration = () => ({
  url: '/openapi.json',
  // style.css maps the design tokens to the variables of the reference.
  theme: 'none' as const,
  withDefaultFonts: false,
  forceDarkModeState: getTheme(),
  hideDarkModeToggle: true,
  // A key that is typed here is forgotten when the tab is closed or reloaded.
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell' as const, clientKey: 'curl' as const },
  modelsSectionLabel: 'Schemas',
  documentDownloadType: 'json' as const,
  // Nothing leads to a service of another company.
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  agent: { disabled: true },
  mcp: { disabled: true },
});

// The fragment names an operation, so the link to the content does not change it.
document.querySelector('.skip-link')?.addEventListener('click', (event) => {
  event.preventDefault();
  document.querySelector<HTMLElement>('#reference')?.focus();
});

// Loaded behind the lines above, since the library adds styles when it is loaded.
const { createApiReference } = await import('@scalar/api-reference');
if (location.hash === '') history.replaceState(null, '', OPENING_OPERATION);
const reference = createApiReference('#app', getConfiguration());
darkTheme.addEventListener('change', () => reference.updateConfiguration(getConfiguration()));
