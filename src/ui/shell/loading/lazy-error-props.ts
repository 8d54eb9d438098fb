/**
 * Props for the error message of a dashboard part that failed to load. When the message disappears, the page takes the
 * focus.
 */
export const lazyErrorProps = {
  className: 'mb-4',
  onDismiss: (): void => document.getElementById('main')?.focus({ preventScroll: true }),
};
