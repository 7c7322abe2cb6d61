import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/** Runs the work when the browser has painted what was typed. */
function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * The text of a field whose value is in the address. The address changes a moment later and redraws the page, so the field
 * itself holds what is typed: otherwise React would put the former text back in between, and the caret at its end.
 */
export function useTypedText(value: string, onText: (text: string) => void) {
  const [text, setText] = useState(value);
  /** What was passed on and did not come back as the value yet. */
  const passed = useRef<string[]>([]);
  const waiting = useRef<{ readonly text: string; readonly cancel: () => void }>(undefined);
  const latest = useRef(onText);
  latest.current = onText;

  useEffect(() => {
    const at = passed.current.indexOf(value);
    // A value that was not typed here comes from a link, a button or the history of the browser.
    if (at === -1) setText(value);
    passed.current.splice(0, at + 1);
  }, [value]);
  useEffect(() => () => waiting.current?.cancel(), []);

  function pass() {
    if (waiting.current === undefined) return;
    const typed = waiting.current.text;
    waiting.current.cancel();
    waiting.current = undefined;
    passed.current.push(typed);
    latest.current(typed);
  }
  return {
    value: text,
    onChange({ target }: ChangeEvent<TextInput>) {
      setText(target.value);
      waiting.current?.cancel();
      waiting.current = { text: target.value, cancel: afterPaint(pass) };
    },
    /** The form is sent, or something else is chosen: that must see the text. */
    onBlur: pass,
    onKeyDown({ key }: KeyboardEvent<TextInput>) {
      if (key === 'Enter') pass();
    },
  };
}
