import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellFixtures } from './cells.fixture.ts';
import {
  type Json,
  type NotebookProgram,
  openNotebooks,
  type ValidationResult,
  type Written,
} from './notebook-program.ts';

const checked = cellFixtures.filter(({ language }) => language !== 'txt');
const inOne = (which: 'valid' | 'invalid'): readonly Json[] =>
  cellFixtures.map((cell) => ({ cell_id: `${cell.language}-${which}`, language: cell.language, content: cell[which] }));

describe('validation through a real client', () => {
  let program: NotebookProgram;
  const validate = async (scratch_id: string, cell_ids?: readonly string[]) =>
    (
      await program.call<{ results: readonly ValidationResult[] }>('scratch_validate', {
        scratch_id,
        ...(cell_ids === undefined ? {} : { cell_ids }),
      })
    ).results;

  beforeAll(async () => {
    program = await openNotebooks();
    await program.call('scratch_create', { scratch_id: 'all', cells: [...inOne('valid'), ...inOne('invalid')] });
  });
  afterAll(() => program.close());

  it('answers one result per cell, in the order of the pad', async () => {
    const results = await validate('all');
    const { cells } = await program.read('all');
    expect(results.map(({ cell_index, cell_id, language }) => ({ index: cell_index, cell_id, language }))).toEqual(
      cells.map(({ index, cell_id, language }) => ({ index, cell_id, language })),
    );
    expect(results).toHaveLength(2 * 25);
    expect(new Set(cells.map(({ language }) => language)).size).toBe(25);
  });

  it.each(cellFixtures)('$language has the type $type', async ({ language, type }) => {
    const { cells } = await program.read('all', { cell_ids: [`${language}-valid`] });
    expect(cells).toMatchObject([{ language, type }]);
  });

  it.each(checked)(
    'accepts valid $language and reports the position of an error',
    async ({ language, line, column }) => {
      const [valid, invalid] = await validate('all', [`${language}-valid`, `${language}-invalid`]);
      expect(valid).toMatchObject({ language, valid: true, errors: [], warnings: [] });
      expect(invalid).toMatchObject({ language, valid: false });
      expect(invalid?.errors[0]).toMatchObject({ line, column, message: expect.stringMatching(/\w/) });
    },
  );

  it('skips plain text with a warning', async () => {
    for (const result of await validate('all', ['txt-valid', 'txt-invalid'])) {
      expect(result).toMatchObject({ valid: true, errors: [], warnings: [{ code: 'VALIDATION_SKIPPED' }] });
    }
  });

  it('never fails a write and reports errors of the cells that request validation', async () => {
    const cells = [
      { language: 'json', content: '{', validate: true },
      { language: 'json', content: '[' },
      { language: 'txt', content: 'x', validate: true },
    ];
    const { validation, scratchpad } = await program.call<Written>('scratch_create', { scratch_id: 'advised', cells });
    expect(scratchpad.cell_count).toBe(3);
    expect(validation?.map(({ cell_index, valid }) => [cell_index, valid])).toEqual([
      [0, false],
      [2, true],
    ]);
    const appended = await program.call<Written>('scratch_append_cell', {
      scratch_id: 'advised',
      cell: { language: 'py', content: 'def', validate: true },
    });
    expect(appended.validation).toMatchObject([{ cell_index: 3, valid: false, language: 'py' }]);
    expect((await program.read('advised')).cells[3]?.content).toBe('def');
    expect(await validate('advised', [scratchpad.cells[1]!.cell_id])).toMatchObject([{ cell_index: 1, valid: false }]);
  });

  it('rejects missing cells and pads without a partial result', async () => {
    const error = await program.fail('scratch_validate', { scratch_id: 'all', cell_ids: ['json-valid', 'nine'] });
    expect(error.code).toBe('INVALID_ID');
    expect((await program.fail('scratch_validate', { scratch_id: 'missing' })).code).toBe('NOT_FOUND');
    await program.call('scratch_create', { scratch_id: 'bare' });
    expect(await program.call('scratch_validate', { scratch_id: 'bare' })).toEqual({
      ok: true,
      scratch_id: 'bare',
      results: [],
    });
  });
});
