export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'theme';
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark' || text === 'system';

export function currentTheme(): Theme {
  const kept = localStorage.getItem(storageKey);
  return isTheme(kept) ? kept : 'system';
}

export function applyTheme(theme: Theme = currentTheme()): void {
  localStorage.setItem(storageKey, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

const order: readonly Theme[] = ['system', 'light', 'dark'];
export const nextTheme = (theme: Theme): Theme => order[(order.indexOf(theme) + 1) % order.length]!;
