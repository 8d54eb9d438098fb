import type { ReactNode } from 'react';

/** The frame of the sign-up and sign-in pages: a narrow column with the form and the way to the other page. */
export function AccountCard({
  title,
  lead,
  children,
  other,
}: {
  title: string;
  lead: string;
  children: ReactNode;
  other: ReactNode;
}) {
  return (
    <div className="mx-auto max-w-sm py-6 sm:py-14">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{lead}</p>
      {children}
      <p className="mt-6 border-t border-line pt-5 text-ink-soft">{other}</p>
    </div>
  );
}
