import { chooseTheme, themeChoice, type ThemeChoice, themeChoices } from '../../../ui/shell/theme/theme.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { themeLabels } from '../../../ui/shell/theme/theme-choice.tsx';

/** Shows the theme choice with a preview of each theme. */
export function AppearanceSection() {
  const chosen = useStore(themeChoice);
  return (
    <Card title="Appearance">
      <fieldset>
        <legend className="sr-only">Theme</legend>
        <div className="grid grid-cols-3 gap-3 sm:max-w-md">
          {themeChoices.map((choice) => (
            <label key={choice} className="theme-option">
              <input
                type="radio"
                className="sr-only"
                name="theme"
                checked={choice === chosen}
                onChange={() => chooseTheme(choice)}
              />
              <ThemePreview choice={choice} />
              <span className="text-small font-medium">{themeLabels[choice]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <p className="mt-3 text-small text-ink-faint">Saved in this browser. “System” follows your device.</p>
    </Card>
  );
}

/** Draws a miniature page. The preview of `System` shows half of each theme. */
function ThemePreview({ choice }: { choice: ThemeChoice }) {
  const halves = choice === 'system' ? (['light', 'dark'] as const) : ([choice] as const);
  return (
    <span className="flex h-16 overflow-hidden rounded-control border border-line-strong" aria-hidden="true">
      {halves.map((theme) => (
        <span key={theme} data-theme={theme} className="grid flex-1 content-start gap-1.5 bg-page p-2">
          <span className="h-1.5 w-2/3 rounded-full bg-ink" />
          <span className="grid gap-1 rounded-small border border-line bg-surface p-1.5">
            <span className="h-1 rounded-full bg-ink-faint" />
            <span className="h-1 w-1/2 rounded-full bg-mark" />
          </span>
        </span>
      ))}
    </span>
  );
}
