import { ChoiceGroup } from '../../kit/choice-group.tsx';
import { useStore } from '../../kit/use-store.ts';
import { chooseTheme, themeChoice, type ThemeChoice as Theme, themeChoices } from './theme.ts';

/** Labels of the themes. */
export const themeLabels: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Theme choice as a compact group. */
export function ThemeChoice({ name, showLegend = false }: { name: string; showLegend?: boolean }) {
  return (
    <ChoiceGroup
      legend="Theme"
      showLegend={showLegend}
      name={name}
      options={themeChoices.map((id) => ({ id, label: themeLabels[id] }))}
      value={useStore(themeChoice)}
      onChange={chooseTheme}
    />
  );
}
