import { chooseTheme, themeChoice, type ThemeChoice as Theme, themeChoices } from './theme.ts';
import { useStore } from '../../kit/use-store.ts';

/** Labels of the themes. */
export const themeLabels: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Theme choice as a compact group of native radio buttons, with their arrow keys and screen-reader support. */
export function ThemeChoice({ name, showLegend = false }: { name: string; showLegend?: boolean }) {
  const chosenTheme = useStore(themeChoice);
  return (
    <fieldset className="min-w-0">
      <legend className={showLegend ? 'mb-1.5 text-small font-medium' : 'sr-only'}>Theme</legend>
      <div className="inline-flex rounded-control border border-line-strong bg-surface p-0.5">
        {themeChoices.map((choice) => (
          <label key={choice} className="choice">
            <input
              type="radio"
              className="sr-only"
              name={name}
              checked={choice === chosenTheme}
              onChange={() => chooseTheme(choice)}
            />
            {themeLabels[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
