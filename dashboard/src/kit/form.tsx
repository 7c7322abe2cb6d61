import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
}

export const TextField = ({ label, hint, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="field">
    <span>{label}</span>
    <input className="input" {...rest} />
    {hint && <small>{hint}</small>}
  </label>
);

export const TextArea = ({ label, hint, ...rest }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{label}</span>
    <textarea className="input" {...rest} />
    {hint && <small>{hint}</small>}
  </label>
);

interface ChoiceProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The label of a filter is only for screen readers; its first choice names it. */
export const Choice = ({ label, choices, value, onChange, ...rest }: ChoiceProps) => (
  <select
    className="input"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    {...rest}
  >
    {choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.label}
      </option>
    ))}
  </select>
);

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Focused by `/`. */
export const SearchField = ({ label, value, onChange }: SearchFieldProps) => (
  <input
    className="input"
    type="search"
    data-filter=""
    aria-label={label}
    placeholder={`${label}  /`}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

export const Checkbox = ({ label, ...rest }: { readonly label: string } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="row">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
);
