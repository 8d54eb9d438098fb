/** Developers' pages in their order. */
export const developersPages = [
  { href: '/developers', label: 'Developers' },
  { href: '/developers/playground', label: 'Playground' },
] as const;
