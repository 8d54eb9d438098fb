/** Where a part of the dashboard that did not load says so; when its sentence goes, the focus goes to the page. */
export const lazyErrorProps = {
  className: 'mb-4',
  onDismiss: (): void => document.getElementById('main')?.focus({ preventScroll: true }),
};
