/** Spinner for a running operation. The adjacent text names the operation. */
export const Spinner = () => (
  <span
    aria-hidden="true"
    className={
      'size-3.5 animate-spin rounded-full border-2 border-current border-e-transparent motion-reduce:animate-none'
    }
  />
);
