import { useState } from 'react';
import { Button } from './button.tsx';

interface CopyProps {
  readonly text: string;
  /** What is copied, for the label: "Copy key". */
  readonly what?: string;
}

export function Copy({ text, what = '' }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  const label = isCopied ? 'Copied' : 'Copy';
  return (
    <Button kind="quiet" onClick={() => void copy()} aria-label={`${label} ${what}`.trim()}>
      <span aria-live="polite">{label}</span>
    </Button>
  );
}
