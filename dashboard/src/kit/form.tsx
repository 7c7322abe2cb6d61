import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { focusList } from './link-keys.ts';
import { useTypedText } from './typed-text.ts';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
}

/** Unlike `autoFocus`, it also works in a page that is shown later. */
const focusFirst = (input: HTMLInputElement | null): void => input?.focus();

type TextFieldProps = Labelled & InputHTMLAttributes<HTMLInputElement> & { readonly hasFocus?: boolean };

export const TextField = ({ label, hint, hasFocus, ...rest }: TextFieldProps) => (
  <label className="field">
    <span>{label}</span>
    <input className="input" {...(hasFocus && { ref: focusFirst })} {...rest} />
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

/** Focused by `/`. Enter and the down key go on to the list that it filters. */
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
        if (event.key !== 'ArrowDown' && (event.key !== 'Enter' || event.currentTarget.form !== null)) return;
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
