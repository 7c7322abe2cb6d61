import type { ButtonHTMLAttributes } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one thing that the page wants; `danger` for what removes something. */
  readonly kind?: 'primary' | 'danger' | 'quiet';
  /** The key that does the same, shown beside the label. */
  readonly shortcut?: string;
}

export const Button = ({ kind, shortcut, children, type = 'button', className = '', ...rest }: ButtonProps) => (
  <button type={type} className={`button ${className}`} data-kind={kind} {...rest}>
    {children}
    {shortcut && <kbd>{shortcut}</kbd>}
  </button>
);
