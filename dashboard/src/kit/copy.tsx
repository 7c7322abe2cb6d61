import { useState } from 'react';
import { Button } from './button.tsx';
import { sayError } from './toast.tsx';

interface CopyProps {
  readonly text: string;
  /** What is copied, for the label: "Copy key". */
  readonly what?: string;
  /** Where the place does not say what is copied. */
  readonly isNamed?: boolean;
}

/** Browsers offer the clipboard only to pages of this machine or over HTTPS; otherwise a selection is copied. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('This browser does not let the page copy. Select the text and copy it.');
}

export function Copy({ text, what = '', isNamed = false }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await toClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  const label = isCopied ? 'Copied' : 'Copy';
  return (
    <Button kind="quiet" onClick={() => void copy().catch(sayError)} aria-label={`${label} ${what}`.trim()}>
      <span aria-live="polite">{isNamed ? `${label} ${what}` : label}</span>
    </Button>
  );
}
