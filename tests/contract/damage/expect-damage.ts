import { expect } from 'vitest';

/** The answer names the damaged item and the command that helps. */
export function expectDamage(answer: unknown, item: string): void {
  const text = JSON.stringify(answer);
  expect(text).toContain('INTEGRITY_ERROR');
  expect(text).toContain(item);
  expect(text).toContain('fourfold doctor --deep');
}
