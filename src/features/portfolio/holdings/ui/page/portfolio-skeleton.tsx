/** Shows placeholders with the height of the summary and of the first rows. */
export const PortfolioSkeleton = () => (
  <div aria-hidden="true" className="grid gap-4">
    <div className="card grid gap-3 px-4 py-4 sm:px-5">
      <span className="skeleton h-4 w-24" />
      <span className="skeleton h-9 w-52" />
      <span className="skeleton h-4 w-40" />
      <span className="skeleton h-4 w-full" />
      <span className="skeleton h-5 w-64" />
    </div>
    <span className="skeleton h-8 w-72" />
    <div className="card">
      {Array.from({ length: 8 }, (_, index) => (
        <div
          key={index}
          className="flex h-14 items-center gap-3 border-t border-line px-4 first:border-transparent sm:px-5"
        >
          <span className="skeleton size-8" />
          <span className="grid flex-1 gap-2">
            <span className="skeleton h-3.5 w-20" />
            <span className="skeleton h-3 w-32" />
          </span>
          <span className="skeleton h-3.5 w-16" />
        </div>
      ))}
    </div>
  </div>
);
