/** Developers' pages in their order. */
export const developersPages = [
  { href: '/developers', label: 'Developers' },
  { href: '/developers/playground', label: 'Playground' },
  { href: '/settings/api-keys', label: 'API keys' },
] as const;
