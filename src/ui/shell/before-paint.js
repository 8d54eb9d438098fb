// Runs before the first paint, so that a page never flashes in the wrong theme, and the landing page never to a member.
// Mirrors theme/theme.ts and session/session.ts.
try {
  const { dataset } = document.documentElement;
  const choice = localStorage.getItem('tally.theme');
  if (choice === 'light' || choice === 'dark') dataset.theme = choice;
  if (localStorage.getItem('tally.member') !== null) dataset.member = '';
} catch {
  // Storage is blocked, so the system's theme applies.
}
