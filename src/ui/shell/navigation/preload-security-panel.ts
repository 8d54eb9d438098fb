let preload = (): void => {};

/** Sets the function that loads the code of the panel. The shell calls this function once. */
export function setSecurityPanelPreload(load: () => void): void {
  preload = load;
}

/** Loads the code of the panel before the click. */
export const preloadSecurityPanel = (): void => preload();
