// Runs before the first paint, so that the page never flashes the wrong theme. Mirrors theme/theme.ts.
try {
  const choice = localStorage.getItem('tally.theme');
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
} catch {
  // Storage is blocked, so the system's theme applies.
}
