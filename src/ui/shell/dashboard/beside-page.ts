/** Where a part of the dashboard that did not load says so; when its sentence goes, the focus goes to the page. */
export const besidePage = {
  className: 'mb-4',
  onAnswer: (): void => document.getElementById('main')?.focus({ preventScroll: true }),
};
