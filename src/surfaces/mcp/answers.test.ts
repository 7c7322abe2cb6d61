import { expect, test } from 'vitest';
import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createCountedIds } from '#kernel/ids/ids.ts';
import { createLogFixture } from '#kernel/log/log.ts';
import { toCard } from '#kernel/tool/card.ts';
import { defineTool, type FaultForm } from '#kernel/tool/tool.ts';
import { createAnswers } from './answers.ts';

const tool = defineTool({
  name: 'fact_read',
  title: 'A tool',
  summary: 'Does something.',
  guide: { when: ['it is needed'] },
  effect: 'read',
  faults: [],
  input: z.strictObject({}),
  output: z.object({}),
  run: () => ({}),
});

function openAnswers() {
  const log = createLogFixture();
  const server = { name: 'fourfold', title: 'Fourfold', version: '1' };
  return { log, answers: createAnswers({ ids: createCountedIds(), log, server, answers: 'both' }) };
}

type Fault = ReturnType<typeof faults.CANCELLED>;

function failWith(fault: Fault, form: FaultForm) {
  const { log, answers } = openAnswers();
  const { text } = answers.toToolAnswer({ ok: false, card: toCard(tool, 'facts', form), fault }, 'legacy');
  return { lines: log.lines, text };
}

test('logs a rejected call with its trace id, tool and code', () => {
  const { lines, text } = failWith(faults.NOT_FOUND({ what: 'fact' }, { id: 'fact-1' }), 'traced');
  const { trace_id: traceId } = (JSON.parse(text) as { error: { trace_id: string } }).error;
  expect(traceId).not.toBe('fact-1');
  expect(lines).toEqual([
    { level: 'info', fields: { traceId, tool: 'fact_read', code: 'NOT_FOUND' }, message: expect.any(String) },
  ]);
});

test('uses the id of the bug report as the trace id', () => {
  const { lines, text } = failWith(faults.INTERNAL({ id: 'bug-7' }, { id: 'bug-7' }), 'traced');
  expect(JSON.parse(text)).toMatchObject({ error: { trace_id: 'bug-7' } });
  expect(lines).toEqual([]);
});

test('logs nothing for families without trace ids', () => {
  for (const form of ['numeric', 'plain', 'flagged'] as const) {
    const { lines, text } = failWith(faults.NOT_FOUND({ what: 'fact' }), form);
    expect([lines, text.includes('trace')]).toEqual([[], false]);
  }
});
