/** Turns while something is under way; what it is, a text beside it says. */
export const Spinner = () => (
  <span
    aria-hidden="true"
    className={
      'size-3.5 animate-spin rounded-full border-2 border-current border-e-transparent motion-reduce:animate-none'
    }
  />
);
