/** Rows of the height that tickers will have, so that nothing moves when they arrive. The page says that it loads. */
export function CardSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div>
      <div aria-hidden="true" className="px-4 pb-1.5 sm:px-5">
        <span className="skeleton h-4 w-32" />
        <span className="skeleton mt-3 h-5 w-24" />
      </div>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true" className="flex h-15 items-center gap-3 border-t border-line px-4 sm:px-5">
          <span className="skeleton size-8" />
          <span className="grid flex-1 gap-2">
            <span className="skeleton h-3.5 w-14" />
            <span className="skeleton h-3 w-28" />
          </span>
          <span className="skeleton h-6 w-18" />
          <span className="grid w-22 justify-items-end gap-2">
            <span className="skeleton h-3.5 w-18" />
            <span className="skeleton h-3 w-12" />
          </span>
        </div>
      ))}
    </div>
  );
}
