import type { ReactNode } from 'react';

const toneClasses = {
  plain: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
} as const;

/** Shows a short label next to an element. */
export function Badge({ tone = 'plain', children }: { tone?: keyof typeof toneClasses; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-full px-2 py-0.5 text-micro font-medium ${toneClasses[tone]}`}>
      {children}
    </span>
  );
}
