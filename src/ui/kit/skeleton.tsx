interface SkeletonProps {
  lines?: number;
  /**
   * Text for screen readers. null if another part of the page announces the loading state, so that a page announces it
   * once.
   */
  label: string | null;
}

/** Shows lines with the height of the expected text, so that the layout does not shift. */
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
