interface SkeletonProps {
  lines?: number;
  /** What screen readers hear; null where another part of the page says it: one "Loading" a page. */
  label: string | null;
}

/** Lines of the height that text will have, so that nothing moves when it arrives. */
export function Skeleton({ lines = 3, label }: SkeletonProps) {
  return (
    <div role={label === null ? undefined : 'status'} className="grid gap-3 py-2">
      {label !== null && <span className="sr-only">{label}</span>}
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} aria-hidden="true" className={`skeleton h-4 ${index % 3 === 2 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </div>
  );
}
