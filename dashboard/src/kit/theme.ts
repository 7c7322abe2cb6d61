import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'theme';
const listeners = new Set<() => void>();
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark' || text === 'system';

function currentTheme(): Theme {
  const kept = localStorage.getItem(storageKey);
  return isTheme(kept) ? kept : 'system';
}

export function applyTheme(theme: Theme = currentTheme()): void {
  localStorage.setItem(storageKey, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, currentTheme);

export const themes: readonly Theme[] = ['system', 'light', 'dark'];
export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length]!;
