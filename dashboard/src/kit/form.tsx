import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useTypedText } from './typed-text.ts';

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

type AddressFieldProps = Labelled & {
  readonly value: string;
  readonly onText: (text: string) => void;
};

/** A field whose text is in the address. */
export const AddressField = ({
  value,
  onText,
  ...rest
}: AddressFieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'value'>) => (
  <TextField {...rest} {...useTypedText(value, onText)} />
);

export const AddressArea = ({
  value,
  onText,
  ...rest
}: AddressFieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value'>) => (
  <TextArea {...rest} {...useTypedText(value, onText)} />
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

const focusList = () => document.querySelector<HTMLElement>('.list')?.focus();

/** Focused by `/`; the down key goes on to the list that it filters. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const { onKeyDown, ...typed } = useTypedText(value, onChange);
  return (
    <input
      className="input"
      type="search"
      data-filter=""
      aria-label={label}
      placeholder={`${label}  /`}
      {...typed}
      onKeyDown={(event) => {
        onKeyDown(event);
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        focusList();
      }}
    />
  );
}

export const Checkbox = ({ label, ...rest }: { readonly label: string } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="row">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
);
