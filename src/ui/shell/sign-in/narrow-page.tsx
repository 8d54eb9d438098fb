import type { ReactNode } from 'react';

interface NarrowPageProps {
  title: string;
  /** Absent if the form below introduces itself. */
  introduction?: ReactNode;
  children?: ReactNode;
}

/** Narrow column of the pages about one's account: a heading, a line of introduction, and usually a form. */
export function NarrowPage({ title, introduction, children }: NarrowPageProps) {
  return (
    <div className="mx-auto max-w-sm py-6 sm:py-12">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      {introduction !== undefined && <p className="mt-1 mb-6 text-ink-soft">{introduction}</p>}
      {children}
    </div>
  );
}
