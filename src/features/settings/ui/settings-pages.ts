/** Pages of the settings in their order. */
export const settingsPages = [
  { href: '/settings', label: 'Account' },
  { href: '/settings/security', label: 'Security' },
  { href: '/settings/connections', label: 'Connections' },
  { href: '/settings/billing', label: 'Billing' },
  { href: '/settings/api-keys', label: 'API keys' },
  { href: '/settings/assistant', label: 'Your own assistant' },
  { href: '/settings/invite', label: 'Invite friends' },
] as const;
