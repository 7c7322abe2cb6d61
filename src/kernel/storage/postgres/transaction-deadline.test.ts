import { expect, test } from 'vitest';
import { createManualClock } from '../../clock/clock.ts';
import { createTransactionDeadline } from './transaction-deadline.ts';

const overdue = () => new Error('overdue');

test('fails once, with the reason, when the signal is aborted', () => {
  const clock = createManualClock();
  const controller = new AbortController();
  let actCount = 0;
  const deadline = createTransactionDeadline(
    { signal: controller.signal, deadlineAt: clock.now() + 60_000 },
    clock,
    overdue,
  );
  deadline.onFailure(() => {
    actCount += 1;
  });
  expect(deadline.failure).toBeUndefined();
  controller.abort(new Error('cancelled'));
  expect(deadline.failure).toEqual(new Error('cancelled'));
  expect(actCount).toBe(1);
  deadline.clear();
});

test('has failed from the start if the signal was aborted before', () => {
  const clock = createManualClock();
  const deadline = createTransactionDeadline(
    { signal: AbortSignal.abort('why'), deadlineAt: clock.now() + 60_000 },
    clock,
    overdue,
  );
  expect(deadline.failure).toMatchObject({ message: 'the call was cancelled', cause: 'why' });
  deadline.clear();
});

test('fails at the deadline, by the given clock', async () => {
  const clock = createManualClock();
  const deadline = createTransactionDeadline(
    { signal: new AbortController().signal, deadlineAt: clock.now() + 5 },
    clock,
    overdue,
  );
  await new Promise<void>((resolve) => deadline.onFailure(() => resolve()));
  expect(deadline.failure).toEqual(new Error('overdue'));
  deadline.clear();
});

test('does not fail early when the deadline is beyond the range of a timer', async () => {
  const clock = createManualClock();
  const deadline = createTransactionDeadline(
    { signal: new AbortController().signal, deadlineAt: clock.now() + 2 ** 40 },
    clock,
    overdue,
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(deadline.failure).toBeUndefined();
  deadline.clear();
});

test('does nothing after it was cleared', () => {
  const clock = createManualClock();
  const controller = new AbortController();
  let actCount = 0;
  const deadline = createTransactionDeadline(
    { signal: controller.signal, deadlineAt: clock.now() + 60_000 },
    clock,
    overdue,
  );
  deadline.onFailure(() => {
    actCount += 1;
  });
  deadline.clear();
  controller.abort();
  expect(actCount).toBe(0);
});
